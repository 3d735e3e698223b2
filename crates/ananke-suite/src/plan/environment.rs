//! Which environment variables a plan refers to: a bundle keeps their values, so that judging again needs no environment.

use std::collections::BTreeSet;

use ananke_model::plan::{Plan, Protocol, Target};
use ananke_model::variables::{Piece, Scope, pieces};

use super::texts::{target_texts, test_texts};

/// Returns the names of all `${ENV.…}` references in the tests of `plan`, and in the agents that they ask, and of all that
/// prompts of assistant folders name with `$ENV.`.
pub fn environment_names(plan: &Plan) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let of_tests = plan.tests.iter().flat_map(test_texts);
    let of_agents = plan.agents.values().flat_map(target_texts);
    for (text, _) in of_tests.chain(of_agents) {
        if !text.contains("${ENV.") {
            continue;
        }
        for piece in pieces(text) {
            if let Piece::Reference(reference) = piece
                && reference.scope == Scope::Environment
            {
                names.insert(reference.name.to_owned());
            }
        }
    }
    let targets = plan.tests.iter().map(|test| &test.target);
    for target in targets.chain(plan.agents.values()) {
        names.extend(names_in_prompts(target));
    }
    names
}

fn names_in_prompts(target: &Target) -> Vec<String> {
    let prompts = match &target.protocol {
        Protocol::OpenAi(chat) => chat.prompts.as_slice(),
        Protocol::Agui(_)
        | Protocol::Command(_)
        | Protocol::Scripted(_)
        | Protocol::Script(_)
        | Protocol::A2a(_)
        | Protocol::Mcp(_) => &[],
    };
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let prompts = prompts.iter().filter(|prompt| prompt.has_dollars);
    prompts
        .flat_map(|prompt| prompt.content.text.split("$ENV.").skip(1))
        .filter_map(|rest| rest.split(|c| !is_inner(c)).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}
