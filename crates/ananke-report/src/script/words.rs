//! What is said about a function of a script, as single sentences. Nothing is escaped here.

use std::borrow::Cow;

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::script::{
    FailureKind, LogLevel, ScriptFailure, ScriptFrame, ScriptLog, ScriptRecord,
};

/// What the sentence about an assertion begins with.
const ASSERTION: &str = "assertion failed";

/// Returns a failure in one sentence; it may have several lines if something was thrown.
pub(crate) fn sentence(failure: &ScriptFailure) -> Cow<'_, str> {
    let message = failure.message.as_str();
    if failure.kind == FailureKind::Assertion && !message.starts_with(ASSERTION) {
        return Cow::Owned(match message {
            "" => ASSERTION.to_owned(),
            message => format!("{ASSERTION}: {message}"),
        });
    }
    if !message.is_empty() {
        return Cow::Borrowed(message);
    }
    Cow::Borrowed(match failure.kind {
        FailureKind::Assertion => ASSERTION,
        FailureKind::Failed | FailureKind::Fatal => "the function said that it failed",
        FailureKind::Thrown => "something was thrown",
        FailureKind::Timeout => "timeout",
        FailureKind::Memory => "the memory limit was hit",
        FailureKind::Load => "the file cannot be loaded",
        FailureKind::Hook => "a hook went wrong",
        FailureKind::Undecided => "no verdict was given",
        FailureKind::Interrupted => "interrupted",
    })
}

/// Returns why a function of a script did not pass, if its record says so.
pub(crate) fn reason(result: &TestResult) -> Option<String> {
    let record = result.script.as_deref()?;
    match record.failures.first() {
        Some(failure) => Some(match &failure.subtest {
            Some(name) => format!("{name}: {}", sentence(failure)),
            None => sentence(failure).into_owned(),
        }),
        None if result.status == TestStatus::Inconclusive && record.assertions == 0 => {
            Some("no assertion was evaluated".to_owned())
        }
        None => None,
    }
}

/// Returns where the first failure happened.
pub(crate) fn place(record: &ScriptRecord) -> Option<&ScriptFrame> {
    let failures = record.failures.iter();
    failures.filter_map(|failure| failure.frames.first()).next()
}

/// Returns a place as `setup_test.ts:12:10`, or `TestA (setup_test.ts:12:10)` if the function is known and wanted.
pub(crate) fn at(frame: &ScriptFrame, with_function: bool) -> String {
    let place = format!("{}:{}:{}", frame.file, frame.line, frame.column);
    match frame.function.as_str() {
        function if with_function && !function.is_empty() => format!("{function} ({place})"),
        _ => place,
    }
}

/// Returns a log line; a warning and an error say that they are.
pub(crate) fn log_line(log: &ScriptLog) -> Cow<'_, str> {
    match log.level {
        LogLevel::Debug | LogLevel::Info => Cow::Borrowed(&log.text),
        LogLevel::Warn => Cow::Owned(format!("warn: {}", log.text)),
        LogLevel::Error => Cow::Owned(format!("error: {}", log.text)),
    }
}
