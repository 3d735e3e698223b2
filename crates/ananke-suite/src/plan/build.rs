//! Puts the plan together, test by test.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::case::CaseKind;
use ananke_model::check::{Block, Level, SnapshotUpdate};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Sources, Text};
use ananke_model::plan::{BundleSettings, Plan, PlannedTest, PlannedTurn, TestId};
use ananke_model::script::{FindFunctions, ScriptFile};
use ananke_model::variables::Variables;

use super::addressee::{Addressee, Addressees};
use super::agents::Agents;
use super::assemble::{Wish, assemble};
use super::blocks::Gathered;
use super::chat::connector_without_key;
use super::connector::{Chosen, choose};
use super::dynamic::dynamic;
use super::extends::NamedBlocks;
use super::faces::{faces, mark};
use super::folders::Folders;
use super::names::check_names;
use super::pick::{Known, Picked};
use super::prompt_names::PromptNames;
use super::references::References;
use super::registry::Registry;
use super::script_calls::{call_scripts, scripts_of};
use super::script_tests::{ScriptSettings, script_tests};
use super::script_world::resolve;
use super::snapshots::Snapshots;
use super::turns_fit::TurnsFit;
use super::{sensitive, sent_files};
use crate::asking::AskingSpec;
use crate::discover::Packages;
use crate::parse::{ConfigFile, Found, TargetKind, TargetSpec, TestFile, TestTarget};
use crate::read_scripts::{SourceScript, without_tests};

/// A limit that no turn reaches: the longest time that can be asked for.
const NO_LIMIT_MS: u64 = i32::MAX.cast_unsigned() as u64;

/// What became of the config file.
#[derive(Debug)]
pub(crate) enum ConfigState {
    /// There is none.
    Absent,
    /// There is one, but it could not be read; a diagnostic says so.
    Broken,
    /// It was read.
    Present(Box<ConfigFile>),
}

/// A test that was read: a file, or a case of one.
#[derive(Clone, Debug)]
pub(crate) struct SourceTest {
    /// The stable name.
    pub(crate) id: TestId,
    /// The file as the user would type it.
    pub(crate) file: Arc<str>,
    /// Where the file is, absolute.
    pub(crate) path: PathBuf,
    /// Its content; boxed because there may be many and it is large.
    pub(crate) test: Box<TestFile>,
}

/// What planning needs beside the tests.
#[derive(Debug)]
pub(crate) struct PlanInput<'a> {
    /// The config.
    pub(crate) config: &'a ConfigState,
    /// The config file as the user would type it.
    pub(crate) config_file: Option<&'a str>,
    /// The folder of the config file.
    pub(crate) root: PathBuf,
    /// The working directory.
    pub(crate) cwd: &'a Path,
    /// `--target`.
    pub(crate) targets: &'a [String],
    /// Who asks which agent.
    pub(crate) asking: &'a AskingSpec<'a>,
    /// What references can have.
    pub(crate) variables: &'a Variables,
    /// `--allow-unchecked`.
    pub(crate) allow_unchecked: bool,
    /// `--update-snapshots`.
    pub(crate) update_snapshots: SnapshotUpdate,
    /// Finds the functions of a script.
    pub(crate) find_functions: FindFunctions,
    /// Whether `--timeout` was given.
    pub(crate) timeout_given: bool,
    /// The files in the order of the inputs.
    pub(crate) order: &'a [Arc<str>],
}

