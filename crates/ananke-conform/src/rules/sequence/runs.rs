//! Runs: what a stream begins with, what it ends with, and what comes between runs.

use ananke_model::conformance::{Layer, Level};

use super::reading::Reading;
use crate::exchange::{Answer, Asked, Ending, Exchange, Framing, LIMIT_REACHED, TIME_IS_OVER};
use crate::rule::{Findings, Rule};

static FIRST: Rule = Rule {
    id: "sequence.first-event",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a stream begins with `RUN_STARTED` or `RUN_ERROR`",
    reason: "Everything else belongs to a run, and clients refuse events of a run that has not begun.",
    section: "Events, run lifecycle",
    advice: "Send `RUN_STARTED` before anything else.",
    needs: "event",
};

static AFTER_ERROR: Rule = Rule {
    id: "sequence.after-error",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "nothing but another run follows `RUN_ERROR`",
    reason: "A run that failed is over: clients take no more of it, not even a `RUN_FINISHED`.",
    section: "Events, run lifecycle",
    advice: "Stop the stream after `RUN_ERROR`; do not finish a run that has failed.",
    needs: "RUN_ERROR",
};

static AFTER_FINISH: Rule = Rule {
    id: "sequence.after-finish",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "nothing but another run or a late `RUN_ERROR` follows `RUN_FINISHED`",
    reason: "A run that finished is over, and clients refuse what comes behind its end.",
    section: "Events, run lifecycle",
    advice: "Send all events of a run, state and usage too, before `RUN_FINISHED`, and send that once.",
    needs: "RUN_FINISHED",
};

static NESTED: Rule = Rule {
    id: "sequence.nested-run",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a run begins after the run before has ended",
    reason: "Runs on one stream come one after another; work inside a run is a step or a subagent.",
    section: "Events, run lifecycle",
    advice: "Send `RUN_STARTED` once per run, and end a run before the next begins.",
    needs: "RUN_STARTED",
};

static TERMINAL: Rule = Rule {
    id: "sequence.terminal",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every run ends with `RUN_FINISHED` or `RUN_ERROR`",
    reason: "A stream that just stops has no outcome: nobody can tell an answer from half of one.",
    section: "HTTP binding, end of the stream",
    advice: "Send `RUN_ERROR` when a run fails after it began, also on an exception, and `RUN_FINISHED` otherwise. If the agent is only slow, give it a longer `--timeout-ms`.",
    needs: "stream that was read to its end",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&FIRST, &AFTER_ERROR, &AFTER_FINISH, &NESTED, &TERMINAL];

/// Looks at runs.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    let answer = &reading.exchange().answer;
    if answer.events.iter().any(|event| event.kind().is_some()) {
        found.saw(&FIRST);
    }
    if reading.has(&["RUN_STARTED"]) {
        found.saw(&NESTED);
    }
    for (rule, kind) in [(&AFTER_ERROR, "RUN_ERROR"), (&AFTER_FINISH, "RUN_FINISHED")] {
        if is_followed(answer, kind) {
            found.saw(rule);
        }
    }
    let kind = |event: usize| reading.kind(event);
    for broken in reading.of("V1") {
        let message = format!(
            "the first event is `{}`; expected `RUN_STARTED` or `RUN_ERROR`",
            kind(broken.event)
        );
        found.at(&FIRST, broken.event, message);
    }
    for broken in reading.of("V2") {
        let message = format!(
            "`{}` follows `RUN_ERROR`; expected the end of the stream or `RUN_STARTED` of another run",
            kind(broken.event)
        );
        found.at(&AFTER_ERROR, broken.event, message);
    }
    for broken in reading.of("V3") {
        let message = format!(
            "`{}` follows `RUN_FINISHED`; expected the end of the stream, `RUN_STARTED` of another run or `RUN_ERROR`",
            kind(broken.event)
        );
        found.at(&AFTER_FINISH, broken.event, message);
    }
    for broken in reading.of("V4") {
        let run = |number: usize| {
            let event = answer.events.get(number);
            event.and_then(|event| event.text("runId")).unwrap_or("?")
        };
        let mut before = (0..broken.event).rev();
        let active = before.find(|number| kind(*number) == "RUN_STARTED");
        let message = format!(
            "run `{}` begins while run `{}` has not ended",
            run(broken.event),
            active.map_or("?", run)
        );
        found.at(&NESTED, broken.event, message);
    }
    look_at_end(reading.exchange(), found);
}

/// Tells whether there is a last word of this type, and it is known what follows it, if only the end of the stream.
fn is_followed(answer: &Answer, kind: &str) -> bool {
    let first = answer.of_kind(kind).next();
    first.is_some_and(|(number, _)| answer.is_whole() || number + 1 < answer.events.len())
}

fn look_at_end(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    let is_judged =
        answer.is_whole() || exchange.asked != Asked::Abort && answer.unended().is_some();
    if !is_judged {
        return;
    }
    found.saw(&TERMINAL);
    let n_events = match answer.events.len() {
        1 => "1 event".to_owned(),
        n => format!("{n} events"),
    };
    let message = match answer.last_word() {
        Some((_, "RUN_FINISHED" | "RUN_ERROR")) => return,
        _ if answer.events.is_empty() => format!("{} without a single event", how(answer)),
        Some((number, _)) => {
            let run = answer
                .events
                .get(number)
                .and_then(|event| event.text("runId"));
            format!(
                "{} after {n_events}, but run `{}`, begun at event {number}, has neither `RUN_FINISHED` nor `RUN_ERROR`",
                how(answer),
                run.unwrap_or("?")
            )
        }
        None => format!(
            "{} after {n_events} without `RUN_FINISHED` or `RUN_ERROR`",
            how(answer)
        ),
    };
    let is_cut = answer.is_whole() && answer.wire.is_unfinished;
    let cut = match (is_cut, answer.framing) {
        (true, Framing::Sse) => {
            "; one more event had begun, but no blank line ends it, so it does not count"
        }
        (true, _) => "; one more event had begun, but it was cut off",
        _ => "",
    };
    found.whole(&TERMINAL, format!("{message}{cut}"));
}

/// Says how reading came to its end.
fn how(answer: &Answer) -> String {
    match &answer.ending {
        Ending::Broken(why) => format!("the connection broke ({why})"),
        Ending::GivenUp(why) => {
            let rest = |beginning| why.strip_prefix(beginning)?.strip_prefix(": ");
            match (rest(TIME_IS_OVER), rest(LIMIT_REACHED)) {
                (Some(time), _) => format!("no end came within {time}: the stream was still open"),
                (_, Some(limit)) => {
                    format!("no end came within the limit ({limit}): the stream was still open")
                }
                _ => format!("no end came ({why}): the stream was still open"),
            }
        }
        _ => "the stream ended".to_owned(),
    }
}
