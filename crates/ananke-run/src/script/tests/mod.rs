//! Scripts in runs: files written as text, results told as text.

mod agents;
mod checks;
mod coverage;
mod files;
mod hooks;
mod judged;
mod logs;
mod world;

use std::path::PathBuf;
use std::sync::Arc;

use ananke_model::check::Block;
use ananke_model::place::{Place, Text};
use ananke_model::plan::{Plan, PlannedTest, Protocol, ScriptTarget, TestId};
use ananke_model::script::{ScriptCall, ScriptFile, ScriptTest, digest};
use serde_json::{Value, json};

use crate::speakers::tests::{LIMITS, script, target};
use crate::testing::Project;

/// Scripts of a project.
pub(super) struct Scripts {
    pub(super) project: Project,
    pub(super) plan: Plan,
}

impl Scripts {
    /// Writes these files, and plans all test functions in them.
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let project = Project::new("http://127.0.0.1:9/", &[]);
        let root = project.path("");
        for (file, text) in files {
            let path = project.path(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut plan = Plan {
            root: root.clone(),
            ..Plan::default()
        };
        plan.scripts.root = root;
        let mut scripts = Self { project, plan };
        for (file, text) in files.iter().filter(|(file, _)| file.contains("_test.")) {
            scripts.plan_file(file, text);
        }
        scripts
    }

    fn plan_file(&mut self, file: &str, text: &str) {
        let module = self.project.path(&file.replacen("_test.", ".", 1));
        let script = Arc::new(ScriptFile {
            path: self.project.path(file),
            shown: file.into(),
            id: file.to_owned(),
            module: module.is_file().then_some(module),
            assistant_id: "shop".to_owned(),
        });
        for function in ananke_script::find_tests(file, text).unwrap() {
            let name = Text {
                text: function.name.clone(),
                place: Place::file(file),
            };
            let test = PlannedTest {
                id: TestId(format!("{file}#{}", function.name)),
                name,
                file: file.into(),
                tags: Vec::new(),
                skip: None,
                target: target(self.protocol(file, None)),
                hooks: Vec::new(),
                turns: Vec::new(),
                block: Block::default(),
                timeout_ms: None,
                case: None,
                dynamic: None,
                script: Some(Arc::new(ScriptTest {
                    file: Arc::clone(&script),
                    function,
                })),
                before: None,
                after: None,
            };
            self.plan.tests.push(test);
        }
    }

    /// Returns a call of a function.
    pub(super) fn call(&self, file: &str, function: Option<&str>) -> ScriptCall {
        let path: PathBuf = self.project.path(file);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        ScriptCall {
            reference: format!("scripts.{}", function.unwrap_or("default")),
            path,
            shown: file.into(),
            function: function.map(str::to_owned),
            digest: digest(&text),
            place: Place::file("cases.jsonl"),
        }
    }

    /// Returns an agent that is a function.
    pub(super) fn protocol(&self, file: &str, function: Option<&str>) -> Protocol {
        Protocol::Script(Box::new(ScriptTarget {
            call: self.call(file, function),
            timeout_ms: 20_000,
            limits: LIMITS,
        }))
    }

    /// Lets scripts call an agent that always says the same.
    pub(super) fn agent(&mut self, id: &str, says: &str) {
        let rules: Value = json!({"rules": [{"reply": [{"text": says}]}]});
        let agent = target(Protocol::Scripted(Box::new(script(rules))));
        self.plan.scripts.agents.insert(id.to_owned(), Ok(agent));
    }
}
