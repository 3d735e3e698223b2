//! Test functions of scripts as tests. They need no config and no agent of their own.

use std::sync::Arc;

use ananke_model::check::Block;
use ananke_model::place::{Place, Text};
use ananke_model::plan::{Limits, PlannedTest, Protocol, ScriptTarget, Target, TestId};
use ananke_model::script::{ScriptCall, ScriptTest, TestFunction};

use crate::read_scripts::{BROKEN_FILE, SourceScript};

/// How long a test function may take if nobody says so.
const TIMEOUT_MS: u64 = 30_000;

/// What the command line says about test functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScriptSettings {
    /// Whether `--timeout` was given.
    pub(super) timeout_given: bool,
    /// `--allow-unchecked`.
    pub(super) allow_unchecked: bool,
}

/// Plans every function of a file.
pub(super) fn script_tests(
    source: SourceScript,
    settings: ScriptSettings,
) -> impl Iterator<Item = PlannedTest> {
    let SourceScript {
        id,
        file,
        digest,
        functions,
    } = source;
    let planned = move |mut function: TestFunction| {
        // Whoever permits tests that check nothing permits functions that do.
        function.fails_by_itself |= settings.allow_unchecked;
        let call = ScriptCall {
            reference: file.id.clone(),
            path: file.path.clone(),
            shown: Arc::clone(&file.shown),
            function: Some(function.name.clone()),
            digest: digest.clone(),
            place: function.place.clone(),
        };
        PlannedTest {
            id: TestId(format!("{}#{}", id.0, function.name)),
            name: Text {
                text: match function.name.as_str() {
                    BROKEN_FILE => file_name(&file.shown).to_owned(),
                    name => name.to_owned(),
                },
                place: function.place.clone(),
            },
            file: Arc::clone(&file.shown),
            tags: Vec::new(),
            skip: None,
            target: target(call),
            hooks: Vec::new(),
            turns: Vec::new(),
            block: Block::default(),
            timeout_ms: (!settings.timeout_given).then_some(TIMEOUT_MS),
            case: None,
            dynamic: None,
            script: Some(Arc::new(ScriptTest {
                file: Arc::clone(&file),
                function,
            })),
            before: None,
            after: None,
        }
    };
    functions.into_iter().map(planned)
}

/// Returns the last part of a path as shown.
fn file_name(shown: &str) -> &str {
    shown.rsplit('/').next().unwrap_or(shown)
}

/// Returns what a test function talks to: its file.
fn target(call: ScriptCall) -> Target {
    Target {
        name: None,
        place: Place::file(&call.shown),
        protocol: Protocol::Script(Box::new(ScriptTarget {
            call,
            timeout_ms: TIMEOUT_MS,
            limits: Limits {
                event_bytes: 16 << 20,
                turn_bytes: 256 << 20,
            },
        })),
        concurrency: None,
        group: None,
        backoff_ms: None,
        connector: None,
        own_timeout_ms: None,
    }
}
