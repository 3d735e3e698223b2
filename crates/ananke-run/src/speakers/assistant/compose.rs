//! What the model gets: prompts, samples and tools of the folder, and what `Create` changes in them.

use std::fmt::Write as _;

use ananke_model::assistant::{Assistant, Connection, ScriptTool};
use ananke_model::diagnostic::did_you_mean;
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{ClientTool, OpenAiTarget, Prompt};
use serde_json::{Map, Value};

use super::create::Created;
use crate::speakers::Call;

/// Returns the chat endpoint that the model of an assistant is, as long as no hook changes anything.
pub(in crate::speakers) fn composed(target: &OpenAiTarget) -> OpenAiTarget {
    let tools = target.assistant.iter().flat_map(|own| &own.tools);
    with_tools(target, tools)
}

/// Returns the chat endpoint with these tools, and with the samples of how they are called behind the prompts.
fn with_tools<'t>(
    target: &OpenAiTarget,
    tools: impl Iterator<Item = &'t ScriptTool> + Clone,
) -> OpenAiTarget {
    let place = &target.model.place;
    let mut composed = target.clone();
    composed.assistant = None;
    composed.prompts.extend(samples(tools.clone(), place));
    composed
        .tools
        .extend(tools.map(|tool| offered(tool, place)));
    composed
}

/// Returns the tools that `Create` leaves.
pub(super) fn chosen_tools<'t>(
    assistant: &'t Assistant,
    created: &Created,
) -> Result<Vec<&'t ScriptTool>, String> {
    let Some(servers) = &created.servers else {
        return Ok(assistant.tools.iter().collect());
    };
    let mut chosen = Vec::new();
    for server in servers {
        let mut own = assistant
            .tools
            .iter()
            .filter(|tool| tool.server == server.id);
        if own.clone().next().is_none() {
            let known = assistant.tools.iter().map(|tool| tool.server.as_str());
            return Err(unknown(
                "`mcp_servers`: the assistant uses no server",
                &server.id,
                known,
            ));
        }
        let Some(names) = &server.tools else {
            chosen.extend(own);
            continue;
        };
        for name in names {
            match own.clone().find(|tool| tool.name == *name) {
                Some(tool) => chosen.push(tool),
                None => {
                    let known = own.by_ref().map(|tool| tool.name.as_str());
                    let what = format!("`mcp_servers`: the server `{}` has no tool", server.id);
                    return Err(unknown(&what, name, known));
                }
            }
        }
    }
    Ok(chosen)
}

/// Returns the chat endpoint as `Create` wants it; says what it cannot have.
pub(super) fn changed(
    target: &OpenAiTarget,
    assistant: &Assistant,
    created: &Created,
    tools: &[&ScriptTool],
) -> Result<OpenAiTarget, String> {
    let mut chat = target.clone();
    if let Some(id) = &created.connector {
        let known = assistant.connectors.keys().map(String::as_str);
        match assistant.connectors.get(id) {
            Some(Ok(connection)) => connect(&mut chat, connection),
            Some(Err(why)) => return Err(format!("`connector`: `{id}` cannot be used: {why}")),
            None => return Err(unknown("`connector`: there is no connector", id, known)),
        }
    }
    let (of_app, own) = target
        .prompts
        .split_at_checked(assistant.n_app_prompts)
        .unwrap_or_default();
    let own = match &created.preset {
        None => own,
        Some(id) => match assistant.presets.get(id) {
            Some(preset) => preset,
            None => {
                let known = assistant.presets.keys().map(String::as_str);
                return Err(unknown(
                    "`prompt_preset`: the assistant has no preset",
                    id,
                    known,
                ));
            }
        },
    };
    let of_app = match created.disable_app_prompts {
        None => of_app,
        Some(true) => &[],
        Some(false) => &assistant.app_prompts,
    };
    chat.prompts = [of_app, own].concat();
    if !created.parameters.is_empty() {
        let place = chat
            .parameters
            .as_ref()
            .map_or(&chat.model.place, |json| &json.place);
        let place = place.clone();
        let mut members = match chat.parameters.take().map(|json| json.value) {
            Some(Value::Object(members)) => members,
            _ => Map::new(),
        };
        members.extend(created.parameters.clone());
        let value = Value::Object(members);
        chat.parameters = Some(Json { value, place });
    }
    for (name, value) in [("THEME", &created.theme), ("ROUTE", &created.route)] {
        if let Some(value) = value {
            chat.facts.insert(name.to_owned(), value.clone());
        }
    }
    Ok(with_tools(&chat, tools.iter().copied()))
}

/// Changes who asks, as `Create` says.
pub(super) fn changed_call(call: &Call, created: &Created) -> Call {
    let mut call = call.clone();
    call.metadata.extend(created.metadata.clone());
    if let Some(locale) = &created.locale {
        call.identity.locale.clone_from(locale);
    }
    call
}

fn connect(chat: &mut OpenAiTarget, connection: &Connection) {
    chat.host = connection.host.clone();
    chat.model = connection.model.clone();
    chat.key = connection.key.clone();
    chat.key_header = connection.key_header;
    chat.headers = connection.headers.clone();
    chat.parameters = connection.parameters.clone();
    chat.stream = connection.stream;
}

fn unknown<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match did_you_mean(word, known) {
        Some(meant) => format!("{what} `{word}`: did you mean `{meant}`?"),
        None => format!("{what} `{word}`"),
    }
}

fn offered(tool: &ScriptTool, place: &Place) -> ClientTool {
    let text = |text: &str| Text {
        text: literal(text),
        place: place.clone(),
    };
    ClientTool {
        name: text(&tool.offered_name),
        description: text(&tool.description),
        parameters: Some(Json {
            value: literal_json(tool.input.clone()),
            place: place.clone(),
        }),
        result: None,
    }
}

/// Returns a message that shows how tools are called, if there are samples.
fn samples<'t>(tools: impl Iterator<Item = &'t ScriptTool>, place: &Place) -> Option<Prompt> {
    let mut text = String::new();
    for tool in tools.filter(|tool| !tool.samples.is_empty()) {
        // Writing to a text cannot fail.
        write!(text, "\n\n{}:", tool.offered_name).ok();
        for sample in &tool.samples {
            let name = sample["name"].as_str();
            let name = name.map_or_else(String::new, |name| format!("{name}\n  "));
            write!(text, "\n- {name}input: {}", sample["input"]).ok();
            if let Some(output) = sample.get("output") {
                write!(text, "\n  output: {output}").ok();
            }
        }
    }
    (!text.is_empty()).then(|| Prompt {
        role: "system".to_owned(),
        content: Text {
            text: format!("Examples of how the tools are called:{text}"),
            place: place.clone(),
        },
        name: None,
        // `${…}` means nothing here.
        has_dollars: true,
    })
}

/// Returns `text` so that a reader of references reads it as it is.
fn literal(text: &str) -> String {
    text.replace("${", "$${")
}

fn literal_json(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(literal(&text)),
        Value::Array(items) => items.into_iter().map(literal_json).collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(name, item)| (name, literal_json(item)));
            Value::Object(members.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}
