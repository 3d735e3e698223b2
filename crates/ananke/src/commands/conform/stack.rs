//! The profile `sse-stack`: its own address, its own requests, its own report on stdout.

use ananke_conform::apply_baseline;
use ananke_conform::sse_stack::{
    self, DEFAULT_MAX_FRAMES, DEFAULT_STREAM_PATH, DEFAULT_TIMEOUT_MS, DEFAULT_WRITE_PROBE_PATH,
    StackError, StackOptions, Vocabulary,
};
use ananke_model::conformance::{Baseline, ConformSetup};

use super::args::ConformArgs;
use super::command::configuration;
use super::live;
use super::output::Outputs;
use crate::commands::pipeline::runtime;
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::signals::Signals;
use crate::ui::Ui;

/// Asks and judges.
pub(super) fn run(
    args: &ConformArgs,
    setup: &ConformSetup,
    baseline: Option<&Baseline>,
    outputs: &Outputs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let stack = &args.stack;
    let named = stack.base_url.as_ref().or(args.url.as_ref());
    let Some(base_url) = named.or(setup.url.as_ref()) else {
        return Err(configuration("`--profile sse-stack` needs `--base-url`")
            .hint("ananke conform --profile sse-stack --base-url http://localhost:3113"));
    };
    let mut headers = setup.headers.clone();
    headers.extend(args.asking.headers.iter().cloned());
    let path = |given: &Option<String>, usual: &str| given.clone().unwrap_or(usual.to_owned());
    let mut severities = setup.rules.clone();
    severities.extend(args.verdict.severities.iter().cloned());
    let options = StackOptions {
        base_url: base_url.clone(),
        stream_path: path(&stack.stream_path, DEFAULT_STREAM_PATH),
        write_probe_path: Some(path(&stack.write_probe_path, DEFAULT_WRITE_PROBE_PATH)),
        bearer: args.asking.bearer.clone(),
        insufficient_scope_bearer: stack.insufficient_scope_bearer.clone(),
        cnf_bound_bearer: stack.cnf_bound_bearer.clone(),
        max_frames: args
            .asking
            .max_frames
            .map_or(DEFAULT_MAX_FRAMES, |n| n as usize),
        timeout: args.asking.timeout(DEFAULT_TIMEOUT_MS),
        vocabulary: stack.vocabulary.map_or(Vocabulary::Nineteen, Into::into),
        http: live::http(args, environment)?,
        headers,
        severities,
    };
    let mut report = runtime(1)?.block_on(async {
        let signals = Signals::listen().map_err(|error| {
            CommandError::new(Exit::Trouble, format!("no signals can be caught: {error}"))
        })?;
        tokio::select! {
            report = sse_stack::run(&options) => report.map_err(|error| match error {
                StackError::Options(why) => configuration(why),
                unreachable @ StackError::Unreachable { .. } => {
                    CommandError::new(Exit::Trouble, unreachable.to_string()).hint(live::NOT_THERE)
                }
            }),
            () = signals.cancel.cancelled() => {
                let exit = signals.stop().map_or(Exit::Trouble, Exit::Stopped);
                Err(CommandError::new(exit, "stopped before a verdict was reached"))
            }
        }
    })?;
    let mut full = report.as_report();
    full.strict = args.verdict.strict;
    if let Some(baseline) = baseline {
        apply_baseline(&mut full, baseline, |_, _| true);
        report.take_verdicts(&full);
    }
    outputs.write_files(&full, environment, ui)?;
    let document = serde_json::to_string_pretty(&report).unwrap_or_default();
    ui.out(&format!("{document}\n"));
    ui.talk(&format!("{}\n", report.summary_line(args.verdict.strict)));
    // Checks that are inconclusive leave the exit code alone, however many they are.
    Ok(if full.fails() {
        Exit::Failed
    } else if full.is_unclear() {
        Exit::Inconclusive
    } else {
        Exit::Passed
    })
}

/// Refuses flags that mean nothing for this profile.
pub(super) fn check_fits(args: &ConformArgs) -> Result<(), CommandError> {
    let given = [
        ("--scenario", !args.scenarios.is_empty()),
        ("--capabilities", args.capabilities.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(configuration(format!(
            "`{flag}` means nothing to `--profile sse-stack`"
        ))),
        None => Ok(()),
    }
}

/// Refuses flags that mean nothing for the other profiles.
pub(super) fn check_unused(args: &ConformArgs) -> Result<(), CommandError> {
    let stack = &args.stack;
    let given = [
        ("--base-url", stack.base_url.is_some()),
        ("--stream-path", stack.stream_path.is_some()),
        ("--write-probe-path", stack.write_probe_path.is_some()),
        (
            "--insufficient-scope-bearer",
            stack.insufficient_scope_bearer.is_some(),
        ),
        ("--cnf-bound-bearer", stack.cnf_bound_bearer.is_some()),
        ("--vocabulary", stack.vocabulary.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(configuration(format!(
            "`{flag}` belongs to `--profile sse-stack`"
        ))),
        None => Ok(()),
    }
}