/// Plans `tests` in their order. Tests that cannot be planned are left out and reported. The files that targets are made of
/// are added to `sources`.
pub(crate) fn plan(
    input: PlanInput<'_>,
    tests: Vec<SourceTest>,
    scripts: Vec<SourceScript>,
    sources: &mut Sources,
    found: &mut Found,
) -> Plan {
    let config = match input.config {
        ConfigState::Present(config) => Some(&**config),
        ConfigState::Broken | ConfigState::Absent => None,
    };
    let mut registry = Registry::new(
        config,
        &input.root,
        input.cwd,
        input.variables,
        input.find_functions,
        sources,
    );
    let mut references = References::new(input.variables, input.config_file);
    let mut server = None;
    let mut config_blocks = Vec::new();
    let mut bundle = BundleSettings::default();
    let named = match input.config {
        ConfigState::Present(config) => {
            check_targets(config, &references, &mut registry, found);
            config_blocks = blocks_of(config);
            for block in &mut config_blocks {
                resolve(block, |call| {
                    registry.function(&call.reference, &call.place, found)
                });
            }
            server = config.server.clone();
            bundle = config.bundle.clone();
            NamedBlocks::new(&config.assertions, found)
        }
        ConfigState::Broken => NamedBlocks::unknown(),
        ConfigState::Absent => NamedBlocks::default(),
    };
    if let Some(server) = &server {
        references.check_server(server, found);
    }
    let mut snapshots = Snapshots::new(&input.root, input.update_snapshots);
    let mut packages = Packages::new(match input.config_file {
        Some(_) => &input.root,
        // Without a config the project ends nowhere.
        None => Path::new(""),
    });
    let mut sensitive = config.map(sensitive::of_config).unwrap_or_default();
    sensitive.extend(sensitive::of_tests(&tests));
    let names = input.targets.iter().map(String::as_str);
    let names = names.chain(input.asking.name);
    let folders = Folders::gather(names, &tests, registry.app(), &mut packages, input.cwd);
    let known = Known {
        config,
        folders: &folders,
    };
    let mut addressees = Addressees::new(&input, known, packages, found);
    let mut agents = Agents::new(config);
    let context = input.asking.context.iter();
    let mut prompt_names = PromptNames::new(context.flat_map(|context| context.metadata.keys()));
    let mut planned = Vec::with_capacity(tests.len());
    let mut turns_fit = TurnsFit::default();
    for source in tests {
        prompt_names.learn_case(&source);
        for face in faces(source, &addressees, found) {
            let mut source = face.source;
            let addressee = addressees.of_test(&mut source, face.picked, &mut registry, found);
            let Some(addressee) = addressee else { continue };
            let folder = addressee.base;
            let folder = folder.and_then(|spec| registry.assistant_folder(spec));
            let mut test = plan_test(&input, &mut source, addressee, &named, found);
            let turn_blocks = test.turns.iter_mut().filter_map(|turn| turn.block.as_mut());
            for block in turn_blocks.chain([&mut test.block]) {
                snapshots.fill(block, &source, face.name.as_deref(), found);
            }
            if let Some(name) = &face.name {
                mark(&mut test, name);
            }
            call_scripts(&mut test, &source, folder.as_deref(), &mut registry, found);
            references.check_test(&test, found);
            turns_fit.check(&test, found);
            if !matches!(input.config, ConfigState::Broken) {
                agents.of_test(&test, &source.path, &mut registry, &mut references, found);
            }
            prompt_names.learn_test(&test);
            planned.push(test);
        }
    }
    if !matches!(input.config, ConfigState::Broken) {
        if let Some(id) = input.asking.simulator {
            agents.of_simulator(id, &mut registry, &mut references, found);
        }
        for id in input.asking.helpers {
            agents.of_command(id, "", &mut registry, &mut references, found);
        }
    }
    let has_functions = !scripts.is_empty();
    let idle = scripts.iter().filter(|source| source.functions.is_empty());
    let idle: Vec<Arc<ScriptFile>> = idle.map(|source| Arc::clone(&source.file)).collect();
    let settings = ScriptSettings {
        timeout_given: input.timeout_given,
        allow_unchecked: input.allow_unchecked,
    };
    let functions = scripts.into_iter();
    planned.extend(functions.flat_map(|source| script_tests(source, settings)));
    if has_functions {
        in_order(&mut planned, input.order);
    }
    check_names(&planned, input.variables, found);
    let agents = agents.into_targets();
    prompt_names.check(&planned, &agents, found);
    let scripts = scripts_of(&input, config, &planned, &agents, &mut registry, found);
    // A file may hold nothing but hooks.
    let idle = idle
        .iter()
        .filter(|file| !registry.functions.has_read(&file.path));
    found.extend(idle.map(|file| without_tests(file)));
    references.check_grants(&scripts.grants, found);
    sensitive.append(&mut registry.sensitive);
    let is_asking = |test: &PlannedTest| test.case.is_some() || test.script.is_some();
    let has_cases = planned.iter().any(is_asking);
    Plan {
        tests: planned,
        server,
        root: input.root,
        config_file: input.config_file.map(ToOwned::to_owned),
        config_blocks,
        bundle,
        identity: addressees.identity(has_cases),
        agents,
        scripts,
        sensitive,
    }
}

