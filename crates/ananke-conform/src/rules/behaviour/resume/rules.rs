//! The rules about answers to interrupts.

use ananke_model::conformance::{Layer, Level};

use crate::rule::Rule;

pub(super) static RESOLVED: Rule = Rule {
    id: "behaviour.resume-resolved",
    layer: Layer::Behaviour,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "an interrupt that is resolved is not asked again",
    reason: "The client answered it and forgot it, so the same id a second time leaves the user in a circle.",
    section: "Interrupts: resuming, `resolved`",
    advice: "Read `resume` before the agent runs, match answers by `interruptId`, and give a further question an id of its own.",
    needs: "finished run that resolves interrupts",
};

pub(super) static CANCELLED: Rule = Rule {
    id: "behaviour.resume-cancelled",
    layer: Layer::Behaviour,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "an interrupt that is cancelled ends without an error, and its call is not carried out",
    reason: "To cancel is a right answer: the user does not want it, and the conversation goes on.",
    section: "Interrupts: resuming, `cancelled`",
    advice: "Look at the `status` of an answer, not only at its payload. Answer the call with a result that says that it was declined, and go on.",
    needs: "run that cancels interrupts",
};

pub(super) static UNCOVERED: Rule = Rule {
    id: "behaviour.resume-uncovered",
    layer: Layer::Behaviour,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "what waits for an answer is not done without one",
    reason: "A server that knows of an open interrupt refuses the run or asks again; doing what nobody approved makes the question worthless, while one that keeps nothing need not check.",
    section: "Interrupts: runs that do not answer them",
    advice: "Before a call that needs approval is carried out, look for its answer in `resume`; without one, ask again, send RUN_ERROR, or leave the call alone.",
    needs: "refusal, second interrupt or unapproved result after an interrupt without an answer",
};

pub(super) static UNKNOWN: Rule = Rule {
    id: "behaviour.resume-unknown",
    layer: Layer::Behaviour,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "an answer to an unknown interrupt does not fail the run",
    reason: "The answer may be for an interrupt that is over, so a server goes on with those it knows and may warn.",
    section: "Interrupts: resuming, unknown entries",
    advice: "Skip entries of `resume` whose `interruptId` is not known.",
    needs: "run with an unknown answer, and one with only the right ones that finished",
};

pub(super) static WRONG_PAYLOAD: Rule = Rule {
    id: "behaviour.resume-wrong-payload",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Should),
    title: "a payload that does not match the `responseSchema` is not taken for an approval",
    reason: "The interrupt says what an answer looks like, and acting on anything else means that any answer approves.",
    section: "Interrupts: `responseSchema`, resuming",
    advice: "Check the payload before it is acted on; ask again, send RUN_ERROR, or answer the call with what is wrong.",
    needs: "run that answers an interrupt with a `responseSchema` wrongly",
};

pub(in crate::rules::behaviour) const RULES: &[&Rule] =
    &[&RESOLVED, &CANCELLED, &UNCOVERED, &UNKNOWN, &WRONG_PAYLOAD];
