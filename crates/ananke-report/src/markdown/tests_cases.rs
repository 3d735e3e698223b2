//! Cases and runs in, Markdown out.

use std::sync::Arc;

use ananke_model::case::Case;
use ananke_model::result::TestStatus;
use insta::assert_snapshot;
use serde_json::json;

use super::tests::{markdown, outside_of_code};
use crate::samples::{HOSTILE, case, messages_case, mostly_stable, run, stable, with_identity};

#[test]
fn cases_show_what_was_asked_and_what_came_back() {
    let mut wrong = case("T002", TestStatus::Failed, "Here are hats.");
    wrong.checks[0].message = Some("shoes must be offered".to_owned());
    let events = run(vec![
        messages_case("expense-turn1", TestStatus::Passed),
        wrong,
        case("T003", TestStatus::Passed, "Here are shoes."),
    ]);
    assert_snapshot!(markdown(&with_identity(events, 1)), @r#"
    # Agent Test Report

    ❌ **1 of 3 tests failed**

    ## Summary

    | Metric | Value |
    | --- | --- |
    | Agent | `shop` |
    | Total | 3 |
    | Passed | 2 |
    | Failed | 1 |
    | Pass Rate | 66.7% |
    | Duration | 5.1s |

    ## Environment

    | Setting | Value |
    | --- | --- |
    | User | `test-user` |
    | Team | `test-team` |
    | Locale | `en-us` |
    | Client | `test` |
    | Client IP | `127.0.0.1` |
    | Referer | `test` |
    | Accept | `standard` |

    ## Results

    ### ❌ T002 - Failed (1.2s)

    `shoes must be offered`

    - File: `tests/shop.jsonl`
    - Input: `user: Find shoes\n  for  Ada`
    - Output: `Here are hats.`
    - ❌ `contains` `shoes`: `shoes must be offered`; expected `text containing "shoes"`, got `"Here are hats."`

    <details>
    <summary>Why</summary>

    ```text
    └─ shoes must be offered
       contains shoes: expected text containing "shoes", got "Here are hats."
       output does not contain 'shoes'
       demanded at tests/shop.jsonl:12:9 (test level)
    ```

    </details>

    <details>
    <summary>Conversation</summary>

    ```text
    turn 1 · messages · 1.2s · 2 events · first text after 300ms
      user
      │ Find shoes
      │   for  Ada
      assistant
      │ Here are hats.
    ```

    </details>

    <details>
    <summary>2 tests passed</summary>

    ### ✅ expense-turn1 - Passed (1.2s)

    `Second turn - find shoes`

    - File: `tests/shop.jsonl`
    - Input: `user: Hi\nassistant: What are you looking for?\nuser: Shoes like these [image file://./fixtures/shoes.jpg]`
    - Output: `{"shoes": ["red", "blue"]}`
    - Expected: `{"shoes":["red","blue"]}`
    - Connector: `openai.gpt4`
    - User: `ada`
    - Metadata: `{"author":"ada"}`
    - ✅ `contains` `shoes`

    ### ✅ T003 - Passed (1.2s)

    - File: `tests/shop.jsonl`
    - Input: `user: Find shoes\n  for  Ada`
    - Output: `Here are shoes.`
    - ✅ `contains` `shoes`

    </details>
    "#);
}

#[test]
fn runs_have_a_table_and_lines() {
    let events = run(vec![stable("T001"), mostly_stable("T002")]);
    assert_snapshot!(markdown(&with_identity(events, 5)), @r#"
    # Agent Test Report

    ❌ **1 of 2 tests failed**

    ## Summary

    | Metric | Value |
    | --- | --- |
    | Agent | `shop` |
    | Total | 2 |
    | Passed | 1 |
    | Failed | 1 |
    | Pass Rate | 50.0% |
    | Runs per Test | 3 to 5 |
    | Total Runs | 8 |
    | Overall Pass Rate | 87.5% |
    | Stable Tests | 1 |
    | Unstable Tests | 1 |
    | Duration | 5.1s |

    ## Environment

    | Setting | Value |
    | --- | --- |
    | User | `test-user` |
    | Team | `test-team` |
    | Locale | `en-us` |
    | Client | `test` |
    | Client IP | `127.0.0.1` |
    | Referer | `test` |
    | Accept | `standard` |

    ## Stability

    | Test | Passed | Pass Rate | Class | Consistency | 95% Interval | Average | Shortest | Longest | Deviation |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | `T001` | 3/3 | 100.0% | Stable | 1.00 | 43.8% to 100.0% | 1.2s | 1.2s | 1.2s | 0µs |
    | `T002` | 4/5 | 80.0% | Mostly Stable | 0.80 | 37.5% to 96.4% | 1.1s | 800ms | 1.9s | 406ms |

    ## Results

    ### ❌ T002 - Failed (4 of 5 runs, avg 1.1s)

    `output does not contain 'shoes'`

    - **Mostly Stable**: 4 of 5 runs passed (80.0%), consistency 0.80, 95% interval 37.5% to 96.4%, pass^5 0.0000
    - Average 1.1s, 800ms to 1.9s, deviation 406ms
    - Runs: ✅ ✅ ❌ ✅ ✅
    - First difference: ``run 3 called `refund` where run 1 called `search` (event 1 / event 1)``

    - File: `tests/shop.jsonl`
    - Input: `user: Find shoes\n  for  Ada`
    - Output: `Here are hats.`
    - ❌ `contains` `shoes`: `output does not contain 'shoes'`; expected `text containing "shoes"`, got `"Here are hats."`

    <details>
    <summary>Why (run 3)</summary>

    ```text
    └─ output does not contain 'shoes'
       contains shoes: expected text containing "shoes", got "Here are hats."
       demanded at tests/shop.jsonl:12:9 (test level)
    ```

    </details>

    <details>
    <summary>Conversation (run 3)</summary>

    ```text
    turn 1 · messages · 1.2s · 2 events · first text after 300ms
      user
      │ Find shoes
      │   for  Ada
      tool refund {} → done (50ms)
      assistant
      │ Here are hats.
    ```

    </details>

    <details>
    <summary>1 test passed</summary>

    ### ✅ T001 - Passed (3 of 3 runs, avg 1.2s)

    - File: `tests/shop.jsonl`
    - Input: `user: Find shoes\n  for  Ada`
    - Output: `Here are shoes.`
    - ✅ `contains` `shoes`

    </details>
    "#);
}

#[test]
fn hostile_cases_are_never_markup() {
    let evil = HOSTILE;
    let mut hostile = mostly_stable("x");
    let mut case = Case {
        id: evil.to_owned(),
        input: json!([{"role": evil, "content": [{"type": evil, "name": evil}, {"type": "text", "text": evil}]}]),
        expected: Some(json!({evil: evil})),
        ..Case::default()
    };
    case.identity.user_id = evil.to_owned();
    case.metadata.insert(evil.to_owned(), evil.into());
    hostile.case = Some(Arc::new(case));
    hostile.connector = Some(evil.to_owned());
    hostile.turns[0].turn.text = evil.to_owned();
    hostile.checks[0].message = Some(evil.to_owned());
    let mut passed = hostile.clone();
    passed.status = TestStatus::Passed;
    let text = markdown(&with_identity(run(vec![hostile, passed]), 5));
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
    let left = outside_of_code(&text);
    for word in [
        "<img",
        "<b>",
        "![",
        "](",
        "@ada",
        " #12",
        "-->",
        "# Heading",
        "::error",
    ] {
        assert!(!left.contains(word), "{word} in\n{left}");
    }
}
