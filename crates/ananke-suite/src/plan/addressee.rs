//! The agent that a test talks to, and what it is told about who asks.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ananke_model::case::{Case, CaseKind, Identity};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use ananke_model::plan::{Prompt, Protocol, Target};
use serde_json::{Map, Value};

use super::asker::{Asker, fields, metadata};
use super::assemble::{Wish, assemble};
use super::build::{ConfigState, PlanInput, SourceTest};
use super::connector::{Chooser, Chosen, choose};
use super::pick::{Flagged, Known, Picked, flagged, of_package, only, wanted};
use super::registry::Registry;
use super::target::check_certificates;
use super::told::{Hidden, Telling, Told, tell};
use crate::discover::{PackageFolder, Packages};
use crate::parse::{CaseSpec, Found, IdentitySpec, Mapping, TargetKind, TargetSpec, TestTarget};

/// The shortest config that works, for users who have none.
const MINIMAL_CONFIG: &str = "write `ananke.config.yaml` with two lines: `version: \"1.0\"` \
    and `target: {type: agui, endpoint: \"http://localhost:8000/agent\"}`";

/// The agent of a test.
#[derive(Debug)]
pub(super) struct Addressee<'a> {
    /// How to talk to it, and what it is told.
    pub(super) target: Target,
    /// The config's target that the test began with.
    pub(super) base: Option<&'a TargetSpec>,
    /// Whether somebody wrote how long a turn may take.
    pub(super) has_turn_limit: bool,
    /// What is known of the test if it is a case.
    pub(super) case: Option<Arc<Case>>,
}

/// Finds the agent of each test. What is the same for many tests is made once.
#[derive(Debug)]
pub(super) struct Addressees<'a> {
    config: &'a ConfigState,
    known: Known<'a>,
    flagged: Flagged<'a>,
    flag_connector: Option<&'a str>,
    asker: Asker,
    /// What is told if nobody says anything.
    defaults: Map<String, Value>,
    packages: Packages,
    /// What stands in the config, by target and connector; `None` if it cannot be used.
    ready: HashMap<(*const TargetSpec, Option<String>), Option<Ready>>,
    hidden: Hidden,
    idle_options: HashSet<(Arc<str>, &'static str)>,
    /// Targets about which was told that they do not hear who asks.
    deaf: HashSet<Place>,
    /// Whether any test told its agent who asks.
    has_told: bool,
}

/// A target with its defaults.
#[derive(Clone, Debug)]
struct Ready {
    target: Target,
    identity: Option<IdentitySpec>,
    has_turn_limit: bool,
}

impl<'a> Addressees<'a> {
    /// Returns a finder for this config and these flags.
    pub(super) fn new(
        input: &PlanInput<'a>,
        known: Known<'a>,
        packages: Packages,
        found: &mut Found,
    ) -> Self {
        let name = input.asking.name;
        let flagged = match input.config {
            ConfigState::Present(_) => flagged(known, input.targets, name, found),
            ConfigState::Broken => Flagged::Refused,
            ConfigState::Absent => flagged(known, &[], name, found),
        };
        Self {
            config: input.config,
            known,
            flagged,
            flag_connector: input.asking.connector,
            asker: Asker::new(input.asking),
            defaults: fields(&Identity::default()),
            packages,
            ready: HashMap::new(),
            hidden: Hidden::new(),
            idle_options: HashSet::new(),
            deaf: HashSet::new(),
            has_told: false,
        }
    }

    /// Returns who asks, if that was said or any test told it.
    pub(super) fn identity(&self, has_cases: bool) -> Option<Identity> {
        (has_cases || self.asker.is_given || self.has_told).then(|| self.asker.of_run())
    }

