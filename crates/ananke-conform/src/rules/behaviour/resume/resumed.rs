//! A run that follows an interrupted one, with what was open.

use serde_json::Value;

use crate::case::Case;
use crate::exchange::{Asked, Exchange, Resume};
use crate::rules::semantics::run::{Outcome, last_end, list, runs, text};

/// A run that follows an interrupted one.
pub(super) struct Resumed<'a> {
    /// Number of the exchange.
    pub(super) number: usize,
    pub(super) kind: Resume,
    exchange: &'a Exchange,
    /// What the run before waits for.
    interrupts: Vec<&'a Value>,
    /// Calls of the agent that wait with it.
    calls: Vec<&'a str>,
}

impl<'a> Resumed<'a> {
    /// Returns all of them. Where the run before is not known, or was not interrupted, there is nothing to be judged.
    pub(super) fn all(case: &'a Case) -> Vec<Self> {
        let exchanges = case.exchanges.iter().enumerate();
        exchanges
            .filter_map(|(number, exchange)| {
                let Asked::Resume(kind) = exchange.asked else {
                    return None;
                };
                let thread = thread_of(exchange)?;
                let earlier = case.exchanges.iter().take(number).rev();
                let before = earlier
                    .filter(|before| thread_of(before) == Some(thread))
                    .find(|before| before.answer.is_stream())?;
                let Outcome::Interrupt(interrupts) = last_end(&before.answer)?.outcome else {
                    return None;
                };
                Some(Self {
                    number,
                    kind,
                    exchange,
                    calls: waiting(before, &interrupts),
                    interrupts,
                })
            })
            .collect()
    }

    pub(super) fn scenario(&self) -> &str {
        &self.exchange.scenario
    }

    /// Returns the terminal event and what it says.
    pub(super) fn end(&self) -> Option<(usize, Outcome<'a>)> {
        let answer = &self.exchange.answer;
        let end = last_end(answer).filter(|_| answer.is_stream())?;
        Some((end.at, end.outcome))
    }

    pub(super) fn outcome(&self) -> Option<Outcome<'a>> {
        Some(self.end()?.1)
    }

    /// Tells whether the run finished, in whatever way, without an error.
    pub(super) fn is_finished(&self) -> bool {
        matches!(
            self.outcome(),
            Some(Outcome::Success | Outcome::Interrupt(_) | Outcome::Cancelled)
        )
    }

    /// Returns the status of an HTTP error.
    pub(super) fn refusal(&self) -> Option<u16> {
        self.exchange.answer.status.filter(|status| *status >= 400)
    }

    /// Tells whether the server would not run it: an HTTP error, or `RUN_ERROR`.
    pub(super) fn is_refused(&self) -> bool {
        self.refusal().is_some() || matches!(self.outcome(), Some(Outcome::Error(_)))
    }

    /// Returns the interrupts that the request answered and that are open again.
    pub(super) fn asked_again(&self) -> Vec<&'a str> {
        let Some(Outcome::Interrupt(open)) = self.outcome() else {
            return Vec::new();
        };
        let answers = self
            .exchange
            .request
            .as_ref()
            .and_then(|input| input.get("resume"));
        let mut again: Vec<&str> = list(answers)
            .filter_map(|answer| text(answer, "interruptId"))
            .filter(|id| {
                open.iter()
                    .any(|interrupt| text(interrupt, "id") == Some(*id))
            })
            .collect();
        again.dedup();
        again
    }

    /// Returns the results of the calls that waited: number of the event, call, content. Empty ones tell nothing.
    pub(super) fn results(&self) -> Vec<(usize, &'a str, &'a Value)> {
        let answer = &self.exchange.answer;
        let results = answer
            .of_kind("TOOL_CALL_RESULT")
            .filter_map(|(at, event)| {
                let call = event
                    .text("toolCallId")
                    .filter(|call| self.calls.contains(call))?;
                let content = event.get("content")?;
                let is_empty = content.as_str().is_some_and(|text| text.trim().is_empty())
                    || content.as_array().is_some_and(Vec::is_empty);
                (!is_empty).then_some((at, call, content))
            });
        results.collect()
    }

    /// Tells whether the payloads approve, as far as can be told: one that says `false` does not.
    pub(super) fn is_approval(&self) -> bool {
        let answers = self
            .exchange
            .request
            .as_ref()
            .and_then(|input| input.get("resume"));
        list(answers).all(|answer| !answer.get("payload").is_some_and(denies))
    }

    /// Tells whether the interrupts say what their answers should be.
    pub(super) fn has_schema(&self) -> bool {
        let mut interrupts = self.interrupts.iter();
        interrupts.any(|interrupt| {
            interrupt
                .get("responseSchema")
                .is_some_and(Value::is_object)
        })
    }
}

/// Returns the calls that interrupts name, or else those of the agent that have no result.
fn waiting<'a>(before: &'a Exchange, interrupts: &[&'a Value]) -> Vec<&'a str> {
    let named: Vec<&str> = interrupts
        .iter()
        .filter_map(|interrupt| text(interrupt, "toolCallId"))
        .collect();
    if !named.is_empty() {
        return named;
    }
    let offered = before.offered_tools();
    let runs = runs(&before.answer);
    let open = runs.last().map(|run| run.open_calls()).unwrap_or_default();
    open.into_iter()
        .filter(|(_, name)| !offered.contains(name))
        .map(|(id, _)| id)
        .collect()
}

fn thread_of(exchange: &Exchange) -> Option<&str> {
    text(exchange.request.as_ref()?, "threadId")
}

fn denies(payload: &Value) -> bool {
    match payload {
        Value::Bool(is_yes) => !is_yes,
        Value::Object(members) => members.values().any(denies),
        Value::Array(items) => items.iter().any(denies),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}
