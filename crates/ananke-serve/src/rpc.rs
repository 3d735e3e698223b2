//! JSON-RPC 2.0, as A2A and MCP use it.

use serde_json::{Value, json};

/// The message is not JSON.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// The message is no request.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are wrong.
pub(crate) const INVALID_PARAMS: i64 = -32602;
/// The server is at fault.
pub(crate) const INTERNAL: i64 = -32603;

/// A message of a client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    /// It wants an answer.
    Call(Call),
    /// It wants none.
    Notification(String),
    /// It is an answer: the id, and the result if there is one.
    Answer(Value, Option<Value>),
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: Value,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl Refused {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn answer(&self, id: &Value) -> Value {
        error(id, self.code, &self.message)
    }
}

/// Reads JSON.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, Refused> {
    let read = serde_json::from_slice(bytes);
    read.map_err(|why| Refused::new(PARSE_ERROR, format!("the body is not JSON: {why}")))
}

/// Reads a message.
pub(crate) fn read(mut message: Value) -> Result<Message, Refused> {
    let invalid = |why: &str| Err(Refused::new(INVALID_REQUEST, why));
    if message.is_array() {
        return invalid("expected one message, got a list: batches are not answered");
    }
    if message["jsonrpc"] != "2.0" {
        return invalid("expected a message with `jsonrpc: \"2.0\"`");
    }
    let id = message.get("id").cloned();
    if !matches!(
        id,
        None | Some(Value::String(_) | Value::Number(_) | Value::Null)
    ) {
        return invalid("`id` must be a string or a number");
    }
    match (message["method"].take(), id) {
        (Value::String(method), Some(id)) if !id.is_null() => {
            let params = message["params"].take();
            if !matches!(params, Value::Null | Value::Object(_)) {
                return Err(Refused::new(INVALID_PARAMS, "`params` must be an object"));
            }
            Ok(Message::Call(Call { id, method, params }))
        }
        (Value::String(method), None) => Ok(Message::Notification(method)),
        (Value::Null, Some(id)) if message.get("result").is_some() => {
            Ok(Message::Answer(id, Some(message["result"].take())))
        }
        (Value::Null, Some(id)) if message.get("error").is_some() => Ok(Message::Answer(id, None)),
        _ => invalid("expected a `method` and an `id`"),
    }
}

/// Returns a response.
pub(crate) fn result(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// Returns a response that is an error.
pub(crate) fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::Value;

    use super::{parse, read};

    fn show(text: &str) -> String {
        match parse(text.as_bytes()).and_then(read) {
            Ok(message) => format!("{message:?}"),
            Err(refused) => refused.answer(&Value::Null).to_string(),
        }
    }

    #[test]
    fn what_is_no_message_is_named() {
        assert_snapshot!(show("{"), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not JSON: EOF while parsing an object at line 1 column 1"}}"#);
        assert_snapshot!(show("[]"), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected one message, got a list: batches are not answered"}}"#);
        assert_snapshot!(show(r#"{"id": 1, "method": "a"}"#), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected a message with `jsonrpc: \"2.0\"`"}}"#);
        assert_snapshot!(show(r#"{"jsonrpc": "2.0", "id": {}, "method": "a"}"#), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`id` must be a string or a number"}}"#);
        assert_snapshot!(show(r#"{"jsonrpc": "2.0", "id": 1, "method": "a", "params": [1]}"#), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"`params` must be an object"}}"#);
        assert_snapshot!(show(r#"{"jsonrpc": "2.0", "id": 1}"#), @r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected a `method` and an `id`"}}"#);
    }

    #[test]
    fn messages_are_told_apart() {
        assert_snapshot!(show(r#"{"jsonrpc": "2.0", "id": 1, "method": "a"}"#), @r#"Call(Call { id: Number(1), method: "a", params: Null })"#);
        assert_snapshot!(show(r#"{"jsonrpc": "2.0", "method": "a"}"#), @r#"Notification("a")"#);
        assert_snapshot!(show(r#"{"jsonrpc": "2.0", "id": "x", "result": 1}"#), @r#"Answer(String("x"), Some(Number(1)))"#);
        assert_snapshot!(show(r#"{"jsonrpc": "2.0", "id": "x", "error": {}}"#), @r#"Answer(String("x"), None)"#);
    }
}
