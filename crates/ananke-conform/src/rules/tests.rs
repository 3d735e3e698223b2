//! The checker is checked: every rule has a file that trips it first, with only the consequences that the file lists.

use std::collections::BTreeSet;

use crate::fixture::Fixture;
use crate::rules;

#[test]
fn every_file_trips_its_rule_first_and_only_what_it_lists() {
    let mut wrong = Vec::new();
    for (name, fixture) in Fixture::all() {
        let broken = fixture.broken();
        let (first, rest) = match broken.split_first() {
            Some(((first, _), rest)) => (*first, rest),
            None => ("nothing", [].as_slice()),
        };
        let listed: BTreeSet<&str> = fixture.consequences.iter().map(String::as_str).collect();
        let others: BTreeSet<&str> = rest.iter().map(|(rule, _)| *rule).collect();
        if first != fixture.trips || listed != others {
            wrong.push(format!(
                "{name}: trips {} with {listed:?}, but it broke {broken:#?}",
                fixture.trips
            ));
        }
        let stem = name
            .split_once("--")
            .map_or(name.as_str(), |(stem, _)| stem);
        if stem != fixture.trips {
            wrong.push(format!("{name}: should be named after {}", fixture.trips));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_a_file() {
    let tripped: BTreeSet<String> = Fixture::all()
        .into_iter()
        .map(|(_, fixture)| fixture.trips)
        .collect();
    let missing: Vec<&str> = rules::all()
        .map(|rule| rule.id)
        .filter(|id| !tripped.contains(*id))
        .collect();
    assert!(missing.is_empty(), "no fixture for {missing:#?}");
}

#[test]
fn ids_are_unique_and_texts_are_whole() {
    let mut ids = BTreeSet::new();
    let mut wrong = Vec::new();
    for rule in rules::all() {
        if !ids.insert(rule.id) {
            wrong.push(format!("{} is there twice", rule.id));
        }
        let has_level = rule.old.is_some() || rule.v1.is_some();
        let is_whole = [rule.title, rule.section, rule.needs]
            .iter()
            .all(|text| !text.is_empty() && !text.ends_with('.'))
            && [rule.reason, rule.advice]
                .iter()
                .all(|text| text.ends_with('.'));
        if !has_level || !is_whole {
            wrong.push(format!(
                "{}: a level or a text is missing or misspelt",
                rule.id
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
