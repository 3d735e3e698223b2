//! The messages of a case, as AG-UI has them.

use ananke_model::case::{Attachment, Messages};
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Text};
use serde_json::{Map, Value, json};

use super::Found;
use super::case::CaseFolders;
use super::message_parts::{PartPlace, part};
use super::object::{Object, word_list};
use super::references::check_text;
use super::tool_calls::tool_calls;
use super::values::{items, mismatch, text};
use crate::schema::{MESSAGE, ROLES};
use crate::yaml::{Kind, Node, ScalarKind};

/// Reads `input`: a text, a message, or messages.
pub(super) fn prompt(node: &Node, folders: CaseFolders<'_>, found: &mut Found) -> Option<Messages> {
    match &node.kind {
        Kind::Map(_) => list(node, std::slice::from_ref(node), folders, found),
        Kind::Seq(_) => messages(node, folders, found),
        Kind::Scalar(_) | Kind::Broken => {
            let text = text(node, found)?;
            Some(Messages {
                list: Json {
                    value: json!([{"role": "user", "content": text.text}]),
                    place: text.place,
                },
                attachments: Vec::new(),
            })
        }
    }
}

/// Reads `messages`.
pub(super) fn messages(
    node: &Node,
    folders: CaseFolders<'_>,
    found: &mut Found,
) -> Option<Messages> {
    if let Kind::Map(_) = node.kind {
        let message = "expected a list of messages, found a map";
        found.push(Diagnostic::error(&node.place, message).hint("put it in brackets"));
        return None;
    }
    let items = items(node, found)?;
    if items.is_empty() {
        found.push(
            Diagnostic::error(&node.place, "there is no message")
                .hint("write `[{\"role\": \"user\", \"content\": \"Hello\"}]`"),
        );
        return None;
    }
    list(node, items, folders, found)
}

fn list(
    node: &Node,
    items: &[Node],
    folders: CaseFolders<'_>,
    found: &mut Found,
) -> Option<Messages> {
    let mut reader = Reader {
        folders,
        attachments: Vec::new(),
        calls: Vec::new(),
    };
    let mut values = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        values.push(reader.message(index, item, found));
    }
    let values: Option<Vec<_>> = values.into_iter().collect();
    Some(Messages {
        list: Json {
            value: Value::Array(values?),
            place: node.place.clone(),
        },
        attachments: reader.attachments,
    })
}

/// What is known while the messages are read one by one.
struct Reader<'a> {
    folders: CaseFolders<'a>,
    attachments: Vec<Attachment>,
    /// The ids of the calls so far.
    calls: Vec<String>,
}

