//! What is recorded of a function of a script, as the page reads it.

use std::borrow::Cow;

use ananke_model::result::TestResult;
use ananke_model::script::{LogLevel, ScriptFailure, ScriptFrame, ScriptLog};
use serde::Serialize;

use super::detail::{Scale, letter, some};
use super::format::LeftOut;
use super::island::cut;
use crate::script::{DiffLine, diff, excerpt, is_for_diff, sentence};

/// A function of a script.
#[derive(Debug, Serialize)]
pub(super) struct ScriptView<'a> {
    /// What the user calls the file.
    #[serde(rename = "s")]
    script: Cow<'a, str>,
    /// How many assertions were evaluated.
    #[serde(rename = "n")]
    assertions: u64,
    #[serde(rename = "fs", skip_serializing_if = "Vec::is_empty")]
    failures: Vec<FailureView<'a>>,
    /// Name, status, microseconds.
    #[serde(rename = "sub", skip_serializing_if = "Vec::is_empty")]
    subtests: Vec<(Cow<'a, str>, char, u64)>,
    /// Level and text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logs: Vec<(char, Cow<'a, str>)>,
    /// How many failures and how many logs were not recorded.
    #[serde(rename = "more", skip_serializing_if = "Option::is_none")]
    n_more: Option<(u64, u64)>,
}

/// Something that went wrong.
#[derive(Debug, Serialize)]
struct FailureView<'a> {
    #[serde(rename = "m")]
    message: Cow<'a, str>,
    /// The method of `t.assert`.
    #[serde(rename = "k", skip_serializing_if = "Option::is_none")]
    method: Option<Cow<'a, str>>,
    /// JSON text, as is the next.
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    actual: Option<String>,
    /// The difference: mark and text, line by line.
    #[serde(rename = "d", skip_serializing_if = "Vec::is_empty")]
    difference: Vec<(&'static str, String)>,
    /// Function, file, line, column; innermost first.
    #[serde(rename = "at", skip_serializing_if = "Vec::is_empty")]
    frames: Vec<(Cow<'a, str>, Cow<'a, str>, u32, u32)>,
    /// Number and text.
    #[serde(rename = "x", skip_serializing_if = "Vec::is_empty")]
    excerpt: Vec<(u32, String)>,
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    subtest: Option<Cow<'a, str>>,
}

/// Returns what is recorded of a function of a script; nothing for any other test.
pub(super) fn script_view<'a>(
    result: &'a TestResult,
    scale: Scale,
    left_out: &mut LeftOut,
) -> Option<ScriptView<'a>> {
    let record = result.script.as_deref()?;
    let n_more = (record.more_failures, record.more_logs);
    Some(ScriptView {
        script: cut(&record.script, scale.text / 10),
        assertions: record.assertions,
        failures: some(&record.failures, scale, "fs", left_out)
            .map(|failure| failure_view(failure, scale))
            .collect(),
        subtests: some(&record.subtests, scale, "sub", left_out)
            .map(|subtest| {
                let name = cut(&subtest.name, scale.text / 10);
                (name, letter(subtest.status), subtest.duration_us)
            })
            .collect(),
        logs: some(&record.logs, scale, "logs", left_out)
            .map(|log| log_view(log, scale))
            .collect(),
        n_more: (n_more != (0, 0)).then_some(n_more),
    })
}

fn failure_view(failure: &ScriptFailure, scale: Scale) -> FailureView<'_> {
    let assertion = failure.assertion.as_ref();
    let expected = assertion.and_then(|assertion| assertion.expected.as_ref());
    let actual = assertion.and_then(|assertion| assertion.actual.as_ref());
    let difference = match (expected, actual) {
        (Some(expected), Some(actual)) if is_for_diff(expected, actual) => diff(expected, actual),
        _ => Vec::new(),
    };
    let short = |text: &str| cut(text, scale.text / 10).into_owned();
    let line = |line: DiffLine| (line.sign.mark(), short(&line.text));
    let mut left_out = LeftOut::new();
    FailureView {
        message: Cow::Owned(cut(&sentence(failure), scale.text).into_owned()),
        method: assertion.map(|assertion| cut(&assertion.kind, 200)),
        expected: expected.map(|value| cut(&value.to_string(), scale.text).into_owned()),
        actual: actual.map(|value| cut(&value.to_string(), scale.text).into_owned()),
        difference: difference.into_iter().map(line).collect(),
        frames: some(&failure.frames, scale, "at", &mut left_out)
            .map(|frame| frame_view(frame, scale))
            .collect(),
        excerpt: excerpt(failure)
            .map(|(number, text)| (number, short(&text)))
            .collect(),
        subtest: failure
            .subtest
            .as_deref()
            .map(|name| cut(name, scale.text / 10)),
    }
}

fn frame_view(frame: &ScriptFrame, scale: Scale) -> (Cow<'_, str>, Cow<'_, str>, u32, u32) {
    let short = |text| cut(text, scale.text / 10);
    (
        short(&frame.function),
        short(&frame.file),
        frame.line,
        frame.column,
    )
}

pub(super) fn log_view(log: &ScriptLog, scale: Scale) -> (char, Cow<'_, str>) {
    let level = match log.level {
        LogLevel::Debug => 'd',
        LogLevel::Info => 'i',
        LogLevel::Warn => 'w',
        LogLevel::Error => 'e',
    };
    (level, cut(&log.text, scale.text))
}
