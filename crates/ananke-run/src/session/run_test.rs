//! Drives one test from its hooks to its result.

use std::borrow::Cow;
use std::time::Duration;

use ananke_assert::{CompiledBlock, compile};
use ananke_model::plan::{Plan, PlannedTest, PlannedTurn, Protocol, TurnAction};
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, Reach, TestResult, TestStatus};
use ananke_model::variables::{Variables, text_form};
use ananke_protocol::agui::{Action, Conversation, TurnRequest, run_turn};
use ananke_protocol::http::Proxies;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::prepare::{Prepared, Resolver, new_id, prepare};
use super::{Threads, leftovers};
use crate::clients::Clients;
use crate::process::{HookFailure, HookFailureKind, HookRun, names, run_hook};

/// What all tests of a run share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) plan: Plan,
    pub(crate) variables: Variables,
    pub(crate) proxies: Proxies,
    pub(crate) clients: Clients,
    pub(crate) threads: Threads,
    pub(crate) test_timeout: Duration,
    pub(crate) unix_ms: fn() -> i64,
    pub(crate) cancel: CancellationToken,
}

/// Runs one test; whatever happens is in the result.
pub(crate) async fn run_test(context: &Context, test: &PlannedTest) -> TestResult {
    let started = Instant::now();
    let mut session = Session::new(context, test, started);
    let stopped = session.run().await.err();
    let mut result = session.into_result(stopped).await;
    result.duration_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    result
}

/// Why a test did not come to its verdict.
struct Stopped {
    status: TestStatus,
    reason: String,
    details: Vec<String>,
}

impl Stopped {
    fn error(reason: impl Into<String>) -> Self {
        Self {
            status: TestStatus::Error,
            reason: reason.into(),
            details: Vec::new(),
        }
    }

    /// Returns one reason that tells all of them.
    fn all(reasons: [Option<Self>; 3]) -> Self {
        let mut reasons = reasons.into_iter().flatten();
        let mut first = reasons.next().expect("one of them is there");
        for other in reasons {
            first.details.push(other.reason);
            first.details.extend(other.details);
        }
        first
    }
}

struct Session<'a> {
    context: &'a Context,
    test: &'a PlannedTest,
    /// The run's, until a hook adds its own.
    variables: Cow<'a, Variables>,
    name: String,
    deadline: Instant,
    hooks: Vec<HookRun>,
    warnings: Vec<String>,
    turns: Vec<Turn>,
    turn_checks: Vec<Vec<CheckResult>>,
    checks: Vec<CheckResult>,
}

impl<'a> Session<'a> {
    fn new(context: &'a Context, test: &'a PlannedTest, started: Instant) -> Self {
        Self {
            context,
            test,
            variables: Cow::Borrowed(&context.variables),
            name: test.name.text.clone(),
            deadline: started + context.test_timeout,
            hooks: Vec::new(),
            warnings: Vec::new(),
            turns: Vec::new(),
            turn_checks: Vec::new(),
            checks: Vec::new(),
        }
    }

    async fn run(&mut self) -> Result<(), Stopped> {
        if let Some(skip) = &self.test.skip {
            let reason = self
                .variables
                .text(&skip.text)
                .unwrap_or_else(|_| skip.text.clone());
            return Err(Stopped {
                status: TestStatus::Skipped,
                reason,
                details: Vec::new(),
            });
        }
        self.run_hooks().await?;
        let mut resolver = Resolver::new(&self.variables);
        let name = resolver.text(&self.test.name);
        let actions: Vec<Action> = self
            .test
            .turns
            .iter()
            .map(|turn| action(turn, &mut resolver))
            .collect();
        let texts = resolver.finish().map_err(Stopped::error);
        let blocks = self.compile_blocks();
        let context = self.context;
        let prepared = prepare(
            &self.test.target,
            &self.variables,
            &context.clients,
            &context.proxies,
            &context.plan.root,
        )
        .map_err(Stopped::error);
        let ((turn_blocks, test_block), prepared) = match (texts, blocks, prepared) {
            (Ok(()), Ok(blocks), Ok(prepared)) => (blocks, prepared),
            (texts, blocks, prepared) => {
                return Err(Stopped::all([texts.err(), blocks.err(), prepared.err()]));
            }
        };
        self.name = name;
        let _turnstile = if prepared.has_literal_thread {
            let before = Instant::now();
            let turnstile = context.threads.enter(&prepared.options.thread_id).await;
            self.deadline += before.elapsed(); // waiting for another test is not this test's time
            Some(turnstile)
        } else {
            None
        };
        let error_is_expected = test_block.expects_error();
        self.run_turns(&prepared, actions, &turn_blocks, error_is_expected)
            .await?;
        self.checks = test_block.judge_test(&self.turns);
        Ok(())
    }

