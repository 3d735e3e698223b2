//! Legal streams: runs of items that are told side by side, items with a start and an end or as chunks.

use proptest::prelude::*;
use serde_json::Value;

use super::event;

/// A piece of an answer, told by lines that keep their order.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Text(usize),
    TextChunks(usize),
    Call(usize),
    CallChunks(usize),
    Reasoning(usize),
    ReasoningChunks(usize),
    Step(Vec<Self>),
    Subagent(Vec<Self>),
    State,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Finished,
    Error,
    FinishedAndError,
}

/// A run: what it holds, in which order its pieces take turns, and how it ends.
pub(super) type Run = (Vec<Item>, Vec<u8>, End);

fn item() -> impl Strategy<Value = Item> {
    let leaf = prop_oneof![
        (0..4usize).prop_map(Item::Text),
        (1..4usize).prop_map(Item::TextChunks),
        (0..4usize).prop_map(Item::Call),
        (1..4usize).prop_map(Item::CallChunks),
        (0..3usize).prop_map(Item::Reasoning),
        (1..3usize).prop_map(Item::ReasoningChunks),
        Just(Item::State),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        let inner = proptest::collection::vec(inner, 0..3);
        prop_oneof![
            inner.clone().prop_map(Item::Step),
            inner.prop_map(Item::Subagent),
        ]
    })
}

/// Streams of one to three runs.
pub(super) fn runs() -> impl Strategy<Value = Vec<Run>> {
    let end = prop_oneof![
        4 => Just(End::Finished),
        1 => Just(End::Error),
        1 => Just(End::FinishedAndError),
    ];
    let items = proptest::collection::vec(item(), 0..5);
    let turns = proptest::collection::vec(any::<u8>(), 1..40);
    proptest::collection::vec((items, turns, end), 1..4)
}

/// Tells the runs as events. The first run is the one that was asked for.
pub(super) fn told(runs: &[Run]) -> Vec<Value> {
    let mut lines = Vec::new();
    for (number, (items, turns, end)) in runs.iter().enumerate() {
        let run = if number == 0 {
            "r".to_owned()
        } else {
            format!("r{number}")
        };
        lines.push(format!("RUN_STARTED runId={run}"));
        let mut teller = Teller {
            n_ids: 0,
            turns,
            n_turns: 0,
        };
        for unit in teller.side_by_side(items, "") {
            lines.extend(unit);
        }
        match end {
            End::Finished => lines.push(format!("RUN_FINISHED runId={run}")),
            End::Error => lines.push("RUN_ERROR message=no".to_owned()),
            End::FinishedAndError => {
                lines.push(format!("RUN_FINISHED runId={run}"));
                lines.push("RUN_ERROR message=late".to_owned());
            }
        }
    }
    lines.iter().map(|line| event(line)).collect()
}

/// Lines that must stay together.
type Unit = Vec<String>;

struct Teller<'t> {
    n_ids: usize,
    turns: &'t [u8],
    n_turns: usize,
}

impl Teller<'_> {
    fn turn(&mut self) -> usize {
        self.n_turns += 1;
        usize::from(self.turns[self.n_turns % self.turns.len()])
    }

    fn id(&mut self) -> usize {
        self.n_ids += 1;
        self.n_ids
    }

    fn side_by_side(&mut self, items: &[Item], tag: &str) -> Vec<Unit> {
        let mut queues: Vec<std::collections::VecDeque<Unit>> = items
            .iter()
            .map(|item| self.item(item, tag).into())
            .collect();
        let mut units = Vec::new();
        while !queues.is_empty() {
            let at = self.turn() % queues.len();
            match queues[at].pop_front() {
                Some(unit) => units.push(unit),
                None => drop(queues.remove(at)),
            }
        }
        units
    }

    fn item(&mut self, item: &Item, tag: &str) -> Vec<Unit> {
        let id = self.id();
        // The tag may be left out once an item is open.
        let loose = if self.turn().is_multiple_of(2) {
            tag
        } else {
            ""
        };
        let one = |line: String| vec![line];
        let around = |start: String, between: String, n: usize, end: String| {
            let mut units = vec![one(format!("{start}{tag}"))];
            units.extend((0..n).map(|_| one(format!("{between}{loose}"))));
            units.push(one(format!("{end}{loose}")));
            units
        };
        match item {
            Item::Text(n) => around(
                format!("TEXT_MESSAGE_START messageId=m{id}"),
                format!("TEXT_MESSAGE_CONTENT messageId=m{id} delta=x"),
                *n,
                format!("TEXT_MESSAGE_END messageId=m{id}"),
            ),
            Item::Call(n) => {
                let mut units = around(
                    format!("TOOL_CALL_START toolCallId=c{id} toolCallName=a"),
                    format!("TOOL_CALL_ARGS toolCallId=c{id} delta=x"),
                    *n,
                    format!("TOOL_CALL_END toolCallId=c{id}"),
                );
                units.push(one(format!(
                    "TOOL_CALL_RESULT messageId=m{id} toolCallId=c{id} content=x{tag}"
                )));
                units
            }
            Item::Reasoning(n) => {
                let mut units = vec![one(format!("REASONING_START messageId=s{id}{tag}"))];
                units.extend(around(
                    format!("REASONING_MESSAGE_START messageId=s{id} role=reasoning"),
                    format!("REASONING_MESSAGE_CONTENT messageId=s{id} delta=x"),
                    *n,
                    format!("REASONING_MESSAGE_END messageId=s{id}"),
                ));
                units.push(one(format!("REASONING_END messageId=s{id}{loose}")));
                units
            }
            Item::TextChunks(n) => {
                chunks("TEXT_MESSAGE_CHUNK", &format!("messageId=m{id}"), *n, tag)
            }
            Item::CallChunks(n) => chunks(
                "TOOL_CALL_CHUNK",
                &format!("toolCallId=c{id} toolCallName=a"),
                *n,
                tag,
            ),
            Item::ReasoningChunks(n) => chunks(
                "REASONING_MESSAGE_CHUNK",
                &format!("messageId=s{id}"),
                *n,
                tag,
            ),
            Item::State => vec![one(format!("STATE_SNAPSHOT snapshot={{}}{tag}"))],
            Item::Step(inner) => {
                let mut units = vec![one(format!("STEP_STARTED stepName=step{id}{tag}"))];
                units.extend(self.side_by_side(inner, tag));
                units.push(one(format!("STEP_FINISHED stepName=step{id}{tag}")));
                units
            }
            Item::Subagent(inner) => {
                let parent = tag.replace("subagentRunId", "parentSubagentRunId");
                let own = format!(" subagentRunId=sub{id}");
                let mut units = vec![one(format!("SUBAGENT_STARTED name=n{own}{parent}"))];
                units.extend(self.side_by_side(inner, &own));
                units.push(one(format!("SUBAGENT_FINISHED{own}")));
                units
            }
        }
    }
}

/// Chunks that each name their item, and at the end some that do not, with an event between that closes nothing.
fn chunks(kind: &str, id: &str, n: usize, tag: &str) -> Vec<Unit> {
    let named = format!("{kind} {id} delta=x{tag}");
    let mut units: Vec<Unit> = (0..n).map(|_| vec![named.clone()]).collect();
    units.push(vec![
        named,
        format!("{kind} delta=y{tag}"),
        "RAW event=1".to_owned(),
        format!("{kind} delta=z{tag}"),
    ]);
    units
}
