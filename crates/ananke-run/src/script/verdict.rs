//! Checks that a function judges: what it gets, and what its answer means.
//!
//! Invariant: only `true`, or an object whose `pass` is `true`, is a pass. Whatever is neither a pass nor a failure is no verdict.

use ananke_assert::Question;
use ananke_model::agent::Sample;
use ananke_model::recording::Turn;
use ananke_model::script::ScriptLog;
use ananke_script::{Argument, Called};
use serde_json::{Map, Value, json};

use super::convert::turns_json;
use super::in_one_line;

/// How many characters of what was returned are shown in a reason.
const SHOWN_CHARS: usize = 100;
/// How long an answer may be to be kept as it is, in bytes.
const KEPT_BYTES: usize = 64 << 10;
/// How many lines of logs are kept with an answer.
const KEPT_LOGS: usize = 100;

/// What is judged by a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgment<'a> {
    pub(crate) question: &'a Question,
    /// The turns that are judged together.
    pub(crate) turns: &'a [Turn],
    /// What was asked, if the case says so.
    pub(crate) input: Option<&'a Value>,
}

/// Returns what the function is called with: `(output, input, expected, turn)`.
pub(crate) fn arguments(judged: Judgment<'_>) -> Vec<Argument> {
    let Judgment {
        question,
        turns,
        input,
    } = judged;
    let text = question.output.as_str();
    let output = serde_json::from_str(text.trim()).unwrap_or_else(|_| Value::from(text));
    let said = || turns.iter().rev().find_map(|turn| turn.user.as_deref());
    let input = input.cloned().unwrap_or_else(|| said().into());
    let expected = question.criteria.clone().unwrap_or_default();
    let turn = turns_json(turns, text, &question.metadata);
    let arguments = [output, input, expected, turn];
    arguments.into_iter().map(Argument::Json).collect()
}

/// Reads what came of the call.
pub(crate) fn sample(called: Called, duration_us: u64) -> Sample {
    let (passed, reason, answer) = match called.result {
        Ok(value) => match verdict(&value) {
            Ok((passed, reason)) => (Some(passed), reason, value),
            Err(why) => (None, why, value),
        },
        Err(failure) => (None, in_one_line(&failure), Value::Null),
    };
    Sample {
        passed,
        reason,
        answer: kept(answer, &called.logs),
        duration_us,
    }
}

/// Returns what was decided, and why. Otherwise, what is wrong with it.
fn verdict(value: &Value) -> Result<(bool, String), String> {
    let members = match value {
        Value::Bool(passed) => return Ok((*passed, format!("it returned {passed}"))),
        Value::Object(members) => members,
        other => {
            let shown = shown(other);
            return Err(format!(
                "it returned {shown}, neither a boolean nor `{{pass: boolean, message?: string}}`"
            ));
        }
    };
    let passed = match members.get("pass") {
        Some(Value::Bool(passed)) => *passed,
        Some(other) => {
            let shown = shown(other);
            return Err(format!(
                "`pass` of what it returned is {shown}, not true or false"
            ));
        }
        None => {
            let shown = shown(value);
            return Err(format!("what it returned has no `pass`: {shown}"));
        }
    };
    match members.get("message") {
        None | Some(Value::Null) => Ok((passed, format!("it returned pass: {passed}"))),
        Some(Value::String(message)) if message.trim().is_empty() => {
            Ok((passed, format!("it returned pass: {passed}")))
        }
        Some(Value::String(message)) => Ok((passed, message.clone())),
        Some(other) => {
            let shown = shown(other);
            Err(format!(
                "`message` of what it returned is {shown}, not text"
            ))
        }
    }
}

fn shown(value: &Value) -> String {
    if value.is_null() {
        return "nothing".to_owned();
    }
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", text.split_at(at).0),
        None => text,
    }
}

/// Returns an answer as it is kept, with what was logged.
fn kept(answer: Value, logs: &[ScriptLog]) -> Value {
    let answer = match answer.to_string() {
        text if text.len() > KEPT_BYTES => {
            let (kept, _) = text.split_at(text.floor_char_boundary(KEPT_BYTES));
            Value::from(format!("{kept}…"))
        }
        _ => answer,
    };
    if logs.is_empty() {
        return answer;
    }
    let mut n_bytes = 0;
    let lines = logs.iter().take(KEPT_LOGS).map_while(|log| {
        n_bytes += log.text.len();
        (n_bytes <= KEPT_BYTES).then_some(log)
    });
    let lines: Vec<&ScriptLog> = lines.collect();
    let n_more = logs.len() - lines.len();
    let mut members = Map::new();
    members.insert("returned".to_owned(), answer);
    members.insert("logs".to_owned(), json!(lines));
    if n_more > 0 {
        members.insert("more_logs".to_owned(), n_more.into());
    }
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use ananke_model::script::ScriptFailure;
    use insta::assert_snapshot;

    use super::*;

    fn read(result: Result<Value, ScriptFailure>) -> String {
        let called = Called {
            result,
            ..Called::failed(ScriptFailure::default())
        };
        let sample = sample(called, 0);
        format!("{:?} {}", sample.passed, sample.reason)
    }

    #[test]
    fn only_a_pass_is_a_pass() {
        assert_snapshot!(read(Ok(json!(true))), @"Some(true) it returned true");
        assert_snapshot!(read(Ok(json!(false))), @"Some(false) it returned false");
        assert_snapshot!(read(Ok(json!({"pass": true}))), @"Some(true) it returned pass: true");
        assert_snapshot!(read(Ok(json!({"pass": false, "message": "no total"}))), @"Some(false) no total");
        assert_snapshot!(read(Ok(Value::Null)), @"None it returned nothing, neither a boolean nor `{pass: boolean, message?: string}`");
        assert_snapshot!(read(Ok(json!(1))), @"None it returned 1, neither a boolean nor `{pass: boolean, message?: string}`");
        assert_snapshot!(read(Ok(json!("true"))), @r#"None it returned "true", neither a boolean nor `{pass: boolean, message?: string}`"#);
        assert_snapshot!(read(Ok(json!({"pass": "yes"}))), @r#"None `pass` of what it returned is "yes", not true or false"#);
        assert_snapshot!(read(Ok(json!({"passed": true}))), @r#"None what it returned has no `pass`: {"passed":true}"#);
        assert_snapshot!(read(Ok(json!({"pass": true, "message": 5}))), @"None `message` of what it returned is 5, not text");
        let thrown = ScriptFailure {
            message: "TypeError: x".to_owned(),
            ..ScriptFailure::default()
        };
        assert_snapshot!(read(Err(thrown)), @"None TypeError: x");
    }

    #[test]
    fn logs_are_kept_with_the_answer() {
        let log = ScriptLog {
            text: "x".repeat(1000),
            ..ScriptLog::default()
        };
        let called = Called {
            result: Ok(json!(true)),
            logs: vec![log; 200],
            ..Called::failed(ScriptFailure::default())
        };
        let answer = sample(called, 0).answer;
        assert_eq!(answer["returned"], true);
        assert_eq!(answer["logs"].as_array().unwrap().len(), 65);
        assert_eq!(answer["more_logs"], 135);
    }
}
