//! Drives one attempt at a test from its hooks to its result.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ananke_assert::Question;
use ananke_model::agent::Opinion;
use ananke_model::case::Case;
use ananke_model::plan::{PlannedTest, PlannedTurn, TurnAction};
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::result::{Reach, TestResult, TestStatus};
use ananke_model::script::ScriptLog;
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use serde_json::Value;
use tokio::time::Instant;

use super::led::Led;
use super::script_hooks::{Before, after, case_argument, context_argument};
use super::{
    Attachments, FlakyResult, Judging, Next, Resolved, Stopped, Threads, Verdict, leftovers, limit,
    resolve, shown_target,
};
use crate::dynamic::judge_interrupted;
use crate::ids::new_id;
use crate::opinions::{self, Seen};
use crate::pace::Pace;
use crate::process::HookRun;
use crate::script::{self, Within};
use crate::speakers::{Call, Speaker};
use crate::world::World;

/// What all tests of a run share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) world: Arc<World>,
    pub(crate) threads: Threads,
    pub(crate) attachments: Attachments,
    pub(crate) pace: Pace,
    pub(crate) retries: usize,
    pub(crate) flaky_result: FlakyResult,
    pub(crate) test_timeout: Duration,
}

/// Runs one test once; whatever happens is in the result.
pub(super) async fn run_attempt(context: &Context, index: usize, group: usize) -> TestResult {
    let mut session = Session::new(context, index, group);
    let stopped = session.run().await.err();
    session.finish(stopped).await
}

/// One attempt at a test, under way.
pub(super) struct Session<'a> {
    pub(super) context: &'a Context,
    pub(super) test: &'a PlannedTest,
    /// Who shares a limit with this test.
    pub(super) group: usize,
    /// The run's, until a hook adds its own.
    pub(super) variables: Cow<'a, Variables>,
    /// What the hooks gave.
    pub(super) given: BTreeMap<String, Value>,
    name: String,
    /// What is known of the test if it is a case, references resolved once they can be.
    case: Option<Arc<Case>>,
    started: Instant,
    /// How long it had to wait for others: not this test's time.
    pub(super) waited: Duration,
    pub(super) hooks: Vec<HookRun>,
    pub(super) warnings: Vec<String>,
    judging: Option<Judging>,
    /// What `before` handed on, once it went well; nothing until then.
    prepared: Option<Value>,
    /// What `ctx` of the hooks calls the conversation.
    chat_id: String,
    /// What scripts around the test logged.
    logs: Vec<ScriptLog>,
}

impl<'a> Session<'a> {
    fn new(context: &'a Context, index: usize, group: usize) -> Self {
        let test = &context.world.plan.tests[index];
        Self {
            context,
            test,
            group,
            variables: Cow::Borrowed(&context.world.variables),
            given: BTreeMap::new(),
            name: test.name.text.clone(),
            case: test.case.clone(),
            started: Instant::now(),
            waited: Duration::ZERO,
            hooks: Vec::new(),
            warnings: Vec::new(),
            judging: None,
            prepared: None,
            chat_id: new_id(),
            logs: Vec::new(),
        }
    }

    /// Returns how long the test may take.
    pub(super) fn limit(&self) -> Duration {
        limit::of_test(self.test, self.context.test_timeout)
    }

    /// Returns when the test has taken too long.
    pub(super) fn deadline(&self) -> Instant {
        self.started + self.limit() + self.waited
    }