/// Puts the tests into the order of the inputs.
fn in_order(tests: &mut [PlannedTest], files: &[Arc<str>]) {
    let order = files.iter().enumerate();
    let order: HashMap<&str, usize> = order.map(|(index, file)| (&**file, index)).collect();
    let last = files.len();
    tests.sort_by_key(|test| order.get(&*test.file).copied().unwrap_or(last));
}

/// Checks the config's targets and agents with all their connectors, also those that no test uses.
fn check_targets(
    config: &ConfigFile,
    references: &References<'_>,
    registry: &mut Registry<'_>,
    found: &mut Found,
) {
    let variables = registry.variables;
    for spec in targets(config) {
        let picked = Some(Picked { name: None, spec });
        let own = choose(None, None, None, Some(spec));
        let connectors = spec.connectors.iter().flatten();
        let connectors = connectors.map(|(id, _)| Some(Chosen::written(id)));
        // A chat target may be incomplete without its connector.
        let bare = (own.is_none() || spec.kind == Some(TargetKind::Agui)).then_some(None);
        let own = own.map(Some);
        for chosen in bare.into_iter().chain(own).chain(connectors) {
            let wish = Wish {
                picked,
                chosen,
                ..Wish::default()
            };
            if let Some((target, _)) = assemble(wish, registry, found) {
                references.check_target(&target, found);
            }
        }
        if let Some(assert) = &spec.assert {
            let blocks = NamedBlocks::new(&config.assertions, &mut Found::new());
            Gathered::default().add(assert, Level::Target, &blocks, found);
        }
    }
    for (id, connector) in &config.connectors {
        let Some(connector) = connector else { continue };
        references.check_connector(connector, found);
        let names = |spec: &TargetSpec| {
            spec.connector
                .as_ref()
                .is_some_and(|own| own.text == id.text)
        };
        if !targets(config).any(names) {
            found.extend(connector_without_key(connector, variables));
        }
    }
}

/// Returns every block that stands in the config, without what it extends.
fn blocks_of(config: &ConfigFile) -> Vec<Block> {
    let of_target = |spec: &'_ TargetSpec| {
        let mut gathered = Gathered::default();
        if let Some(assert) = &spec.assert {
            gathered.apply(assert, Level::Target, None);
        }
        gathered.into_block()
    };
    let named = config.assertions.iter().map(|(name, spec)| {
        let mut gathered = Gathered::default();
        gathered.apply(spec, Level::Test, Some(&name.text));
        gathered.into_block()
    });
    targets(config).map(of_target).chain(named).collect()
}

fn targets(config: &ConfigFile) -> impl Iterator<Item = &TargetSpec> {
    let named = config.targets.iter().chain(&config.agents);
    let named = named.filter_map(|(_, spec)| spec.as_ref());
    config.target.iter().chain(named)
}

