//! Runs a script whose default export is called, against a host that knows a few things.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ananke_model::place::{Place, Text};
use ananke_model::script::{Grants, LogLevel};
use serde_json::{Value, json};

use crate::engine::{Argument, Calling, Memory, Settings, Stop, call};
use crate::host::{AgentCall, Fetched, Host, Judged, Request, Verdict};

/// A host that answers like an echo.
#[derive(Debug, Default)]
pub(super) struct Echo {
    pub(super) root: PathBuf,
    pub(super) asked: Mutex<Vec<Value>>,
    pub(super) sent: Mutex<Vec<String>>,
}

impl Host for Echo {
    fn stream(&self, call: AgentCall) -> Result<Value, String> {
        if call.agent == "broken" {
            return Err("the agent `broken` failed: no answer".to_owned());
        }
        let asked = json!({"agent": call.agent, "context": call.context, "messages": call.messages, "options": call.options});
        self.asked.lock().unwrap().push(asked.clone());
        Ok(json!({"content": format!("hello from {}", call.agent), "asked": asked}))
    }

    fn judge(&self, _: Judged) -> Result<Verdict, String> {
        Err("there is no judge".to_owned())
    }

    fn script(&self, process: &str) -> Option<Result<(PathBuf, String), String>> {
        let (file, function) = process.strip_prefix("scripts.")?.rsplit_once('.')?;
        let path = self.root.join(format!("{}.ts", file.replace('.', "/")));
        Some(match path.exists() {
            true => Ok((path, function.to_owned())),
            false => Err(format!("there is no script for `{process}`")),
        })
    }

    fn fetch(
        &self,
        request: Request,
        done: Box<dyn FnOnce(Result<Fetched, String>) + Send + 'static>,
    ) {
        let body = request
            .body
            .clone()
            .map(|body| String::from_utf8_lossy(&body).into_owned());
        let sent = format!(
            "{} {} {:?} {body:?}",
            request.method, request.url, request.headers
        );
        self.sent.lock().unwrap().push(sent);
        if request.url.contains("/silent") {
            return;
        }
        std::thread::spawn(move || done(answer(&request)));
    }

    fn env(&self, name: &str) -> Option<String> {
        (name == "TOKEN").then(|| "secret".to_owned())
    }

    fn matches(&self, _: &str, _: &str) -> Result<bool, String> {
        Ok(false)
    }

    fn json_path(&self, _: &Value, _: &str) -> Result<Option<Value>, String> {
        Ok(None)
    }
}

fn answer(request: &Request) -> Result<Fetched, String> {
    let path = request
        .url
        .split_once("//")
        .and_then(|(_, rest)| rest.split_once('/'));
    let path = path.map(|(_, path)| path).unwrap_or_default();
    let plain = |status: u16, kind: &str, body: &str| Fetched {
        status,
        headers: vec![("content-type".to_owned(), kind.to_owned())],
        body: body.as_bytes().to_vec(),
        url: request.url.clone(),
    };
    let moved = |to: &str| Fetched {
        status: 302,
        headers: vec![("location".to_owned(), to.to_owned())],
        ..plain(302, "", "")
    };
    match path {
        "down" => Err("connection refused".to_owned()),
        "moved" => Ok(moved("/json")),
        "away" => Ok(moved("https://evil.example.org/")),
        "elsewhere" => Ok(moved("http://localhost.:9999/")),
        "nothing" => Ok(Fetched {
            headers: vec![("X-Word".to_owned(), "€".to_owned())],
            ..plain(204, "", "")
        }),
        "around" => Ok(moved("/around")),
        "text" => Ok(plain(200, "text/plain", "grüezi")),
        "missing" => Ok(plain(404, "application/json", r#"{"error":"gone"}"#)),
        _ => {
            let body = request.body.clone().unwrap_or_default();
            let told = json!({"method": request.method, "url": request.url, "headers": request.headers,
                "body": String::from_utf8_lossy(&body)});
            Ok(plain(200, "application/json", &told.to_string()))
        }
    }
}

/// What is handed to a script as `ctx`.
pub(super) fn identity() -> Value {
    json!({
        "chat_id": "chat-1", "assistant_id": "shop", "locale": "en-us", "referer": "test", "accept": "standard",
        "client": {"type": "test", "user_agent": "ananke", "ip": "127.0.0.1"},
        "metadata": {"request_id": "r1"},
        "authorized": {"user_id": "test-user", "team_id": "test-team"},
    })
}

/// Runs the text as the body of a function that gets `ctx`, in a project with `files`, and shows logs, then the result.
pub(super) fn project(files: &[(&str, &str)], body: &str) -> String {
    let script = format!("export default async function (ctx) {{\n{body}\n}}\n");
    module(files, &script)
}

/// Runs a module's default export.
pub(super) fn module(files: &[(&str, &str)], script: &str) -> String {
    remembering(files, script, &Memory::default())
}

/// Runs a body with what earlier ones kept.
pub(super) fn run_with(body: &str, memory: &Memory) -> String {
    let script = format!("export default async function (ctx) {{\n{body}\n}}\n");
    remembering(&[], &script, memory)
}

fn remembering(files: &[(&str, &str)], script: &str, memory: &Memory) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let path = root.join("main.ts");
    fs::write(&path, script).unwrap();
    #[cfg(unix)]
    if root.join("data").exists() {
        std::os::unix::fs::symlink("/etc", root.join("data/out")).unwrap();
    }
    let host = |name: &str| Text {
        text: name.to_owned(),
        place: Place::file("ananke.yaml"),
    };
    let grants = Grants {
        net: vec![host("api.example.com"), host("localhost:8080")],
        fs: vec![root.join("data")],
        env: vec!["TOKEN".to_owned(), "UNSET".to_owned()],
    };
    let called = call(Calling {
        settings: Arc::new(Settings::new(&root, &root, grants, false)),
        host: Arc::new(Echo {
            root: root.clone(),
            ..Echo::default()
        }),
        stop: Stop::default(),
        path,
        function: None,
        arguments: vec![Argument::Context(identity())],
        timeout: Duration::from_secs(10),
        memory: memory.clone(),
    });
    let mut shown = String::new();
    for log in &called.logs {
        let level = match log.level {
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Warn => "warn",
            LogLevel::Error => "error",
        };
        writeln!(shown, "{level}: {}", log.text).unwrap();
    }
    match called.result {
        Ok(Value::Null) => {}
        Ok(Value::String(text)) => shown.push_str(&text),
        Ok(value) => shown.push_str(&value.to_string()),
        Err(failure) => {
            let at = failure.frames.first();
            let at = at.map(|frame| format!(" ({}:{}:{})", frame.file, frame.line, frame.column));
            let at = at.unwrap_or_default();
            write!(shown, "{:?}: {}{at}", failure.kind, failure.message).unwrap();
        }
    }
    shown.trim_end().to_owned()
}

/// Runs a body in a project without other files.
pub(super) fn run(body: &str) -> String {
    project(&[], body)
}

/// Returns what each of the expressions gives, a line each.
pub(super) fn lines(expressions: &[&str]) -> String {
    let mut body = String::new();
    for expression in expressions {
        let shown = serde_json::to_string(expression).unwrap();
        writeln!(
            body,
            "try {{ console.log({shown} + ' → ', {expression}); }} catch (error) {{ console.log({shown} + ' ✗ ', error); }}"
        )
        .unwrap();
    }
    let text = run(&body);
    let text = text
        .lines()
        .map(|line| line.strip_prefix("info: ").unwrap_or(line));
    text.map(|line| line.replacen("  ", " ", 1))
        .collect::<Vec<_>>()
        .join("\n")
}
