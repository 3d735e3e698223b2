//! Runs files of test functions in a folder of their own, with a host that answers by rule, and writes down what came of it.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::place::{Place, Text};
use ananke_model::script::{Grants, LogLevel, ScriptFailure, ScriptFile, ScriptRecord};
use serde_json::{Value, json};

use crate::host::{AgentCall, Fetched, Host, Judged, Request, Verdict};
use crate::{FileOutcome, FileRun, Settings, Stop, Told, find_tests, run_tests};

/// How long a function may take that is not about time.
const LONG: Duration = Duration::from_secs(20);

/// Answers by simple rules: patterns are texts, paths are dotted, agents repeat what they are told.
#[derive(Debug)]
pub(crate) struct StubHost;

impl Host for StubHost {
    fn stream(&self, call: AgentCall) -> Result<Value, String> {
        Ok(json!({"content": format!("{} heard {}", call.agent, call.messages)}))
    }

    fn judge(&self, question: Judged) -> Result<Verdict, String> {
        let response = question.response.to_string();
        match question.agent.as_str() {
            "strict" => Ok(Verdict {
                passed: response.contains("please"),
                reason: format!("not polite: {}", question.options["criteria"]),
            }),
            "lenient" => Ok(Verdict {
                passed: true,
                reason: String::new(),
            }),
            "silent" => Ok(Verdict {
                passed: false,
                reason: String::new(),
            }),
            other => Err(format!("there is no agent `{other}`")),
        }
    }

    fn script(&self, _: &str) -> Option<Result<(PathBuf, String), String>> {
        None
    }

    fn fetch(
        &self,
        request: Request,
        done: Box<dyn FnOnce(Result<Fetched, String>) + Send + 'static>,
    ) {
        // Such as `/after/200`, which is answered after 200 ms.
        let after = request.url.rsplit_once("/after/");
        let Some(after) = after.and_then(|(_, after)| after.parse().ok()) else {
            return done(Err("there is no network".to_owned()));
        };
        std::thread::spawn(move || {
            #[expect(
                clippy::disallowed_methods,
                reason = "a server that is slow; it has a thread of its own"
            )]
            std::thread::sleep(Duration::from_millis(after));
            done(Ok(Fetched {
                status: 200,
                headers: Vec::new(),
                body: b"{}".to_vec(),
                url: request.url,
            }));
        });
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }

    fn matches(&self, pattern: &str, text: &str) -> Result<bool, String> {
        match pattern {
            "(" => Err("an open group".to_owned()),
            _ => Ok(text.contains(pattern)),
        }
    }

    fn json_path(&self, value: &Value, path: &str) -> Result<Option<Value>, String> {
        if path.is_empty() {
            return Err("it is empty".to_owned());
        }
        let found = path.split('.').try_fold(value, |value, key| value.get(key));
        Ok(found.cloned())
    }
}

/// Runs the functions of `x_test.ts`, which may import the other files. Returns one paragraph for each.
pub(crate) fn run(files: &[(&str, &str)]) -> String {
    run_within(files, LONG)
}

/// Runs the functions of one file.
pub(crate) fn run_one(text: &str) -> String {
    run(&[("x_test.ts", text)])
}

/// Runs the functions of `x_test.ts`, each of which may take as long as `limit`.
pub(crate) fn run_within(files: &[(&str, &str)], limit: Duration) -> String {
    let (records, outcome) = records(files, limit);
    let mut told = String::new();
    for record in &records {
        write_record(&mut told, record);
    }
    for failure in &outcome.failures {
        write_failure(&mut told, failure);
    }
    for log in &outcome.logs {
        writeln!(told, "behind: {}", log.text).expect("a text");
    }
    for warning in outcome.warnings {
        writeln!(told, "warning: {warning}").expect("a text");
    }
    told
}

/// Runs the functions of `x_test.ts`; returns what was recorded, and what is known behind them.
pub(crate) fn records(files: &[(&str, &str)], limit: Duration) -> (Vec<ScriptRecord>, FileOutcome) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let (name, text) = files
        .iter()
        .find(|(name, _)| name.ends_with("_test.ts"))
        .expect("a test file");
    let module = folder.path().join(name.replace("_test.ts", ".ts"));
    let functions = match find_tests(name, text) {
        Ok(functions) => functions,
        Err(mistakes) => panic!("{mistakes:?}"),
    };
    let grants = Grants {
        net: vec![Text {
            text: "api.example.com".to_owned(),
            place: Place::file("ananke.yaml"),
        }],
        ..Grants::default()
    };
    let settings = Settings::new(folder.path(), folder.path(), grants, false);
    let run = FileRun {
        settings: Arc::new(settings),
        host: Arc::new(StubHost),
        stop: Stop::default(),
        file: Arc::new(ScriptFile {
            path: folder.path().join(name),
            shown: (*name).into(),
            id: (*name).to_owned(),
            module: module.exists().then_some(module),
            assistant_id: String::new(),
        }),
        functions,
        context: json!({}),
        timeout: limit,
    };
    let mut records = Vec::new();
    let outcome = run_tests(&run, |told| {
        if let Told::Finished { record, .. } = told {
            records.push(*record);
        }
        true
    });
    (records, outcome)
}

fn write_record(told: &mut String, record: &ScriptRecord) {
    let status = format!("{:?}", record.status()).to_lowercase();
    writeln!(told, "{}: {status}", record.function).expect("a text");
    for failure in &record.failures {
        write_failure(told, failure);
    }
    for log in &record.logs {
        let level = match log.level {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            _ => "log",
        };
        writeln!(told, "  {level}: {}", log.text).expect("a text");
    }
    for subtest in &record.subtests {
        let status = format!("{:?}", subtest.status).to_lowercase();
        writeln!(told, "  {}: {status}", subtest.name).expect("a text");
    }
}

fn write_failure(told: &mut String, failure: &ScriptFailure) {
    let kind = format!("{:?}", failure.kind).to_lowercase();
    write!(told, "  {kind}: {}", failure.message).expect("a text");
    if let Some(frame) = failure.frames.first() {
        write!(told, " [{}:{}]", frame.line, frame.column).expect("a text");
    }
    if let Some(subtest) = &failure.subtest {
        write!(told, " in {subtest}").expect("a text");
    }
    told.push('\n');
}
