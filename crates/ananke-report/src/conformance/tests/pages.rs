//! The page of a rule.

use ananke_model::conformance::{Layer, Level};
use insta::assert_snapshot;

use super::super::{rule_page, rule_text};
use super::samples::facts;
use crate::samples::plain;

const LEVELS: [(&str, Option<Level>); 2] = [("ag-ui@1.0", Some(Level::Must)), ("ag-ui@0.x", None)];

#[test]
fn a_rule_in_the_documentation() {
    let facts = facts("sequence.open-at-finish", Level::Must, Layer::Sequence);
    let example = "{\"type\":\"RUN_STARTED\"}\n{\"type\":\"RUN_FINISHED\"}\n";
    assert_snapshot!(rule_page(&facts, &LEVELS, Some(example)), @r#"
    # `sequence.open-at-finish`

    **What `sequence.open-at-finish` says holds.**

    | Profile | Level |
    |---|---|
    | `ag-ui@1.0` | MUST |
    | `ag-ui@0.x` | not looked at |

    Clients wait for it.

    Specification: Events, run lifecycle.

    Layer: sequence (the order of events).

    ## What to do

    Send it before the run ends.

    ## What breaks it

    ```json
    {"type":"RUN_STARTED"}
    {"type":"RUN_FINISHED"}
    ```

    ## Switching it

    `--rule sequence.open-at-finish=off|warn|error`, or in the setup file `rules: {sequence.open-at-finish: warn}`.
    "#);
    assert!(rule_page(&facts, &LEVELS, Some("\"````\"")).contains("`````json"));
}

#[test]
fn a_rule_in_a_terminal() {
    let facts = facts("sequence.open-at-finish", Level::Must, Layer::Sequence);
    let example = "{\"type\":\"RUN_STARTED\"}\n\"\u{1b}[31m\"";
    assert_snapshot!(rule_text(&facts, &LEVELS, Some(example), &plain()), @r#"
    sequence.open-at-finish: what `sequence.open-at-finish` says holds

      ag-ui@1.0: MUST
      ag-ui@0.x: not looked at
      layer: sequence (the order of events)
      why: clients wait for it
      spec: Events, run lifecycle
      fix: send it before the run ends.

    what breaks it:
      │ {"type":"RUN_STARTED"}
      │ "\u{1b}[31m"
    "#);
}
