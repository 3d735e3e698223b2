//! Steps are started and finished in pairs, by the same owner.

use ananke_model::conformance::{Layer, Level};

use super::reading::{Broken, Reading};
use crate::exchange::Observed;
use crate::rule::{Findings, Rule};

static STEP: Rule = Rule {
    id: "sequence.step",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "steps are started and finished in pairs, by the same owner",
    reason: "A step is known by its name and its owner alone; clients end the run when start and finish do not match.",
    section: "Events, steps",
    advice: "Send `STEP_FINISHED` with the name and the `subagentRunId` of its `STEP_STARTED`, and do not open a name twice at once.",
    needs: "STEP_STARTED or STEP_FINISHED",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&STEP];

/// Looks at steps.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    if reading.has(&["STEP_STARTED", "STEP_FINISHED"]) {
        found.saw(&STEP);
    }
    for broken in reading.of("V12") {
        found.at(&STEP, broken.event, words(reading, broken));
    }
}

fn words(reading: &Reading<'_>, broken: &Broken) -> String {
    let Some(event) = reading.events().get(broken.event) else {
        return broken.told.clone();
    };
    let name = event.text("stepName").unwrap_or("?");
    let owner = event.text("subagentRunId");
    let (open_since, open_elsewhere) = open(reading, broken.event, name, owner);
    let whose = of(owner);
    match (event.kind(), open_since, open_elsewhere) {
        (Some("STEP_STARTED"), Some(number), _) => {
            format!(
                "step `{name}` of {whose} is started again, but it is open since event {number}"
            )
        }
        (Some("STEP_STARTED"), None, _) => {
            format!("step `{name}` of {whose} is started while it is open")
        }
        (_, _, Some(other)) => format!(
            "step `{name}` is finished by {whose}, but it was started by {}",
            of(other)
        ),
        _ => format!("step `{name}` of {whose} is finished, but it is not open"),
    }
}

/// Finds since when the step is open, and another owner that has a step of the same name open.
#[expect(
    clippy::option_option,
    reason = "an owner that is `None` is the agent itself"
)]
fn open<'a>(
    reading: &Reading<'a>,
    before: usize,
    name: &str,
    owner: Option<&str>,
) -> (Option<usize>, Option<Option<&'a str>>) {
    let mut open: Vec<(Option<&str>, usize)> = Vec::new();
    let named = |event: &Observed| event.text("stepName") == Some(name);
    for (number, event) in reading.events().iter().enumerate().take(before) {
        let tag = event.text("subagentRunId");
        match event.kind() {
            Some("RUN_STARTED") => open.clear(),
            Some("STEP_STARTED") if named(event) => open.push((tag, number)),
            Some("STEP_FINISHED") if named(event) => open.retain(|(open, _)| *open != tag),
            _ => {}
        }
    }
    let own = open.iter().find(|(open, _)| *open == owner);
    let other = open.iter().find(|(open, _)| *open != owner);
    (own.map(|(_, number)| *number), other.map(|(open, _)| *open))
}

fn of(owner: Option<&str>) -> String {
    owner.map_or_else(
        || "the agent itself".to_owned(),
        |id| format!("subagent `{id}`"),
    )
}
