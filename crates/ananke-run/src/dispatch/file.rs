//! Runs the functions of one script: in one engine, off the threads of the runtime, results as they come.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::plan::PlannedTest;
use ananke_model::result::TestResult;
use ananke_model::script::{ScriptRecord, TestFunction};
use ananke_script::{FileOutcome, FileRun, Told, run_tests};
use tokio::sync::mpsc;
use tokio::task::JoinError;

use super::jobs::Job;
use super::run::{Message, Shared};
use super::units::FileUnit;
use crate::script::{Around, RunHost, Said, context_of, script_result};
use crate::session::{panicked, pause, settle};

/// What the thread that watches over a file tells; numbers are positions in the part that it runs.
enum Heard {
    Started(usize),
    Finished(usize, Box<Ended>),
}

/// What came of a function.
struct Ended {
    record: Box<ScriptRecord>,
    said: Said,
    duration: Duration,
}

impl Ended {
    /// Takes what went wrong, and was logged, behind all functions; returns what is worth a warning.
    fn take(&mut self, behind: FileOutcome) -> Vec<String> {
        self.record.failures.extend(behind.failures);
        self.record.logs.extend(behind.logs);
        behind.warnings
    }
}

/// Nobody listens any more.
pub(super) struct Unheard;

/// A file under way.
pub(super) struct RunningFile<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) sender: &'a mpsc::Sender<Message>,
    pub(super) limit: Duration,
}

impl RunningFile<'_> {
    /// Runs all functions of a file; every one of them ends in exactly one result.
    pub(super) async fn run(&self, unit: &FileUnit) -> Result<(), Unheard> {
        let mut left = unit.jobs.as_slice();
        while !left.is_empty() {
            if let Some(refused) = self.shared.refused() {
                for job in left {
                    let test = self.test(*job);
                    let result = refused.result(test, &self.shared.context.world.variables);
                    self.send(*job, result).await?;
                }
                return Ok(());
            }
            let n_done = self.part(left).await?;
            left = left.get(n_done..).unwrap_or_default();
        }
        Ok(())
    }

    /// Runs functions one after another, as far as that goes; returns how many ended.
    async fn part(&self, jobs: &[Job]) -> Result<usize, Unheard> {
        let (mut heard, mut running) = self.begin(jobs);
        let mut again: Vec<(Job, TestResult)> = Vec::new();
        let mut last: Option<(Job, Box<Ended>)> = None;
        let mut n_done = 0;
        while let Some(told) = self.next(&mut heard).await {
            match told {
                Heard::Started(at) => {
                    if let Some(job) = jobs.get(at) {
                        self.tell(Message::Started(job.test)).await?;
                    }
                }
                Heard::Finished(at, ended) => {
                    let Some(job) = jobs.get(at).copied() else {
                        continue;
                    };
                    n_done = at + 1;
                    if n_done == jobs.len() {
                        // What went wrong behind all functions is told with the last one.
                        last = Some((job, ended));
                        continue;
                    }
                    let result = self.result(job, *ended, Vec::new());
                    if result.status.is_failure() && self.shared.context.retries > 0 {
                        again.push((job, result));
                    } else {
                        self.send(job, result).await?;
                    }
                }
            }
        }
        let outcome = (&mut running).await;
        let (behind, broken) = match outcome {
            Ok(mut outcome) => {
                let coverage = std::mem::take(&mut outcome.coverage);
                self.shared.context.world.cover(coverage);
                (outcome, None)
            }
            Err(error) => (FileOutcome::default(), Some(error)),
        };
        let last = match last {
            Some((job, mut ended)) => {
                let warnings = ended.take(behind);
                let result = self.result(job, *ended, warnings);
                if result.status.is_failure() && self.shared.context.retries > 0 {
                    again.push((job, result));
                    None
                } else {
                    Some((job, result))
                }
            }
            None => {
                let failures = behind.failures.into_iter().map(|failure| failure.message);
                for notice in behind.warnings.into_iter().chain(failures) {
                    self.tell(Message::Notice(notice)).await?;
                }
                None
            }
        };
        for (job, failed) in again {
            let result = self.again(job, failed).await;
            self.send(job, result).await?;
        }
        if let Some((job, result)) = last {
            self.send(job, result).await?;
        }
        match broken {
            Some(error) => self.broken(jobs, n_done, error).await,
            None => Ok(n_done),
        }
    }

    /// Starts the thread that runs functions.
    fn begin(
        &self,
        jobs: &[Job],
    ) -> (
        mpsc::UnboundedReceiver<Heard>,
        tokio::task::JoinHandle<FileOutcome>,
    ) {
        let world = &self.shared.context.world;
        let host = Arc::new(RunHost::recording(world));
        let script = jobs.first().and_then(|job| self.test(*job).script.clone());
        let file = script
            .map(|script| Arc::clone(&script.file))
            .unwrap_or_default();
        let functions = jobs.iter().filter_map(|job| {
            let script = self.test(*job).script.as_ref()?;
            Some(script.function.clone())
        });
        let functions: Vec<TestFunction> = functions.collect();
        let context = context_of(world.plan.identity.as_ref(), &file.assistant_id);
        let run = FileRun {
            settings: Arc::clone(&world.settings),
            host: host.clone(),
            stop: world.stop.clone(),
            context,
            file,
            functions,
            timeout: self.limit,
        };
        let (sender, heard) = mpsc::unbounded_channel();
        let mut listening = Listening {
            shared: Arc::clone(self.shared),
            jobs: jobs.to_vec(),
            names: run.functions.iter().map(|one| one.name.clone()).collect(),
            limit: self.limit,
            host,
            sender,
            begun: None,
            is_over: false,
        };
        let running =
            tokio::task::spawn_blocking(move || run_tests(&run, |told| listening.take(told)));
        (heard, running)
    }

    /// Waits for what is told next; stops the functions when the user stops the run.
    async fn next(&self, heard: &mut mpsc::UnboundedReceiver<Heard>) -> Option<Heard> {
        let world = &self.shared.context.world;
        if world.cancel.is_cancelled() {
            world.stop.stop();
            return heard.recv().await;
        }
        tokio::select! {
            biased;
            told = heard.recv() => told,
            () = world.cancel.cancelled() => {
                world.stop.stop();
                heard.recv().await
            }
        }
    }

    /// Runs a function that failed again, alone, while it fails and retries are left.
    async fn again(&self, job: Job, first: TestResult) -> TestResult {
        let context = &self.shared.context;
        let mut earlier = Vec::new();
        let mut result = first;
        while result.status.is_failure()
            && earlier.len() < context.retries
            && pause(context, earlier.len()).await
        {
            let (mut heard, running) = self.begin(&[job]);
            let mut next = None;
            while let Some(told) = self.next(&mut heard).await {
                if let Heard::Finished(_, ended) = told {
                    next = Some(*ended);
                }
            }
            let mut outcome = running.await.unwrap_or_default();
            let coverage = std::mem::take(&mut outcome.coverage);
            context.world.cover(coverage);
            // Without a result the run was stopped.
            let Some(mut ended) = next else { break };
            let warnings = ended.take(outcome);
            let next = self.result(job, ended, warnings);
            earlier.push(std::mem::replace(&mut result, next));
        }
        settle(earlier, result, context.flaky_result)
    }

    fn result(&self, job: Job, ended: Ended, warnings: Vec<String>) -> TestResult {
        let Ended {
            mut record,
            said,
            duration,
        } = ended;
        record.opinions = said.opinions;
        let around = Around {
            turns: said.turns,
            logs: said.logs,
            warnings,
            duration,
        };
        let world = &self.shared.context.world;
        let mut result = script_result(self.test(job), &world.variables, record, around);
        world.redactor.result(&mut result);
        result
    }

    /// Ends what is left when ananke itself broke.
    async fn broken(
        &self,
        jobs: &[Job],
        n_done: usize,
        error: JoinError,
    ) -> Result<usize, Unheard> {
        let panic = error
            .try_into_panic()
            .unwrap_or_else(|error| Box::new(error.to_string()));
        for job in jobs.get(n_done..).unwrap_or_default() {
            let world = &self.shared.context.world;
            let mut result = panicked(self.test(*job), &world.variables, panic.as_ref());
            world.redactor.result(&mut result);
            self.send(*job, result).await?;
        }
        Ok(jobs.len())
    }

    fn test(&self, job: Job) -> &PlannedTest {
        &self.shared.context.world.plan.tests[job.test]
    }

    async fn send(&self, job: Job, mut result: TestResult) -> Result<(), Unheard> {
        result.run = job.run;
        if self.shared.stop.stops(job.test, result.status) {
            self.shared.context.pace.close();
        }
        self.tell(Message::Finished(job.test, Box::new(result)))
            .await
    }

    async fn tell(&self, message: Message) -> Result<(), Unheard> {
        self.sender.send(message).await.map_err(|_| Unheard)
    }
}

