//! A recorded conversation that a simulator led, judged by its checkpoints as they are now. Nobody is asked again: what the
//! simulator and the judges said is in the recording.

use ananke_model::agent::SimulatedBy;
use ananke_model::recording::Turn;
use ananke_model::result::TestResult;
use ananke_model::variables::text_form;
use serde_json::Value;

use super::difference::n_turns;
use super::judge_test::{RECORD, judge_all, with_details};
use super::planned::Planned;
use crate::dynamic::Ending;
use crate::opinions::Again;
use crate::session::{Judging, Next, Stopped};

/// Judges turn by turn, then the conversation as a whole; returns how many recorded turns are not needed any more.
pub(super) fn judge_led(
    planned: &Planned,
    mut turns: impl ExactSizeIterator<Item = Turn>,
    judging: &mut Judging,
    (recorded, again): (&TestResult, &Again),
) -> Result<usize, Stopped> {
    let input = planned.case.as_ref().map(|case| &case.input);
    let mut number = 0;
    while let Some(mut turn) = turns.next() {
        number += 1;
        if let Some(lines) = planned.difference(number, &turn) {
            let lines = lines.into_iter().chain([RECORD.to_owned()]);
            let reason = format!("turn {number} is not the recorded one");
            return Err(Stopped::error(reason).details(lines));
        }
        while let Some(questions) = judging.checkpoint_questions(&turn) {
            let said = again.ask(questions, std::slice::from_ref(&turn), input);
            turn.opinions.extend(said);
            judging.checkpoint(&turn);
        }
        let next = judging.turn(turn);
        if next.map_err(|stopped| with_details(stopped, recorded))? == Next::Verdict {
            judge_all(judging, again, input);
            return Ok(turns.len());
        }
    }
    match Ending::of(recorded) {
        Some(Ending::Goal(details)) => {
            judging.goal_achieved(details);
            if number > 0 {
                judge_all(judging, again, input);
            }
            Ok(0)
        }
        Some(Ending::Stopped(stopped)) => Err(stopped),
        None => {
            let next = number + 1;
            let after = n_turns(number);
            let missing = judging.missing().join(", ");
            let reason = format!("turn {next} was not recorded");
            Err(Stopped::error(reason).details([
                format!("missing checkpoints: {missing}"),
                format!("the recorded conversation ended after {after}"),
                RECORD.to_owned(),
            ]))
        }
    }
}

/// Says that the conversation was led by another simulator, or for another persona or goal, than the case names now.
pub(super) fn led_otherwise(now: &SimulatedBy, recorded: &TestResult) -> Option<String> {
    let mut said = recorded.turns.iter();
    let then = said.find_map(|judged| judged.turn.simulated.as_ref()?.by.as_deref())?;
    let named = |value: &Value| match value {
        Value::Null => "none".to_owned(),
        value => format!("`{}`", text_form(value)),
    };
    let given = [
        ("persona", &then.persona, &now.persona),
        ("goal", &then.goal, &now.goal),
    ];
    let differs: Vec<_> = given.iter().filter(|(_, then, now)| then != now).collect();
    if then.agent == now.agent && differs.is_empty() {
        return None;
    }
    let with = |values: Vec<String>| match values.is_empty() {
        true => String::new(),
        false => format!(" with {}", values.join(" and ")),
    };
    let [led, wants] = [
        differs.iter().map(|(name, then, _)| (name, then)).collect(),
        differs.iter().map(|(name, _, now)| (name, now)).collect(),
    ]
    .map(|values: Vec<(&&str, &&Value)>| {
        let values = values.into_iter();
        with(
            values
                .map(|(name, value)| format!("the {name} {}", named(value)))
                .collect(),
        )
    });
    Some(format!(
        "the conversation was led by `{}`{led}; the case names `{}`{wants} now",
        then.agent, now.agent
    ))
}