    async fn run(&mut self) -> Result<(), Stopped> {
        if let Some(skip) = &self.test.skip {
            return Err(Stopped::skipped(skip, &self.variables));
        }
        self.run_hooks().await?;
        let context = self.context;
        let resolved = resolve(self.test, &self.variables);
        let judging = Judging::compile(self.test, &self.variables);
        let speaker = self.speaker(&resolved).map_err(Stopped::error);
        let (resolved, mut judging, speaker) = match (resolved, judging, speaker) {
            (Ok(resolved), Ok(judging), Ok(speaker)) => (resolved, judging, speaker),
            (resolved, judging, speaker) => {
                let reasons = [resolved.err(), judging.err(), speaker.err()];
                return Err(Stopped::all(reasons).expect("one of them is there"));
            }
        };
        (self.name, self.case) = (resolved.name, resolved.case);
        judging.hide_by(context.world.redactor.clone());
        if let Some(chat_id) = speaker.chat_id() {
            chat_id.clone_into(&mut self.chat_id);
        }
        self.before().await?;
        let _turnstile = if let Some(shared) = speaker.turnstile() {
            let since = Instant::now();
            let turnstile = context.threads.enter(shared).await;
            self.waited += since.elapsed();
            Some(turnstile)
        } else {
            None
        };
        let actions = &resolved.actions;
        let ran = match &self.test.dynamic {
            Some(dynamic) => {
                let led = Led {
                    dynamic,
                    told: &resolved.told,
                    first: actions.first(),
                };
                Box::pin(self.run_led(&speaker, led, &mut judging)).await
            }
            None => self.run_turns(&speaker, actions, &mut judging).await,
        };
        self.judging = Some(judging);
        // A server that does not want to leave takes nobody's time.
        let since = Instant::now();
        self.warnings.extend(speaker.close().await);
        self.waited += since.elapsed();
        script::add(&mut self.logs, speaker.take_logs());
        ran
    }

    /// Makes the agent ready to be spoken to.
    fn speaker(&self, resolved: &Result<Resolved, Stopped>) -> Result<Speaker, String> {
        let context = self.context;
        let means = context.world.means(&self.variables);
        // A case that cannot be resolved stops the test, whatever its agent is told.
        let case = match resolved {
            Ok(resolved) => resolved.case.as_deref(),
            Err(_) => self.case.as_deref(),
        };
        let mut call = Call::of_test(case, context.world.plan.identity.as_ref());
        call.file = Some(Arc::clone(&self.test.file));
        Speaker::new(&self.test.target, &means, &call)
    }

    /// Calls `before` of a case, if it has one.
    async fn before(&mut self) -> Result<(), Stopped> {
        let world = &self.context.world;
        let data = match &self.test.before {
            None => Value::Null,
            Some(hook) => {
                let case = self.case.as_deref();
                let arguments = [
                    context_argument(world, self.test, case, &self.chat_id),
                    case_argument(self.test, case),
                ];
                let within = Within {
                    world,
                    limit: self.limit(),
                    left: self.deadline().saturating_duration_since(Instant::now()),
                    logs: &mut self.logs,
                };
                script::before(within, hook, arguments).await?
            }
        };
        self.prepared = Some(data);
        Ok(())
    }

    async fn run_turns(
        &mut self,
        speaker: &Speaker,
        actions: &[Action],
        judging: &mut Judging,
    ) -> Result<(), Stopped> {
        let mut conversation = speaker.conversation();
        for (planned, action) in self.test.turns.iter().zip(actions) {
            let action = self.with_attachments(planned, action).await?;
            let (mut turn, why) = self
                .run_turn(speaker, planned, &action, &mut conversation)
                .await;
            let questions = judging.questions(&turn);
            let said = self.opinions(questions, Some(&turn), judging).await;
            turn.opinions.extend(said);
            let next = judging.turn(turn);
            let next = next.map_err(|stopped| stopped.details(why))?;
            if let Some(cut) = judging.cut() {
                return Err(cut);
            }
            if next == Next::Verdict {
                break;
            }
        }
        self.judge_all(judging).await;
        Ok(())
    }

    /// Judges all turns together.
    pub(super) async fn judge_all(&self, judging: &mut Judging) {
        let questions = judging.test_questions();
        let said = self.opinions(questions, None, judging).await;
        judging.keep(said);
        judging.test();
    }

    /// Asks other agents about `turn`, or about all turns so far. If they are not waited for, `judging` knows why.
    pub(super) async fn opinions(
        &self,
        questions: Vec<Question>,
        turn: Option<&Turn>,
        judging: &mut Judging,
    ) -> Vec<Opinion> {
        if questions.is_empty() {
            return Vec::new();
        }
        let bounds = (self.limit(), self.deadline());
        let (earlier, turns) = match turn {
            Some(turn) => (judging.turns(), std::slice::from_ref(turn)),
            None => (&[][..], judging.turns()),
        };
        let seen = Seen {
            earlier,
            turns,
            input: self.case.as_ref().map(|case| &case.input),
        };
        let gathered = opinions::gather(&self.context.world, questions, seen, bounds);
        let gathered = Box::pin(gathered).await;
        if self.context.world.cancel.is_cancelled() {
            judging.cut_by(Some(judge_interrupted()));
        } else if gathered.is_late {
            judging.cut_by(Some(self.took_too_long()));
        }
        gathered.opinions
    }

