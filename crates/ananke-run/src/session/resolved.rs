//! The name and the conversation of a test, references resolved.

use std::sync::Arc;

use ananke_model::case::Case;
use ananke_model::plan::{PlannedTest, PlannedTurn, TurnAction};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use serde_json::Value;

use super::prepare::Resolver;
use super::{Stopped, resolved_case};

/// What a test says.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) name: String,
    /// What is said; the files that go with messages are not in there.
    pub(crate) actions: Vec<Action>,
    pub(crate) case: Option<Arc<Case>>,
}

/// Resolves what a test says; live and from a recording alike.
pub(crate) fn resolve(test: &PlannedTest, variables: &Variables) -> Result<Resolved, Stopped> {
    let mut resolver = Resolver::new(variables);
    let name = resolver.text(&test.name);
    let turns = test.turns.iter();
    let actions = turns.map(|turn| action(turn, &mut resolver)).collect();
    resolver.finish().map_err(Stopped::error)?;
    let case = test.case.as_ref();
    Ok(Resolved {
        name,
        actions,
        case: case.map(|case| resolved_case(case, variables)),
    })
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
