//! The name and the conversation of a test, references resolved.

use ananke_model::plan::{PlannedTest, PlannedTurn, TurnAction};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;

use super::Stopped;
use super::prepare::Resolver;

/// What a test says.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) name: String,
    pub(crate) actions: Vec<Action>,
}

/// Resolves what a test says; live and from a recording alike.
pub(crate) fn resolve(test: &PlannedTest, variables: &Variables) -> Result<Resolved, Stopped> {
    let mut resolver = Resolver::new(variables);
    let name = resolver.text(&test.name);
    let turns = test.turns.iter();
    let actions = turns.map(|turn| action(turn, &mut resolver)).collect();
    resolver.finish().map_err(Stopped::error)?;
    Ok(Resolved { name, actions })
}

fn action(turn: &PlannedTurn, resolver: &mut Resolver<'_>) -> Action {
    match &turn.action {
        TurnAction::User { text } => Action::User(resolver.text(text)),
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