/// Listens on the thread that watches over the functions, and decides whether they go on.
struct Listening {
    shared: Arc<Shared>,
    jobs: Vec<Job>,
    names: Vec<String>,
    limit: Duration,
    host: Arc<RunHost>,
    sender: mpsc::UnboundedSender<Heard>,
    /// The function that began last.
    begun: Option<usize>,
    /// Whether no further one is to begin.
    is_over: bool,
}

impl Listening {
    fn take(&mut self, told: Told) -> bool {
        match told {
            Told::Started(at) => {
                self.is_over |= self.shared.stop.has_failed();
                if !self.is_over {
                    self.begun = Some(at);
                    self.is_over = self.sender.send(Heard::Started(at)).is_err();
                }
            }
            Told::Finished {
                index,
                mut record,
                duration,
            } => {
                let has_begun = self.begun == Some(index);
                if !has_begun && (self.is_over || self.shared.context.world.stop.is_stopped()) {
                    return false;
                }
                for failure in &mut record.failures {
                    self.host.tell_late(failure, self.limit);
                }
                self.is_over |= self.is_last_word(index, &record);
                let name = self.names.get(index).map_or("", String::as_str);
                let asked = self.host.asked.as_ref();
                let said = asked.map(|asked| asked.take(name)).unwrap_or_default();
                let ended = Ended {
                    record,
                    said,
                    duration,
                };
                let finished = Heard::Finished(index, Box::new(ended));
                self.is_over |= self.sender.send(finished).is_err();
            }
        }
        !self.is_over
    }

    /// Tells whether `--fail-fast` ends the file with this function: it has failed for good, or that is to be found out first.
    fn is_last_word(&self, index: usize, record: &ScriptRecord) -> bool {
        let status = record.status();
        let stop = &self.shared.stop;
        let Some(job) = self.jobs.get(index).filter(|_| status.is_failure()) else {
            return false;
        };
        stop.is_wanted() && (self.shared.context.retries > 0 || stop.would_stop(job.test, status))
    }
}
