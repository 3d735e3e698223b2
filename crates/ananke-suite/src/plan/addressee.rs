//! The agent that a test talks to, and what it is told about who asks.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::case::{Case, Identity};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::{Protocol, Target};
use ananke_model::variables::Variables;
use serde_json::{Map, Value};

use super::asker::{Asker, fields, metadata};
use super::build::{ConfigState, PlanInput, SourceTest};
use super::connector::{Chosen, choose, connector, layered};
use super::pick::{Flagged, Picked, flagged, of_package, only, wanted};
use super::target::{check_ca, complete};
use super::told::{Hidden, Telling, tell};
use crate::discover::Packages;
use crate::parse::{CaseSpec, Found, IdentitySpec, Mapping, TargetSpec, TestTarget};

/// The shortest config that works, for users who have none.
const MINIMAL_CONFIG: &str = "write `ananke.config.yaml` with two lines: `version: \"1.0\"` \
    and `target: {type: agui, endpoint: \"http://localhost:8000/agent\"}`";

/// Options of a case that change what is sent.
const EFFECTIVE_OPTIONS: [&str; 2] = ["connector", "metadata"];

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
    flagged: Flagged<'a>,
    flag_connector: Option<&'a str>,
    asker: Asker,
    /// What is told if nobody says anything.
    defaults: Map<String, Value>,
    cwd: &'a Path,
    root: PathBuf,
    variables: &'a Variables,
    packages: Packages,
    /// What stands in the config, by target and connector; `None` if it cannot be used.
    ready: HashMap<(*const TargetSpec, Option<String>), Option<Ready>>,
    hidden: Hidden,
    idle_options: HashSet<(Arc<str>, &'static str)>,
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
    pub(super) fn new(input: &PlanInput<'a>, found: &mut Found) -> Self {
        let name = input.asking.name;
        let flagged = match input.config {
            ConfigState::Present(config) => flagged(config, input.target, name, found),
            ConfigState::Broken => Flagged::Refused,
            ConfigState::Absent => {
                if let Some(name) = name {
                    let message = format!("-n: there is no config file that could know `{name}`");
                    found.push(Diagnostic::error_anywhere(message));
                }
                Flagged::Nothing
            }
        };
        Self {
            config: input.config,
            flagged,
            flag_connector: input.asking.connector,
            asker: Asker::new(input.asking),
            defaults: fields(&Identity::default()),
            cwd: input.cwd,
            root: input.root.clone(),
            variables: input.variables,
            packages: Packages::new(match input.config_file {
                Some(_) => &input.root,
                // Without a config the project ends nowhere.
                None => Path::new(""),
            }),
            ready: HashMap::new(),
            hidden: Hidden::new(),
            idle_options: HashSet::new(),
        }
    }

    /// Returns who asks, if that was said or the tests are such that tell it.
    pub(super) fn identity(&self, has_cases: bool) -> Option<Identity> {
        (has_cases || self.asker.is_given).then(|| self.asker.of_run())
    }

    /// Returns the agent of a test; `None` if it has none, which is then reported. What was asked is taken out of a case.
    pub(super) fn of_test(
        &mut self,
        source: &mut SourceTest,
        found: &mut Found,
    ) -> Option<Addressee<'a>> {
        let (ready, base) = self.ready(source, found)?;
        let case = source.test.case.as_ref();
        if let Some(case) = case {
            self.warn_of_idle_options(case, source, found);
        }
        let identity = case.map_or_else(|| self.asker.of_run(), |case| self.asker.of_case(case));
        let mut target = ready.target;
        let spec = ready.identity.as_ref();
        self.tell(&mut target, spec, &identity, source, found);
        let case = source.test.case.as_mut();
        Some(Addressee {
            target,
            base,
            has_turn_limit: ready.has_turn_limit,
            case: case.map(|case| Arc::new(known(case, identity))),
        })
    }

    fn ready(
        &mut self,
        source: &SourceTest,
        found: &mut Found,
    ) -> Option<(Ready, Option<&'a TargetSpec>)> {
        let test = &source.test;
        let over = match &test.target {
            Some(TestTarget::Overrides(over)) => Some(over.as_ref()),
            Some(TestTarget::Named(_)) | None => None,
        };
        let picked = match self.config {
            ConfigState::Broken => return None,
            ConfigState::Present(_) => Some(self.picked(source, found)?),
            ConfigState::Absent if over.is_some() => None,
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
            Some(Chosen { id, place })
        });
        let spec = picked.map(|picked| picked.spec);
        let chosen = choose(self.flag_connector, of_case, over, spec);
        let make = |found: &mut Found| {
            let changes = match chosen {
                Some(chosen) => Some(connector(chosen, picked, over, found)?),
                None => None,
            };
            let layered = match (spec, over) {
                (Some(spec), over) => layered(spec, changes, over),
                (None, over) => layered(over?, changes, None),
            };
            let name = picked.and_then(|picked| picked.name);
            let mut target = complete(&layered, name, test.timeout_ms, found)?;
            target.connector = chosen.map(|chosen| chosen.id.to_owned());
            check_ca(&target, &self.root, self.variables, found);
            Some(Ready {
                target,
                has_turn_limit: layered.timeout_ms.is_some(),
                identity: layered.identity,
            })
        };
        // What a test changes is its own. A connector that is not known is reported for each case that wants it.
        let is_shared = over.is_none()
            && test.timeout_ms.is_none()
            && chosen.is_none_or(|chosen| is_known(chosen, picked) || chosen.place.is_none());
        let ready = match spec.filter(|_| is_shared) {
            Some(spec) => {
                let id = chosen.map(|chosen| chosen.id.to_owned());
                let key = (std::ptr::from_ref(spec), id);
                match self.ready.get(&key) {
                    Some(ready) => ready.clone(),
                    None => {
                        let ready = make(found);
                        self.ready.insert(key, ready.clone());
                        ready
                    }
                }
            }
            None => make(found),
        };
        if let (None, None, Some(over)) = (&ready, picked, over)
            && over.refused.is_empty()
            && (over.kind.is_none() || over.endpoint.is_none())
        {
            found.push(
                Diagnostic::error(
                    &over.place,
                    "`target` is incomplete and there is no config file to complete it",
                )
                .label("without a config, `type` and `endpoint` are needed")
                .hint(MINIMAL_CONFIG),
            );
        }
        ready.map(|ready| (ready, spec))
    }

    /// Picks the config's target of a test: what the test names, else what a flag names, else the assistant whose folder a
    /// case lies in, else the only one.
    fn picked(&mut self, source: &SourceTest, found: &mut Found) -> Option<Picked<'a>> {
        let ConfigState::Present(config) = self.config else {
            return None;
        };
        if let Some(TestTarget::Named(name)) = &source.test.target {
            return wanted(config, name, found);
        }
        match self.flagged {
            Flagged::Target(picked) => return Some(picked),
            Flagged::Refused => return None,
            Flagged::Nothing => {}
        }
        let folder = source.path.parent().filter(|_| source.test.case.is_some());
        match folder.and_then(|folder| self.packages.nearest(folder)) {
            Some(package) => of_package(config, &package, self.cwd, found),
            None => only(config, found),
        }
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
        let Protocol::Agui(agui) = &mut target.protocol else {
            return;
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
        tell(agui, telling, &mut self.hidden, found);
    }

    fn warn_of_idle_options(&mut self, case: &CaseSpec, source: &SourceTest, found: &mut Found) {
        for option in &case.options {
            if EFFECTIVE_OPTIONS.contains(&option.name) {
                continue;
            }
            let key = (Arc::clone(&source.file), option.name);
            // Once for a file: what one case says the others mostly say too.
            if self.idle_options.insert(key) {
                let message = format!("the option `{}` has no effect", option.name);
                found.push(
                    Diagnostic::warning(&option.place, message)
                        .label("an `agui` target is sent `connector` and `metadata`"),
                );
            }
        }
    }
}

/// Tells whether the config's target has a connector of this name.
fn is_known(chosen: Chosen<'_>, picked: Option<Picked<'_>>) -> bool {
    let connectors = picked.and_then(|picked| picked.spec.connectors.as_ref());
    let connectors = connectors.map(Vec::as_slice).unwrap_or_default();
    connectors.iter().any(|(id, _)| id.text == chosen.id)
}

/// Returns what reports repeat of a case.
fn known(case: &mut CaseSpec, identity: Identity) -> Case {
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
    }
}
