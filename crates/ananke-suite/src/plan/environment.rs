//! Which environment variables a plan refers to: a bundle keeps their values, so that judging again needs no environment.

use std::collections::BTreeSet;

use ananke_model::plan::Plan;
use ananke_model::variables::{Piece, Scope, pieces};

use super::texts::test_texts;

/// Returns the names of all `${ENV.…}` references in the tests of `plan`.
pub fn environment_names(plan: &Plan) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for test in &plan.tests {
        for (text, _) in test_texts(test) {
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
    }
    names
}
