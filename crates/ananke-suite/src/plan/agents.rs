//! Agents that are asked for help: by tests, and by the command itself.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use ananke_model::agent::AgentCall;
use ananke_model::check::{Block, Check};
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Place, Text};
use ananke_model::plan::{PlannedTest, Protocol, Target};

use super::assemble::{Wish, assemble};
use super::connector::{Chooser, Chosen, choose};
use super::folders::{FolderAgent, folder_of};
use super::pick::{Picked, known_ids, matching};
use super::references::References;
use super::registry::Registry;
use super::target::check_certificates;
use crate::assistants::App;
use crate::parse::{ConfigFile, Found, Prefix, agent_reference};

/// Finds the agents that are asked for help. Each is made once.
#[derive(Debug)]
pub(super) struct Agents<'a> {
    config: Option<&'a ConfigFile>,
    /// `None` for those that cannot be asked, which was reported.
    agents: HashMap<String, Option<Target>>,
}

/// Who asks for an agent.
#[derive(Clone, Copy, Debug)]
enum Caller<'c> {
    /// It is named in a file.
    Place(&'c Place),
    /// A flag names it, or the command.
    Flag(&'c str),
}

impl Caller<'_> {
    fn error(self, message: &str) -> Diagnostic {
        match self {
            Self::Place(place) => Diagnostic::error(place, message),
            Self::Flag("") => Diagnostic::error_anywhere(message),
            Self::Flag(flag) => Diagnostic::error_anywhere(format!("{flag}: {message}")),
        }
    }
}

impl<'a> Agents<'a> {
    /// Returns a finder for this config.
    pub(super) fn new(config: Option<&'a ConfigFile>) -> Self {
        Self {
            config,
            agents: HashMap::new(),
        }
    }

    /// Returns those that were found.
    pub(super) fn into_targets(self) -> BTreeMap<String, Target> {
        let agents = self.agents.into_iter();
        agents
            .filter_map(|(key, target)| Some((key, target?)))
            .collect()
    }

    /// Finds the agents that a test asks, and checks them with what the test knows.
    pub(super) fn of_test(
        &mut self,
        test: &PlannedTest,
        path: &Path,
        registry: &mut Registry<'_>,
        references: &mut References<'_>,
        found: &mut Found,
    ) {
        let from = path.parent().unwrap_or(registry.cwd);
        for call in calls(test) {
            // What `--simulator` names has no place, and is looked for once.
            if call.place == Place::default() {
                continue;
            }
            let key = call.key();
            let caller = Caller::Place(&call.place);
            let connector = call.connector.as_ref();
            self.find(&key, &call.agent, connector, caller, from, registry, found);
            if let Some(Some(target)) = self.agents.get(&key) {
                references.check_agent(target, test, found);
            }
        }
    }

    /// Finds the agent that `--simulator` names.
    pub(super) fn of_simulator(
        &mut self,
        id: &str,
        registry: &mut Registry<'_>,
        references: &mut References<'_>,
        found: &mut Found,
    ) {
        let flag = "--simulator";
        let text = Text {
            text: id.to_owned(),
            place: Place::default(),
        };
        let mut mistakes = Found::new();
        match agent_reference(&text, Prefix::Forbidden, &mut mistakes) {
            Some(id) => self.of_command(&id, flag, registry, references, found),
            None => found.extend(mistakes.into_iter().map(|mut mistake| {
                mistake.place = None;
                mistake.message = format!("{flag}: {}", mistake.message);
                mistake
            })),
        }
    }

    /// Finds an agent that the command itself asks.
    pub(super) fn of_command(
        &mut self,
        id: &str,
        flag: &str,
        registry: &mut Registry<'_>,
        references: &mut References<'_>,
        found: &mut Found,
    ) {
        let from = registry.cwd;
        self.find(id, id, None, Caller::Flag(flag), from, registry, found);
        if let Some(Some(target)) = self.agents.get(id) {
            references.check_helper(target, found);
        }
    }

