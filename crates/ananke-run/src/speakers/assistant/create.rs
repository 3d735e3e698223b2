//! What the hook `Create` returns.

use ananke_model::diagnostic::did_you_mean;
use serde_json::{Map, Value};

use super::delegate::Delegate;
use super::messages::message_list;

const KNOWN: [&str; 17] = [
    "messages",
    "audio",
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "mcp_servers",
    "prompt_preset",
    "disable_global_prompts",
    "connector",
    "locale",
    "theme",
    "route",
    "metadata",
    "uses",
    "force_uses",
    "search",
    "delegate",
];
/// What belongs to parts of the app that are not run here.
const IDLE: [&str; 4] = ["audio", "uses", "force_uses", "search"];
/// The name under which both limits of tokens are sent.
const LIMIT: &str = "max_completion_tokens";

/// What `Create` wants otherwise than the package says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Created {
    /// What the model gets in the place of the conversation.
    pub(super) messages: Option<Vec<Value>>,
    /// Members of the request.
    pub(super) parameters: Map<String, Value>,
    pub(super) servers: Option<Vec<ChosenServer>>,
    pub(super) preset: Option<String>,
    pub(super) disable_app_prompts: Option<bool>,
    pub(super) connector: Option<String>,
    pub(super) locale: Option<String>,
    pub(super) theme: Option<String>,
    pub(super) route: Option<String>,
    pub(super) metadata: Map<String, Value>,
    pub(super) delegate: Option<Delegate>,
    pub(super) warnings: Vec<String>,
}

/// A server whose tools are offered; all of them, if none is named.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChosenServer {
    pub(super) id: String,
    pub(super) tools: Option<Vec<String>>,
}

impl Created {
    /// Reads what `Create` returned; says what cannot be meant.
    pub(super) fn read(value: Value) -> Result<Self, String> {
        let members = match value {
            Value::Null => return Ok(Self::default()),
            Value::Object(members) => members,
            other => {
                return Err(format!(
                    "it returned {}, expected an object or null",
                    kind(&other)
                ));
            }
        };
        let mut created = Self::default();
        for (name, value) in members {
            if !value.is_null() {
                created.take(&name, value)?;
            }
        }
        Ok(created)
    }

    /// Tells whether the model gets anything otherwise than the package says.
    pub(super) fn changes_model(&self) -> bool {
        let texts = [
            &self.preset,
            &self.connector,
            &self.locale,
            &self.theme,
            &self.route,
        ];
        !self.parameters.is_empty()
            || !self.metadata.is_empty()
            || self.servers.is_some()
            || self.disable_app_prompts.is_some()
            || texts.iter().any(|text| text.is_some())
    }

    fn take(&mut self, name: &str, value: Value) -> Result<(), String> {
        match name {
            "messages" => self.messages = Some(message_list(name, value)?),
            "temperature" if value.is_number() => {
                self.parameters.insert(name.to_owned(), value);
            }
            "max_tokens" | LIMIT if value.is_u64() => {
                // The newer name wins over the older one.
                if name == LIMIT || !self.parameters.contains_key(LIMIT) {
                    self.parameters.insert(LIMIT.to_owned(), value);
                }
            }
            "temperature" => return Err(mismatch(name, &value, "a number")),
            "max_tokens" | LIMIT => return Err(mismatch(name, &value, "a whole number")),
            "mcp_servers" => self.servers = Some(servers(&value)?),
            "prompt_preset" => self.preset = Some(text(name, value)?),
            "disable_global_prompts" => match value {
                Value::Bool(is_disabled) => self.disable_app_prompts = Some(is_disabled),
                other => return Err(mismatch(name, &other, "true or false")),
            },
            "connector" => self.connector = Some(text(name, value)?),
            "locale" => self.locale = Some(text(name, value)?),
            "theme" => self.theme = Some(text(name, value)?),
            "route" => self.route = Some(text(name, value)?),
            "metadata" => match value {
                Value::Object(metadata) => self.metadata = metadata,
                other => return Err(mismatch(name, &other, "an object")),
            },
            "delegate" => self.delegate = Some(Delegate::read(value)?),
            name if IDLE.contains(&name) => self.warnings.push(format!(
                "`{name}` of what `Create` returned has no effect in tests"
            )),
            name => self.warnings.push(unknown(name)),
        }
        Ok(())
    }
}

fn unknown(name: &str) -> String {
    let message = format!("`Create` returned `{name}`, which nobody reads");
    match did_you_mean(name, KNOWN) {
        Some(meant) => format!("{message}: did you mean `{meant}`?"),
        None => message,
    }
}

/// Reads `"id"` and `{server_id, tools}`.
fn servers(value: &Value) -> Result<Vec<ChosenServer>, String> {
    let Value::Array(items) = value else {
        return Err(mismatch("mcp_servers", value, "a list"));
    };
    let server = |item: &Value| {
        let (id, tools) = match item {
            Value::String(id) => (id.as_str(), &Value::Null),
            item => (
                item["server_id"].as_str().unwrap_or_default(),
                &item["tools"],
            ),
        };
        if id.is_empty() {
            let expected = "the id of a server, or an object with `server_id`";
            return Err(mismatch("mcp_servers", item, expected));
        }
        let names = tools.as_array().map(|names| {
            let names = names.iter().filter_map(Value::as_str);
            names.map(str::to_owned).collect::<Vec<_>>()
        });
        Ok(ChosenServer {
            id: id.to_owned(),
            tools: names.filter(|names| !names.is_empty()),
        })
    };
    items.iter().map(server).collect()
}

fn text(name: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) if !text.is_empty() => Ok(text),
        other => Err(mismatch(name, &other, "a text")),
    }
}

/// Says that a member is not what it has to be.
pub(super) fn mismatch(name: &str, value: &Value, expected: &str) -> String {
    format!("`{name}` is {}, expected {expected}", kind(value))
}

/// Says in words what a value is.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(text) if text.is_empty() => "an empty text",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