    /// Returns the targets that a list names for a test: that of a flag, or else its own. `None` if no list is meant.
    pub(super) fn listed(&self, source: &SourceTest, found: &mut Found) -> Option<Vec<Picked<'a>>> {
        match (&self.flagged, &source.test.target) {
            (_, Some(TestTarget::Named(_))) | (Flagged::Refused, _) => None,
            (Flagged::Targets(picked), _) => Some(picked.clone()),
            (Flagged::Nothing, Some(TestTarget::Listed(names))) => {
                let names = names.iter();
                let picked = names.filter_map(|name| wanted(self.known, name, found));
                Some(picked.collect())
            }
            (Flagged::Nothing, Some(TestTarget::Overrides(_)) | None) => None,
        }
    }

    /// Returns the agent of a test; `None` if it has none, which is then reported. What was asked is taken out of a case.
    /// With `face` it is this one.
    pub(super) fn of_test(
        &mut self,
        source: &mut SourceTest,
        face: Option<Picked<'a>>,
        registry: &mut Registry<'_>,
        found: &mut Found,
    ) -> Option<Addressee<'a>> {
        let (ready, base) = self.ready(source, face, registry, found)?;
        let case = source.test.case.as_ref();
        if let Some(case) = case {
            self.warn_of_idle_options(&ready.target.protocol, case, source, found);
        }
        let identity = case.map_or_else(|| self.asker.of_run(), |case| self.asker.of_case(case));
        let mut target = ready.target;
        let spec = ready.identity.as_ref();
        self.tell(&mut target, spec, &identity, source, found);
        let place = source.test.place.clone();
        let case = source.test.case.as_mut();
        Some(Addressee {
            target,
            base,
            has_turn_limit: ready.has_turn_limit,
            case: case.map(|case| Arc::new(known(case, place, identity))),
        })
    }

    fn ready(
        &mut self,
        source: &SourceTest,
        face: Option<Picked<'a>>,
        registry: &mut Registry<'_>,
        found: &mut Found,
    ) -> Option<(Ready, Option<&'a TargetSpec>)> {
        let test = &source.test;
        let over = match &test.target {
            Some(TestTarget::Overrides(over)) => Some(over.as_ref()),
            Some(TestTarget::Named(_) | TestTarget::Listed(_)) | None => None,
        };
        let has_agent = self.has_agent(source);
        let picked = match self.config {
            ConfigState::Broken => return None,
            ConfigState::Present(_) if face.is_some() => face,
            ConfigState::Present(_) => Some(self.picked(source, found)?),
            ConfigState::Absent if over.is_some() => None,
            ConfigState::Absent if face.is_some() => face,
            ConfigState::Absent if has_agent => Some(self.picked(source, found)?),
            ConfigState::Absent => {
                found.push(
                    Diagnostic::error_anywhere(
                        "no `ananke.config.yaml` found here or in a folder above",
                    )
                    .hint(MINIMAL_CONFIG),
                );
                return None;
            }
        };
        let option = test.case.as_ref().and_then(|case| case.option("connector"));
        let of_case = option.and_then(|option| {
            let id = option.value.value.as_str()?;
            let place = Some(&option.value.place);
            Some(Chosen {
                id,
                place,
                by: Chooser::Caller,
            })
        });
        let spec = picked.map(|picked| picked.spec);
        let chosen = choose(self.flag_connector, of_case, over, spec);
        let wish = Wish {
            picked,
            over,
            chosen,
            timeout_ms: test.timeout_ms,
        };
        let mut make = |found: &mut Found| {
            let (target, layered) = assemble(wish, registry, found)?;
            check_certificates(&target, registry.root, registry.variables, found);
            Some(Ready {
                target,
                has_turn_limit: layered.timeout_ms.is_some(),
                identity: layered.identity,
            })
        };
        // What a test changes is its own.
        let is_shared = over.is_none() && test.timeout_ms.is_none();
        let ready = match spec.filter(|_| is_shared) {
            Some(spec) => {
                let id = chosen.map(|chosen| chosen.id.to_owned());
                let key = (std::ptr::from_ref(spec), id);
                match self.ready.get(&key) {
                    Some(Some(ready)) => Some(ready.clone()),
                    // What is wrong with a connector is reported for each case that wants it.
                    Some(None) if chosen.is_none_or(|chosen| chosen.place.is_none()) => None,
                    Some(None) | None => {
                        let ready = make(found);
                        self.ready.insert(key, ready.clone());
                        ready
                    }
                }
            }
            None => make(found),
        };
        if let (None, None, Some(over)) = (&ready, picked, over) {
            found.extend(incomplete(over));
        }
        ready.map(|ready| (ready, spec))
    }

    /// Picks the config's target of a test for which no list names any: what the test names, else the assistant whose folder a
    /// case lies in, else the only one.
    fn picked(&mut self, source: &SourceTest, found: &mut Found) -> Option<Picked<'a>> {
        if let Some(TestTarget::Named(name)) = &source.test.target {
            return wanted(self.known, name, found);
        }
        if let Flagged::Refused = self.flagged {
            return None;
        }
        match (self.package(source), self.config) {
            (Some(package), _) => of_package(self.known, &package),
            (None, ConfigState::Present(config)) => only(config, found),
            (None, ConfigState::Absent | ConfigState::Broken) => None,
        }
    }

    /// Returns the assistant whose folder a case lies in.
    fn package(&mut self, source: &SourceTest) -> Option<Arc<PackageFolder>> {
        let folder = source.path.parent().filter(|_| source.test.case.is_some());
        folder.and_then(|folder| self.packages.nearest(folder))
    }

    /// Tells whether a test has an agent although there is no config.
    fn has_agent(&mut self, source: &SourceTest) -> bool {
        !matches!(self.flagged, Flagged::Nothing)
            || matches!(
                source.test.target,
                Some(TestTarget::Named(_) | TestTarget::Listed(_))
            )
            || self.package(source).is_some()
    }

    fn tell(
        &mut self,
        target: &mut Target,
        spec: Option<&IdentitySpec>,
        identity: &Identity,
        source: &SourceTest,
        found: &mut Found,
    ) {
        let case = source.test.case.as_ref();
        let is_told = case.is_some() || self.asker.is_given || spec.is_some();
        let mut told = Map::new();
        if is_told {
            told = fields(identity);
            let metadata = metadata(identity, case);
            if !metadata.is_empty() {
                told.insert("metadata".to_owned(), Value::Object(metadata));
            }
        }
        if let Some(connector) = &target.connector {
            let connector = Value::String(connector.clone());
            told.insert("connector".to_owned(), connector);
        }
        let every_field = Mapping::default();
        let mapping = match spec {
            Some(IdentitySpec::Told(mapping)) => mapping,
            None => &every_field,
            Some(IdentitySpec::Silent) => {
                let what = "`identity: false`".to_owned();
                let is_new = || self.hidden.insert((target.place.clone(), what));
                if told != self.defaults && is_told && is_new() {
                    let message =
                        "the target has `identity: false`: the agent is not told who asks";
                    found.push(Diagnostic::warning(&target.place, message));
                }
                return;
            }
        };
        let parts = match &mut target.protocol {
            Protocol::Agui(agui) => Told {
                context: Some(&mut agui.context),
                headers: Some(&mut agui.headers),
                forwarded_props: &mut agui.forwarded_props,
            },
            Protocol::Scripted(scripted) => Told {
                context: None,
                headers: None,
                forwarded_props: &mut scripted.forwarded_props,
            },
            // It is told when it is started.
            Protocol::Command(_) | Protocol::Script(_) => {
                self.has_told |= is_told;
                return;
            }
            Protocol::A2a(_) | Protocol::Mcp(_) => {
                let what = match target.protocol {
                    Protocol::Mcp(_) => "an `mcp` target",
                    _ => "an `a2a` target",
                };
                self.warn_of_deaf(what, &target.place, case, found);
                return;
            }
            Protocol::OpenAi(chat) => {
                let hears = chat.prompts.iter().any(|prompt| prompt.has_dollars);
                self.has_told |= is_told && hears;
                if !hears {
                    self.warn_of_deaf("a chat endpoint", &target.place, case, found);
                }
                return;
            }
        };
        let place = match case {
            Some(_) => &source.test.place,
            None => self.asker.place.as_ref().unwrap_or(&target.place),
        };
        let telling = Telling {
            mapping,
            fields: told,
            defaults: &self.defaults,
            place,
        };
        self.has_told |= is_told;
        tell(parts, telling, &mut self.hidden, found);
    }

    /// Warns once of a target that does not hear who asks, if that was said.
    fn warn_of_deaf(
        &mut self,
        what: &str,
        place: &Place,
        case: Option<&CaseSpec>,
        found: &mut Found,
    ) {
        let is_said = self.asker.is_given
            || case.is_some_and(|case| case.user.is_some() || case.team.is_some());
        if is_said && self.deaf.insert(place.clone()) {
            let message = format!("{what} is not told who asks");
            found.push(
                Diagnostic::warning(place, message)
                    .label("`-u`, `-t`, `--ctx`, and `user` and `team` of a case have no effect"),
            );
        }
    }

    fn warn_of_idle_options(
        &mut self,
        protocol: &Protocol,
        case: &CaseSpec,
        source: &SourceTest,
        found: &mut Found,
    ) {
        for option in &case.options {
            let Some(label) = idle(option.name, protocol) else {
                continue;
            };
            let key = (Arc::clone(&source.file), option.name);
            // Once for a file: what one case says the others mostly say too.
            if self.idle_options.insert(key) {
                let message = format!("the option `{}` has no effect", option.name);
                found.push(Diagnostic::warning(&option.place, message).label(label));
            }
        }
    }
}

