//! What a server said, as it may be shown.

use serde_json::Value;

/// How much of a server's words is shown in a message, in characters.
const SHOWN: usize = 200;

/// Returns the beginning of a text on one line; control characters become spaces.
pub(super) fn shortened(text: &str) -> String {
    let mut chars = text.trim().chars();
    let mut shown: String = chars
        .by_ref()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Levels of a log that are worth a note; all else is ordinary traffic, which the events show.
const ALARMING: [&str; 5] = ["warning", "error", "critical", "alert", "emergency"];

/// Says what a notification tells, if that is worth a note.
pub(super) fn notification(method: &str, params: &Value) -> Option<String> {
    let level = params["level"].as_str().unwrap_or_default();
    let is_alarming = method == "notifications/message" && ALARMING.contains(&level);
    is_alarming.then(|| log(level, params))
}

fn log(level: &str, params: &Value) -> String {
    let logger = match params["logger"].as_str() {
        Some(logger) => format!(" of `{}`", shortened(logger)),
        None => String::new(),
    };
    let words = match &params["data"] {
        Value::String(text) => shortened(text),
        other => shortened(&other.to_string()),
    };
    format!("log{logger} ({level}): {words}")
}

/// Returns the text blocks of a list of content, joined with LF.
pub(super) fn text_blocks(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten();
    let texts: Vec<&str> = blocks
        .filter(|block| block["type"] == "text")
        .filter_map(|block| block["text"].as_str())
        .collect();
    texts.join("\n")
}

/// Says in one line what a JSON-RPC error says.
pub(super) fn rpc_error(error: &Value) -> (String, Option<String>) {
    let message = error["message"].as_str().map(str::to_owned);
    let message = message.unwrap_or_else(|| shortened(&error.to_string()));
    let code = error.get("code").filter(|code| !code.is_null());
    (message, code.map(ToString::to_string))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    #[test]
    fn only_logs_of_what_went_wrong_become_notes() {
        let note = |method, params| notification(method, &params).unwrap_or_default();
        assert_snapshot!(note("notifications/message", json!({"level": "warning", "logger": "db", "data": "slow"})), @"log of `db` (warning): slow");
        assert_snapshot!(note("notifications/message", json!({"level": "emergency", "data": {"a": 1}})), @r#"log (emergency): {"a":1}"#);
        for level in ["debug", "info", "notice"] {
            let params = json!({"level": level, "data": "half"});
            assert_eq!(notification("notifications/message", &params), None);
        }
        assert_snapshot!(note("notifications/message", json!({"data": "no level"})), @"");
        assert_snapshot!(note("notifications/progress", json!({"progress": 1, "total": 4})), @"");
        assert_snapshot!(note("notifications/tools/list_changed", json!({})), @"");
    }

    #[test]
    fn an_error_has_words_whatever_it_is() {
        let said = |error: Value| format!("{:?}", rpc_error(&error));
        assert_snapshot!(said(json!({"code": -32602, "message": "no such tool"})), @r#"("no such tool", Some("-32602"))"#);
        assert_snapshot!(said(json!("broken")), @r#"("\"broken\"", None)"#);
    }
}
