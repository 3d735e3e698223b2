//! What the tests of this crate share: suites in temporary folders, and plain text of what came of loading them.

use std::path::Path;

use ananke_model::check::{Block, Check, SnapshotUpdate};
use ananke_model::diagnostic::{Diagnostic, Severity};
use ananke_model::place::Place;
use ananke_model::plan::Plan;
use ananke_model::script::{ScriptFunction, TestFunction};
use ananke_model::task_check::TaskCheck;
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
    /// `--target`, with commas between several.
    pub(crate) target: Option<&'static str>,
    pub(crate) config: Option<&'static str>,
    pub(crate) allow_unchecked: bool,
    pub(crate) update_snapshots: SnapshotUpdate,
    pub(crate) asking: Asking<'static>,
    pub(crate) timeout_given: bool,
    pub(crate) goes_on: bool,
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
            timeout_given: false,
            goes_on: false,
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
        let targets = self.target.iter().flat_map(|names| names.split(','));
        let targets: Vec<String> = targets.map(ToOwned::to_owned).collect();
        load(&LoadRequest {
            cwd: &folder,
            inputs,
            config: self.config.map(Path::new),
            targets: &targets,
            variables: &self.variables,
            allow_unchecked: self.allow_unchecked,
            update_snapshots: self.update_snapshots,
            asking: self.asking,
            find_tests,
            find_functions,
            timeout_given: self.timeout_given,
            goes_on: self.goes_on,
        })
    }
}

/// Finds functions as a stand-in for what reads TypeScript: lines that begin with `function`, and a mistake in lines that
/// begin with `syntax error`.
pub(crate) fn find_functions(
    file: &str,
    text: &str,
) -> Result<Vec<ScriptFunction>, Vec<Diagnostic>> {
    let found = lines(file, text, "syntax error").map(|(_, place)| {
        let message = "this is not TypeScript";
        Diagnostic::error(&place, message)
    });
    let mistakes: Vec<_> = found.collect();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let functions = text.lines().filter_map(|line| {
        let exported = line.strip_prefix("export ");
        let default = exported.and_then(|rest| rest.strip_prefix("default "));
        let rest = default.or(exported).unwrap_or(line);
        let rest = rest.strip_prefix("async ").unwrap_or(rest);
        let (name, _) = rest.strip_prefix("function")?.split_once('(')?;
        let name = name.trim();
        Some(ScriptFunction {
            name: if name.is_empty() { "default" } else { name }.to_owned(),
            is_exported: exported.is_some(),
            is_default: default.is_some(),
        })
    });
    Ok(functions.collect())
}

/// Finds test functions among those.
pub(crate) fn find_tests(file: &str, text: &str) -> Result<Vec<TestFunction>, Vec<Diagnostic>> {
    let functions = find_functions(file, text)?;
    let tests = functions
        .into_iter()
        .filter(|one| one.name.starts_with("Test"));
    let tests = tests.filter_map(|one| {
        let marked = format!("function {}(", one.name);
        let first = lines(file, text, &marked).next();
        first.map(|(line, place)| TestFunction {
            name: one.name,
            place,
            fails_by_itself: line.contains("throw"),
        })
    });
    Ok(tests.collect())
}

fn lines<'t>(file: &str, text: &'t str, mark: &str) -> impl Iterator<Item = (&'t str, Place)> {
    let (file, mark) = (Place::file(file), mark.to_owned());
    let mut start = 0;
    let lines = text.lines().enumerate().map(move |(index, line)| {
        let place = Place {
            line: u32::try_from(index + 1).unwrap(),
            start,
            end: start + 1,
            ..file.clone()
        };
        start += u32::try_from(line.len() + 1).unwrap();
        (line, place)
    });
    lines.filter(move |(line, _)| line.contains(&mark))
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
        Check::Script(check) => {
            let function = check.call.function.as_deref().unwrap_or("default");
            format!("{}#{function}", check.call.shown)
        }
        Check::Snapshot(snapshot) => snapshot.name.text.clone(),
        Check::Task(check) => task_subject(check),
        Check::Output(check) => check
            .value
            .as_ref()
            .map_or_else(String::new, |json| json.value.to_string()),
    }
}

fn task_subject(check: &TaskCheck) -> String {
    match check {
        TaskCheck::State(states) => states.join(" or "),
        TaskCheck::States(states) => states.join(", "),
        TaskCheck::Artifacts(count) => count.to_string(),
        TaskCheck::Artifact(artifact) => {
            let texts = check.texts().into_iter();
            let texts: Vec<_> = texts.map(|text| text.text.as_str()).collect();
            format!("{} ({})", texts.join(" "), artifact.count)
        }
        TaskCheck::Capability(capability) => {
            format!("{}: {}", capability.name, capability.wanted)
        }
        TaskCheck::Skill(_) | TaskCheck::Security(_) | TaskCheck::Card(_) => {
            let texts = check.texts().into_iter();
            let texts: Vec<_> = texts.map(|text| text.text.as_str()).collect();
            texts.join(" ")
        }
    }
}
