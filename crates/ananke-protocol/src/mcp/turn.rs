//! One turn with a server: what is asked, and the [`Turn`] that comes of it. Never fails: what went wrong is part of the
//! turn, beside all that was captured before.

use std::time::Duration;

use ananke_model::plan::Clock;
use ananke_model::recording::{ToolCall, Trouble, TroubleKind, Turn, TurnStatus, TurnTiming};
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::action::McpAction;
use super::inner_calls::inner_calls;
use super::noted::{Reply, Taken};
use super::told::Told;
use crate::agui::Conversation;

/// Why it says nothing that an agent behind a tool showed no calls.
const NO_CALLS: &str = "the tool of `userTool` stands for an agent, and nothing in its answer says which tools that agent called (`userTool.toolCalls`)";

/// Everything that one turn needs.
#[derive(Debug)]
pub struct McpTurn<'a> {
    /// What is asked.
    pub action: McpAction,
    /// What the user said, if that is what is asked.
    pub user: Option<String>,
    /// A JSON pointer into the result of a tool, to the calls that an agent behind it made. They are then the calls of the
    /// turn, and that of the tool is none.
    pub calls_at: Option<&'a str>,
    /// Wall-clock limit of the whole turn, without connecting.
    pub timeout: Duration,
    /// How long all of it may take, with connecting.
    pub whole: Duration,
    /// Now, in Unix milliseconds.
    pub unix_ms: i64,
    /// Stops the turn when the user stops the run.
    pub cancel: &'a CancellationToken,
}

impl McpTurn<'_> {
    pub(super) fn kind(&self) -> &'static str {
        match self.user {
            Some(_) => "user",
            None => self.action.kind(),
        }
    }
}

/// What came of a turn, before it is put into words.
#[derive(Debug)]
pub(super) struct Outcome {
    /// What was answered, or why there is no answer.
    pub(super) reply: Result<Reply, Trouble>,
    /// What went over the wire.
    pub(super) taken: Taken,
    /// What the tool that was called announced, if results are held against that.
    pub(super) schema: Option<Value>,
    /// What is known of the server.
    pub(super) server: Value,
    /// Whether the server ever said a word.
    pub(super) reached: bool,
    /// How long it took to connect, if this turn did.
    pub(super) connect_us: Option<u64>,
    /// How long the turn took.
    pub(super) total_us: u64,
}

/// Puts `outcome` into words and into `conversation`.
pub(super) fn turn_of(
    request: &McpTurn<'_>,
    outcome: Outcome,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) -> Turn {
    let first_message = conversation.messages().len();
    if let Some(text) = &request.user {
        conversation.say(&new_id(), text);
    }
    let mut inner = None;
    let (told, completed) = match outcome.reply {
        Ok(reply) => {
            let told = Told::of(&request.action, &reply.outcome, outcome.schema.as_ref());
            let at = (reply.at_us, reply.event);
            let finished = reply
                .outcome
                .as_ref()
                .ok()
                .filter(|_| told.error().is_none());
            if let (Some(place), Some(result)) = (request.calls_at, finished) {
                inner = Some(inner_calls(result, place, at, new_id));
            }
            (told, Some(at))
        }
        Err(trouble) => (broken(trouble), None),
    };
    let mut notes = outcome.taken.notes;
    let is_told = matches!(inner, Some(Ok(_)));
    let mut tool_calls = match inner {
        None => Vec::new(),
        Some(Ok(calls)) => calls,
        Some(Err(why)) => {
            notes.push(why);
            Vec::new()
        }
    };
    // What never left is no call: the server could not be reached.
    let mut sent = outcome.taken.sent.iter();
    let is_sent = sent.any(|sent| sent["method"] == "tools/call");
    if let McpAction::Call { tool, args } = &request.action
        && is_sent
        && request.user.is_none()
    {
        let call = ToolCall {
            id: new_id(),
            name: tool.clone(),
            args_text: Value::Object(args.clone()).to_string(),
            args_error: None,
            result: told.result.clone(),
            error: told.error(),
            started_us: 0,
            args_done_us: Some(0),
            completed_us: completed.map(|(at_us, _)| at_us),
            event_clock: None,
            event: completed.map_or(0, |(_, event)| event),
            from_snapshot: false,
            restreamed: false,
        };
        tool_calls.push(call);
    }
    for call in &tool_calls {
        put_call(call, conversation, new_id);
    }
    if !told.text.is_empty() {
        let id = new_id();
        conversation.put(json!({"id": id, "role": "assistant", "content": told.text}));
    }
    let new_messages = conversation.messages().get(first_message..);
    Turn {
        kind: request.kind().to_owned(),
        user: request.user.clone(),
        requests: outcome.taken.sent,
        reached: outcome.reached,
        status: told.status,
        text: told.text,
        reasoning: String::new(),
        messages: new_messages.unwrap_or_default().to_vec(),
        late_results: Vec::new(),
        state: Value::Null,
        activities: Vec::new(),
        interrupts: Vec::new(),
        usage: Vec::new(),
        timing: TurnTiming {
            started_at_ms: request.unix_ms,
            connect_us: outcome.connect_us,
            first_event_us: outcome.taken.log.get(0).map(|(_, at_us)| at_us),
            // An answer comes as a whole.
            first_text_us: None,
            first_tool_us: tool_calls.first().map(|call| call.started_us),
            total_us: completed.map_or(outcome.total_us, |(at_us, _)| at_us),
            clock: Some(Clock::Arrival),
            event_clock: None,
        },
        tool_calls,
        findings: Vec::new(),
        warnings: notes,
        opinions: Vec::new(),
        simulated: None,
        task: None,
        data: told.data,
        server: outcome.server,
        // The tool that stands for an agent carries the message: it is no call of the agent.
        no_calls_because: (request.user.is_some() && !is_told).then(|| NO_CALLS.to_owned()),
        events: outcome.taken.log,
    }
}

fn broken(trouble: Trouble) -> Told {
    Told {
        status: TurnStatus::Broken(trouble),
        text: String::new(),
        data: Value::Null,
        result: None,
    }
}

/// Puts a call and its result into the conversation.
fn put_call(
    call: &ToolCall,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) {
    let made = json!({
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.args_text},
    });
    let id = new_id();
    conversation.put(json!({"id": id, "role": "assistant", "toolCalls": [made]}));
    if call.completed_us.is_none() {
        return;
    }
    let said = call.result.as_deref().or(call.error.as_deref());
    let mut message = json!({
        "id": new_id(),
        "role": "tool",
        "toolCallId": call.id,
        "content": said.unwrap_or_default(),
    });
    if let Some(error) = &call.error {
        message["error"] = error.as_str().into();
    }
    conversation.put_result(&call.id, message);
}

/// Returns the microseconds since `from`.
pub(super) fn since_us(from: Instant) -> u64 {
    u64::try_from(from.elapsed().as_micros()).unwrap_or(u64::MAX)
}

pub(super) fn trouble(kind: TroubleKind, message: impl Into<String>) -> Trouble {
    Trouble {
        kind,
        message: message.into(),
        refusal: None,
    }
}
