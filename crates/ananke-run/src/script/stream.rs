//! `Process("agents.<id>.Stream")`: one turn with an agent, as a test would have it.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::case::Identity;
use ananke_model::diagnostic::did_you_mean;
use ananke_model::plan::{Protocol, Target};
use ananke_model::recording::{ToolCall, Turn, TurnStatus};
use ananke_model::script::ScriptLog;
use ananke_protocol::agui::Action;
use ananke_script::AgentCall;
use serde_json::{Map, Value, json};

use super::convert::turn_members;
use super::host::TOO_DEEP;
use crate::session::{Backoff, Decision, refusal};
use crate::speakers::{Bounds, Call, Speaker};
use crate::world::World;

/// Who may have said a message.
const ROLES: [&str; 7] = [
    "user",
    "assistant",
    "system",
    "developer",
    "tool",
    "reasoning",
    "activity",
];

/// Has one turn with an agent. An error means that there was none.
pub(super) async fn turn(
    world: &Arc<World>,
    call: &AgentCall,
    depth: usize,
) -> Result<(Turn, Vec<ScriptLog>), String> {
    let target = target(world, &call.agent, connector(&call.options))?;
    let action = action(&call.messages)?;
    for (what, value) in [("ctx", &call.context), ("options", &call.options)] {
        if !value.is_null() && !value.is_object() {
            return Err(format!("{what} has to be an object, not {value}"));
        }
    }
    let own = told(world, call, depth);
    let means = world.means(&world.variables);
    let speaker = Speaker::new(&target, &means, &own)?;
    let limit = Duration::from_millis(target.protocol.timeout_ms()).min(call.timeout);
    // Waiting for others is no part of the time that an answer takes, but of that of the function.
    let wait = async {
        let turnstile = world.helpers.enter(&call.agent, &target).await;
        if let Some(rate) = &world.rate {
            rate.wait(&world.cancel).await;
        }
        turnstile
    };
    let _turnstile = tokio::time::timeout(call.timeout, wait)
        .await
        .map_err(|_| "its turn did not come in time".to_owned())?;
    let own = target.backoff_ms.map(Duration::from_millis);
    let mut backoff = Backoff::new(own.or(world.backoff));
    loop {
        let bounds = Bounds {
            timeout: limit,
            whole: call.timeout,
            unix_ms: (world.unix_ms)(),
            cancel: &world.cancel,
        };
        let mut conversation = speaker.conversation();
        let mut turn = Box::pin(speaker.turn(action.clone(), &mut conversation, bounds)).await;
        match refusal(&turn).map(|refusal| backoff.refused(refusal)) {
            None | Some(Decision::GiveUp(_)) => {
                turn.warnings.extend(speaker.close().await);
                return Ok((turn, speaker.take_logs()));
            }
            Some(Decision::Wait(wait)) => tokio::time::sleep(wait).await,
        }
    }
}

/// Finds an agent, with the connector that a script chose for it.
pub(crate) fn target(
    world: &World,
    agent: &str,
    connector: Option<&str>,
) -> Result<Target, String> {
    let key = connector.map(|connector| format!("{agent}?connector={connector}"));
    if let Some(key) = key
        && world.knows(&key)
    {
        return world.agent(&key).cloned();
    }
    let found = world
        .agent(agent)
        .map_err(|why| no_agent(world, agent).unwrap_or(why))?;
    let mut target = found.clone();
    if let Some(connector) = connector {
        match target.protocol {
            // What connects it is in its settings, which are made before the run.
            Protocol::OpenAi(_) if target.connector.as_deref() != Some(connector) => {
                return Err(no_connector(world, agent, connector));
            }
            _ => target.connector = Some(connector.to_owned()),
        }
    }
    Ok(target)
}

/// Says that an agent has no such connector, and which it has.
pub(crate) fn no_connector(world: &World, agent: &str, connector: &str) -> String {
    let prefix = format!("{agent}?connector=");
    let own = world.plan.scripts.agents.keys();
    let known: Vec<&str> = own.filter_map(|key| key.strip_prefix(&prefix)).collect();
    let what = format!("there is no connector `{connector}` for the agent `{agent}`");
    match did_you_mean(connector, known.iter().copied()) {
        Some(meant) => format!("{what}: did you mean `{meant}`?"),
        None if known.is_empty() => what,
        None => format!("{what}; there are: {}", known.join(", ")),
    }
}

