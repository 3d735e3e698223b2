//! Turns that a target knows nothing of: they are refused before anything runs.

use std::collections::HashSet;

use ananke_model::case::CaseKind;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use ananke_model::plan::{McpTarget, PlannedTest, Protocol, Target, TurnAction};

use crate::parse::Found;

/// What was reported, so that a file is told once what all its tests, or cases, have in common: the file, the target, and
/// the kind of turn.
#[derive(Debug, Default)]
pub(super) struct TurnsFit(HashSet<(String, String, &'static str)>);

impl TurnsFit {
    /// Checks that the target of a test can do what its turns ask. Skipped tests ask nothing.
    pub(super) fn check(&mut self, test: &PlannedTest, found: &mut Found) {
        if test.skip.is_some() {
            return;
        }
        let target = &test.target;
        for turn in &test.turns {
            let kind = match kind(&turn.action) {
                "messages" if is_spoken(test) => "spoken",
                kind => kind,
            };
            let problem = match (&turn.action, &target.protocol) {
                (TurnAction::User { .. } | TurnAction::Messages(_), Protocol::Mcp(mcp)) => {
                    lacks_user_tool(mcp, kind)
                }
                (TurnAction::User { .. } | TurnAction::Messages(_), _)
                | (
                    TurnAction::Connect { .. } | TurnAction::Resume(_),
                    Protocol::Agui(_) | Protocol::Scripted(_),
                )
                | (TurnAction::Send(_), Protocol::A2a(_))
                | (TurnAction::Ask(_), Protocol::Mcp(_)) => None,
                (TurnAction::Connect { .. } | TurnAction::Resume(_), _) => {
                    Some(needs(kind, "an `agui`"))
                }
                (TurnAction::Send(_), _) => Some(needs(kind, "an `a2a`")),
                (TurnAction::Ask(_), _) => Some(needs(kind, "an `mcp`")),
            };
            if let Some(problem) = problem {
                self.report(test, kind, problem, &turn.place, found);
            }
        }
        if let (Some(_), Protocol::Mcp(mcp)) = (&test.dynamic, &target.protocol)
            && let Some(problem) = lacks_user_tool(mcp, "dynamic")
        {
            let place = test.case.as_ref().and_then(|case| case.place.clone());
            let place = place.unwrap_or_else(|| test.name.place.clone());
            self.report(test, "dynamic", problem, &place, found);
        }
    }

    fn report(
        &mut self,
        test: &PlannedTest,
        kind: &'static str,
        problem: Problem,
        place: &Place,
        found: &mut Found,
    ) {
        let target = described(&test.target);
        let key = (test.file.to_string(), target.clone(), kind);
        if !self.0.insert(key) {
            return;
        }
        let label = format!("{target} {}", problem.seen(&test.target));
        let diagnostic = match is_spoken(test) {
            true => Diagnostic::error_anywhere(format!("{}; {label}", problem.message)),
            false => Diagnostic::error(place, problem.message.clone()).label(label),
        };
        found.push(diagnostic.hint(problem.hint));
    }
}

/// Why a turn does not fit.
struct Problem {
    message: String,
    hint: String,
    lacks_tool: bool,
}

impl Problem {
    /// Returns what the target is instead.
    fn seen(&self, target: &Target) -> String {
        match self.lacks_tool {
            true => "has none".to_owned(),
            false => format!("is of type `{}`", type_of(&target.protocol)),
        }
    }
}

/// Tells whether the test is a message of the command line, which stands in no file.
fn is_spoken(test: &PlannedTest) -> bool {
    let case = test.case.as_deref();
    case.is_some_and(|case| case.kind == CaseKind::Message)
}

fn needs(kind: &str, target: &str) -> Problem {
    Problem {
        message: format!("`{kind}` turns need {target} target"),
        hint: "name another target, with `target` in the test or with `--target`, or leave the turn out".to_owned(),
        lacks_tool: false,
    }
}

fn lacks_user_tool(target: &McpTarget, kind: &str) -> Option<Problem> {
    let what = match kind {
        "messages" => "what a case says",
        "spoken" => "a message",
        "dynamic" => "what a simulator says",
        _ => "a `user` turn",
    };
    target.user_tool.is_none().then(|| Problem {
        message: format!("{what} needs the `userTool` of an `mcp` target"),
        hint: match kind {
            "user" => {
                "write `userTool: {name: ask, argument: question}` in the target, or an `mcp:call` turn here"
            }
            _ => "write `userTool: {name: ask, argument: question}` in the target",
        }
        .to_owned(),
        lacks_tool: true,
    })
}

/// Returns the kind of a turn as the user types it.
fn kind(action: &TurnAction) -> &'static str {
    match action {
        TurnAction::User { .. } => "user",
        TurnAction::Messages(_) => "messages",
        TurnAction::Connect { .. } => "agui:connect",
        TurnAction::Resume(_) => "agui:resume",
        TurnAction::Send(_) => "a2a:send",
        TurnAction::Ask(asked) => asked.kind(),
    }
}

fn described(target: &Target) -> String {
    match &target.name {
        Some(name) => format!("the target `{name}`"),
        None => format!("the target at {}", target.place),
    }
}

/// Returns the word under `type`.
fn type_of(protocol: &Protocol) -> &'static str {
    match protocol {
        Protocol::Agui(_) => "agui",
        Protocol::OpenAi(chat) if chat.facts.is_empty() => "openai",
        Protocol::OpenAi(_) => "assistant",
        Protocol::Command(_) => "command",
        Protocol::Scripted(_) => "scripted",
        Protocol::Script(_) => "script",
        Protocol::A2a(_) => "a2a",
        Protocol::Mcp(_) => "mcp",
    }
}
