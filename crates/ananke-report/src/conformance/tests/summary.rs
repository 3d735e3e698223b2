//! The summary in Markdown.

use insta::assert_snapshot;

use super::super::conformance_markdown;
use super::samples::{failing, harness, hostile, with_baseline};

#[test]
fn a_summary_in_markdown() {
    assert_snapshot!(conformance_markdown(&failing()), @"
    ## ❌ Conformance: 2 rules are broken

    Judged: `http://localhost:8000/agent`, profile `ag-ui@1.0`, 1 request, 1.2s

    7 rules: 2 passed, 1 warned, 2 failed, 1 inconclusive, 1 off

    | Scenario | | |
    |---|---|---|
    | `hello` | ❌ fail | answered with text |
    | `frontend-tool` | ❔ inconclusive | no call of `confirm` |

    ### Broken rules (2)

    - **`sequence.open-at-finish`** (MUST): what `sequence.open-at-finish` says holds
      - hello · run · event 0 RUN_FINISHED: message `m0` is still open
      - hello · run · event 1 RUN_FINISHED: message `m1` is still open
      - hello · run · event 2 RUN_FINISHED: message `m2` is still open
      - hello · run · event 3 RUN_FINISHED: message `m3` is still open
      - hello · run · event 4 RUN_FINISHED: message `m4` is still open
      - 5 more findings
      - *fix:* send it before the run ends.
    - **`http.body-closed`** (MUST): what `http.body-closed` says holds
      - hello · run: the connection broke
      - *fix:* send it before the run ends.

    <details>
    <summary>Warnings (1)</summary>

    - **`semantics.custom-prefix`** (SHOULD): what `semantics.custom-prefix` says holds
      - hello · run · event 4 RUN_FINISHED: `foo` has no prefix
      - *fix:* send it before the run ends.

    </details>

    <details>
    <summary>Not judged (1)</summary>

    - `behaviour.resume-unknown` (MUST): no tool call was seen

    </details>

    | Which client breaks? | | |
    |---|---|---|
    | `@ag-ui/client 1.0.0` | ❌ fail | hello · run · event 0 RUN_FINISHED: message `m0` is still open |
    | `@ag-ui/client 0.0.59` | ✅ pass |  |

    > note: protobuf was not asked for
    ");
    assert_snapshot!(conformance_markdown(&with_baseline(true)), @"
    ## ❌ Conformance: 1 entry of the baseline is out of date

    Judged: `http://localhost:8000/agent`, profile `ag-ui@1.0`, 1 request, 1.2s

    4 rules: 2 passed, 1 warned, 1 off

    | Scenario | | |
    |---|---|---|
    | `hello` | ✅ pass | answered with text |
    | `frontend-tool` | ❔ inconclusive | no call of `confirm` |

    <details>
    <summary>Known failures (1)</summary>

    - **`shape.required`** (MUST): what `shape.required` says holds
      - hello · run · event 2 RUN_FINISHED: `messageId` is missing (known)
      - *fix:* send it before the run ends.

    </details>

    | Which client breaks? | | |
    |---|---|---|
    | `@ag-ui/client 1.0.0` | ✅ pass |  |
    | `@ag-ui/client 0.0.59` | ✅ pass |  |

    ### Baseline

    - still failing as it says: 1
    - ❌ ci/known.yaml:7: `shape.null` in `hello` passes now; remove the entry
    - ❔ ci/known.yaml:9: `http.utf8` could not be judged this time
    ");
    assert_snapshot!(conformance_markdown(&harness()), @r"
    ## 💥 Conformance: a request of ananke itself breaks the protocol, so nothing was found out

    > **No verdict counts: a request that ananke sends breaks the protocol.** hello, run: `threadId` `is missing\nat /threadId`

    Judged: `http://localhost:8000/agent`, profile `ag-ui@1.0`, 1 request, 1.2s

    3 rules: 3 inconclusive

    <details>
    <summary>Not judged (3)</summary>

    - `http.status` (MUST): no answer was seen
    - `shape.null` (MUST): no answer was seen
    - `semantics.usage-total` (SHOULD): no answer was seen

    </details>
    ");
}

#[test]
fn markdown_is_bounded_and_inert() {
    let markdown = conformance_markdown(&hostile());
    let lines: Vec<&str> = markdown.lines().collect();
    let is_forged = |line: &&&str| line.starts_with("# Heading") || line.starts_with("```");
    assert_eq!(lines.iter().filter(is_forged).count(), 0);
    let mut long = failing();
    let check = long.checks[3].clone();
    long.checks.extend(std::iter::repeat_n(check, 500));
    let markdown = conformance_markdown(&long);
    assert!(markdown.len() < 60_000, "{}", markdown.len());
    assert!(markdown.contains("left out"));
}