    /// Says that the time of the test is over.
    pub(super) fn took_too_long(&self) -> Stopped {
        let limit = self.limit();
        Stopped {
            status: TestStatus::Timeout,
            reason: match self.test.case {
                Some(_) => limit::case_timeout(limit),
                None => limit::test_timeout(limit),
            },
            details: Vec::new(),
        }
    }

    /// Puts the files that go with messages into them.
    async fn with_attachments<'t>(
        &self,
        planned: &PlannedTurn,
        action: &'t Action,
    ) -> Result<Cow<'t, Action>, Stopped> {
        match (&planned.action, action) {
            (TurnAction::Messages(messages), Action::Messages(list))
                if !messages.attachments.is_empty() =>
            {
                let mut list = list.clone();
                self.context.attachments.fill(&mut list, messages).await?;
                Ok(Cow::Owned(Action::Messages(list)))
            }
            _ => Ok(Cow::Borrowed(action)),
        }
    }

    /// Returns the result. The one place that everything a live test says passes on its way out.
    async fn finish(mut self, stopped: Option<Stopped>) -> TestResult {
        let mut warnings = leftovers::end(self.hooks).await;
        warnings.extend(self.warnings);
        let turns = self.judging.as_ref().map_or(&[][..], Judging::turns);
        let reach = match turns {
            turns if !turns.iter().any(was_tried) => Reach::NotTried,
            turns if turns.iter().any(|turn| turn.reached) => Reach::Reached,
            _ => Reach::Unreached,
        };
        let started_at_ms = turns.first().map(|turn| turn.timing.started_at_ms);
        let ended_at_ms = turns.last().map(|turn| {
            let total_ms = i64::try_from(turn.timing.total_us / 1000).unwrap_or(i64::MAX);
            turn.timing.started_at_ms.saturating_add(total_ms)
        });
        script::add(&mut self.logs, script::of_checks(turns));
        let verdict = match self.judging {
            Some(judging) => judging.verdict(stopped),
            None => Verdict::stopped(stopped.expect("it stopped before its first turn")),
        };
        let spent = self.started.elapsed().saturating_sub(self.waited);
        let mut result = TestResult {
            id: self.test.id.clone(),
            name: self.name,
            file: self.test.file.to_string(),
            status: verdict.status,
            reason: verdict.reason,
            reason_details: verdict.details,
            n_turns: match self.test.dynamic {
                Some(_) => verdict.turns.len(),
                None => self.test.turns.len(),
            },
            turns: verdict.turns,
            checks: verdict.checks,
            warnings,
            tags: self.test.tags.clone(),
            reach,
            started_at_ms,
            ended_at_ms,
            duration_us: u64::try_from(spent.as_micros()).unwrap_or(u64::MAX),
            target: shown_target(&self.test.target, &self.context.world.variables),
            variables: self.given,
            flaky: false,
            earlier: Vec::new(),
            case: self.case,
            connector: self.test.target.connector.clone(),
            run: None,
            checkpoints: verdict.checkpoints,
            other_runs: Vec::new(),
            script: None,
            logs: self.logs,
        };
        if let Some(hook) = &self.test.after
            && let Some(data) = self.prepared
        {
            let before = Before {
                data,
                chat_id: self.chat_id,
            };
            after(self.context, self.test, hook, &mut result, before).await;
        }
        self.context.world.redactor.result(&mut result);
        result
    }
}

/// Tells whether a turn reached out to its agent: what comes before the first request may fail as well.
fn was_tried(turn: &Turn) -> bool {
    let is_out =
        |trouble: &Trouble| !matches!(trouble.kind, TroubleKind::BadEvent | TroubleKind::Cancelled);
    match &turn.status {
        TurnStatus::Broken(trouble) => !turn.requests.is_empty() || is_out(trouble),
        TurnStatus::Finished | TurnStatus::RunError { .. } => !turn.requests.is_empty(),
    }
}
