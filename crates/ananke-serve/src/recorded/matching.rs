//! How well a recorded exchange answers a request.

use std::collections::HashMap;

use serde_json::Value;

use super::exchange::{Ask, Exchange};
use super::foreign::Face;
use crate::input::{Message, MessageCall, RunInput};

/// A request, as far as recordings can tell requests apart.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) ask: Ask,
    /// What the user has said so far, as the request tells it.
    pub(super) heard: Vec<String>,
    pub(super) input: &'a RunInput,
    /// What is spoken.
    pub(super) face: Face,
    /// Whether nobody knows what came before, so that only the last message tells recordings apart.
    pub(super) is_alone: bool,
}

/// How well an exchange answers a request; what comes first weighs more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) fit: Fit,
    /// In how many ways the request names the recorded agent.
    n_names: usize,
    /// Whether all messages are the same, not only the user's.
    is_same_history: bool,
    is_same_state: bool,
}

/// How well an exchange fits. Later is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It answers the same last message.
    LastMessage,
    /// And as the same turn.
    Turn,
    /// And after the same conversation.
    Conversation,
}

impl<'a> Asked<'a> {
    /// Reads a request that an agent is to answer.
    pub(super) fn run(input: &'a RunInput) -> Self {
        let ask = if input.has_resume() {
            Ask::Resume
        } else if input.ends_with_tool_result() {
            Ask::ToolResult
        } else if input.user_text().is_none() {
            Ask::Connect
        } else {
            Ask::Message
        };
        Self::new(ask, input)
    }

    /// Reads a request of an envelope that attaches to a thread.
    pub(super) fn connect(input: &'a RunInput) -> Self {
        Self::new(Ask::Connect, input)
    }

    /// Reads a request of another protocol.
    pub(super) fn foreign(face: Face, input: &'a RunInput, is_alone: bool) -> Self {
        Self {
            face,
            is_alone,
            ..Self::new(Ask::Message, input)
        }
    }

    fn new(ask: Ask, input: &'a RunInput) -> Self {
        let heard = input.messages.iter().filter(|m| m.role == "user");
        Self {
            ask,
            heard: heard.map(Message::text).collect(),
            input,
            face: Face::Agui,
            is_alone: false,
        }
    }

    /// Tells whether `exchange` answers this when it comes next on the thread: the request says nothing of the
    /// conversation, because it attaches to it or leaves the history to the server.
    pub(super) fn is_continued_by(&self, exchange: &Exchange) -> bool {
        let is_decided =
            self.ask != Ask::Resume || decisions(self.input) == decisions(&exchange.input);
        let is_same = self.ask == exchange.ask && self.face == exchange.face;
        self.heard.is_empty() && is_same && is_decided
    }

    /// Tells how well `exchange` answers this, if it does at all.
    pub(super) fn fit(&self, exchange: &Exchange) -> Option<Fit> {
        if self.ask != exchange.ask || self.face != exchange.face {
            return None;
        }
        if self.is_alone {
            return (self.heard.last() == exchange.said.last()).then_some(Fit::Conversation);
        }
        let is_whole = match self.ask {
            Ask::Connect if self.heard.is_empty() => {
                // Through an envelope nothing is sent but the thread.
                let is_same = exchange.input.thread_id == self.input.thread_id;
                return match (is_same, exchange.said.is_empty()) {
                    (true, _) => Some(Fit::Conversation),
                    (false, true) => Some(Fit::Turn),
                    (false, false) => None,
                };
            }
            // To play an approval where the user declined would be a lie.
            Ask::Resume if decisions(self.input) != decisions(&exchange.input) => return None,
            Ask::ToolResult => n_new_results(self.input) == n_new_results(&exchange.input),
            Ask::Message | Ask::Resume | Ask::Connect => true,
        };
        if self.heard.last() != exchange.said.last() {
            return None;
        }
        Some(if is_whole && self.heard == exchange.said {
            Fit::Conversation
        } else if self.heard.len() == exchange.said.len() {
            Fit::Turn
        } else {
            Fit::LastMessage
        })
    }

    /// Ranks an exchange that fits among those that fit as well.
    pub(super) fn rank(&self, fit: Fit, exchange: &Exchange) -> Rank {
        let (asked, recorded) = (&self.input.addressee, &exchange.input.addressee);
        let is_same_id = asked
            .agent_id
            .as_ref()
            .is_some_and(|id| recorded.agent_id.as_ref() == Some(id) || *id == exchange.target);
        Rank {
            fit,
            n_names: usize::from(is_same_id)
                + usize::from(is_path_of(&asked.path, &exchange.target)),
            is_same_history: self.is_alone || is_same_history(self.input, &exchange.input),
            is_same_state: self.input.state == exchange.input.state,
        }
    }

