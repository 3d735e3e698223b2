//! The name and the conversation of a test, references resolved.

use std::sync::Arc;

use ananke_model::case::Case;
use ananke_model::place::Json;
use ananke_model::plan::{PlannedTest, PlannedTurn, ServerAsk, TaskMessage, TurnAction};
use ananke_model::variables::Variables;
use ananke_protocol::a2a::SendMessage;
use ananke_protocol::agui::Action;
use ananke_protocol::mcp::McpAction;
use serde_json::{Map, Value};

use super::{Resolver, Stopped, resolved_case};
use crate::dynamic::Told;

/// What a test says.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) name: String,
    /// What is said; the files that go with messages are not in there.
    pub(crate) actions: Vec<Action>,
    pub(crate) case: Option<Arc<Case>>,
    /// What a simulator is told.
    pub(crate) told: Told,
}

/// Resolves what a test says; live and from a recording alike.
pub(crate) fn resolve(test: &PlannedTest, variables: &Variables) -> Result<Resolved, Stopped> {
    let mut resolver = Resolver::new(variables);
    let name = resolver.text(&test.name);
    let turns = test.turns.iter();
    let mut actions: Vec<Action> = turns.map(|turn| action(turn, &mut resolver)).collect();
    let mut told = Told::default();
    if let Some(dynamic) = &test.dynamic {
        // The rest is the simulator's to say.
        let first = dynamic.input.as_ref();
        actions.extend(first.map(|text| Action::User(resolver.text(text))));
        let metadata = dynamic.simulator.metadata.as_ref();
        if let Some(Value::Object(metadata)) = metadata.map(|json| resolver.json(json)) {
            told = Told(metadata);
        }
    }
    resolver.finish().map_err(Stopped::error)?;
    if let Some(number) = actions.iter().position(says_nothing) {
        let message = format!(
            "turn {}: the message is empty once its references have their values",
            number + 1
        );
        return Err(Stopped::error(message));
    }
    let case = test.case.as_ref();
    Ok(Resolved {
        name,
        actions,
        case: case.map(|case| resolved_case(case, variables)),
        told,
    })
}

/// Tells whether the newest message has no words: files refuse that, but a reference may come to nothing.
fn says_nothing(action: &Action) -> bool {
    match action {
        Action::User(text) => text.trim().is_empty(),
        Action::Messages(messages) => {
            let newest = messages.last().filter(|message| message["role"] == "user");
            let text = newest.and_then(|message| message["content"].as_str());
            text.is_some_and(|text| text.trim().is_empty())
        }
        Action::Connect { .. } | Action::Resume { .. } | Action::Send(_) | Action::Ask(_) => false,
    }
}

fn action(turn: &PlannedTurn, resolver: &mut Resolver<'_>) -> Action {
    match &turn.action {
        TurnAction::User { text } => Action::User(resolver.text(text)),
        TurnAction::Messages(messages) => match resolver.json(&messages.list) {
            Value::Array(messages) => Action::Messages(messages),
            _ => Action::Messages(Vec::new()),
        },
        TurnAction::Connect { allow_empty } => Action::Connect {
            allow_empty: *allow_empty,
        },
        TurnAction::Resume(resume) => Action::Resume {
            status: resume.status,
            payload: resume
                .payload
                .as_ref()
                .map(|payload| resolver.json(payload)),
        },
        TurnAction::Send(message) => Action::Send(Box::new(send(message, resolver))),
        TurnAction::Ask(asked) => Action::Ask(Box::new(ask(asked, resolver))),
    }
}

fn send(message: &TaskMessage, resolver: &mut Resolver<'_>) -> SendMessage {
    SendMessage {
        parts: match resolver.json(&message.parts) {
            Value::Array(parts) => parts,
            one => vec![one],
        },
        metadata: message.metadata.as_ref().map(|json| resolver.json(json)),
        task_id: message.task_id.as_ref().map(|id| resolver.text(id)),
        new_task: message.new_task,
        context_id: message.context_id.as_ref().map(|id| resolver.text(id)),
    }
}

fn ask(asked: &ServerAsk, resolver: &mut Resolver<'_>) -> McpAction {
    match asked {
        ServerAsk::Call { tool, args } => McpAction::Call {
            tool: resolver.text(tool),
            args: map(args.as_ref(), resolver),
        },
        ServerAsk::List(listed) => McpAction::List(*listed),
        ServerAsk::Read { uri } => McpAction::Read {
            uri: resolver.text(uri),
        },
        ServerAsk::Prompt { name, args } => McpAction::Prompt {
            name: resolver.text(name),
            args: map(args.as_ref(), resolver),
        },
    }
}

fn map(json: Option<&Json>, resolver: &mut Resolver<'_>) -> Map<String, Value> {
    match json.map(|json| resolver.json(json)) {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}
