//! Goes through the steps of an answer.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::composer::{Clock, Composer, as_text};
use super::reply::{Action, HttpReply, Reply};
use crate::input::RunInput;
use crate::script::{Echo, FinishStep, HttpStep, Step, TextDeltas};

/// Whether `RUN_STARTED` and `RUN_FINISHED` are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// They are added where the steps lack them.
    Run,
    /// The steps are everything.
    Bare,
}

/// Turns the steps of an answer into what is sent for this request.
pub(crate) fn compose(steps: &[Step], framing: Framing, clock: Clock, input: &RunInput) -> Reply {
    if let Some(reply) = plain_http(steps) {
        return Reply::Http(reply);
    }
    let mut composer = Composer::new(input, clock);
    if framing == Framing::Run {
        composer.run_started();
    }
    let flow = composer.steps(steps);
    if flow == Flow::On && framing == Framing::Run && !composer.is_finished {
        composer.finish(&FinishStep::default());
    }
    Reply::Stream(composer.actions)
}

fn plain_http(steps: &[Step]) -> Option<HttpReply> {
    let mut after = Duration::ZERO;
    for step in steps {
        match step {
            Step::DelayMs(ms) => after = after.saturating_add(Duration::from_millis(*ms)),
            Step::Http(HttpStep {
                status,
                headers,
                body,
            }) => {
                return Some(HttpReply {
                    after,
                    status: *status,
                    headers: with_content_type(headers, body),
                    body: if body.is_null() {
                        String::new()
                    } else {
                        as_text(body)
                    },
                });
            }
            _ => return None,
        }
    }
    None
}

/// Returns the headers of a response; they say that a body is JSON unless the script says what it is.
fn with_content_type(headers: &BTreeMap<String, String>, body: &Value) -> Vec<(String, String)> {
    let name = "content-type";
    let is_told = headers.keys().any(|key| key.eq_ignore_ascii_case(name));
    let is_json = !matches!(body, Value::Null | Value::String(_));
    let added = (is_json && !is_told).then(|| (name.to_owned(), "application/json".to_owned()));
    headers.clone().into_iter().chain(added).collect()
}

/// Whether anything can follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Cut,
}

impl Composer<'_> {
    fn steps(&mut self, steps: &[Step]) -> Flow {
        for step in steps {
            if self.step(step) == Flow::Cut {
                return Flow::Cut;
            }
        }
        Flow::On
    }

    fn step(&mut self, step: &Step) -> Flow {
        match step {
            Step::Text(text) => {
                let deltas = text.split_inclusive(' ').map(str::to_owned).collect();
                self.text(&TextDeltas {
                    deltas,
                    every_ms: 0,
                });
            }
            Step::TextDeltas(text) => self.text(text),
            Step::Echo(part) => self.text(&TextDeltas {
                deltas: vec![echoed(*part, self.input)],
                every_ms: 0,
            }),
            Step::Tool(tool) => self.tools(std::slice::from_ref(tool)),
            Step::ParallelTools(tools) => self.tools(tools),
            Step::ToolResult(answer) => {
                self.tool_result(&answer.tool_call_id, &as_text(&answer.result));
            }
            Step::State(snapshot) => {
                self.event(json!({"type": "STATE_SNAPSHOT", "snapshot": snapshot}));
            }
            Step::StateDelta(delta) => self.event(json!({"type": "STATE_DELTA", "delta": delta})),
            Step::Reasoning(text) => self.reasoning(text),
            Step::Step(named) => {
                self.event(json!({"type": "STEP_STARTED", "stepName": named.name}));
                let flow = self.steps(&named.reply);
                if flow == Flow::On && !self.is_finished {
                    self.event(json!({"type": "STEP_FINISHED", "stepName": named.name}));
                }
                return flow;
            }
            Step::Custom(custom) => {
                self.event(json!({"type": "CUSTOM", "name": custom.name, "value": custom.value}));
            }
            Step::Event(event) => self.scripted_event(event),
            Step::Raw(text) => self.send(text.clone()),
            Step::Comment(text) => self.send(format!(": {text}\n\n")),
            Step::DelayMs(ms) => self.wait(*ms),
            Step::Error(error) => self.error(&error.message, error.code.as_deref()),
            Step::Interrupt(interrupt) => self.interrupt(interrupt),
            Step::Finish(finish) => self.finish(finish),
            Step::Http(_) => {
                // Too late for a status; the author of the script should hear of it all the same.
                self.error("the script has an `http` step that is not the first", None);
                return Flow::Cut;
            }
            Step::Truncate => return Flow::Cut,
            Step::Reset => {
                self.actions.push(Action::Reset);
                return Flow::Cut;
            }
            Step::Stall => {
                self.actions.push(Action::Stall);
                return Flow::Cut;
            }
        }
        Flow::On
    }

    fn scripted_event(&mut self, event: &Value) {
        let event = with_ids(event, self.input);
        let kind = event.get("type").and_then(Value::as_str);
        self.is_finished |= matches!(kind, Some("RUN_FINISHED" | "RUN_ERROR"));
        self.event(event);
    }
}

/// Returns a part of a request as JSON.
fn echoed(part: Echo, input: &RunInput) -> String {
    match part {
        Echo::Messages => json!(input.messages),
        Echo::LastMessage => json!(input.messages.last()),
        Echo::ForwardedProps => input.forwarded_props.clone(),
        Echo::Context => input.context.clone(),
        Echo::State => input.state.clone(),
    }
    .to_string()
}

/// Replaces the strings `$threadId` and `$runId` by the request's ids.
fn with_ids(value: &Value, input: &RunInput) -> Value {
    match value {
        Value::String(text) if text == "$threadId" => json!(input.thread_id),
        Value::String(text) if text == "$runId" => json!(input.run_id),
        Value::Array(items) => items.iter().map(|item| with_ids(item, input)).collect(),
        Value::Object(members) => {
            let members: Map<String, Value> = members
                .iter()
                .map(|(key, value)| (key.clone(), with_ids(value, input)))
                .collect();
            Value::Object(members)
        }
        other => other.clone(),
    }
}
