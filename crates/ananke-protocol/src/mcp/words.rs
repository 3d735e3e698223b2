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

/// Says what a notification tells, if that is worth a note.
pub(super) fn notification(method: &str, params: &Value) -> Option<String> {
    match method {
        "notifications/progress" => Some(progress(params)),
        "notifications/message" => Some(log(params)),
        _ => None,
    }
}

fn progress(params: &Value) -> String {
    let done = &params["progress"];
    let of = match &params["total"] {
        Value::Null => String::new(),
        total => format!(" of {total}"),
    };
    let words = match params["message"].as_str() {
        Some(message) => format!(": {}", shortened(message)),
        None => String::new(),
    };
    format!("progress {done}{of}{words}")
}

fn log(params: &Value) -> String {
    let level = params["level"].as_str().unwrap_or("info");
    let logger = match params["logger"].as_str() {
        Some(logger) => format!(" of `{}`", shortened(logger)),
        None => String::new(),
    };
    let words = match &params["data"] {
        Value::String(text) => shortened(text),
        other => shortened(&other.to_string()),
    };
    format!("log{logger} ({}): {words}", shortened(level))
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
    fn notifications_become_notes() {
        let note = |method, params| notification(method, &params).unwrap_or_default();
        assert_snapshot!(note("notifications/progress", json!({"progress": 1, "total": 4, "message": "half\nway"})), @"progress 1 of 4: half way");
        assert_snapshot!(note("notifications/progress", json!({"progress": 0.5})), @"progress 0.5");
        assert_snapshot!(note("notifications/message", json!({"level": "warning", "logger": "db", "data": "slow"})), @"log of `db` (warning): slow");
        assert_snapshot!(note("notifications/message", json!({"data": {"a": 1}})), @r#"log (info): {"a":1}"#);
        assert_snapshot!(note("notifications/tools/list_changed", json!({})), @"");
    }

    #[test]
    fn an_error_has_words_whatever_it_is() {
        let said = |error: Value| format!("{:?}", rpc_error(&error));
        assert_snapshot!(said(json!({"code": -32602, "message": "no such tool"})), @r#"("no such tool", Some("-32602"))"#);
        assert_snapshot!(said(json!("broken")), @r#"("\"broken\"", None)"#);
    }
}
