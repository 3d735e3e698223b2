//! Names of tests: no two tests may have the same. Cases are told apart by their ids, functions by their files.

use std::collections::BTreeMap;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use ananke_model::plan::PlannedTest;
use ananke_model::variables::Variables;

use crate::parse::Found;

/// Reports tests whose names, as far as they are known by now, are the same.
pub(super) fn check_names(tests: &[PlannedTest], variables: &Variables, found: &mut Found) {
    let mut places: BTreeMap<String, &Place> = BTreeMap::new();
    let is_named = |test: &&PlannedTest| {
        test.case.is_none() && test.script.is_none() && !test.name.text.is_empty()
    };
    for test in tests.iter().filter(is_named) {
        let name = variables
            .text(&test.name.text)
            .unwrap_or_else(|_| test.name.text.clone());
        if let Some(first) = places.get(&name) {
            // One test that is run against several targets.
            if **first == test.name.place {
                continue;
            }
            let message = format!("two tests are called `{name}`");
            found.push(
                Diagnostic::error(&test.name.place, message)
                    .label(format!("the first is at {first}"))
                    .hint("give each test a name of its own"),
            );
        } else {
            places.insert(name, &test.name.place);
        }
    }
}
