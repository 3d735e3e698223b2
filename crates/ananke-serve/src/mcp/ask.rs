//! The tool `ask`: the agent itself. A question of the agent goes to the client's user where the client can ask them.

use std::time::Duration;

use serde_json::{Value, json};

use super::face::{Answer, End, Mcp};
use super::spoken::{Spoken, words};
use super::who::Who;
use crate::engine::Reply;
use crate::input::Addressee;
use crate::rpc::{self, Call};
use crate::talk::{Question, Said, happenings};

/// What stands for the question in a result that asks for input.
const QUESTION: &str = "question";

/// A call of `ask` that waits for its user.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    call: Call,
    who: Who,
    conversation: String,
    spoken: Spoken,
}

impl Mcp {
    /// Answers a call of `ask`.
    pub(super) fn asked(&self, call: &Call, who: &Who) -> Answer {
        let arguments = &call.params["arguments"];
        let Some(question) = arguments["question"].as_str() else {
            let why = "expected `question`, the text that the agent is to answer";
            return Answer::tool_error(call, who, why);
        };
        let named = arguments["conversation"]
            .as_str()
            .filter(|name| !name.is_empty());
        let conversation = named.map(str::to_owned).or_else(|| who.session.clone());
        let conversation = conversation.unwrap_or_else(|| self.new_conversation());
        let said = Said {
            text: question.to_owned(),
            ..Said::default()
        };
        // The client repeats its call with what its user says.
        let input = call.params.pointer("/inputResponses/question");
        let state = call.params["requestState"].as_str().unwrap_or_default();
        if let (Some(input), Some(mut waiting)) = (input, self.waiting().take(state)) {
            waiting.call = call.clone();
            return self.elicited(waiting, Some(input));
        }
        let waiting = Waiting {
            call: call.clone(),
            who: who.clone(),
            conversation,
            spoken: Spoken::default(),
        };
        self.run(waiting, said)
    }

    /// Goes on after the user was asked; `answer` is what the client says they did.
    pub(super) fn elicited(&self, waiting: Waiting, answer: Option<&Value>) -> Answer {
        let action = answer.and_then(|answer| answer["action"].as_str());
        let content = answer.map(|answer| answer["content"].clone());
        let said = match action {
            Some("accept") => Said {
                data: content.filter(Value::is_object).or(Some(json!({}))),
                ..Said::default()
            },
            _ => Said {
                text: "cancel".to_owned(),
                ..Said::default()
            },
        };
        self.run(waiting, said)
    }

    fn run(&self, mut waiting: Waiting, mut said: Said) -> Answer {
        let run = format!("run-{}", self.next_number());
        said.id = format!("user-{run}");
        let thread = waiting.conversation.as_str();
        let addressee = Addressee {
            path: waiting.who.path.clone(),
            agent_id: None,
        };
        let reply = self
            .talks
            .run(&*self.agent, (thread, &run), addressee, &said);
        match reply {
            Reply::Stream(actions) => waiting.spoken.hear(&happenings(&actions)),
            Reply::Http(reply) => {
                let why = format!("HTTP {}: {}", reply.status, reply.body);
                let mut answer = Answer::tool_error(&waiting.call, &waiting.who, &why);
                for (at, _) in &mut answer.messages {
                    *at = reply.after;
                }
                return answer;
            }
        }
        let open = self.talks.questions(thread);
        let length = waiting.spoken.length;
        let mut messages = waiting.progress();
        if let Some(fault) = waiting.spoken.fault {
            return Answer::of(messages, length, End::Fault(fault));
        }
        match open.first().filter(|_| waiting.who.can_elicit()) {
            Some(question) if waiting.who.is_modern => {
                let id = format!("question-{}", self.next_number());
                let request = json!({"method": "elicitation/create", "params": form(question)});
                let result = json!({
                    "resultType": "input_required",
                    "inputRequests": {QUESTION: request},
                    "requestState": id,
                });
                messages.push((length, rpc::result(&waiting.call.id, result)));
                let n_bytes = waiting.call.params.to_string().len() + waiting.spoken.n_bytes();
                self.waiting().put(&id, waiting, n_bytes);
                Answer::of(messages, length, End::Done)
            }
            Some(question) => {
                let id = format!("question-{}", self.next_number());
                let request = json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": form(question)});
                messages.push((length, request));
                Answer::of(messages, length, End::Ask(id, Box::new(waiting)))
            }
            None => {
                let state = self.talks.state(thread);
                let result = waiting.spoken.result(state, thread, &open);
                let result = waiting.who.complete(result);
                messages.push((length, rpc::result(&waiting.call.id, result)));
                Answer::of(messages, length, End::Done)
            }
        }
    }
}

impl Waiting {
    /// Returns word of how far the agent is, if the client wants it and has to wait at all.
    fn progress(&self) -> Vec<(Duration, Value)> {
        let token = self.call.params.pointer("/_meta/progressToken");
        let Some(token) = token.filter(|_| self.who.can_hear) else {
            return Vec::new();
        };
        let steps = self.spoken.progress.iter();
        let steps = steps.filter(|(at, _)| !at.is_zero()).enumerate();
        let notes = steps.map(|(number, (at, text))| {
            let params = json!({"progressToken": token, "progress": number + 1, "message": text});
            let note =
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
            (*at, note)
        });
        notes.collect()
    }
}

/// Returns a question as a form.
fn form(question: &Question) -> Value {
    let schema = match question {
        Question::Interrupt(interrupt) => interrupt.get("responseSchema").cloned(),
        Question::Call(..) => None,
    };
    let text =
        json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    json!({
        "mode": "form",
        "message": words(question),
        "requestedSchema": schema.unwrap_or(text),
    })
}
