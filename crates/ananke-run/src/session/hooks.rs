//! The hooks of a test: run one after the other, each knows what those before it gave.

use std::time::Duration;

use ananke_model::plan::Hook;
use ananke_model::result::TestStatus;
use ananke_model::variables::text_form;
use tokio::time::Instant;

use super::run_test::Session;
use super::{Resolver, Stopped, leftovers};
use crate::process::{HookFailure, HookFailureKind, Launch, names, run_hook};

/// What is started.
struct Command {
    /// Program and arguments.
    words: Vec<String>,
    env: Vec<(String, String)>,
}

impl Session<'_> {
    /// Runs all hooks; stops at the first that fails.
    pub(super) async fn run_hooks(&mut self) -> Result<(), Stopped> {
        for (number, hook) in self.test.hooks.iter().enumerate() {
            self.run_hook(number, hook).await?;
        }
        Ok(())
    }

    async fn run_hook(&mut self, number: usize, hook: &Hook) -> Result<(), Stopped> {
        let command = self.command(number, hook)?;
        let own = Duration::from_millis(hook.timeout_ms);
        let limit = own.min(self.deadline().saturating_duration_since(Instant::now()));
        let launch = Launch {
            cmd: &command.words,
            cwd: &self.context.world.plan.root,
            env: command.env,
        };
        let run = run_hook(&launch, limit, &self.context.world.cancel).await;
        let run = run.map_err(|mut failure| {
            if failure.kind == HookFailureKind::Timeout && limit < own {
                let limit = self.limit().as_millis();
                failure.message = format!("timeout after {limit}ms for the whole test (--timeout)");
            }
            if !failure.escaped.is_empty() {
                let what = format!(": {}", names(&failure.escaped));
                self.warnings.push(leftovers::warning(number, &what));
            }
            stopped(number, &command.words, failure)
        })?;
        for (name, value) in &run.variables {
            self.given.insert(name.clone(), value.clone());
            let variables = &mut self.variables.to_mut().variables;
            variables.insert(name.clone(), value.clone());
        }
        // Before anybody else can know them, so that they are hidden wherever they turn up.
        let redactor = &self.context.world.redactor;
        redactor.learn(&self.test.target, &self.variables, &run.variables);
        self.hooks.push(run);
        Ok(())
    }

    /// Returns the command of a hook with its environment.
    fn command(&self, number: usize, hook: &Hook) -> Result<Command, Stopped> {
        let mut resolver = Resolver::new(&self.variables);
        let words = hook.cmd.iter().map(|word| resolver.text(word)).collect();
        let own_env = hook.env.iter();
        let own_env: Vec<(String, String)> = own_env
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
        env.extend(so_far.map(|(name, value)| (format!("ANANKE_VAR_{name}"), text_form(value))));
        env.extend(own_env);
        // A NUL cannot be passed to a program.
        env.retain(|(name, value)| !name.contains(['\0', '=']) && !value.contains('\0'));
        Ok(Command { words, env })
    }
}

fn stopped(number: usize, cmd: &[String], failure: HookFailure) -> Stopped {
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
    let stderr = failure.stderr.iter();
    Stopped {
        status,
        reason: format!(
            "hook {}{failed} ({}): {}",
            number + 1,
            cmd.join(" "),
            failure.message
        ),
        details: stderr.map(|line| format!("stderr: {line}")).collect(),
    }
}
