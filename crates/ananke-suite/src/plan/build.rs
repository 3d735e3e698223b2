//! Puts the plan together, test by test.

use std::path::PathBuf;
use std::sync::Arc;

use ananke_model::check::{Block, Level, SnapshotUpdate};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::{BundleSettings, Plan, PlannedTest, PlannedTurn, Target, TestId};
use ananke_model::variables::Variables;

use super::blocks::Gathered;
use super::extends::NamedBlocks;
use super::names::check_names;
use super::references::References;
use super::snapshots::Snapshots;
use super::target::{Picked, check_ca, complete, merge, pick};
use crate::parse::{ConfigFile, Found, TargetSpec, TestFile, TestTarget};

/// The shortest config that works, for users who have none.
const MINIMAL_CONFIG: &str = "write `ananke.config.yaml` with two lines: `version: \"1.0\"` \
    and `target: {type: agui, endpoint: \"http://localhost:8000/agent\"}`";

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

/// A test file that was read.
#[derive(Debug)]
pub(crate) struct SourceTest {
    /// The stable name.
    pub(crate) id: TestId,
    /// The file as the user would type it.
    pub(crate) file: Arc<str>,
    /// Where it is, absolute.
    pub(crate) path: PathBuf,
    /// Its content.
    pub(crate) test: TestFile,
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
    /// `--target`.
    pub(crate) target: Option<&'a str>,
    /// What references can have.
    pub(crate) variables: &'a Variables,
    /// `--allow-unchecked`.
    pub(crate) allow_unchecked: bool,
    /// `--update-snapshots`.
    pub(crate) update_snapshots: SnapshotUpdate,
}

