//! The name and the conversation of a test, references resolved.

use std::sync::Arc;

use ananke_model::case::Case;
use ananke_model::plan::{PlannedTest, PlannedTurn, TurnAction};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use serde_json::Value;

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
        Action::Connect { .. } | Action::Resume { .. } => false,
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
    }
}
