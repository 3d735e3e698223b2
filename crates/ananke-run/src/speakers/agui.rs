//! Speaks AG-UI.

use ananke_model::plan::{AguiTarget, ClientTool, Clock, Encoding, Limits};
use ananke_model::recording::Turn;
use ananke_protocol::agui::{
    Action, AguiOptions, Conversation, OfferedTool, TurnRequest, run_turn,
};
use ananke_protocol::http::{Headers, HttpClient, check_url};
use serde_json::{Map, Value, json};

use super::http::HttpParts;
use super::{Bounds, Call, Means};
use crate::ids::new_id;
use crate::session::Resolver;

/// An AG-UI agent, ready to be talked to.
#[derive(Debug)]
pub(crate) struct AguiSpeaker {
    pub(crate) client: HttpClient,
    pub(crate) options: AguiOptions,
    pub(crate) headers: Headers,
    /// The state before the first turn.
    state: Value,
    /// Whether the thread was named by the user and may be shared with other tests.
    has_literal_thread: bool,
    encoding: Encoding,
    clock: Clock,
    limits: Limits,
}

impl AguiSpeaker {
    /// Resolves a target.
    pub(crate) fn new(agui: &AguiTarget, means: &Means<'_>, call: &Call) -> Result<Self, String> {
        let mut resolver = Resolver::new(means.variables);
        let mut options = options(agui, &mut resolver);
        let http = HttpParts::resolve(
            &agui.headers,
            &agui.tls,
            agui.connect_timeout_ms,
            &mut resolver,
        );
        let state = state(agui, &mut resolver);
        resolver.finish()?;
        if call.is_question {
            put_metadata(&mut options.forwarded_props, &call.metadata);
        }
        let needs_tls =
            check_url(&options.endpoint).map_err(|error| format!("endpoint: {error}"))?;
        let headers = http.headers()?;
        Ok(Self {
            client: http.client(needs_tls, means)?,
            options,
            headers,
            state,
            has_literal_thread: agui.thread_id.is_some(),
            encoding: agui.encoding,
            clock: agui.clock,
            limits: agui.limits,
        })
    }

    pub(crate) fn conversation(&self) -> Conversation {
        Conversation::new(self.state.clone())
    }

    pub(super) fn literal_thread(&self) -> Option<&str> {
        let thread_id = self.options.thread_id.as_str();
        self.has_literal_thread.then_some(thread_id)
    }

    pub(crate) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        let request = TurnRequest {
            client: &self.client,
            options: &self.options,
            headers: &self.headers,
            action,
            encoding: self.encoding,
            clock: self.clock,
            timeout: bounds.timeout,
            limits: self.limits,
            unix_ms: bounds.unix_ms,
            cancel: bounds.cancel,
        };
        run_turn(&request, conversation, &mut new_id).await
    }
}

/// Puts what a helper is told into `forwardedProps.metadata`, beside what its target says.
pub(super) fn put_metadata(props: &mut Value, metadata: &Map<String, Value>) {
    if !props.is_object() {
        *props = json!({});
    }
    match props.get_mut("metadata") {
        Some(Value::Object(own)) => own.extend(metadata.clone()),
        _ => props["metadata"] = Value::Object(metadata.clone()),
    }
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
        tools: tools(&agui.tools, resolver),
    }
}

/// Returns the thread, if the user named it.
pub(super) fn thread_id(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Option<String> {
    agui.thread_id.as_ref().map(|id| resolver.text(id))
}

/// Returns the agent's id.
pub(super) fn agent_id(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Option<String> {
    agui.agent_id.as_ref().map(|id| resolver.text(id))
}

/// Returns the state before the first turn; `null` if there is none.
pub(super) fn state(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Value {
    let state = agui.state.as_ref();
    state.map_or(Value::Null, |state| resolver.json(state))
}

/// Returns `forwardedProps`.
pub(super) fn forwarded_props(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Value {
    let props = agui.forwarded_props.as_ref();
    props.map_or_else(|| json!({}), |props| resolver.json(props))
}

/// Returns `context`.
pub(super) fn context(agui: &AguiTarget, resolver: &mut Resolver<'_>) -> Vec<Value> {
    let entries = agui.context.iter();
    entries
        .map(|(description, value)| json!({"description": resolver.text(description), "value": resolver.text(value)}))
        .collect()
}

/// Returns the tools that the client offers.
pub(super) fn tools(tools: &[ClientTool], resolver: &mut Resolver<'_>) -> Vec<OfferedTool> {
    let tools = tools.iter();
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

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn metadata_join_those_of_the_target() {
        let mut props = json!({"metadata": {"a": 1, "b": 1}, "x": 2});
        let more: Map<String, Value> = json!({"b": 2}).as_object().unwrap().clone();
        put_metadata(&mut props, &more);
        assert_snapshot!(props, @r#"{"metadata":{"a":1,"b":2},"x":2}"#);
        let mut other = json!(["no map"]);
        put_metadata(&mut other, &more);
        assert_snapshot!(other, @r#"{"metadata":{"b":2}}"#);
    }
}