    async fn run_hooks(&mut self) -> Result<(), Stopped> {
        for (number, hook) in self.test.hooks.iter().enumerate() {
            let mut resolver = Resolver::new(&self.variables);
            let cmd: Vec<String> = hook.cmd.iter().map(|word| resolver.text(word)).collect();
            let own_env: Vec<(String, String)> = hook
                .env
                .iter()
                .map(|(name, value)| (name.clone(), resolver.text(value)))
                .collect();
            resolver
                .finish()
                .map_err(|why| Stopped::error(format!("hook {}: {why}", number + 1)))?;
            let mut env = vec![
                ("ANANKE_TEST_FILE".to_owned(), self.test.file.to_string()),
                ("ANANKE_TEST_NAME".to_owned(), self.test.name.text.clone()),
            ];
            let so_far = self.variables.variables.iter();
            env.extend(
                so_far.map(|(name, value)| (format!("ANANKE_VAR_{name}"), text_form(value))),
            );
            env.extend(own_env);
            // A NUL cannot be passed to a program.
            env.retain(|(name, value)| !name.contains(['\0', '=']) && !value.contains('\0'));
            let own = Duration::from_millis(hook.timeout_ms);
            let limit = own.min(self.deadline.saturating_duration_since(Instant::now()));
            let launch = crate::process::Launch {
                cmd: &cmd,
                cwd: &self.context.plan.root,
                env,
            };
            let run = run_hook(&launch, limit, &self.context.cancel).await;
            let run = run.map_err(|mut failure| {
                if failure.kind == HookFailureKind::Timeout && limit < own {
                    let limit = self.context.test_timeout.as_millis();
                    failure.message =
                        format!("timeout after {limit}ms for the whole test (--timeout)");
                }
                if !failure.escaped.is_empty() {
                    let what = format!(": {}", names(&failure.escaped));
                    self.warnings.push(leftovers::warning(number, &what));
                }
                hook_stopped(number, &cmd, failure)
            })?;
            if !run.variables.is_empty() {
                self.variables
                    .to_mut()
                    .variables
                    .extend(run.variables.clone());
            }
            self.hooks.push(run);
        }
        Ok(())
    }

    fn compile_blocks(&self) -> Result<(Vec<Option<CompiledBlock>>, CompiledBlock), Stopped> {
        let stop = |diagnostics: Vec<ananke_model::diagnostic::Diagnostic>| {
            let mut lines = diagnostics
                .iter()
                .map(|diagnostic| match &diagnostic.place {
                    Some(place) => format!("{place}: {}", diagnostic.message),
                    None => diagnostic.message.clone(),
                });
            let reason = lines.next().unwrap_or_default();
            Stopped {
                status: TestStatus::Error,
                reason,
                details: lines.collect(),
            }
        };
        let turns = self.test.turns.iter().map(|turn| {
            turn.block
                .as_ref()
                .map(|block| compile(block, &self.variables))
                .transpose()
        });
        let turns: Result<Vec<_>, _> = turns.collect();
        Ok((
            turns.map_err(stop)?,
            compile(&self.test.block, &self.variables).map_err(stop)?,
        ))
    }

    async fn run_turns(
        &mut self,
        prepared: &Prepared,
        actions: Vec<Action>,
        blocks: &[Option<CompiledBlock>],
        error_is_expected: bool,
    ) -> Result<(), Stopped> {
        let mut conversation = Conversation::new(prepared.state.clone());
        for ((planned, action), block) in self.test.turns.iter().zip(actions).zip(blocks) {
            let turn = self
                .run_turn(prepared, planned, action, &mut conversation)
                .await;
            let status = turn.status.clone();
            let expects_error = block.as_ref().is_some_and(CompiledBlock::expects_error);
            let checks = match (&status, block) {
                (TurnStatus::Broken(_), _) | (_, None) => Vec::new(),
                (TurnStatus::RunError { .. }, Some(_)) if !expects_error => Vec::new(),
                (_, Some(block)) => block.judge_turn(&turn),
            };
            let has_failed = checks.iter().any(CheckResult::is_failure);
            self.turns.push(turn);
            self.turn_checks.push(checks);
            match status {
                TurnStatus::Broken(trouble) => return Err(self.broken(&trouble)),
                TurnStatus::RunError { .. } if expects_error => {}
                // The test block expects it: no further turns, the verdict is the test's.
                TurnStatus::RunError { .. } if error_is_expected => return Ok(()),
                TurnStatus::RunError { message, code } => {
                    let code = code.map_or_else(String::new, |code| format!(" ({code})"));
                    return Err(Stopped::error(format!(
                        "turn {}: the agent ended with an error: {message}{code}",
                        self.turns.len()
                    )));
                }
                TurnStatus::Finished => {}
            }
            if has_failed {
                // "Turn-level failure => immediate FAIL": the checks say why.
                return Err(Stopped {
                    status: TestStatus::Failed,
                    reason: String::new(),
                    details: Vec::new(),
                });
            }
        }
        Ok(())
    }