/// Says that there is no such agent, which there are, and what to do; nothing if there is one.
pub(crate) fn no_agent(world: &World, agent: &str) -> Option<String> {
    let plan = &world.plan;
    if plan.agents.contains_key(agent) || plan.scripts.agents.contains_key(agent) {
        return None;
    }
    let own = plan.agents.keys().filter(|key| !key.contains('?'));
    let mut known: Vec<&str> = own
        .chain(plan.scripts.agents.keys().filter(|key| !key.contains('?')))
        .map(String::as_str)
        .collect();
    known.sort_unstable();
    known.dedup();
    let what = format!("there is no agent `{agent}`");
    if known.is_empty() {
        return Some(format!(
            "{what}: neither the config nor a folder has agents; name it under `agents:` of the config, or write assistants/{agent}/package.yao"
        ));
    }
    if let Some(meant) = did_you_mean(agent, known.iter().copied()) {
        return Some(format!("{what}: did you mean `{meant}`?"));
    }
    let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    Some(format!(
        "{what}; there are {}: name one of them, or add it under `agents:` of the config",
        known.join(", ")
    ))
}

/// Returns the connector that a script chose.
pub(crate) fn connector(options: &Value) -> Option<&str> {
    let connector = options["connector"].as_str();
    connector.filter(|connector| !connector.is_empty())
}

/// Reads what is said: a text, a message, or a list of messages.
fn action(messages: &Value) -> Result<Action, String> {
    let list = match messages {
        Value::String(text) if text.trim().is_empty() => {
            return Err("the message is empty".to_owned());
        }
        Value::String(text) => return Ok(Action::User(text.clone())),
        Value::Object(_) => std::slice::from_ref(messages),
        Value::Array(list) => list.as_slice(),
        _ => return Err("messages have to be a text, a message or a list of messages".to_owned()),
    };
    if list.is_empty() {
        return Err("there are no messages".to_owned());
    }
    let mut said = Vec::with_capacity(list.len());
    for (number, message) in (1..).zip(list) {
        let Some(members) = message.as_object() else {
            return Err(format!(
                "message {number} is no object with `role` and `content`"
            ));
        };
        let mut members = members.clone();
        let Some(role) = message["role"].as_str() else {
            return Err(format!("message {number} has no `role`"));
        };
        if !ROLES.contains(&role) {
            return Err(format!(
                "message {number} has the role `{role}`: {}",
                match did_you_mean(role, ROLES) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!(
                        "there are {}",
                        ROLES.map(|role| format!("`{role}`")).join(", ")
                    ),
                }
            ));
        }
        members.remove("id");
        said.push(Value::Object(members));
    }
    match said.as_slice() {
        [only] if only["role"] == "user" && only.as_object().is_some_and(|it| it.len() == 2) => {
            if let Value::String(text) = &only["content"] {
                return Ok(Action::User(text.clone()));
            }
        }
        _ => {}
    }
    Ok(Action::Messages(said))
}

/// Returns what the agent is told beside the messages: who asks by the `ctx` that the script handed on.
fn told(world: &World, call: &AgentCall, depth: usize) -> Call {
    let mut identity = world.plan.identity.clone().unwrap_or_default();
    take_over(&mut identity, &call.context);
    let mut metadata = identity.metadata.clone();
    if let Value::Object(own) = &call.options["metadata"] {
        metadata.extend(own.clone());
    }
    Call {
        metadata,
        identity,
        is_question: false,
        depth,
        thread_id: text(&call.context["chat_id"]),
        file: None,
    }
}

