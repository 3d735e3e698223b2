//! Judges: answers that were recorded, counted.

use ananke_model::agent::{AgentCall, AgentCheck, Opinion, Sample};
use ananke_model::check::Check;
use ananke_model::place::{Json, Place};
use ananke_model::recording::Turn;
use ananke_model::result::{CheckResult, Outcome};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::compile;
use crate::testing::{block, shown, turns, variables};

fn written(value: Value) -> Json {
    Json {
        value,
        place: Place::file("a.test.yaml"),
    }
}

/// Returns a check with these criteria.
fn agent(criteria: &str, samples: u32, negate: bool) -> Check {
    Check::Agent(Box::new(AgentCheck {
        call: AgentCall {
            agent: "judge".to_owned(),
            metadata: Some(written(json!({"tone": "kind", "order": "${ORDER}"}))),
            connector: None,
            place: Place::file("a.test.yaml"),
        },
        criteria: Some(written(criteria.into())),
        samples,
        timeout_ms: None,
        negate,
        message: None,
    }))
}

/// Returns answers, one for each letter: `y`es, `n`o, or none.
fn answers(letters: &str) -> Vec<Sample> {
    let answer = |(number, letter): (usize, char)| {
        let (passed, reason) = match letter {
            'y' => (Some(true), format!("it is polite ({number})")),
            'n' => (Some(false), format!("it is rude ({number})")),
            _ => (None, "it did not answer within 60s".to_owned()),
        };
        Sample {
            passed,
            reason,
            answer: Value::Null,
            duration_us: 5,
        }
    };
    letters.chars().enumerate().map(answer).collect()
}

/// Returns a turn that the check was asked about.
fn asked(check: &Check, samples: Vec<Sample>) -> Turn {
    let mut turn = turns("say Good day").remove(0);
    let block = compile(&block([check.clone()]), &variables()).unwrap();
    let about = block.questions_of_turn(&turn)[0].about();
    turn.opinions.push(Opinion {
        about,
        samples,
        ..Opinion::default()
    });
    turn
}

fn results(check: &Check, turn: &Turn) -> Vec<CheckResult> {
    let block = compile(&block([check.clone()]), &variables()).unwrap();
    block.judge_turn(turn)
}

fn counted(letters: &str, samples: u32, negate: bool) -> String {
    let check = agent("be polite", samples, negate);
    shown(&results(&check, &asked(&check, answers(letters))))
}