    async fn run_turn(
        &self,
        prepared: &Prepared,
        planned: &PlannedTurn,
        action: Action,
        conversation: &mut Conversation,
    ) -> Turn {
        let Protocol::Agui(agui) = &self.test.target.protocol;
        let own = Duration::from_millis(planned.timeout_ms.unwrap_or(agui.timeout_ms));
        let request = TurnRequest {
            client: &prepared.client,
            options: &prepared.options,
            headers: &prepared.headers,
            action,
            encoding: agui.encoding,
            clock: agui.clock,
            timeout: own.min(self.deadline.saturating_duration_since(Instant::now())),
            limits: agui.limits,
            unix_ms: (self.context.unix_ms)(),
            cancel: &self.context.cancel,
        };
        let mut turn = run_turn(&request, conversation, &mut new_id).await;
        if let TurnStatus::Broken(trouble) = &mut turn.status
            && trouble.kind == TroubleKind::Timeout
            && request.timeout < own
        {
            let limit = self.context.test_timeout.as_millis();
            trouble.message = format!("timeout after {limit}ms for the whole test (--timeout)");
        }
        turn
    }

    fn broken(&self, trouble: &Trouble) -> Stopped {
        let status = match trouble.kind {
            TroubleKind::Timeout => TestStatus::Timeout,
            TroubleKind::Cancelled => TestStatus::Skipped,
            _ => TestStatus::Error,
        };
        Stopped {
            status,
            reason: format!("turn {}: {}", self.turns.len(), trouble.message),
            details: Vec::new(),
        }
    }

    async fn into_result(self, stopped: Option<Stopped>) -> TestResult {
        let mut warnings = leftovers::end(self.hooks).await;
        warnings.extend(self.warnings);
        let all = || self.turn_checks.iter().flatten().chain(&self.checks);
        let judged = if all().any(CheckResult::is_failure) {
            TestStatus::Failed
        } else if all().any(|check| check.outcome == Outcome::Inconclusive) {
            TestStatus::Inconclusive
        } else {
            TestStatus::Passed
        };
        let (status, reason, reason_details) = match stopped {
            Some(stopped) => (
                stopped.status,
                Some(stopped.reason).filter(|reason| !reason.is_empty()),
                stopped.details,
            ),
            None => (judged, None, Vec::new()),
        };
        let reach = match self.turns.as_slice() {
            turns if turns.iter().all(|turn| turn.requests.is_empty()) => Reach::NotTried,
            turns if turns.iter().any(|turn| turn.reached) => Reach::Reached,
            _ => Reach::Unreached,
        };
        let started_at_ms = self.turns.first().map(|turn| turn.timing.started_at_ms);
        let ended_at_ms = self.turns.last().map(|turn| {
            let total_ms = i64::try_from(turn.timing.total_us / 1000).unwrap_or(i64::MAX);
            turn.timing.started_at_ms.saturating_add(total_ms)
        });
        let turns = self.turns.into_iter().zip(self.turn_checks);
        TestResult {
            id: self.test.id.clone(),
            name: self.name,
            file: self.test.file.to_string(),
            status,
            reason,
            reason_details,
            turns: turns
                .map(|(turn, checks)| JudgedTurn { turn, checks })
                .collect(),
            n_turns: self.test.turns.len(),
            checks: self.checks,
            warnings,
            tags: self.test.tags.clone(),
            reach,
            started_at_ms,
            ended_at_ms,
            duration_us: 0,
            target: String::new(),
            variables: std::collections::BTreeMap::new(),
            flaky: false,
            earlier: Vec::new(),
        }
    }
}

fn action(turn: &PlannedTurn, resolver: &mut Resolver<'_>) -> Action {
    match &turn.action {
        TurnAction::User { text } => Action::User(resolver.text(text)),
        TurnAction::Connect { allow_empty } => Action::Connect {
            allow_empty: *allow_empty,
        },
        TurnAction::Resume(resume) => Action::Resume {
            status: resume.status,
            payload: resume
                .payload
                .as_ref()
                .map(|payload| resolver.json(payload)),
        },
    }
}

fn hook_stopped(number: usize, cmd: &[String], failure: HookFailure) -> Stopped {
    let details = failure
        .stderr
        .iter()
        .map(|line| format!("stderr: {line}"))
        .collect();
    let status = match failure.kind {
        HookFailureKind::Failed => TestStatus::Error,
        HookFailureKind::Timeout => TestStatus::Timeout,
        HookFailureKind::Cancelled => TestStatus::Skipped,
    };
    let failed = if status == TestStatus::Skipped {
        ""
    } else {
        " failed"
    };
    Stopped {
        status,
        reason: format!(
            "hook {}{failed} ({}): {}",
            number + 1,
            cmd.join(" "),
            failure.message
        ),
        details,
    }
}