fn text(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

fn take_over(identity: &mut Identity, context: &Value) {
    let authorized = &context["authorized"];
    let texts = [
        ("user_id", &mut identity.user_id),
        ("team_id", &mut identity.team_id),
        ("locale", &mut identity.locale),
        ("client_type", &mut identity.client_type),
        ("client_ip", &mut identity.client_ip),
        ("referer", &mut identity.referer),
        ("accept", &mut identity.accept),
    ];
    for (name, field) in texts {
        let own = context[name].as_str().or_else(|| authorized[name].as_str());
        if let Some(own) = own {
            own.clone_into(field);
        }
    }
    if let Some(chat_id) = text(&context["chat_id"]) {
        identity.chat_id = Some(chat_id);
    }
    if let Value::Object(metadata) = &context["metadata"] {
        identity.metadata.clone_from(metadata);
    }
}

/// Returns what the script gets: what was said, or why nothing was.
pub(super) fn answer(turn: &Turn) -> Result<Value, String> {
    match &turn.status {
        TurnStatus::Finished => {}
        TurnStatus::RunError { message, code } => {
            let code = code
                .as_ref()
                .map_or_else(String::new, |code| format!(" ({code})"));
            return Err(format!("the agent ended with an error: {message}{code}"));
        }
        // Each of them would say it again.
        TurnStatus::Broken(trouble) if trouble.message.contains(TOO_DEEP) => {
            return Err(TOO_DEEP.to_owned());
        }
        TurnStatus::Broken(trouble) => return Err(trouble.message.clone()),
    }
    let calls = turn.tool_calls.iter().map(call_members);
    let calls: Vec<Value> = calls.collect();
    let mut members = turn_members(turn);
    members.insert("content".to_owned(), turn.text.as_str().into());
    members.insert("tool_calls".to_owned(), calls.into());
    members.insert("next".to_owned(), Value::Null);
    Ok(Value::Object(members))
}

fn call_members(call: &ToolCall) -> Value {
    let json = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let mut members = Map::new();
    members.insert("id".to_owned(), call.id.as_str().into());
    members.insert("name".to_owned(), call.name.as_str().into());
    members.insert("arguments".to_owned(), json(&call.args_text));
    members.insert("result".to_owned(), json!(call.result.as_deref().map(json)));
    members.extend(
        call.error
            .as_ref()
            .map(|error| ("error".to_owned(), error.as_str().into())),
    );
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(messages: Value) -> String {
        match action(&messages) {
            Ok(Action::User(text)) => format!("user {text}"),
            Ok(Action::Messages(list)) => Value::from(list).to_string(),
            Ok(other) => format!("{other:?}"),
            Err(why) => why,
        }
    }

    #[test]
    fn messages_are_a_text_a_message_or_a_list() {
        assert_eq!(shown(json!("Hi")), "user Hi");
        assert_eq!(shown(json!({"role": "user", "content": "Hi"})), "user Hi");
        assert_eq!(
            shown(json!([{"role": "user", "content": "Hi", "id": "1"}])),
            "user Hi"
        );
        assert_eq!(
            shown(json!([{"role": "assistant", "content": "A"}, {"role": "user", "content": "B"}])),
            r#"[{"role":"assistant","content":"A"},{"role":"user","content":"B"}]"#
        );
        assert_eq!(shown(json!(" ")), "the message is empty");
        assert_eq!(shown(json!([])), "there are no messages");
        assert_eq!(
            shown(json!(5)),
            "messages have to be a text, a message or a list of messages"
        );
        assert_eq!(
            shown(json!(["Hi"])),
            "message 1 is no object with `role` and `content`"
        );
        assert_eq!(shown(json!([{"content": "Hi"}])), "message 1 has no `role`");
        assert_eq!(
            shown(json!([{"role": "usr", "content": "Hi"}])),
            "message 1 has the role `usr`: did you mean `user`?"
        );
        assert_eq!(
            shown(json!([{"role": "bogus", "content": "Hi"}])),
            "message 1 has the role `bogus`: there are `user`, `assistant`, `system`, `developer`, `tool`, `reasoning`, `activity`"
        );
    }

    #[test]
    fn who_asks_is_who_the_context_says() {
        let mut identity = Identity::default();
        take_over(
            &mut identity,
            &json!({"locale": "de", "authorized": {"user_id": "joe"}, "metadata": {"a": 1}}),
        );
        assert_eq!(
            (identity.locale.as_str(), identity.user_id.as_str()),
            ("de", "joe")
        );
        assert_eq!(identity.team_id, "test-team");
        assert_eq!(identity.metadata["a"], 1);
    }
}
