//! What is reached depends on the turns and on what a checkpoint comes after, and on nothing else.

use ananke_model::agent::{AgentCall, Checkpoint, Dynamic};
use ananke_model::check::{Block, Check, Demand, Level, Origin};
use ananke_model::place::{Place, Text};
use ananke_model::recording::{EventLog, Turn, TurnStatus, TurnTiming};
use ananke_model::variables::Variables;
use proptest::prelude::*;
use serde_json::Value;

use super::Checkpoints;

const LETTERS: [&str; 4] = ["a", "b", "c", "d"];

/// A checkpoint that wants a letter, after others.
#[derive(Clone, Debug)]
struct Wanted {
    id: usize,
    letter: usize,
    after: Vec<usize>,
}

impl Wanted {
    fn checkpoint(&self) -> Checkpoint {
        let place = Place::file("cases.jsonl");
        let letter = Text {
            text: LETTERS[self.letter].to_owned(),
            place: place.clone(),
        };
        let origin = Origin {
            level: Level::Turn,
            named: None,
            place: place.clone(),
        };
        let demand = Demand {
            check: Check::MustMatch(letter),
            origin,
        };
        Checkpoint {
            id: self.id.to_string(),
            description: None,
            after: self.after.iter().map(ToString::to_string).collect(),
            required: true,
            block: Block {
                demands: vec![demand],
            },
            place,
        }
    }
}

fn turn(text: &str) -> Turn {
    Turn {
        kind: "user".to_owned(),
        user: None,
        requests: Vec::new(),
        reached: true,
        status: TurnStatus::Finished,
        text: text.to_owned(),
        reasoning: String::new(),
        messages: Vec::new(),
        tool_calls: Vec::new(),
        late_results: Vec::new(),
        state: Value::Null,
        activities: Vec::new(),
        interrupts: Vec::new(),
        usage: Vec::new(),
        timing: TurnTiming::default(),
        findings: Vec::new(),
        warnings: Vec::new(),
        opinions: Vec::new(),
        simulated: None,
        task: None,
        data: Value::Null,
        server: Value::Null,
        no_calls_because: None,
        events: EventLog::default(),
    }
}

/// Returns in which turn each is reached, by id.
fn reached(wanted: &[Wanted], texts: &[String]) -> Vec<(usize, Option<usize>)> {
    let dynamic = Dynamic {
        simulator: AgentCall {
            agent: "user".to_owned(),
            metadata: None,
            connector: None,
            place: Place::file("cases.jsonl"),
        },
        checkpoints: wanted.iter().map(Wanted::checkpoint).collect(),
        max_turns: 1000,
        input: None,
    };
    let mut checkpoints = Checkpoints::compile(&dynamic, &Variables::default()).unwrap();
    for text in texts {
        let turn = turn(text);
        checkpoints.finish(&turn);
        if checkpoints.end_turn(&turn).is_some() {
            break;
        }
    }
    let results = checkpoints.into_results().into_iter();
    let mut reached: Vec<_> = results
        .map(|result| (result.id.parse().unwrap(), result.reached_at_turn))
        .collect();
    reached.sort_unstable();
    reached
}

/// Returns what is true of each: the first turn with its letter in which, or before which, all before it are reached.
fn expected(wanted: &[Wanted], texts: &[String]) -> Vec<(usize, Option<usize>)> {
    let mut turns: Vec<Option<usize>> = Vec::new();
    // They come after those with smaller ids only.
    for one in wanted {
        let from = one.after.iter().map(|before| turns[*before]);
        let from = from.collect::<Option<Vec<_>>>();
        let from = from.map(|turns| turns.into_iter().max().unwrap_or(1));
        let mut numbered = (1..).zip(texts);
        turns.push(from.and_then(|from| {
            let found = numbered
                .find(|(number, text)| *number >= from && text.contains(LETTERS[one.letter]));
            found.map(|(number, _)| number)
        }));
    }
    turns.into_iter().enumerate().collect()
}

fn any_wanted() -> impl Strategy<Value = Vec<Wanted>> {
    let one = (
        0..LETTERS.len(),
        proptest::collection::vec(any::<prop::sample::Index>(), 0..3),
    );
    proptest::collection::vec(one, 1..7).prop_map(|all| {
        let all = all.into_iter().enumerate();
        all.map(|(id, (letter, after))| {
            let mut after: Vec<usize> = match id {
                0 => Vec::new(),
                id => after.iter().map(|index| index.index(id)).collect(),
            };
            after.dedup();
            Wanted { id, letter, after }
        })
        .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_in_which_they_are_written_and_others_do_not_matter(
        wanted in any_wanted(),
        texts in proptest::collection::vec("[abcd]{0,2}", 0..6),
        rotation in any::<prop::sample::Index>(),
        keep in any::<prop::sample::Index>(),
    ) {
        let all = expected(&wanted, &texts);
        prop_assert_eq!(&reached(&wanted, &texts), &all);
        let mut turned = wanted.clone();
        turned.rotate_left(rotation.index(wanted.len()));
        turned.reverse();
        prop_assert_eq!(&reached(&turned, &texts), &all);
        // One of them with all that it needs, and nothing else.
        let mut needed = vec![keep.index(wanted.len())];
        let mut at = 0;
        while let Some(id) = needed.get(at).copied() {
            let new = wanted[id].after.iter().filter(|id| !needed.contains(id)).copied();
            let new: Vec<usize> = new.collect();
            needed.extend(new);
            at += 1;
        }
        let alone: Vec<Wanted> = wanted.iter().filter(|one| needed.contains(&one.id)).cloned().collect();
        for (id, turn) in reached(&alone, &texts) {
            prop_assert_eq!(turn, all[id].1);
        }
    }
}
