//! Puts a decoded event into the shape of the specification: the binding flattens what JSON nests, and nests what JSON
//! flattens.

use serde_json::{Map, Value};

use super::envelope::{Arm, BASE_EVENT};
use super::error::Problem;
use super::messages::{ACTIVITY_CONTENT, CONTENT_PARTS};

type Object = Map<String, Value>;

/// Returns the event as its SSE encoding shows it.
pub(super) fn shape_event(arm: &Arm, mut fields: Object) -> Result<Value, Problem> {
    let mut base = take_object(&mut fields, BASE_EVENT);
    // A base without a type is tolerated, but two different types make no event.
    if let Some(declared) = base.shift_remove("type").as_ref().and_then(Value::as_i64)
        && declared != arm.type_code
    {
        return Err(Problem::TypeMismatch {
            envelope: arm.event_type,
            declared,
        });
    }
    match arm.event_type {
        "MESSAGES_SNAPSHOT" => shape_messages(&mut fields)?,
        "RUN_STARTED" => {
            if let Some(Value::Object(input)) = fields.get_mut("input") {
                shape_messages(input)?;
            }
        }
        "RUN_FINISHED" => {
            shape_outcome(&mut fields, &["pendingToolCallIds", "interrupts"]);
            drop_empty(&mut fields, "usage");
        }
        "RUN_ERROR" => drop_empty(&mut fields, "usage"),
        "SUBAGENT_FINISHED" => shape_outcome(&mut fields, &["interruptIds"]),
        "TOOL_CALL_RESULT" => {
            let parts = take_list(&mut fields, CONTENT_PARTS);
            shape_content(&mut fields, parts)?;
        }
        _ => {}
    }
    let mut event = Object::new();
    event.insert("type".to_owned(), Value::from(arm.event_type));
    event.extend(base.shift_remove_entry("timestamp"));
    event.extend(fields);
    event.extend(base);
    Ok(Value::Object(event))
}

/// Rebuilds `outcome` from its type, which is a plain string here, and from the lists that belong to it.
fn shape_outcome(fields: &mut Object, lists: &[&str]) {
    let kind = fields.shift_remove("outcome").unwrap_or_default();
    let kind = kind.as_str().unwrap_or_default();
    let mut payload = Object::new();
    for name in lists {
        let list = take_list(fields, name);
        // Lists that a type should not have are kept, for the schema check to see them.
        if !list.is_empty() || (kind == "interrupt" && *name == "interrupts") {
            payload.insert((*name).to_owned(), Value::Array(list));
        }
    }
    if kind.is_empty() {
        fields.extend(payload);
        return;
    }
    let mut outcome = Object::new();
    outcome.insert("type".to_owned(), Value::from(kind));
    outcome.extend(payload);
    fields.insert("outcome".to_owned(), Value::Object(outcome));
}

fn shape_messages(fields: &mut Object) -> Result<(), Problem> {
    let Some(Value::Array(messages)) = fields.get_mut("messages") else {
        return Ok(());
    };
    messages
        .iter_mut()
        .filter_map(Value::as_object_mut)
        .try_for_each(shape_message)
}

/// Gives a message the one `content` that its role has.
fn shape_message(message: &mut Object) -> Result<(), Problem> {
    let role = message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let parts = take_list(message, CONTENT_PARTS);
    let activity = message.shift_remove(ACTIVITY_CONTENT);
    drop_empty(message, "toolCalls");
    let wrong = |field| {
        Err(Problem::WrongContent {
            role: role.clone(),
            field,
        })
    };
    match role.as_str() {
        "user" | "tool" if activity.is_some() => wrong(ACTIVITY_CONTENT),
        "user" | "tool" => shape_content(message, parts),
        "activity" if !parts.is_empty() => wrong(CONTENT_PARTS),
        "activity" if message.contains_key("content") => wrong("content"),
        "developer" | "system" | "assistant" | "reasoning" if !parts.is_empty() => {
            wrong(CONTENT_PARTS)
        }
        "developer" | "system" | "assistant" | "reasoning" if activity.is_some() => {
            wrong(ACTIVITY_CONTENT)
        }
        // Which form an unknown role uses is unknown too: the one that is set.
        _ if !parts.is_empty() && activity.is_some() => wrong(ACTIVITY_CONTENT),
        _ if !parts.is_empty() => shape_content(message, parts),
        _ => match activity {
            Some(_) if message.contains_key("content") => wrong(ACTIVITY_CONTENT),
            activity => {
                message.extend(activity.map(|content| ("content".to_owned(), content)));
                Ok(())
            }
        },
    }
}

/// Sets `content` to the parts unless it is a string. No parts at all are a content of their own.
fn shape_content(fields: &mut Object, parts: Vec<Value>) -> Result<(), Problem> {
    if fields.contains_key("content") {
        if parts.is_empty() {
            return Ok(());
        }
        return Err(Problem::TwoArms(
            "content".to_owned(),
            CONTENT_PARTS.to_owned(),
        ));
    }
    let mut content = Vec::with_capacity(parts.len());
    for part in parts {
        let Some(mut part) = shape_choice(part)? else {
            continue;
        };
        match part.shift_remove("source") {
            None => content.push(Value::Object(part)),
            // A part whose source is of an unknown type goes the way of a part of an unknown type.
            Some(source) => {
                if let Some(source) = shape_choice(source)? {
                    part.insert("source".to_owned(), Value::Object(source));
                    content.push(Value::Object(part));
                }
            }
        }
    }
    fields.insert("content".to_owned(), Value::Array(content));
    Ok(())
}

/// Turns `{"image": {…}}` into `{"type": "image", …}`. An arm that this version does not know leaves nothing behind.
fn shape_choice(choice: Value) -> Result<Option<Object>, Problem> {
    let Value::Object(choice) = choice else {
        return Ok(None);
    };
    let mut arms = choice.into_iter();
    let Some((name, Value::Object(fields))) = arms.next() else {
        return Ok(None);
    };
    if let Some((other, _)) = arms.next() {
        return Err(Problem::TwoArms(name, other));
    }
    let mut object = Object::new();
    object.insert("type".to_owned(), Value::String(name));
    object.extend(fields);
    Ok(Some(object))
}

fn take_object(fields: &mut Object, name: &str) -> Object {
    match fields.shift_remove(name) {
        Some(Value::Object(object)) => object,
        _ => Object::new(),
    }
}

fn take_list(fields: &mut Object, name: &str) -> Vec<Value> {
    match fields.shift_remove(name) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// Removes a list that nobody sent: the wire cannot tell an absent list from an empty one.
fn drop_empty(fields: &mut Object, name: &str) {
    if fields
        .get(name)
        .and_then(Value::as_array)
        .is_some_and(Vec::is_empty)
    {
        fields.shift_remove(name);
    }
}
