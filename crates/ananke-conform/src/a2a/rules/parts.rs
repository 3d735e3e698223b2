//! Messages, artifacts and their parts.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::A2aAsked;
use super::super::wire::{self, Kind as Thing, is_new};
use crate::exchange::Exchange;
use crate::rpc::{Kind, member, replies};
use crate::rule::{Findings, Rule};

static MESSAGE_SHAPE: Rule = Rule {
    id: "a2a.message-shape",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a message has an id, a role and parts",
    reason: "Messages are told apart by their ids, and who said them by their role.",
    section: "Message",
    advice: "Fill in `messageId`, `role` (`ROLE_AGENT` in 1.0, `agent` in 0.3) and at least one part.",
    needs: "message of the agent",
};

static ARTIFACT_SHAPE: Rule = Rule {
    id: "a2a.artifact-shape",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "an artifact has an id and parts",
    reason: "Pieces of an artifact are put together by its id.",
    section: "Artifact",
    advice: "Fill in `artifactId`, and `parts` as a list.",
    needs: "artifact",
};

static PART_SHAPE: Rule = Rule {
    id: "a2a.part-shape",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a part holds exactly one thing: text, data or a file",
    reason: "Clients read a part by what it holds, and drop what they cannot tell.",
    section: "Part",
    advice: "In 1.0 give a part one of `text`, `data`, `raw` and `url`; in 0.3 a `kind` of `text`, `data` or `file` with that member.",
    needs: "part of a message or an artifact",
};

pub(super) const RULES: &[&Rule] = &[&MESSAGE_SHAPE, &ARTIFACT_SHAPE, &PART_SHAPE];

pub(super) fn look(exchange: &Exchange, asked: A2aAsked, found: &mut Findings) {
    let is_new = is_new(found.profile);
    for reply in replies(&exchange.answer) {
        let Some(result) = reply.result() else {
            continue;
        };
        let thing = match asked {
            _ if asked.is_message() => wire::kind(result, is_new).ok(),
            A2aAsked::Get => Some((Thing::Task, result)),
            _ => None,
        };
        let mut looker = Looker {
            event: reply.event,
            is_new,
            found,
        };
        match thing {
            Some((Thing::Message, message)) => looker.message("message", message),
            Some((Thing::Artifact, update)) => {
                if let Some(artifact) = update.get("artifact") {
                    looker.artifact("artifact", artifact);
                }
            }
            Some((Thing::Task | Thing::Status, content)) => looker.task(content),
            None => {}
        }
    }
}

struct Looker<'a> {
    event: Option<usize>,
    is_new: bool,
    found: &'a mut Findings,
}

impl Looker<'_> {
    fn task(&mut self, content: &Value) {
        let said = content
            .get("status")
            .and_then(|status| status.get("message"));
        if let Some(message) = said.filter(|message| !message.is_null()) {
            self.message("status.message", message);
        }
        let list = |name: &str| {
            content
                .get(name)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        for (number, message) in list("history").enumerate() {
            self.message(&format!("history[{number}]"), message);
        }
        for (number, artifact) in list("artifacts").enumerate() {
            self.artifact(&format!("artifacts[{number}]"), artifact);
        }
    }

    fn message(&mut self, place: &str, message: &Value) {
        self.found.saw(&MESSAGE_SHAPE);
        let members = [("messageId", Kind::Name), ("parts", Kind::List)];
        let mut problems: Vec<String> = members
            .iter()
            .filter_map(|(name, kind)| member(message, name, *kind))
            .collect();
        let roles = match self.is_new {
            true => ["ROLE_AGENT", "ROLE_USER"],
            false => ["agent", "user"],
        };
        match message.get("role").and_then(Value::as_str) {
            Some(role) if roles.contains(&role) => {}
            Some(role) => problems.push(format!(
                "`role` should be `{}` or `{}`, and is `{role}`",
                roles[0], roles[1]
            )),
            None => problems.extend(member(message, "role", Kind::Name)),
        }
        for problem in problems {
            let message = format!("`{place}`: {problem}");
            self.found.told(&MESSAGE_SHAPE, self.event, message);
        }
        self.parts(place, message);
    }

    fn artifact(&mut self, place: &str, artifact: &Value) {
        self.found.saw(&ARTIFACT_SHAPE);
        let members = [("artifactId", Kind::Name), ("parts", Kind::List)];
        for problem in members
            .iter()
            .filter_map(|(name, kind)| member(artifact, name, *kind))
        {
            let message = format!("`{place}`: {problem}");
            self.found.told(&ARTIFACT_SHAPE, self.event, message);
        }
        self.parts(place, artifact);
    }

    fn parts(&mut self, place: &str, holder: &Value) {
        let parts = holder.get("parts").and_then(Value::as_array);
        for (number, part) in parts.into_iter().flatten().enumerate() {
            self.found.saw(&PART_SHAPE);
            if let Some(problem) = part_problem(part, self.is_new) {
                let message = format!("`{place}.parts[{number}]`: {problem}");
                self.found.told(&PART_SHAPE, self.event, message);
            }
        }
    }
}

fn part_problem(part: &Value, is_new: bool) -> Option<String> {
    if is_new {
        let holds = ["text", "data", "raw", "url"];
        let n_there = holds
            .iter()
            .filter(|name| part.get(**name).is_some())
            .count();
        return (n_there != 1).then(|| {
            format!(
                "expected exactly one of `text`, `data`, `raw` and `url`, saw {n_there} of them"
            )
        });
    }
    match part.get("kind").and_then(Value::as_str) {
        Some("text") => member(part, "text", Kind::Text),
        Some("data") => member(part, "data", Kind::Object),
        Some("file") => member(part, "file", Kind::Object),
        Some(other) => Some(format!(
            "`kind` should be `text`, `data` or `file`, and is `{other}`"
        )),
        None => member(part, "kind", Kind::Name),
    }
}
