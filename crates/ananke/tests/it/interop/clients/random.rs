//! Streams by chance, with the same chance every time: items of all kinds, side by side, each with an owner; some of them
//! with events that are lost, double, or someone else's.

use serde_json::{Value, json};

/// The same numbers every time (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % limit
    }

    fn one_in(&mut self, limit: usize) -> bool {
        self.below(limit) == 0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Returns a stream of its own for each number.
pub(super) fn stream(number: usize) -> Vec<Value> {
    let seed = u64::try_from(number).expect("numbers are small") + 1;
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    for _ in 0..8 {
        chance.below(2);
    }
    let mut events = vec![json!({"type": "RUN_STARTED", "threadId": "t1", "runId": "r1"})];
    events.extend(if number.is_multiple_of(3) {
        heap(&mut chance)
    } else {
        side_by_side(&mut chance)
    });
    if !chance.one_in(6) {
        events.push(json!({"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1"}));
    }
    events
}

/// A few events without any order.
fn heap(chance: &mut Chance) -> Vec<Value> {
    let n_events = 2 + chance.below(5);
    (0..n_events)
        .map(|_| {
            let items = item(chance);
            let at = chance.below(items.len());
            items.into_iter().nth(at).expect("it is below the length")
        })
        .collect()
}

/// Items that are open at the same time.
fn side_by_side(chance: &mut Chance) -> Vec<Value> {
    let n_items = 1 + chance.below(5);
    let mut items: Vec<Vec<Value>> = (0..n_items).map(|_| item(chance)).collect();
    let mut events = Vec::new();
    while !items.is_empty() {
        let which = chance.below(items.len());
        if items[which].is_empty() {
            items.remove(which);
            continue;
        }
        let event = items[which].remove(0);
        match chance.below(30) {
            0 => {}
            1 => events.extend([event.clone(), event]),
            _ => events.push(event),
        }
    }
    events
}

/// The events of one item, from its beginning to its end. Ids are few, so that items meet.
fn item(chance: &mut Chance) -> Vec<Value> {
    let owner = chance.pick(&[None, None, Some("s1"), Some("s2")]);
    let message = chance.pick(&["m1", "m2", "g1"]);
    let call = chance.pick(&["c1", "c2", "m1"]);
    let span = chance.pick(&["g1", "g2", "m1"]);
    let subagent = chance.pick(&["s1", "s2", "s3"]);
    let step = chance.pick(&["plan", "act"]);
    let mut events = match chance.below(20) {
        0..=2 => vec![
            json!({"type": "TEXT_MESSAGE_START", "messageId": message}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": "a"}),
            json!({"type": "TEXT_MESSAGE_END", "messageId": message}),
        ],
        3 | 4 => {
            let mut start =
                json!({"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": "f"});
            if chance.one_in(2) {
                start["parentMessageId"] = json!(message);
            }
            vec![
                start,
                json!({"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": "{}"}),
                json!({"type": "TOOL_CALL_END", "toolCallId": call}),
                json!({"type": "TOOL_CALL_RESULT", "toolCallId": call, "messageId": message, "content": "1"}),
            ]
        }
        5 | 6 => vec![
            json!({"type": "REASONING_START", "messageId": span}),
            json!({"type": "REASONING_MESSAGE_START", "messageId": span, "role": "reasoning"}),
            json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": span, "delta": "a"}),
            json!({"type": "REASONING_MESSAGE_END", "messageId": span}),
            json!({"type": "REASONING_END", "messageId": span}),
        ],
        7..=9 => chunks(chance, message, call, span),
        10 => vec![
            json!({"type": "STEP_STARTED", "stepName": step}),
            json!({"type": "STEP_FINISHED", "stepName": step}),
        ],
        11 => vec![
            json!({"type": "ACTIVITY_SNAPSHOT", "messageId": message, "activityType": "a", "content": {}, "replace": chance.one_in(2)}),
            json!({"type": "ACTIVITY_DELTA", "messageId": message, "activityType": "a", "patch": []}),
        ],
        12 => {
            let subtype = chance.pick(&["message", "tool-call"]);
            let entity = chance.pick(&["m1", "g1", "c1"]);
            vec![
                json!({"type": "REASONING_ENCRYPTED_VALUE", "subtype": subtype, "entityId": entity, "encryptedValue": "e"}),
            ]
        }
        13 => vec![messages(chance)],
        14 => return lifetime(chance, subagent),
        15 => {
            return vec![
                json!({"type": "THINKING_START"}),
                json!({"type": "THINKING_TEXT_MESSAGE_START"}),
                json!({"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "a"}),
                json!({"type": "THINKING_TEXT_MESSAGE_END"}),
                json!({"type": "THINKING_END"}),
            ];
        }
        16 => vec![json!({"type": "RAW", "event": 1})],
        17 => vec![json!({"type": "CUSTOM", "name": "n", "value": 1})],
        18 => vec![
            json!({"type": "STATE_SNAPSHOT", "snapshot": {}}),
            json!({"type": "STATE_DELTA", "delta": []}),
        ],
        _ => return between_runs(chance),
    };
    for event in &mut events {
        tag(chance, owner, event);
    }
    events
}

/// Most events name their owner, some do not, a few name another one.
fn tag(chance: &mut Chance, owner: Option<&str>, event: &mut Value) {
    let tag = match chance.below(20) {
        0 => chance.pick(&[Some("s1"), Some("s2"), None]),
        1..=7 => None,
        _ => owner,
    };
    if let Some(tag) = tag {
        event["subagentRunId"] = json!(tag);
    }
}

fn chunks(chance: &mut Chance, message: &str, call: &str, span: &str) -> Vec<Value> {
    let mut events = match chance.below(3) {
        0 => vec![
            json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": message, "delta": "a"}),
            json!({"type": "TEXT_MESSAGE_CHUNK", "delta": "b"}),
            json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": message, "metadata": {}}),
        ],
        1 => vec![
            json!({"type": "TOOL_CALL_CHUNK", "toolCallId": call, "toolCallName": "f", "parentMessageId": message}),
            json!({"type": "TOOL_CALL_CHUNK", "delta": "{}"}),
            json!({"type": "TOOL_CALL_CHUNK", "toolCallId": call, "rawEvent": 1}),
        ],
        _ => vec![
            json!({"type": "REASONING_MESSAGE_CHUNK", "messageId": span, "delta": "a"}),
            json!({"type": "REASONING_MESSAGE_CHUNK"}),
            json!({"type": "REASONING_MESSAGE_CHUNK", "messageId": span, "delta": "b"}),
        ],
    };
    if chance.one_in(3) {
        let last = events.last_mut().expect("there are three");
        match last["type"].as_str() {
            Some("TEXT_MESSAGE_CHUNK") => last["role"] = json!(chance.pick(&["assistant", "user"])),
            Some("TOOL_CALL_CHUNK") => last["toolCallName"] = json!(chance.pick(&["f", "g"])),
            _ => {}
        }
    }
    events
}

fn messages(chance: &mut Chance) -> Value {
    let mut message = json!({"id": chance.pick(&["m1", "g1", "m2"]), "content": "a"});
    match chance.below(4) {
        0 => message["role"] = json!("reasoning"),
        1 => {
            message["role"] = json!("activity");
            message["activityType"] = json!("a");
            message["content"] = json!({});
        }
        _ => {
            message["role"] = json!("assistant");
            message["toolCalls"] = json!([{"id": chance.pick(&["c1", "c2"]), "type": "function", "function": {"name": "f", "arguments": ""}}]);
        }
    }
    if chance.one_in(2) {
        message["subagentRunId"] = json!(chance.pick(&["s1", "s2"]));
    }
    json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]})
}

fn lifetime(chance: &mut Chance, subagent: &str) -> Vec<Value> {
    let mut start = json!({"type": "SUBAGENT_STARTED", "subagentRunId": subagent, "name": "n"});
    if chance.one_in(3) {
        start["parentSubagentRunId"] = json!(chance.pick(&["s1", "s2"]));
    }
    let end = if chance.one_in(2) {
        json!({"type": "SUBAGENT_FINISHED", "subagentRunId": subagent})
    } else {
        json!({"type": "SUBAGENT_ERROR", "subagentRunId": subagent, "message": "no"})
    };
    vec![start, end]
}

fn between_runs(chance: &mut Chance) -> Vec<Value> {
    let end = if chance.one_in(2) {
        json!({"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1"})
    } else {
        json!({"type": "RUN_ERROR", "message": "no"})
    };
    let start = json!({"type": "RUN_STARTED", "threadId": "t1", "runId": "r2"});
    match chance.below(6) {
        0 => vec![end],
        1 => vec![start],
        2 => vec![json!({"type": "SOMETHING_NEW", "messageId": "m1"})],
        _ => vec![end, start],
    }
}