    /// Returns what the user said last in the exchange whose last message is nearest to this one's, and its test.
    pub(super) fn nearest<'e>(&self, exchanges: &'e [Exchange]) -> Option<(&'e str, &'e str)> {
        let own = pairs(self.heard.last().map_or("", String::as_str));
        let told = exchanges
            .iter()
            .filter(|exchange| exchange.face == self.face)
            .filter_map(|exchange| Some((exchange.said.last()?.as_str(), exchange.test.as_str())));
        let mut best = None;
        for (text, test) in told {
            let likeness = likeness(&own, &pairs(text));
            if best.is_none_or(|(most, _, _)| likeness > most) {
                best = Some((likeness, text, test));
            }
        }
        best.map(|(_, text, test)| (text, test))
    }
}

/// Tells whether two requests hold the same messages, whatever their ids.
fn is_same_history(asked: &RunInput, recorded: &RunInput) -> bool {
    let (asked, recorded) = (history(asked), history(recorded));
    let mut both = asked.iter().zip(&recorded);
    asked.len() == recorded.len()
        && both.all(|(asked, recorded)| {
            let ((asked, asked_rest), (recorded, recorded_rest)) = (asked, recorded);
            asked_rest == recorded_rest && is_same_content(asked, recorded)
        })
}

type Rest<'a> = (&'a str, Option<&'a Vec<MessageCall>>, Option<&'a str>);

/// Returns the messages of a request without their ids: the content, and the rest.
pub(super) fn history(input: &RunInput) -> Vec<(&Value, Rest<'_>)> {
    let messages = input.messages.iter();
    let parts = messages.map(|message| {
        let calls = message.tool_calls.as_ref();
        let rest = (
            message.role.as_str(),
            calls,
            message.tool_call_id.as_deref(),
        );
        (&message.content, rest)
    });
    parts.collect()
}

/// Compares contents part by part. Of long data a recording holds the hash only, which nobody here can tell from others.
fn is_same_content(asked: &Value, recorded: &Value) -> bool {
    let (Value::Array(asked), Value::Array(recorded)) = (asked, recorded) else {
        return asked == recorded;
    };
    let mut both = asked.iter().zip(recorded);
    asked.len() == recorded.len()
        && both.all(|(asked, recorded)| {
            let data = recorded.pointer("/source/value").and_then(Value::as_str);
            let is_long = data.is_some_and(|data| data.contains("bytes, sha256 "));
            let is_same_kind = asked["type"] == recorded["type"];
            asked == recorded || (is_long && is_same_kind)
        })
}

/// Tells whether `path` leads to a target: it is that of its endpoint, or holds its name.
fn is_path_of(path: &str, target: &str) -> bool {
    let Some((_, rest)) = target.split_once("://") else {
        return path.split('/').any(|segment| segment == target);
    };
    let (_, endpoint) = rest.split_once('/').unwrap_or((rest, ""));
    let endpoint = endpoint.split(['?', '#']).next().unwrap_or_default();
    path.trim_matches('/') == endpoint.trim_matches('/')
}

/// Counts the pairs of neighboring characters, in lower case; the ends count as blanks.
fn pairs(text: &str) -> HashMap<(char, char), usize> {
    let padded = format!(" {} ", text.to_lowercase());
    let mut pairs = HashMap::new();
    for pair in padded.chars().zip(padded.chars().skip(1)) {
        *pairs.entry(pair).or_default() += 1;
    }
    pairs
}

/// Returns which part of the pairs two texts share, in millionths: a misspelt word is near, and so are the same words in
/// another order.
fn likeness(left: &HashMap<(char, char), usize>, right: &HashMap<(char, char), usize>) -> usize {
    let n_shared: usize = left
        .iter()
        .filter_map(|(pair, n)| Some(*right.get(pair)?.min(n)))
        .sum();
    let n_all: usize = left.values().chain(right.values()).sum();
    (n_shared * 2_000_000).checked_div(n_all).unwrap_or(0)
}

pub(super) fn decisions(input: &RunInput) -> Vec<(&str, &Value)> {
    let entries = input.resume.iter().flatten();
    entries
        .map(|entry| (entry.status.as_str(), &entry.payload))
        .collect()
}

/// Counts the results of client tools since the user spoke.
pub(super) fn n_new_results(input: &RunInput) -> usize {
    let newest = input.messages.iter().rev();
    newest
        .take_while(|message| message.role != "user")
        .filter(|message| message.role == "tool")
        .count()
}