#[test]
fn one_answer_decides() {
    assert_snapshot!(counted("y", 1, false), @"
    Passed agent judge
    expected an output that `judge` accepts: be polite
    actual accepted: it is polite (0)
    ");
    assert_snapshot!(counted("n", 1, false), @"
    Failed agent judge
    expected an output that `judge` accepts: be polite
    actual refused: it is rude (0)
    ");
    assert_snapshot!(counted("-", 1, false), @"
    Inconclusive agent judge
    expected an output that `judge` accepts: be polite
    actual no verdict: it did not answer within 60s
    ");
}

#[test]
fn most_answers_decide() {
    assert_snapshot!(counted("yny", 3, false), @"
    Passed agent judge
    expected an output that `judge` accepts: be polite
    actual accepted by 2 of 3: it is polite (0)
    ");
    assert_snapshot!(counted("nyn", 3, false), @"
    Failed agent judge
    expected an output that `judge` accepts: be polite
    actual refused by 2 of 3: it is rude (0)
    - refused: it is rude (0)
    - accepted: it is polite (1)
    - refused: it is rude (2)
    ");
    assert_snapshot!(counted("y-y", 3, false), @"
    Passed agent judge
    expected an output that `judge` accepts: be polite
    actual accepted by 2 of 3: it is polite (0)
    ");
}

#[test]
fn without_a_majority_of_all_answers_there_is_no_verdict() {
    assert_snapshot!(counted("yn", 2, false), @"
    Inconclusive agent judge
    expected an output that `judge` accepts: be polite
    actual 1 for, 1 against: no majority of 2
    - accepted: it is polite (0)
    - refused: it is rude (1)
    ");
    assert_snapshot!(counted("y--", 3, false), @"
    Inconclusive agent judge
    expected an output that `judge` accepts: be polite
    actual 1 for, 0 against, 2 without a verdict
    - accepted: it is polite (0)
    - no verdict: it did not answer within 60s
    - no verdict: it did not answer within 60s
    ");
    assert_snapshot!(counted("yn-", 3, false), @"
    Inconclusive agent judge
    expected an output that `judge` accepts: be polite
    actual 1 for, 1 against, 1 without a verdict
    - accepted: it is polite (0)
    - refused: it is rude (1)
    - no verdict: it did not answer within 60s
    ");
}

#[test]
fn the_opposite_of_no_verdict_is_no_verdict() {
    assert_snapshot!(counted("y", 1, true), @"
    Failed agent judge (negated)
    expected an output that `judge` refuses: be polite
    actual accepted: it is polite (0)
    ");
    assert_snapshot!(counted("n", 1, true), @"
    Passed agent judge (negated)
    expected an output that `judge` refuses: be polite
    actual refused: it is rude (0)
    ");
    assert_snapshot!(counted("-", 1, true), @"
    Inconclusive agent judge (negated)
    expected an output that `judge` refuses: be polite
    actual no verdict: it did not answer within 60s
    ");
    assert_snapshot!(counted("yn", 2, true), @"
    Inconclusive agent judge (negated)
    expected an output that `judge` refuses: be polite
    actual 1 for, 1 against: no majority of 2
    - accepted: it is polite (0)
    - refused: it is rude (1)
    ");
}

#[test]
fn fewer_answers_than_are_wanted_now_are_not_enough() {
    assert_snapshot!(counted("y", 3, false), @"
    Inconclusive agent judge
    expected an output that `judge` accepts: be polite
    actual no verdict: it was asked 1 time, not 3
    - accepted: it is polite (0)
    - run the test against the agents to have it judged
    ");
    assert_snapshot!(counted("", 1, false), @"
    Inconclusive agent judge
    expected an output that `judge` accepts: be polite
    actual no verdict: it was asked 0 times, not 1
    - run the test against the agents to have it judged
    ");
    // More do no harm.
    assert_snapshot!(counted("yyy", 1, false), @"
    Passed agent judge
    expected an output that `judge` accepts: be polite
    actual accepted by 3 of 3: it is polite (0)
    ");
}

#[test]
fn a_reason_may_be_missing_or_long() {
    let check = agent("be polite", 1, false);
    let mut samples = answers("n");
    samples[0].reason = " ".to_owned();
    assert_snapshot!(shown(&results(&check, &asked(&check, samples.clone()))), @"
    Failed agent judge
    expected an output that `judge` accepts: be polite
    actual refused, without a reason
    ");
    samples[0].reason = "é".repeat(300);
    let actual = &results(&check, &asked(&check, samples))[0].actual;
    assert_eq!(actual.chars().count(), "refused: ".len() + 201);
}

#[test]
fn an_answer_is_about_one_output_and_one_demand() {
    let check = agent("be polite", 1, false);
    let turn = asked(&check, answers("y"));
    let other_output = Turn {
        text: "Go away".to_owned(),
        ..turn.clone()
    };
    let not_asked = shown(&results(&check, &other_output));
    assert_snapshot!(not_asked, @"
    Inconclusive agent judge
    expected an output that `judge` accepts: be polite
    actual no verdict: it was not asked about this output
    - run the test against the agents to have it judged
    ");
    let other_criteria = agent("be rude", 1, false);
    assert_eq!(
        results(&other_criteria, &turn)[0].outcome,
        Outcome::Inconclusive
    );
    // The opposite is judged by the same answers.
    let opposite = agent("be polite", 1, true);
    assert_eq!(results(&opposite, &turn)[0].outcome, Outcome::Failed);
}

#[test]
fn a_test_is_judged_by_all_that_was_said() {
    let check = agent("be polite", 1, false);
    let block = compile(&block([check]), &variables()).unwrap();
    let mut turns = turns("turn 1\nsay Good day\nturn 1\nsay Bye");
    let questions = block.questions_of_test(&turns);
    assert_eq!(questions.len(), 1);
    assert_eq!(questions[0].output, "Good day\nBye");
    assert_eq!(questions[0].metadata, json!({"tone": "kind", "order": 42}));
    turns[1].opinions.push(Opinion {
        about: questions[0].about(),
        samples: answers("y"),
        ..Opinion::default()
    });
    let judged = block.judge_test(&turns);
    assert_eq!(judged[0].outcome, Outcome::Passed);
    assert_eq!(judged[0].value, Some("be polite".into()));
    assert_eq!(judged[0].samples.len(), 1);
    assert_eq!(
        block.judge_turn(&turns[1])[0].outcome,
        Outcome::Inconclusive
    );
}

#[test]
fn criteria_that_a_variable_leaves_empty_are_a_mistake() {
    let mistakes = compile(&block([agent("${NO:-}", 1, false)]), &variables()).unwrap_err();
    assert_eq!(mistakes[0].message, "the criteria are empty");
}

proptest! {
    #[test]
    fn nothing_but_the_numbers_of_answers_counts(
        (letters, shuffled) in proptest::collection::vec(
            prop_oneof![Just('y'), Just('n'), Just('-')],
            1..=15,
        )
        .prop_flat_map(|letters| (Just(letters.clone()), Just(letters).prop_shuffle())),
        negate: bool,
    ) {
        let outcome = |letters: &[char]| {
            let letters: String = letters.iter().collect();
            let check = agent("be polite", 1, negate);
            results(&check, &asked(&check, answers(&letters)))[0].outcome
        };
        let n = |letter| letters.iter().filter(|one| **one == letter).count();
        let wanted = match (n('y') * 2 > letters.len(), n('n') * 2 > letters.len()) {
            (false, false) => Outcome::Inconclusive,
            (is_accepted, _) if is_accepted != negate => Outcome::Passed,
            _ => Outcome::Failed,
        };
        prop_assert_eq!(outcome(&letters), wanted);
        prop_assert_eq!(outcome(&shuffled), wanted);
    }
}