impl Reader<'_> {
    fn message(&mut self, index: usize, node: &Node, found: &mut Found) -> Option<Value> {
        if let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) {
            let shown: String = scalar.text.chars().take(40).collect();
            let hint = format!("write `{{\"role\": \"user\", \"content\": \"{shown}\"}}`");
            let message = "expected a message, found text";
            found.push(Diagnostic::error(&node.place, message).hint(hint));
            return None;
        }
        let n_before = found.len();
        let object = Object::open(node, &MESSAGE, found)?;
        let role = match object.get("role") {
            Some(node) => role(node, found),
            None => Some("user"),
        };
        let name = object.get("name").and_then(|node| text(node, found));
        let error = object.get("error");
        let calls = either(&object, "tool_calls", "toolCalls", found);
        let answers = either(&object, "tool_call_id", "toolCallId", found);
        let content = object.get("content");
        let role = role?;
        let mut message = Map::new();
        message.insert("role".to_owned(), Value::from(role));
        let says_nothing = |node: &Node| {
            let is_empty = |text: &str| calls.is_some() && text.is_empty();
            node.is_null() || node.scalar().is_some_and(|scalar| is_empty(&scalar.text))
        };
        let content = content.filter(|node| !says_nothing(node));
        match content {
            Some(node) => {
                let content = self.content(index, node, role, found);
                message.extend(content.map(|content| ("content".to_owned(), content)));
            }
            None if role == "assistant" && calls.is_some() => {}
            None => found.push(
                Diagnostic::error(&node.place, "the message says nothing")
                    .hint("write `\"content\": \"…\"`"),
            ),
        }
        if let Some(node) = calls {
            only(role == "assistant", "tool_calls", "assistant", node, found);
            let calls = tool_calls(node, found).unwrap_or_default();
            let ids = calls.iter().filter_map(|call| call["id"].as_str());
            self.calls.extend(ids.map(str::to_owned));
            message.insert("toolCalls".to_owned(), Value::Array(calls));
        }
        self.answer(role, answers, &object, &mut message, found);
        if let Some(node) = error {
            only(role == "tool", "error", "tool", node, found);
            message.extend(member("error", text(node, found)));
        }
        match name {
            Some(name) if role == "tool" => found.push(
                Diagnostic::warning(&name.place, "the `name` of a tool message is not sent")
                    .hint("a tool message says with `tool_call_id` which call it answers"),
            ),
            name => message.extend(member("name", name)),
        }
        let is_whole = !found.iter().skip(n_before).any(Diagnostic::is_error);
        is_whole.then_some(Value::Object(message))
    }

    /// Reads which call a tool message answers.
    fn answer(
        &self,
        role: &str,
        node: Option<&Node>,
        object: &Object<'_>,
        message: &mut Map<String, Value>,
        found: &mut Found,
    ) {
        let Some(node) = node else {
            if role == "tool" {
                found.push(
                    Diagnostic::error(
                        object.place(),
                        "`tool_call_id` is missing in a tool message",
                    )
                    .hint("write the `id` of the call that it answers"),
                );
            }
            return;
        };
        only(role == "tool", "tool_call_id", "tool", node, found);
        let Some(id) = text(node, found) else {
            return;
        };
        if role == "tool" && !self.calls.contains(&id.text) {
            let warning = format!("no message before this one has the call `{}`", id.text);
            let diagnostic = Diagnostic::warning(&id.place, warning);
            let known = self.calls.iter().map(String::as_str);
            found.push(match did_you_mean(&id.text, known) {
                Some(known) => diagnostic.hint(format!("did you mean `{known}`?")),
                None => {
                    diagnostic.hint("write the call into the `tool_calls` of an assistant message")
                }
            });
        }
        message.insert("toolCallId".to_owned(), Value::from(id.text));
    }

    fn content(
        &mut self,
        index: usize,
        node: &Node,
        role: &str,
        found: &mut Found,
    ) -> Option<Value> {
        let items = match &node.kind {
            // A tool may answer with nothing.
            Kind::Scalar(scalar) if scalar.kind == ScalarKind::Str && role == "tool" => {
                check_text(&scalar.text, &node.place, found);
                return Some(Value::from(scalar.text.as_str()));
            }
            Kind::Scalar(_) => return text(node, found).map(|text| Value::from(text.text)),
            Kind::Seq(items) => items,
            Kind::Map(_) | Kind::Broken => {
                mismatch(node, "text or a list of parts", found);
                return None;
            }
        };
        if items.is_empty() {
            found.push(Diagnostic::error(&node.place, "the list of parts is empty"));
            return None;
        }
        let mut parts = Vec::with_capacity(items.len());
        for (part_index, item) in items.iter().enumerate() {
            let at = PartPlace {
                message: index,
                part: part_index,
                folders: self.folders,
            };
            parts.push(part(item, at, &mut self.attachments, found));
        }
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        if matches!(role, "user" | "tool") {
            return Some(Value::Array(parts));
        }
        // The other roles have text only.
        let texts = parts.iter().zip(items).map(|(part, item)| {
            let text = part["text"].as_str();
            if text.is_none() {
                let message = format!("the content of a `{role}` message is text");
                found.push(
                    Diagnostic::error(&item.place, message)
                        .hint("put other parts into a `user` message"),
                );
            }
            text
        });
        let texts: Vec<_> = texts.collect();
        let texts: Option<Vec<_>> = texts.into_iter().collect();
        texts.map(|texts| Value::from(texts.join("\n")))
    }
}

fn role(node: &Node, found: &mut Found) -> Option<&'static str> {
    let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) else {
        mismatch(node, &word_list(ROLES), found);
        return None;
    };
    let known = ROLES.iter().find(|role| **role == scalar.text);
    if known.is_none() {
        let meant = match scalar.text.to_lowercase().as_str() {
            "human" => Some("user"),
            "ai" | "bot" | "agent" | "model" => Some("assistant"),
            "function" => Some("tool"),
            other => did_you_mean(other, ROLES.iter().copied()),
        };
        let message = format!("unknown role `{}`", scalar.text);
        let diagnostic =
            Diagnostic::error(&node.place, message).label(format!("expected {}", word_list(ROLES)));
        found.push(match meant {
            Some(meant) => diagnostic.hint(format!("did you mean `{meant}`?")),
            None => diagnostic,
        });
    }
    known.copied()
}

/// Returns what stands under one of two spellings of a key.
fn either<'n>(
    object: &Object<'n>,
    snake: &str,
    camel: &str,
    found: &mut Found,
) -> Option<&'n Node> {
    let (first, second) = (object.get(snake), object.get(camel));
    if let (Some(_), Some(second)) = (first, second) {
        let message = format!("`{snake}` and `{camel}` say the same twice");
        found.push(Diagnostic::error(&second.place, message).hint("leave one of them out"));
    }
    first.or(second)
}

/// Reports a key that stands in a message of another role than its own.
fn only(is_own: bool, key: &str, role: &str, node: &Node, found: &mut Found) {
    if !is_own {
        let message = format!("only a message of role `{role}` has `{key}`");
        found.push(Diagnostic::error(&node.place, message));
    }
}

/// Returns a text under its key.
pub(super) fn member(key: &str, text: Option<Text>) -> Option<(String, Value)> {
    text.map(|text| (key.to_owned(), Value::from(text.text)))
}
