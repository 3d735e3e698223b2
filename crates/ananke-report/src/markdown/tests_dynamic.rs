//! Cases that a simulator led, and checks that judges decided, as Markdown.

use ananke_model::result::TestStatus;
use insta::assert_snapshot;

use super::tests::{markdown, outside_of_code};
use crate::samples::{case, dynamic, dynamic_failed, hostile_dynamic, run, with_opinion};

#[test]
fn checkpoints_and_answers_are_items() {
    let mut judged = with_opinion(case("T003", TestStatus::Passed, "What?"));
    judged.turns[0].turn.opinions.clear();
    let results = vec![
        dynamic("T001", TestStatus::Passed),
        dynamic_failed("T002"),
        judged,
    ];
    let text = markdown(&run(results));
    let (_, results) = text.split_once("## Results\n").unwrap();
    assert_snapshot!(results, @r#"

    ### ❌ T002 - Failed (8.5s)

    `Expense Coverage`

    `missing checkpoints: confirm`

    - File: `tests/shop.jsonl`
    - Dynamic: `3 turns, 2 of 4 checkpoints`
    - ✅ checkpoint `ask_type` (turn 1): `Agent asks for expense type`
    - ✅ checkpoint `call_create` (turn 2)
    - ❌ checkpoint `confirm` (not reached): `Agent confirms submission`
    - ⏭️ checkpoint `thanks` (not reached, optional)

    <details>
    <summary>Why</summary>

    ```text
    └─ missing checkpoints: confirm
    └─ checkpoint confirm (Agent confirms submission) was not reached
       output does not contain 'submitted'
       contains submitted: expected text containing "submitted", got "Here are hats."
       demanded at tests/shop.jsonl:12:9 (test level)
    ```

    </details>

    <details>
    <summary>Conversation</summary>

    ```text
    turn 1 · user · 800ms · 2 events · first text after 300ms
      user
      │ Help me file an expense
      assistant
      │ What type?
    turn 2 · user · 1.2s · 2 events · first text after 300ms
      user (simulator)
      │ Client dinner, $250
      simulator: The agent needs an answer
      tool create_expense {"amount": 250} → ok (50ms)
      assistant
      │ Confirm?
    turn 3 · user · 1.2s · 2 events · first text after 300ms
      user (simulator)
      │ Yes
      simulator: The agent needs an answer
      assistant
      │ Really?
    ```

    </details>

    ### ❌ T003 - Failed (1.2s)

    ``agent tone-judge: expected an output that `tone-judge` accepts, got refused by 2 of 3: It is curt``

    - File: `tests/shop.jsonl`
    - Input: `user: Find shoes\n  for  Ada`
    - Output: `What?`
    - ✅ `contains` `shoes`
    - ❌ `agent` `tone-judge`: expected ``an output that `tone-judge` accepts``, got `refused by 2 of 3: It is curt`
      - refused: `It is curt`
      - no verdict: `the answer holds no JSON object`
      - refused: `No greeting`

    <details>
    <summary>Why</summary>

    ```text
    └─ agent tone-judge: expected an output that `tone-judge` accepts, got refused by 2 of 3: It is curt
       no verdict: the answer holds no JSON object
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
      │ What?
    ```

    </details>

    <details>
    <summary>1 test passed</summary>

    ### ✅ T001 - Passed (8.5s)

    `Expense Coverage`

    - File: `tests/shop.jsonl`
    - Dynamic: `3 turns, 3 of 4 checkpoints`
    - ✅ checkpoint `ask_type` (turn 1): `Agent asks for expense type`
    - ✅ checkpoint `call_create` (turn 2)
    - ✅ checkpoint `confirm` (turn 3): `Agent confirms submission`
    - ⏭️ checkpoint `thanks` (not reached, optional)

    </details>
    "#);
}

#[test]
fn hostile_simulators_and_judges_are_never_markup() {
    let mut passed = hostile_dynamic("i");
    passed.status = TestStatus::Passed;
    passed.earlier.clear();
    let text = markdown(&run(vec![hostile_dynamic("h"), passed]));
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
    let left = outside_of_code(&text);
    for word in ["<img", "<b>", "![", "](", "@ada", " #12", "javascript"] {
        assert!(!left.contains(word), "{word} in {left}");
    }
}