/// Returns what is to be said about the target of a test that nothing completes.
fn incomplete(over: &TargetSpec) -> Option<Diagnostic> {
    let shape = over.kind.unwrap_or(TargetKind::Agui).shape();
    let needed = shape.fields.iter().filter(|field| field.required);
    let needed: Vec<&str> = needed.map(|field| field.name).collect();
    let has = |name: &&str| over.keys.iter().any(|key| key.text == *name);
    if !over.refused.is_empty() || needed.iter().all(has) {
        return None;
    }
    let message = "`target` is incomplete and there is no config file to complete it";
    let label = format!("without a config, `{}` are needed", needed.join("` and `"));
    Some(
        Diagnostic::error(&over.place, message)
            .label(label)
            .hint(MINIMAL_CONFIG),
    )
}

/// Returns why an option of a case has no effect, if it has none.
fn idle(option: &str, protocol: &Protocol) -> Option<&'static str> {
    let is_sent = matches!(option, "connector" | "metadata");
    match protocol {
        Protocol::OpenAi(chat) if option == "metadata" => {
            let is_open =
                |prompt: &Prompt| prompt.has_dollars || prompt.content.text.contains("{{");
            let is_heard = chat.prompts.iter().any(is_open);
            (!is_heard).then_some("no prompt of the target holds `{{…}}` for it")
        }
        // A connector is refused, not ignored.
        Protocol::A2a(_) if option != "connector" => {
            Some("an `a2a` target is sent messages; `metadata` of the target goes with them")
        }
        Protocol::Mcp(_) if option != "connector" => {
            Some("an `mcp` target is sent the arguments of a tool; write them under `userTool`")
        }
        _ if is_sent => None,
        Protocol::Agui(_) => Some("an `agui` target is sent `connector` and `metadata`"),
        Protocol::Command(_) => Some("a `command` target is given `connector` and `metadata`"),
        Protocol::Script(_) => Some("a `script` target is given `connector` and `metadata`"),
        Protocol::Scripted(_) => Some("a `scripted` target is sent `metadata`"),
        Protocol::OpenAi(_) => {
            Some("`connector` decides the model, and `metadata` fills the prompts")
        }
        Protocol::A2a(_) | Protocol::Mcp(_) => None,
    }
}

/// Returns what reports repeat of a case.
fn known(case: &mut CaseSpec, place: Place, identity: Identity) -> Case {
    let metadata = match case.metadata.take().map(|json| json.value) {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    };
    let options = std::mem::take(&mut case.options).into_iter();
    let options = options.map(|option| (option.name.to_owned(), option.value.value));
    Case {
        id: case.id.text.clone(),
        kind: case.kind,
        input: case.input.take(),
        n_messages: case.n_messages,
        expected: case.expected.take(),
        metadata,
        options: options.collect(),
        identity,
        // A message stands on no line of a file.
        place: (case.kind != CaseKind::Message).then_some(place),
    }
}
