//! Names in prompts that nobody gives a value.

use insta::assert_snapshot;

use crate::testing::{Suite, problems};

const CASE: &str = r#"{"id": "a", "input": "Hi", "metadata": {"tier": "gold"}, "assert": {"type": "agent", "use": "agents:judge", "value": "is kind", "options": {"metadata": {"tone": "soft"}}}}"#;

/// Returns what is said about the prompts of the agent under test and of a judge.
fn found(tested: &str, judge: &str) -> String {
    let chat = "type: openai, host: 'http://h', model: m";
    let config = format!(
        "version: 1\ntarget: {{{chat}, system: '{tested}'}}\nagents:\n  judge: {{{chat}, system: [{{role: system, content: '{judge}'}}]}}\n  idle: {{{chat}, system: '{{{{nobody}}}}'}}\n"
    );
    let suite = Suite::new(&[("ananke.config.yaml", &config), ("tests/a.jsonl", CASE)]);
    problems(&suite.load())
}

#[test]
fn names_that_have_a_value_are_fine() {
    assert_eq!(
        found(
            "{{tier}} {{ input }} {{not a name}} {{",
            "{{criteria}} {{tone}}"
        ),
        ""
    );
}

#[test]
fn names_that_nobody_knows_are_told() {
    assert_snapshot!(found("{{teir}} {{teir}}", "{{critera}} {{weather}}"), @"
    ananke.config.yaml:2:60 warning nobody says what `{{teir}}` stands for | it is sent as it is written | did you mean `{{tier}}`?
    ananke.config.yaml:4:86 warning nobody says what `{{critera}}` stands for | it is sent as it is written | did you mean `{{criteria}}`?
    ananke.config.yaml:4:86 warning nobody says what `{{weather}}` stands for | it is sent as it is written | give it as `weather` in the `metadata` of a case, or of the question to this agent
    ");
}