    /// Finds an agent that a script may ask, with the connector that it may choose.
    pub(super) fn of_script(
        &mut self,
        call: &AgentCall,
        registry: &mut Registry<'_>,
        references: &mut References<'_>,
        found: &mut Found,
    ) {
        let (key, from) = (call.key(), registry.cwd);
        let (caller, connector) = (Caller::Flag(""), call.connector.as_ref());
        self.find(&key, &call.agent, connector, caller, from, registry, found);
        if let Some(Some(target)) = self.agents.get(&key) {
            references.check_helper(target, found);
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what is asked for, by whom, and with what"
    )]
    fn find(
        &mut self,
        key: &str,
        id: &str,
        connector: Option<&Text>,
        caller: Caller<'_>,
        from: &Path,
        registry: &mut Registry<'_>,
        found: &mut Found,
    ) {
        if let Some(Some(_)) = self.agents.get(key) {
            return;
        }
        let of_call = connector.map(|connector| Chosen {
            by: Chooser::Caller,
            ..Chosen::written(connector)
        });
        let folder;
        let of_config = self.config.map(|config| matching(config, id));
        let picked = match of_config.as_deref().unwrap_or_default() {
            [Some(picked)] => *picked,
            // It could not be read, and a diagnostic says so.
            [None] => return,
            [] => match folder_of(id, registry.app(), from) {
                Some(path) => {
                    folder = FolderAgent::new(id, path, registry.cwd);
                    folder.picked()
                }
                None => {
                    found.push(self.unknown(id, caller, registry));
                    return;
                }
            },
            several => {
                let names = several.iter().flatten().filter_map(|picked| picked.name);
                let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
                let message = format!("several targets have the agent `{id}`");
                let hint = format!("name the target: {}", names.join(", "));
                found.push(caller.error(&message).hint(hint));
                return;
            }
        };
        let wish = Wish {
            picked: Some(Picked {
                name: Some(id),
                ..picked
            }),
            chosen: choose(None, of_call, None, Some(picked.spec)),
            ..Wish::default()
        };
        let target = assemble(wish, registry, found).map(|(target, _)| target);
        let target = target.filter(|target| hears_words(target, id, caller, found));
        if let Some(target) = &target {
            check_certificates(target, registry.root, registry.variables, found);
        }
        self.agents.insert(key.to_owned(), target);
    }

    fn unknown(&self, id: &str, caller: Caller<'_>, registry: &Registry<'_>) -> Diagnostic {
        let own = self.config.map(known_ids).unwrap_or_default();
        let folders = registry.app().map(App::assistant_ids).unwrap_or_default();
        let known = own.into_iter().chain(folders.iter().map(String::as_str));
        let mut ids: Vec<&str> = Vec::new();
        for id in known {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        let known = ids;
        let diagnostic = caller.error(&format!("there is no agent `{id}`"));
        if let Some(word) = did_you_mean(id, known.iter().copied()) {
            diagnostic.hint(format!("did you mean `{word}`?"))
        } else if known.is_empty() {
            diagnostic.hint(format!(
                "write `agents: {{{id}: {{type: openai, …}}}}` in the config"
            ))
        } else {
            diagnostic.hint(format!(
                "write it under `agents` in the config, or name one of `{}`",
                known.join("`, `")
            ))
        }
    }
}

/// Tells whether an agent can be asked in words, and reports it if it cannot.
fn hears_words(target: &Target, id: &str, caller: Caller<'_>, found: &mut Found) -> bool {
    let Protocol::Mcp(mcp) = &target.protocol else {
        return true;
    };
    if mcp.user_tool.is_none() {
        let message =
            format!("the agent `{id}` cannot be asked: it is an `mcp` target without `userTool`");
        let hint = format!(
            "write `userTool: {{name: ask, argument: question}}` in it, at {}",
            target.place
        );
        found.push(caller.error(&message).hint(hint));
    }
    mcp.user_tool.is_some()
}

/// Returns every question of a test to another agent.
pub(super) fn calls(test: &PlannedTest) -> Vec<&AgentCall> {
    let led = test.dynamic.as_deref();
    let mut calls: Vec<&AgentCall> = led.iter().map(|led| &led.simulator).collect();
    let checkpoints = led.iter().flat_map(|led| &led.checkpoints);
    let turns = test.turns.iter().filter_map(|turn| turn.block.as_ref());
    let blocks = checkpoints
        .map(|checkpoint| &checkpoint.block)
        .chain(turns)
        .chain([&test.block]);
    calls.extend(blocks.flat_map(judges));
    calls
}

fn judges(block: &Block) -> impl Iterator<Item = &AgentCall> {
    block
        .demands
        .iter()
        .filter_map(|demand| match &demand.check {
            Check::Agent(check) => Some(&check.call),
            _ => None,
        })
}
