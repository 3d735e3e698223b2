//! A live conversation that a simulator leads: it says what the user says, the agent answers, the answer is looked at, and
//! so on until the checkpoints are reached or something else ends it.

use std::time::Duration;

use ananke_model::agent::{Dynamic, Simulated};
use ananke_model::place::Text;
use ananke_model::plan::{PlannedTurn, TurnAction};
use ananke_protocol::agui::Action;
use serde_json::Value;
use tokio::time::Instant;

use super::run_test::Session;
use super::{Judging, Next, Stopped};
use crate::agents::{Ask, AskErrorKind, ask};
use crate::dynamic::{Told, breach, interrupted, read_reply, reasoning_line, simulator_error};
use crate::speakers::Speaker;

/// How much of a reply that cannot be used is shown.
const SHOWN_CHARS: usize = 500;

/// A conversation that a simulator leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Led<'a> {
    pub(super) dynamic: &'a Dynamic,
    /// What the simulator is told by the case.
    pub(super) told: &'a Told,
    /// The first message of the user; without it the simulator begins.
    pub(super) first: Option<&'a Action>,
}

impl Session<'_> {
    /// Leads the conversation to its end.
    pub(super) async fn run_led(
        &mut self,
        speaker: &Speaker,
        led: Led<'_>,
        judging: &mut Judging,
    ) -> Result<(), Stopped> {
        let mut conversation = speaker.conversation();
        let mut first = led.first.cloned();
        loop {
            let (action, simulated) = match first.take() {
                Some(action) => (action, None),
                None => {
                    let simulated = self.simulated(led, judging).await?;
                    if simulated.input.is_empty() {
                        let reasoning = simulated.reasoning.iter();
                        let lines = reasoning.map(|reasoning| reasoning_line(reasoning));
                        judging.goal_achieved(lines.collect());
                        break;
                    }
                    (Action::User(simulated.input.clone()), Some(simulated))
                }
            };
            let planned = self.next_turn(led.dynamic, &action);
            let (mut turn, why) = self
                .run_turn(speaker, &planned, &action, &mut conversation)
                .await;
            turn.simulated = simulated;
            while let Some(questions) = judging.checkpoint_questions(&turn) {
                let said = self.opinions(questions, Some(&turn), judging).await;
                turn.opinions.extend(said);
                judging.checkpoint(&turn);
            }
            let next = judging.turn(turn);
            let next = next.map_err(|stopped| stopped.details(why))?;
            if next == Next::Verdict {
                break;
            }
            if let Some(cut) = judging.cut() {
                return Err(cut);
            }
        }
        // Without a turn there is nothing that the case could be judged by.
        if !judging.turns().is_empty() {
            self.judge_all(judging).await;
        }
        Ok(())
    }

    /// A conversation has many turns, so each has the limit of the target; the case has its own.
    fn next_turn(&self, dynamic: &Dynamic, action: &Action) -> PlannedTurn {
        let text = match action {
            Action::User(text) => text.clone(),
            _ => String::new(),
        };
        let place = dynamic.simulator.place.clone();
        PlannedTurn {
            action: TurnAction::User {
                text: Text {
                    text,
                    place: place.clone(),
                },
            },
            timeout_ms: Some(self.test.target.protocol.timeout_ms()),
            block: None,
            place,
        }
    }

    /// Asks the simulator what the user says next.
    async fn simulated(&self, led: Led<'_>, judging: &Judging) -> Result<Simulated, Stopped> {
        let context = self.context;
        let agent = &led.dynamic.simulator.key();
        let left = self.deadline().saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.took_too_long());
        }
        let target = context.world.agent(agent).ok();
        let own = target.map(|target| Duration::from_millis(target.protocol.timeout_ms()));
        let own = own.unwrap_or(left);
        let mut metadata = judging.told(led.told);
        let message = Value::Object(metadata.clone());
        metadata.insert("test_mode".to_owned(), Value::from("simulator"));
        let question = Ask {
            message: &message,
            metadata: &metadata,
            timeout: own.min(left),
        };
        let answer = match ask(&context.world, agent, question).await {
            Ok(answer) => answer,
            Err(_) if context.world.cancel.is_cancelled() => return Err(interrupted()),
            Err(error) if error.kind == AskErrorKind::Timeout && left <= own => {
                return Err(self.took_too_long());
            }
            Err(error) if error.kind == AskErrorKind::Unfinished => {
                return Err(breach(&error.message, None));
            }
            Err(error) => return Err(simulator_error(&error.message)),
        };
        let turns = judging.turns().iter();
        let earlier = turns.filter_map(|turn| turn.simulated.as_ref());
        let earlier: Vec<&str> = earlier.map(|said| said.input.as_str()).collect();
        let mut said = read_reply(&answer.last, &earlier)
            .map_err(|why| breach(&why, Some(&shown(&answer.last))))?;
        if earlier.is_empty() {
            said.by = Some(Box::new(led.told.by(agent)));
        }
        Ok(said)
    }
}

fn shown(reply: &str) -> String {
    let shown: String = reply.chars().take(SHOWN_CHARS).collect();
    let ellipsis = if shown.len() < reply.len() { "…" } else { "" };
    format!("{shown:?}{ellipsis}")
}
