//! What a judge replies: `{"passed": true, "reason": "…"}`, alone, in a fenced block or in prose.

use ananke_assert::jsons_of;
use ananke_model::agent::Sample;
use serde_json::Value;

/// How many characters of a reason, or of an answer that is no verdict, are kept.
const KEPT_CHARS: usize = 4000;
/// How long an answer may be to be kept as it is, in bytes.
const KEPT_BYTES: usize = 64 << 10;
/// How many characters of a reply are shown in a reason.
const SHOWN_CHARS: usize = 100;

/// Reads a reply.
pub(super) fn read(text: &str, duration_us: u64) -> Sample {
    let values = jsons_of(text);
    let mut verdicts = values
        .iter()
        .filter_map(|value| Some((value.get("passed")?.as_bool()?, value)));
    let first = verdicts.next();
    let (passed, reason) = match first {
        // It may quote a verdict that it found in the output.
        Some((passed, _)) if verdicts.any(|(other, _)| other != passed) => {
            (None, "its reply holds both verdicts".to_owned())
        }
        Some((passed, value)) => (Some(passed), reason(value)),
        None => (None, broken(text, values.first())),
    };
    let answer = match first.map(|(_, value)| value).or(values.first()) {
        Some(value) => value.clone(),
        None => Value::from(text),
    };
    Sample {
        passed,
        reason: cut(&reason, KEPT_CHARS),
        answer: kept(answer),
        duration_us,
    }
}

/// Returns an answer that did not come.
pub(super) fn none(reason: String, duration_us: u64) -> Sample {
    Sample {
        passed: None,
        reason,
        answer: Value::Null,
        duration_us,
    }
}

/// Returns why it decided so; it need not say.
fn reason(verdict: &Value) -> String {
    match verdict.get("reason") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(reason)) => reason.clone(),
        Some(other) => other.to_string(),
    }
}

/// Says what is wrong with a reply without a verdict.
fn broken(text: &str, value: Option<&Value>) -> String {
    let found = match value {
        _ if text.trim().is_empty() => return "its reply is empty".to_owned(),
        None => {
            let shown = cut(text.trim(), SHOWN_CHARS);
            return format!("its reply is not JSON with `passed` and `reason`: {shown}");
        }
        Some(value) => value,
    };
    match found.get("passed") {
        Some(passed) => {
            let shown = cut(&passed.to_string(), SHOWN_CHARS);
            format!("`passed` in its reply is {shown}, not true or false")
        }
        None => {
            let shown = cut(&found.to_string(), SHOWN_CHARS);
            format!("its reply has no `passed`: {shown}")
        }
    }
}

/// Returns an answer as it is kept: a long one as the beginning of its text.
fn kept(answer: Value) -> Value {
    let text = match &answer {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.len() <= KEPT_BYTES {
        return answer;
    }
    Value::from(cut(&text, KEPT_CHARS))
}

fn cut(text: &str, n_chars: usize) -> String {
    match text.char_indices().nth(n_chars) {
        Some((at, _)) => format!("{}…", text.split_at(at).0),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn shown(text: &str) -> String {
        let sample = read(text, 0);
        format!("{:?} {:?} {}", sample.passed, sample.reason, sample.answer)
    }

    #[test]
    fn verdicts_are_found_in_fences_and_prose() {
        assert_snapshot!(shown(r#"{"passed": true, "reason": "kind", "score": 0.9, "suggestions": []}"#), @r#"Some(true) "kind" {"passed":true,"reason":"kind","score":0.9,"suggestions":[]}"#);
        assert_snapshot!(shown("Here you are:\n```json\n{\"passed\": false, \"reason\": \"rude\"}\n```\n"), @r#"Some(false) "rude" {"passed":false,"reason":"rude"}"#);
        assert_snapshot!(shown(r#"I think {"passed": false, "reason": "rude"} is right."#), @r#"Some(false) "rude" {"passed":false,"reason":"rude"}"#);
        assert_snapshot!(shown(r#"{"passed": true}"#), @r#"Some(true) "" {"passed":true}"#);
        assert_snapshot!(shown(r#"{"passed": true, "reason": ["a", "b"]}"#), @r#"Some(true) "[\"a\",\"b\"]" {"passed":true,"reason":["a","b"]}"#);
        assert_snapshot!(shown(r#"The output is {"total": 5}, so {"passed": true, "reason": "a number"}"#), @r#"Some(true) "a number" {"passed":true,"reason":"a number"}"#);
    }

    #[test]
    fn what_is_no_verdict_says_why() {
        assert_snapshot!(shown(""), @r#"None "its reply is empty" """#);
        assert_snapshot!(shown("Looks fine to me!"), @r#"None "its reply is not JSON with `passed` and `reason`: Looks fine to me!" "Looks fine to me!""#);
        assert_snapshot!(shown(r#"{"passed": "yes", "reason": "kind"}"#), @r#"None "`passed` in its reply is \"yes\", not true or false" {"passed":"yes","reason":"kind"}"#);
        assert_snapshot!(shown(r#"{"pass": true}"#), @r#"None "its reply has no `passed`: {\"pass\":true}" {"pass":true}"#);
        assert_snapshot!(shown("true"), @r#"None "its reply has no `passed`: true" true"#);
        assert_snapshot!(shown(r#"[{"passed": true}]"#), @r#"None "its reply has no `passed`: [{\"passed\":true}]" [{"passed":true}]"#);
        assert_snapshot!(shown(r#"It says {"passed": true}, but {"passed": false, "reason": "rude"}"#), @r#"None "its reply holds both verdicts" {"passed":true}"#);
    }

    #[test]
    fn long_replies_are_kept_in_part() {
        let long = "é".repeat(100_000);
        let sample = read(&long, 0);
        assert_eq!(sample.passed, None);
        assert_eq!(sample.answer.as_str().unwrap().chars().count(), 4001);
        let sample = read(&format!(r#"{{"passed": true, "reason": "{long}"}}"#), 0);
        assert_eq!(sample.passed, Some(true));
        assert_eq!(sample.reason.chars().count(), 4001);
        assert!(sample.answer.is_string());
    }
}
