//! What each format says.

use ananke_model::result::{TestResult, TestStatus};
use insta::assert_snapshot;

use super::super::{
    Comparison, comparison_html, comparison_json, comparison_markdown, comparison_text,
};
use super::{compared, failed, searched};
use crate::samples::{passed, plain};

/// Two runs whose every foreign text is hostile.
fn hostile() -> Comparison {
    let text = "```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J##[group] |";
    let test = |said: &str, status: TestStatus| {
        let mut result = searched(said, "{}", "1", &format!("{text} {said}"));
        result.id.0 = text.to_owned();
        result.name = text.to_owned();
        result.reason = Some(text.to_owned());
        result.status = status;
        result
    };
    compared(
        vec![test("old", TestStatus::Passed)],
        vec![test("new", TestStatus::Error)],
    )
}

#[test]
fn hostile_text_stays_text() {
    let comparison = hostile();
    let text = comparison_text(&comparison, &plain(), true, false);
    assert!(!text.contains('\u{1b}') && !text.contains("##["), "{text}");
    assert!(
        !text.lines().any(|line| line.trim_start().starts_with("::")),
        "{text}"
    );
    let html = comparison_html(&comparison);
    assert!(!html.contains("<img") && !html.contains('\u{1b}'), "{html}");
    assert!(html.contains("default-src &#39;none&#39;"), "{html}");
    assert!(!comparison_json(&comparison).contains("##["));
    assert_snapshot!(comparison_markdown(&comparison), @r#"
    ## ❌ Agent tests: regression: 1 test broken

    | | A | B |
    |---|---|---|
    | Run | `before` | `after` |
    | Tests | 1 | 1 |
    | Passed | 1 | 0 |
    | Skipped | 0 | 0 |
    | Flaky | 0 | 0 |
    | Time of all tests | 1.2s | 1.2s |

    1 broken

    ### Broken (1)

    passed in A, not in B

    - ```` ```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J\u{23}#[group] | ```` ```` ```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J\u{23}#[group] | ````: PASSED → ERROR

      ````text
      differs: text
      first difference in turn 1, text: "…:error::\u001b[2J\u{23}#[group] | old" → "…:error::\u001b[2J\u{23}#[group] | new"
      └─ ```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J\u{23}#[group] |
      text of turn 1
        │ …rror=alert(1)>
        │ ::error::\u{1b}[2J\u{23}#[group] | [-old-]{+new+}
      first differing event, in turn 1
        A event 1 │ {"delta":"```\n<img src=x onerror=alert(1)>\n::error::\u001b[2J\u{23}#[group] | old","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
        B event 1 │ {"delta":"```\n<img src=x onerror=alert(1)>\n::error::\u001b[2J\u{23}#[group] | new","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
      ````
    "#);
}

#[test]
fn markdown_is_a_comment_for_a_pull_request() {
    let a = vec![
        searched("cart", "{}", "1", "Found 3 mugs."),
        searched("talk", "{}", "1", "Good day."),
        passed("old"),
    ];
    let b = vec![
        failed(searched("cart", "{}", "1", "Found none.")),
        searched("talk", "{}", "1", "Hi."),
    ];
    assert_snapshot!(comparison_markdown(&compared(a, b)), @r#"
    ## ❌ Agent tests: regression: 1 test broken, 1 test gone

    | | A | B |
    |---|---|---|
    | Run | `before` | `after` |
    | Tests | 3 | 2 |
    | Passed | 3 | 1 |
    | Skipped | 0 | 0 |
    | Flaky | 0 | 0 |
    | Time of all tests | 3.7s | 2.4s |

    1 broken, 1 gone, 1 changed

    ### Broken (1)

    passed in A, not in B

    - `tests/cart.test.yaml` `cart works`: PASSED → FAILED

      ```text
      differs: text
      first difference in turn 1, text: "Found 3 mugs." → "Found none."
      └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2
      text of turn 1
        │ Found [-3 mugs.-]{+none.+}
      first differing event, in turn 1
        A event 1 │ {"delta":"Found 3 mugs.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
        B event 1 │ {"delta":"Found none.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
      ```


    ### Gone (1)

    in A only, or not run in B

    - `tests/old.test.yaml` `old works`: PASSED → not there

    <details>
    <summary>Changed (1): came out alike, behaves otherwise</summary>

    - `tests/talk.test.yaml` `talk works`: PASSED → PASSED

      ```text
      differs: text
      first difference in turn 1, text: "Good day." → "Hi."
      text of turn 1
        │ [-Good day.-]{+Hi.+}
      first differing event, in turn 1
        A event 1 │ {"delta":"Good day.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
        B event 1 │ {"delta":"Hi.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
      ```

    </details>
    "#);
    let many = |text: &str| -> Vec<TestResult> {
        (0..2_000)
            .map(|n| {
                searched(
                    &n.to_string(),
                    "{}",
                    "1",
                    &format!("{text} {}", "word ".repeat(20)),
                )
            })
            .collect()
    };
    let large = comparison_markdown(&compared(many("old"), many("new")));
    assert!(
        large.len() < 65_000 && large.contains("more tests left out"),
        "{}",
        large.len()
    );
}

#[test]
fn json_says_everything() {
    let a = vec![searched("cart", r#"{"n":1}"#, "1", "Found 3 mugs.")];
    let b = vec![failed(searched("cart", r#"{"n":2}"#, "1", "Found 2 mugs."))];
    assert_snapshot!(comparison_json(&compared(a, b)), @r#"
    {
      "schema": "ananke.compare/1",
      "verdict": "regression",
      "missing": "regression",
      "counts": {
        "broken": 1,
        "gone": 0,
        "fixed": 0,
        "new": 0,
        "new_failing": 0,
        "changed": 0,
        "same": 0,
        "still_failing": 0
      },
      "a": {
        "label": "before",
        "total": 1,
        "tests": 1,
        "passed": 1,
        "skipped": 0,
        "flaky": 0,
        "duration_ms": 1234.567
      },
      "b": {
        "label": "after",
        "total": 1,
        "tests": 1,
        "passed": 0,
        "skipped": 0,
        "flaky": 0,
        "duration_ms": 1234.567
      },
      "notes": [],
      "tests": [
        {
          "id": "tests/cart.test.yaml",
          "name": "cart works",
          "file": "tests/cart.test.yaml",
          "change": "broken",
          "aspects": [
            "tool_calls",
            "text"
          ],
          "a": {
            "status": "passed",
            "runs": 1,
            "passed": 1,
            "flaky": false,
            "duration_ms": 1234.567
          },
          "b": {
            "status": "failed",
            "runs": 1,
            "passed": 0,
            "flaky": false,
            "reason": "test: tools.require search: expected at least 1 call of \"search\", got 0 of 2",
            "duration_ms": 1234.567
          },
          "first_difference": {
            "turn": 1,
            "what": "tool call 1 `search`, arguments, n",
            "a": "1",
            "b": "2"
          },
          "details": {
            "calls": [
              {
                "turn": 1,
                "kind": "args",
                "name": "search",
                "values": [
                  {
                    "path": "n",
                    "a": "1",
                    "b": "2"
                  }
                ]
              }
            ],
            "texts": [
              {
                "turn": 1,
                "pieces": [
                  {
                    "kind": "same",
                    "text": "Found "
                  },
                  {
                    "kind": "removed",
                    "text": "3"
                  },
                  {
                    "kind": "added",
                    "text": "2"
                  },
                  {
                    "kind": "same",
                    "text": " mugs."
                  }
                ]
              }
            ],
            "first_event": {
              "turn": 1,
              "event_a": 1,
              "event_b": 1,
              "a": "{\"delta\":\"Found 3 mugs.\",\"messageId\":\"<id-3>\",\"type\":\"TEXT_MESSAGE_CONTENT\"}",
              "b": "{\"delta\":\"Found 2 mugs.\",\"messageId\":\"<id-3>\",\"type\":\"TEXT_MESSAGE_CONTENT\"}"
            }
          }
        }
      ]
    }
    "#);
}

#[test]
fn quiet_shows_what_makes_a_regression() {
    let a = vec![passed("a"), passed("b"), searched("c", "{}", "1", "x")];
    let b = vec![
        failed(passed("a")),
        searched("c", "{}", "1", "y"),
        passed("d"),
    ];
    assert_snapshot!(comparison_text(&compared(a, b), &plain(), false, true), @r#"
    Broken (1): passed in A, not in B
      ✗ [tests/a.test.yaml] a works PASSED → FAILED
        no difference in tool calls, text, state and endings
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2

    Gone (1): in A only, or not run in B
      - [tests/b.test.yaml] b works PASSED → not there

    regression: 1 test broken, 1 test gone
    "#);
}

#[test]
fn times_are_in_every_format() {
    let mut slow = passed("a");
    slow.duration_us = 4_000_000;
    let comparison = compared(vec![passed("a")], vec![slow]);
    assert_snapshot!(comparison_markdown(&comparison), @"
    ## ✅ Agent tests: no difference

    | | A | B |
    |---|---|---|
    | Run | `before` | `after` |
    | Tests | 1 | 1 |
    | Passed | 1 | 1 |
    | Skipped | 0 | 0 |
    | Flaky | 0 | 0 |
    | Time of all tests | 1.2s | 4.0s |

    1 same

    <details>
    <summary>Slower or faster (1): by more than 20 % and 50 ms</summary>

    | Test | What | A | B | |
    |---|---|---|---|---|
    | `tests/a.test.yaml` | test | 1.2s | 4.0s | +224 % |

    </details>
    ");
    assert!(comparison_html(&comparison).contains("+224 %"));
    assert!(comparison_json(&comparison).contains("\"b_ms\": 4000"));
    assert!(comparison_text(&comparison, &plain(), false, false).contains("+224 %"));
    let many = |us: u64| -> Vec<TestResult> {
        let tests = (0..30).map(|n| passed(&format!("{n:02}")));
        tests
            .map(|test| TestResult {
                duration_us: us,
                ..test
            })
            .collect()
    };
    let many = comparison_markdown(&compared(many(1_000_000), many(2_000_000)));
    assert!(many.contains("10 more in `--json`"), "{many}");
}

#[test]
fn joined_runs_have_more_results_than_tests() {
    let comparison = compared(vec![passed("a"), passed("a")], vec![passed("a")]);
    let text = comparison_text(&comparison, &plain(), false, false);
    assert!(
        text.starts_with("A before: 2 results of 1 test, 2 passed"),
        "{text}"
    );
    let markdown = comparison_markdown(&comparison);
    assert!(
        markdown.contains("| Tests | 1 (2 results) | 1 |"),
        "{markdown}"
    );
}