/// Plans `tests` in their order. Tests that cannot be planned are left out and reported.
pub(crate) fn plan(input: PlanInput<'_>, tests: &[SourceTest], found: &mut Found) -> Plan {
    let mut references = References::new(input.variables, input.config_file);
    let mut server = None;
    let mut config_blocks = Vec::new();
    let mut bundle = BundleSettings::default();
    let named = match input.config {
        ConfigState::Present(config) => {
            check_targets(config, &references, found);
            config_blocks = blocks_of(config);
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
    let mut planned = Vec::new();
    for source in tests {
        if let Some(mut test) = plan_test(&input, source, &named, found) {
            let turn_blocks = test.turns.iter_mut().filter_map(|turn| turn.block.as_mut());
            for block in turn_blocks.chain([&mut test.block]) {
                snapshots.fill(block, source, found);
            }
            references.check_test(&test, found);
            planned.push(test);
        }
    }
    check_names(&planned, input.variables, found);
    Plan {
        tests: planned,
        server,
        root: input.root,
        config_file: input.config_file.map(ToOwned::to_owned),
        config_blocks,
        bundle,
    }
}

/// Checks the config's targets, also those that no test uses.
fn check_targets(config: &ConfigFile, references: &References<'_>, found: &mut Found) {
    for spec in targets(config) {
        if let Some(target) = complete(spec, None, None, found) {
            references.check_target(&target, found);
        }
        if let Some(assert) = &spec.assert {
            let blocks = NamedBlocks::new(&config.assertions, &mut Found::new());
            Gathered::default().add(assert, Level::Target, &blocks, found);
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
        gathered.block()
    };
    let named = config.assertions.iter().map(|(name, spec)| {
        let mut gathered = Gathered::default();
        gathered.apply(spec, Level::Test, Some(&name.text));
        gathered.block()
    });
    targets(config).map(of_target).chain(named).collect()
}

fn targets(config: &ConfigFile) -> impl Iterator<Item = &TargetSpec> {
    let named = config.targets.iter().filter_map(|(_, spec)| spec.as_ref());
    config.target.iter().chain(named)
}

fn plan_test<'a>(
    input: &PlanInput<'a>,
    source: &'a SourceTest,
    named: &NamedBlocks<'a>,
    found: &mut Found,
) -> Option<PlannedTest> {
    let test = &source.test;
    let (target, base) = test_target(input, source, found)?;
    check_ca(&target, &input.root, input.variables, found);
    let mut gathered = Gathered::default();
    let mut add = |gathered: &mut Gathered, spec, level| gathered.add(spec, level, named, found);
    if let Some(spec) = base.and_then(|base| base.assert.as_ref()) {
        add(&mut gathered, spec, Level::Target);
    }
    if let Some(TestTarget::Overrides(over)) = &test.target
        && let Some(spec) = &over.assert
    {
        add(&mut gathered, spec, Level::Target);
    }
    let mut idle = Vec::new();
    if let Some(spec) = &test.assert {
        let drops_nothing = gathered.is_empty();
        add(&mut gathered, spec, Level::Test);
        // What `extends` names may be missing, which is then reported. A test may drop what its target demands, so that only its turns are judged.
        if drops_nothing && gathered.is_empty() && spec.extends.is_empty() {
            idle.push(&spec.place);
        }
    }
    let block = gathered.block();
    let mut turns = Vec::new();
    for turn in &test.turns {
        let block = turn.assert.as_ref().map(|spec| {
            let mut gathered = gathered.for_turn();
            add(&mut gathered, spec, Level::Turn);
            if gathered.is_empty() && spec.extends.is_empty() {
                idle.push(&spec.place);
            }
            gathered.block()
        });
        turns.push(PlannedTurn {
            action: turn.action.clone(),
            timeout_ms: turn.timeout_ms,
            block,
            place: turn.place.clone(),
        });
    }
    let turn_blocks = turns.iter().filter_map(|turn| turn.block.as_ref());
    let n_demands: usize = turn_blocks
        .chain([&block])
        .map(|block| block.demands.len())
        .sum();
    if n_demands == 0 && !input.allow_unchecked && !test.is_broken {
        let place = if test.name.text.is_empty() {
            &test.place
        } else {
            &test.name.place
        };
        found.push(
            Diagnostic::error(place, "the test has nothing to check")
                .label("no `assert` at any level demands anything")
                .hint("write an `assert`, or pass `--allow-unchecked`"),
        );
    }
    if n_demands > 0 && !test.is_broken {
        found.extend(idle.into_iter().map(|place| {
            Diagnostic::warning(place, "this `assert` demands nothing")
                .hint("write what it demands, or leave it out")
        }));
    }
    Some(PlannedTest {
        id: source.id.clone(),
        name: test.name.clone(),
        file: Arc::clone(&source.file),
        tags: test.tags.clone(),
        skip: test.skip.clone(),
        target,
        hooks: test.hooks.clone(),
        turns,
        block,
    })
}

/// Returns the target of a test, and the config's target that it began with.
fn test_target<'a>(
    input: &PlanInput<'a>,
    source: &'a SourceTest,
    found: &mut Found,
) -> Option<(Target, Option<&'a TargetSpec>)> {
    let test = &source.test;
    let (wanted, over) = match &test.target {
        None => (None, None),
        Some(TestTarget::Named(name)) => (Some(name), None),
        Some(TestTarget::Overrides(over)) => (None, Some(over.as_ref())),
    };
    let Picked { name, spec } = match (input.config, over) {
        (ConfigState::Broken, _) => return None,
        (ConfigState::Present(config), _) => pick(config, wanted, input.target, found)?,
        (ConfigState::Absent, Some(over)) => {
            let target = complete(over, None, test.timeout_ms, found);
            if target.is_none() && over.refused.is_empty() {
                found.push(
                    Diagnostic::error(
                        &over.place,
                        "`target` is incomplete and there is no config file to complete it",
                    )
                    .label("without a config, `type` and `endpoint` are needed")
                    .hint(MINIMAL_CONFIG),
                );
            }
            return target.map(|target| (target, None));
        }
        (ConfigState::Absent, None) => {
            found.push(
                Diagnostic::error_anywhere(
                    "no `ananke.config.yaml` found here or in a folder above",
                )
                .hint(MINIMAL_CONFIG),
            );
            return None;
        }
    };
    let merged = match over {
        Some(over) => complete(&merge(spec, over), name, test.timeout_ms, found),
        None => complete(spec, name, test.timeout_ms, found),
    };
    merged.map(|target| (target, Some(spec)))
}
