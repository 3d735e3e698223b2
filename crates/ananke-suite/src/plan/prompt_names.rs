//! `{{names}}` in prompts that nobody gives a value: they would be sent as they are written.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Place};
use ananke_model::plan::{PlannedTest, Prompt, Protocol, Target};
use serde_json::Value;

use super::agents::calls;
use super::build::SourceTest;
use crate::parse::Found;

/// What is told by the run itself, to one helper or another.
const TOLD: [&str; 16] = [
    "checkpoints_pending",
    "checkpoints_reached",
    "conversation",
    "count",
    "criteria",
    "focus",
    "format",
    "goal",
    "input",
    "max_turns",
    "output",
    "persona",
    "report",
    "target_agent",
    "test_mode",
    "turn_number",
];

/// The names that have values somewhere in the suite.
#[derive(Debug)]
pub(super) struct PromptNames {
    known: BTreeSet<String>,
    /// Agents that tests ask, by their keys in the plan.
    asked: BTreeSet<String>,
}

impl PromptNames {
    /// Returns what is always known, and the metadata of who asks.
    pub(super) fn new<'m>(metadata: impl Iterator<Item = &'m String>) -> Self {
        let mut known: BTreeSet<String> = TOLD.into_iter().map(ToOwned::to_owned).collect();
        known.extend(metadata.cloned());
        Self {
            known,
            asked: BTreeSet::new(),
        }
    }

    /// Learns what a case writes; before it is planned, since that takes the case apart.
    pub(super) fn learn_case(&mut self, source: &SourceTest) {
        if let Some(case) = &source.test.case {
            let option = case.option("metadata").map(|option| &option.value);
            self.learn(case.metadata.as_ref().into_iter().chain(option));
        }
    }

    /// Learns what a test tells the agents that it asks.
    pub(super) fn learn_test(&mut self, test: &PlannedTest) {
        for call in calls(test) {
            self.learn(call.metadata.iter());
            self.asked.insert(call.key());
        }
    }

    fn learn<'j>(&mut self, metadata: impl Iterator<Item = &'j Json>) {
        for json in metadata {
            if let Value::Object(members) = &json.value {
                self.known.extend(members.keys().cloned());
            }
        }
    }

    /// Warns of names that nobody knows, in the prompts of the agents that tests talk to. What a command asks of others is
    /// not known here.
    pub(super) fn check(
        &self,
        tests: &[PlannedTest],
        agents: &BTreeMap<String, Target>,
        found: &mut Found,
    ) {
        let asked = agents.iter().filter(|(key, _)| self.asked.contains(*key));
        let targets = tests.iter().map(|test| &test.target);
        let mut seen: HashSet<&Place> = HashSet::new();
        for target in targets.chain(asked.map(|(_, target)| target)) {
            let Protocol::OpenAi(chat) = &target.protocol else {
                continue;
            };
            for prompt in &chat.prompts {
                if prompt.content.text.contains("{{") && seen.insert(&prompt.content.place) {
                    self.check_prompt(prompt, found);
                }
            }
        }
    }

    fn check_prompt(&self, prompt: &Prompt, found: &mut Found) {
        let unknown: BTreeSet<&str> = names(&prompt.content.text)
            .filter(|name| !self.known.contains(*name))
            .collect();
        for name in unknown {
            let message = format!("nobody says what `{{{{{name}}}}}` stands for");
            let diagnostic = Diagnostic::warning(&prompt.content.place, message)
                .label("it is sent as it is written");
            let known = self.known.iter().map(String::as_str);
            found.push(match did_you_mean(name, known) {
                Some(word) => diagnostic.hint(format!("did you mean `{{{{{word}}}}}`?")),
                None => diagnostic.hint(format!(
                    "give it as `{name}` in the `metadata` of a case, or of the question to this agent"
                )),
            });
        }
    }
}

/// Returns the names in a prompt.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.split("{{").skip(1).filter_map(move |rest| {
        let (name, _) = rest.split_once("}}")?;
        let name = name.trim();
        (!name.is_empty() && name.chars().all(is_inner)).then_some(name)
    })
}
