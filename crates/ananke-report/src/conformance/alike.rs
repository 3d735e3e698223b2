//! Findings of a rule that say the same of several answers: one cause, one line.

use std::collections::BTreeMap;

use ananke_model::conformance::Finding;

use super::words;
use crate::count::some_of;

/// Scenarios or steps beyond these are counted.
const MOST_NAMES: usize = 8;

/// Puts findings together that differ only in where they are, in the order of the first of each.
pub(super) fn alike(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut numbers: BTreeMap<(&str, Option<&str>, bool), usize> = BTreeMap::new();
    for finding in findings {
        let same = (
            finding.message.as_str(),
            finding.event_type.as_deref(),
            finding.known,
        );
        let number = *numbers.entry(same).or_insert(groups.len());
        match groups.get_mut(number) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// Returns findings that are alike as one line: where they are, and what is wrong.
pub(super) fn line(group: &[&Finding], dot: &str) -> String {
    let Some((first, others)) = group.split_first() else {
        return String::new();
    };
    if others.is_empty() {
        return words::finding(first, dot);
    }
    let is_one_scenario = others.iter().all(|one| one.scenario == first.scenario);
    let mut place = Vec::new();
    if is_one_scenario {
        place.extend([first.scenario.clone()]);
        place.push(some_of(&counted(group, |one| &one.step), MOST_NAMES));
    } else {
        place.push(some_of(&counted(group, |one| &one.scenario), MOST_NAMES));
    }
    let is_one_event = others.iter().all(|one| one.event == first.event);
    place.extend(words::event(first).map(|event| match is_one_event {
        true => event,
        false => format!("{event} and others"),
    }));
    place.retain(|part| !part.is_empty());
    words::told(&place, &first.message, first.known, dot)
}

/// Returns the different names in their order, with how often each is there.
fn counted(group: &[&Finding], name: fn(&Finding) -> &String) -> Vec<String> {
    let mut names: Vec<(&str, usize)> = Vec::new();
    for finding in group {
        let name = name(finding).as_str();
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => names.push((name, 1)),
        }
    }
    let names = names.into_iter().map(|(name, n)| match n {
        1 => name.to_owned(),
        n => format!("{name} ({n})"),
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::tests::finding;
    use super::*;

    fn shown(places: &[(&str, &str, Option<usize>, &str)]) -> String {
        let findings = places
            .iter()
            .map(|(scenario, step, event, message)| Finding {
                scenario: (*scenario).to_owned(),
                step: (*step).to_owned(),
                ..finding(message, *event)
            });
        let findings: Vec<Finding> = findings.collect();
        let groups = alike(&findings);
        let lines = groups.iter().map(|group| line(group, "·"));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn one_cause_is_one_line() {
        assert_snapshot!(shown(&[
            ("hello", "run", Some(0), "`protocolVersion` is missing"),
            ("multi-turn", "run 1", Some(0), "`protocolVersion` is missing"),
            ("state", "run", Some(4), "`a` is missing"),
            ("multi-turn", "run 2", Some(0), "`protocolVersion` is missing"),
        ]), @"
        hello, multi-turn (2) · event 0 RUN_FINISHED: `protocolVersion` is missing
        state · run · event 4 RUN_FINISHED: `a` is missing
        ");
        assert_snapshot!(shown(&[
            ("probes", "probe: bad JSON", None, "the status is 500"),
            ("probes", "probe: bad field", None, "the status is 500"),
            ("hello", "run", Some(1), "`metadata` is null"),
            ("hello", "run", Some(2), "`metadata` is null"),
            ("hello", "run", None, "`metadata` is null"),
        ]), @"
        probes · probe: bad JSON, probe: bad field: the status is 500
        hello · run (2) · event 1 RUN_FINISHED and others: `metadata` is null
        hello · run: `metadata` is null
        ");
    }

    #[test]
    fn what_is_known_stands_for_itself() {
        let mut known = finding("it broke", None);
        known.known = true;
        let findings = [finding("it broke", None), known];
        assert_eq!(alike(&findings).len(), 2);
    }
}