/// Plans a test. What is handed on is taken out of it, since there may be many.
fn plan_test(
    input: &PlanInput<'_>,
    source: &mut SourceTest,
    addressee: Addressee<'_>,
    named: &NamedBlocks<'_>,
    found: &mut Found,
) -> PlannedTest {
    let written = std::mem::take(&mut source.test.turns);
    let test = &source.test;
    let mut gathered = Gathered::default();
    if let Some(spec) = addressee.base.and_then(|base| base.assert.as_ref()) {
        gathered.add(spec, Level::Target, named, found);
    }
    if let Some(TestTarget::Overrides(over)) = &test.target
        && let Some(spec) = &over.assert
    {
        gathered.add(spec, Level::Target, named, found);
    }
    let mut idle = Vec::new();
    if let Some(spec) = &test.assert {
        let drops_nothing = gathered.is_empty();
        gathered.add(spec, Level::Test, named, found);
        // What `extends` names may be missing, which is then reported. A test may drop what its target demands, so that only its turns are judged.
        if drops_nothing && gathered.is_empty() && spec.extends.is_empty() {
            idle.push(spec.place.clone());
        }
    }
    let turn_limit = turn_limit(test, &addressee);
    let mut turns = Vec::with_capacity(written.len());
    let folder = source.path.parent().unwrap_or(input.cwd);
    for mut turn in written {
        sent_files::fill(&mut turn.action, &turn.files, folder, input.cwd, found);
        let block = turn.assert.as_ref().map(|spec| {
            let mut gathered = gathered.for_turn();
            gathered.add(spec, Level::Turn, named, found);
            if gathered.is_empty() && spec.extends.is_empty() {
                idle.push(spec.place.clone());
            }
            gathered.into_block()
        });
        turns.push(PlannedTurn {
            action: turn.action,
            timeout_ms: turn.timeout_ms.or(turn_limit),
            block,
            place: turn.place,
        });
    }
    let block = gathered.into_block();
    let led = test.case.as_ref().and_then(|case| case.dynamic.as_deref());
    let led = led.and_then(|spec| dynamic(spec, input.asking.simulator, named, found));
    let turn_blocks = turns.iter().filter_map(|turn| turn.block.as_ref());
    let checkpoints = led.iter().flat_map(|led| &led.checkpoints);
    let n_demands: usize = turn_blocks
        .chain(checkpoints.map(|checkpoint| &checkpoint.block))
        .chain([&block])
        .map(|block| block.demands.len())
        .sum();
    if n_demands == 0 && !input.allow_unchecked && !test.is_broken {
        found.extend(unchecked(test));
    }
    if n_demands > 0 && !test.is_broken {
        found.extend(idle.into_iter().map(|place| {
            Diagnostic::warning(&place, "this `assert` demands nothing")
                .hint("write what it demands, or leave it out")
        }));
    }
    PlannedTest {
        id: source.id.clone(),
        name: source.test.name.clone(),
        file: Arc::clone(&source.file),
        tags: std::mem::take(&mut source.test.tags),
        skip: source
            .test
            .skip
            .take()
            .filter(|skip| says_something(skip, input)),
        target: addressee.target,
        hooks: std::mem::take(&mut source.test.hooks),
        turns,
        block,
        timeout_ms: source.test.case.as_ref().and_then(|case| case.timeout_ms),
        case: addressee.case,
        dynamic: led.map(Box::new),
        script: None,
        before: None,
        after: None,
    }
}

/// Tells whether a reason is left once its references have their values: `skip: ${ENV.REASON:-}` skips only for a reason.
fn says_something(skip: &Text, input: &PlanInput<'_>) -> bool {
    let is_empty = |reason: String| reason.trim().is_empty();
    !input.variables.text(&skip.text).is_ok_and(is_empty)
}

/// Returns the limit of each turn, if it is not the target's. A case is one turn, so its own limit, or else `--timeout`,
/// counts unless the config has one for turns.
fn turn_limit(test: &TestFile, addressee: &Addressee<'_>) -> Option<u64> {
    let case = test.case.as_ref()?;
    let is_free = case.timeout_ms.is_some() || !addressee.has_turn_limit;
    is_free.then_some(NO_LIMIT_MS)
}

/// Returns what is to be said about a test that checks nothing; a message need not check anything.
fn unchecked(test: &TestFile) -> Option<Diagnostic> {
    let diagnostic = match &test.case {
        Some(case) if case.kind == CaseKind::Message => return None,
        // Its checkpoints are refused one by one.
        Some(case) if case.dynamic.is_some() => return None,
        Some(case) => {
            let message = format!("the case `{}` has nothing to check", case.id.text);
            Diagnostic::error(&case.id.place, message)
                .label("no `assert`, `assertions` or `expected` demands anything")
                .hint("write `\"assert\": {\"type\": \"contains\", \"value\": \"…\"}`, or pass `--allow-unchecked`")
        }
        None => {
            let place = if test.name.text.is_empty() {
                &test.place
            } else {
                &test.name.place
            };
            Diagnostic::error(place, "the test has nothing to check")
                .label("no `assert` at any level demands anything")
                .hint("write an `assert`, or pass `--allow-unchecked`")
        }
    };
    Some(diagnostic)
}
