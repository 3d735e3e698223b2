//! What the tests of this crate share: suites in temporary folders, and plain text of what came of loading them.

use std::path::Path;

use ananke_model::check::{Block, Check, SnapshotUpdate};
use ananke_model::diagnostic::{Diagnostic, Severity};
use ananke_model::plan::Plan;
use ananke_model::variables::Variables;
use tempfile::TempDir;

use crate::{Asking, Input, LoadRequest, Loaded, load};

/// A config that most tests begin with.
pub(crate) const CONFIG: &str =
    "version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: http://localhost:8000/agent\n";

/// A folder with a suite.
pub(crate) struct Suite {
    folder: TempDir,
    pub(crate) variables: Variables,
    pub(crate) target: Option<&'static str>,
    pub(crate) config: Option<&'static str>,
    pub(crate) allow_unchecked: bool,
    pub(crate) update_snapshots: SnapshotUpdate,
    pub(crate) asking: Asking<'static>,
}

impl Suite {
    /// Writes the files, given as path and content.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let suite = Self {
            folder: TempDir::new().unwrap(),
            variables: Variables::default(),
            target: None,
            config: None,
            allow_unchecked: false,
            update_snapshots: SnapshotUpdate::None,
            asking: Asking::default(),
        };
        for (path, content) in files {
            suite.write(path, content.as_bytes());
        }
        suite
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, content: &[u8]) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Returns the folder.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Loads everything.
    pub(crate) fn load(&self) -> Loaded {
        self.load_in("", &[])
    }

    /// Loads `inputs` as seen from `cwd`.
    pub(crate) fn load_in(&self, cwd: &str, inputs: &[&str]) -> Loaded {
        let argument = |input: &&str| Input::Argument((*input).to_owned());
        let inputs: Vec<_> = inputs.iter().map(argument).collect();
        self.load_inputs(cwd, &inputs)
    }

    /// Loads `inputs` of any kind as seen from `cwd`.
    pub(crate) fn load_inputs(&self, cwd: &str, inputs: &[Input]) -> Loaded {
        let mut folder = self.root().to_owned();
        if !cwd.is_empty() {
            folder.push(cwd);
        }
        load(&LoadRequest {
            cwd: &folder,
            inputs,
            config: self.config.map(Path::new),
            target: self.target,
            variables: &self.variables,
            allow_unchecked: self.allow_unchecked,
            update_snapshots: self.update_snapshots,
            asking: self.asking,
        })
    }
}

/// Returns the diagnostics of a test file beside a config that is fine.
pub(crate) fn test_problems(test: &str) -> String {
    let suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("a.test.yaml", test)]);
    problems(&suite.load())
}

/// Returns the diagnostics of a test file that holds `keys` beside what every test needs.
pub(crate) fn key_problems(keys: &str) -> String {
    test_problems(&format!(
        "version: 1\nname: a\nturns: [{{user: hi}}]\n{keys}"
    ))
}

/// Returns the diagnostics of a test file with this `assert` block.
pub(crate) fn assert_problems(block: &str) -> String {
    key_problems(&format!("assert:\n  text: {{must_match: x}}\n{block}"))
}

/// Returns the diagnostics of a config beside a test that is fine.
pub(crate) fn config_problems(config: &str) -> String {
    let test = "version: 1\nname: a\nturns: [{user: hi}]\nassert: {text: {must_match: x}}\n";
    let suite = Suite::new(&[("ananke.config.yaml", config), ("a.test.yaml", test)]);
    problems(&suite.load())
}

/// Returns the diagnostics of a config whose target holds `keys` beside what every target needs.
pub(crate) fn target_problems(keys: &str) -> String {
    config_problems(&format!("{CONFIG}{keys}"))
}

/// Returns the diagnostics, one line each.
pub(crate) fn problems(loaded: &Loaded) -> String {
    let lines: Vec<_> = loaded.diagnostics.iter().map(line).collect();
    lines.join("\n")
}

/// Returns a diagnostic as one line.
pub(crate) fn line(diagnostic: &Diagnostic) -> String {
    let place = match &diagnostic.place {
        Some(place) => format!("{place}:{}", place.column),
        None => "-".to_owned(),
    };
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut line = format!("{place} {severity} {}", diagnostic.message);
    for part in [Some(&diagnostic.label), diagnostic.hint.as_ref()] {
        line.push_str(" | ");
        line.push_str(&part.map(|part| part.replace('\n', "⏎")).unwrap_or_default());
    }
    line.trim_end_matches([' ', '|']).to_owned()
}

/// Returns what each test of the plan demands, and who demands it.
pub(crate) fn demands(plan: &Plan) -> String {
    let mut lines = Vec::new();
    for test in &plan.tests {
        for (index, turn) in test.turns.iter().enumerate() {
            match &turn.block {
                Some(block) => lines.extend(block_lines(&format!("turn {}", index + 1), block)),
                None => lines.push(format!("turn {}: not judged", index + 1)),
            }
        }
        let checkpoints = test.dynamic.iter().flat_map(|dynamic| &dynamic.checkpoints);
        for checkpoint in checkpoints {
            let title = format!("checkpoint {}", checkpoint.id);
            lines.extend(block_lines(&title, &checkpoint.block));
        }
        lines.extend(block_lines("test", &test.block));
    }
    lines.join("\n")
}

fn block_lines(title: &str, block: &Block) -> Vec<String> {
    let mut lines = vec![format!("{title}:")];
    for demand in &block.demands {
        let named = match &demand.origin.named {
            Some(name) => format!(" ({name})"),
            None => String::new(),
        };
        lines.push(format!(
            "  {} {} <- {}{named} {}",
            demand.check.key(),
            subject(&demand.check),
            demand.origin.level,
            demand.origin.place
        ));
    }
    lines
}

fn subject(check: &Check) -> String {
    match check {
        Check::Forbid(text)
        | Check::MustMatch(text)
        | Check::MustNotMatch(text)
        | Check::Error(text) => text.text.clone(),
        Check::Require(require) => format!("{} {}", require.filter.name.text, require.count),
        Check::ForbidCall(filter) => filter.name.text.clone(),
        Check::MaxDuration(limit) | Check::MaxIdle(limit) => limit.to_string(),
        Check::ProtocolStrict => "strict".to_owned(),
        Check::Agent(check) => check.call.agent.clone(),
        Check::Snapshot(snapshot) => snapshot.name.text.clone(),
        Check::Output(check) => check
            .value
            .as_ref()
            .map_or_else(String::new, |json| json.value.to_string()),
    }
}
