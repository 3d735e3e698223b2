//! A target with its references resolved: everything that the turns of a test share.

use std::path::Path;
use std::time::Duration;

use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{AguiTarget, Protocol, Target};
use ananke_model::variables::{Undefined, Variables};
use ananke_protocol::agui::{AguiOptions, OfferedTool};
use ananke_protocol::http::{ClientError, Headers, HttpClient, HttpOptions, Proxies, check_url};
use serde_json::{Value, json};

use crate::clients::Clients;

/// What the turns of a test share.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) client: HttpClient,
    pub(crate) options: AguiOptions,
    pub(crate) headers: Headers,
    /// The state before the first turn.
    pub(crate) state: Value,
    /// Whether the thread was named by the user and may be shared with other tests.
    pub(crate) has_literal_thread: bool,
}

/// Resolves references and collects those that have no value.
pub(crate) struct Resolver<'a> {
    variables: &'a Variables,
    /// Names, each with the place where it is first used.
    undefined: Vec<(String, Place)>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(variables: &'a Variables) -> Self {
        Self {
            variables,
            undefined: Vec::new(),
        }
    }

    pub(crate) fn text(&mut self, text: &Text) -> String {
        self.variables.text(&text.text).unwrap_or_else(|names| {
            self.miss(names, &text.place);
            String::new()
        })
    }

    pub(crate) fn json(&mut self, json: &Json) -> Value {
        self.variables.json(&json.value).unwrap_or_else(|names| {
            self.miss(names, &json.place);
            Value::Null
        })
    }

    fn miss(&mut self, names: Undefined, place: &Place) {
        for name in names {
            if !self.undefined.iter().any(|(known, _)| *known == name) {
                self.undefined.push((name, place.clone()));
            }
        }
    }

    /// Returns what is wrong, if a reference had no value.
    pub(crate) fn finish(self) -> Result<(), String> {
        if self.undefined.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self
            .undefined
            .iter()
            .map(|(name, place)| format!("${{{name}}} ({place})"))
            .collect();
        let names = names.join(", ");
        let known: Vec<&str> = self
            .variables
            .variables
            .keys()
            .map(String::as_str)
            .collect();
        let known = match known.as_slice() {
            [] => "no hook has printed a variable".to_owned(),
            names => format!("known are {}", names.join(", ")),
        };
        Err(format!("no value for {names}: {known}"))
    }
}

/// Resolves the target of a test.
pub(crate) fn prepare(
    target: &Target,
    variables: &Variables,
    clients: &Clients,
    proxies: &Proxies,
    root: &Path,
) -> Result<Prepared, String> {
    let Protocol::Agui(agui) = &target.protocol else {
        return Err("this kind of agent is not run yet".to_owned());
    };
    let mut resolver = Resolver::new(variables);
    let options = options(agui, &mut resolver);
    let headers: Vec<(&str, String)> = agui
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), resolver.text(value)))
        .collect();
    let state = state(agui, &mut resolver);
    let ca = agui.tls.ca.as_ref().map(|path| resolver.text(path));
    resolver.finish()?;
    let needs_tls = check_url(&options.endpoint).map_err(|error| format!("endpoint: {error}"))?;
    let headers = Headers::build(headers.iter().map(|(name, value)| (*name, value.as_str())))?;
    let ca_pem = ca.as_ref().map(|path| {
        std::fs::read(root.join(path)).map_err(|error| format!("tls.ca: `{path}`: {error}"))
    });
    let client = clients.get(HttpOptions {
        connect_timeout: Duration::from_millis(agui.connect_timeout_ms),
        ca_pem: ca_pem.transpose()?,
        insecure: agui.tls.insecure,
        needs_tls: needs_tls || proxies.uses_tls(),
        proxies: proxies.clone(),
    });
    Ok(Prepared {
        client: client.map_err(|error| match (error, &ca) {
            (ClientError::Authorities(why), Some(path)) => format!("tls.ca: `{path}`: {why}"),
            (error, _) => error.to_string(),
        })?,
        options,
        headers,
        state,
        has_literal_thread: agui.thread_id.is_some(),
    })
}

fn options(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> AguiOptions {
    let thread_id = thread_id(agui, resolver);
    AguiOptions {
        endpoint: resolver.text(&agui.endpoint),
        agent_id: agent_id(agui, resolver),
        envelope: agui.envelope,
        history: agui.history,
        era: agui.era,
        thread_id: thread_id.unwrap_or_else(new_id),
        forwarded_props: forwarded_props(agui, resolver),
        context: context(agui, resolver),
        tools: tools(agui, resolver),
    }
}

/// Returns the thread, if the user named it.
pub(crate) fn thread_id(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Option<String> {
    agui.thread_id.as_ref().map(|id| resolver.text(id))
}

/// Returns the agent's id.
pub(crate) fn agent_id(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Option<String> {
    agui.agent_id.as_ref().map(|id| resolver.text(id))
}

/// Returns the state before the first turn; `null` if there is none.
pub(crate) fn state(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Value {
    let state = agui.state.as_ref();
    state.map_or(Value::Null, |state| resolver.json(state))
}

/// Returns `forwardedProps`.
pub(crate) fn forwarded_props(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Value {
    let props = agui.forwarded_props.as_ref();
    props.map_or_else(|| json!({}), |props| resolver.json(props))
}

/// Returns `context`.
pub(crate) fn context(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Vec<Value> {
    let entries = agui.context.iter();
    entries
        .map(|(description, value)| json!({"description": resolver.text(description), "value": resolver.text(value)}))
        .collect()
}

/// Returns the tools that the client offers.
pub(crate) fn tools(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Vec<OfferedTool> {
    let tools = agui.tools.iter();
    tools
        .map(|tool| OfferedTool {
            name: resolver.text(&tool.name),
            description: resolver.text(&tool.description),
            parameters: tool
                .parameters
                .as_ref()
                .map_or(Value::Null, |schema| resolver.json(schema)),
            result: tool.result.as_ref().map(|result| resolver.json(result)),
        })
        .collect()
}

/// Returns a fresh id for a thread, a run or a message.
pub(crate) fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}
