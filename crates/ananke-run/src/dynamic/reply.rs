//! What a simulator answered: `{input, goal_achieved, reasoning}`, and what is no such answer.

use ananke_assert::{NoReplyObject, ReplyObject};
use ananke_model::agent::Simulated;
use serde_json::{Map, Value};

/// How often a simulator may say the same in a row.
const MAX_SAME: usize = 2;

/// Reads the reply of a simulator, `earlier` being what it said before. Says what is wrong if it is not what was agreed.
pub(crate) fn read_reply(reply: &str, earlier: &[&str]) -> Result<Simulated, String> {
    if reply.trim().is_empty() {
        return Err("the reply is empty".to_owned());
    }
    let members = match ReplyObject::of(reply) {
        Ok(object) => object.members,
        Err(NoReplyObject::None | NoReplyObject::Other(_)) => {
            return Err("the reply holds no JSON object".to_owned());
        }
        Err(NoReplyObject::Many) => {
            return Err("the reply holds more than one JSON object".to_owned());
        }
        Err(NoReplyObject::Twice(name)) => {
            return Err(format!("the reply has `{name}` twice"));
        }
        Err(NoReplyObject::Unread(why)) => {
            return Err(format!("the reply cannot be read: {why}"));
        }
    };
    is_user("role", members.get("role"))?;
    let goal_achieved = match members.get("goal_achieved") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(goal)) => *goal,
        Some(other) => {
            let kind = kind(other);
            return Err(format!("`goal_achieved` is {kind}, not true or false"));
        }
    };
    let reasoning = match members.get("reasoning") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(other) => return Err(format!("`reasoning` is {}, not text", kind(other))),
    };
    let input = message(&members)?;
    if input.trim().is_empty() && !goal_achieved {
        return Err("the message is empty and the goal is not achieved".to_owned());
    }
    let same = |said: &&&str| said.trim() == input.trim();
    let n_same = earlier.iter().rev().take_while(same).count();
    if n_same >= MAX_SAME && !goal_achieved {
        return Err(format!("it said the same {} times in a row", n_same + 1));
    }
    Ok(Simulated {
        input: if input.trim().is_empty() {
            String::new()
        } else {
            input
        },
        goal_achieved,
        reasoning,
        by: None,
    })
}

/// Returns the message of the user: under `input` or `message`, as text or as a message with `content`.
fn message(members: &Map<String, Value>) -> Result<String, String> {
    let given = ["input", "message"].map(|key| (key, members.get(key)));
    let mut given = given
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.filter(|value| !value.is_null())?)));
    let Some((key, value)) = given.next() else {
        let is_goal = members.get("goal_achieved") == Some(&Value::Bool(true));
        return match is_goal {
            true => Ok(String::new()),
            false => Err("the reply has neither `input` nor `message`".to_owned()),
        };
    };
    if given.next().is_some() {
        return Err("the reply has both `input` and `message`".to_owned());
    }
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Object(message) => {
            is_user(&format!("{key}.role"), message.get("role"))?;
            match message.get("content") {
                Some(Value::String(text)) => Ok(text.clone()),
                _ => Err(format!("`{key}` is a message without text")),
            }
        }
        other => Err(format!("`{key}` is {}, not text", kind(other))),
    }
}

/// Checks that nobody but the user speaks.
fn is_user(key: &str, role: Option<&Value>) -> Result<(), String> {
    match role {
        None | Some(Value::Null) => Ok(()),
        Some(Value::String(role)) if role == "user" => Ok(()),
        Some(role) => Err(format!("`{key}` is {role}, not \"user\"")),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn read(reply: &str) -> String {
        after(&[], reply)
    }

    fn after(earlier: &[&str], reply: &str) -> String {
        match read_reply(reply, earlier) {
            Ok(said) => format!(
                "{:?} {} {:?}",
                said.input, said.goal_achieved, said.reasoning
            ),
            Err(why) => why,
        }
    }

    #[test]
    fn both_dialects_are_read_wherever_the_json_stands() {
        assert_snapshot!(read(r#"{"input": "hi", "goal_achieved": false, "reasoning": "why"}"#), @r#""hi" false Some("why")"#);
        assert_snapshot!(read(r#"{"message": "hi"}"#), @r#""hi" false None"#);
        assert_snapshot!(read(r#"{"role": "user", "message": {"role": "user", "content": "hi"}}"#), @r#""hi" false None"#);
        assert_snapshot!(read("Sure:\n```json\n{\"input\": \"hi\"}\n```\nDone."), @r#""hi" false None"#);
    }

    #[test]
    fn a_goal_needs_no_message() {
        assert_snapshot!(read(r#"{"goal_achieved": true}"#), @r#""" true None"#);
        assert_snapshot!(read(r#"{"input": "  ", "goal_achieved": true}"#), @r#""" true None"#);
        assert_snapshot!(read(r#"{"input": null, "goal_achieved": true, "reasoning": null}"#), @r#""" true None"#);
        assert_snapshot!(read(r#"{"input": "Thanks!", "goal_achieved": true}"#), @r#""Thanks!" true None"#);
    }

    #[test]
    fn everything_else_breaks_the_contract() {
        assert_snapshot!(read(""), @"the reply is empty");
        assert_snapshot!(read("I would like a refund"), @"the reply holds no JSON object");
        assert_snapshot!(read(r#"["hi"]"#), @"the reply holds no JSON object");
        assert_snapshot!(read("{}"), @"the reply has neither `input` nor `message`");
        assert_snapshot!(read(r#"{"input": ""}"#), @"the message is empty and the goal is not achieved");
        assert_snapshot!(read(r#"{"input": 7}"#), @"`input` is a number, not text");
        assert_snapshot!(read(r#"{"message": {"role": "user"}}"#), @"`message` is a message without text");
        assert_snapshot!(read(r#"{"role": "assistant", "input": "hi"}"#), @r#"`role` is "assistant", not "user""#);
        assert_snapshot!(read(r#"{"message": {"role": "tool", "content": "hi"}}"#), @r#"`message.role` is "tool", not "user""#);
        assert_snapshot!(read(r#"{"input": "hi", "goal_achieved": "no"}"#), @"`goal_achieved` is text, not true or false");
        assert_snapshot!(read(r#"{"input": "hi", "reasoning": [1]}"#), @"`reasoning` is a list, not text");
        assert_snapshot!(read(r#"{"input": "hi"} {"input": "ho"}"#), @"the reply holds more than one JSON object");
        assert_snapshot!(read(r#"{"input": "hi", "message": "ho"}"#), @"the reply has both `input` and `message`");
        assert_snapshot!(read(r#"{"input": "hi", "goal_achieved": false, "goal_achieved": true}"#), @"the reply has `goal_achieved` twice");
    }

    #[test]
    fn the_same_three_times_in_a_row_is_no_conversation() {
        let hi = r#"{"input": "hi"}"#;
        assert_snapshot!(after(&["hi"], hi), @r#""hi" false None"#);
        assert_snapshot!(after(&["hi", "hi "], hi), @"it said the same 3 times in a row");
        assert_snapshot!(after(&["hi", "ho", "hi"], hi), @r#""hi" false None"#);
        assert_snapshot!(after(&["hi", "hi"], r#"{"input": "hi", "goal_achieved": true}"#), @r#""hi" true None"#);
    }
}
