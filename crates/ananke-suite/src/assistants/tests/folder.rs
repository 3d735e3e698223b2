//! Folders that tests write, and plain text of what was read from them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use ananke_model::assistant::Assistant;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources, Text};
use ananke_model::plan::{McpTarget, McpWay, OpenAiTarget, Protocol, Target, TargetAuth};
use ananke_model::script::ScriptCall;
use ananke_model::variables::Variables;
use tempfile::TempDir;

use crate::assistants::{Around, AssistantRequest, Connector, assistant_target};
use crate::testing::line;

/// A connector that needs nothing else.
pub(super) const LOCAL: &str =
    r#"{"type": "openai", "options": {"model": "tiny", "host": "http://localhost:9000"}}"#;

/// The smallest package.
pub(super) const PACKAGE: &str = r#"{"name": "Helper", "connector": "local"}"#;

/// The smallest prompts.
pub(super) const PROMPTS: &str = "- role: system\n  content: You help.\n";

/// An app in a temporary folder, with one assistant `desk` that works.
pub(super) struct Folder {
    dir: TempDir,
    environment: BTreeMap<String, String>,
    connector: Option<&'static str>,
    configured: Vec<Connector>,
    preset: Option<&'static str>,
    assistant: &'static str,
}

impl Folder {
    /// Returns the app with these files besides or instead. An empty one is removed.
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self {
            dir: TempDir::new().unwrap(),
            environment: BTreeMap::new(),
            connector: None,
            configured: Vec::new(),
            preset: None,
            assistant: "assistants/desk",
        };
        folder.write("app.yao", "{\"name\": \"Made up\"}");
        folder.write("connectors/local.conn.yao", LOCAL);
        folder.write("assistants/desk/package.yao", PACKAGE);
        folder.write("assistants/desk/prompts.yml", PROMPTS);
        for (path, content) in files {
            if content.is_empty() {
                std::fs::remove_file(folder.path(path)).unwrap();
            } else {
                folder.write(path, content);
            }
        }
        folder
    }

    pub(super) fn write(&self, path: &str, content: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(super) fn environment(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(super) fn connector(mut self, id: &'static str) -> Self {
        self.connector = Some(id);
        self
    }

    pub(super) fn configured(mut self, connector: Connector) -> Self {
        self.configured.push(connector);
        self
    }

    pub(super) fn preset(mut self, preset: &'static str) -> Self {
        self.preset = Some(preset);
        self
    }

    pub(super) fn assistant(mut self, path: &'static str) -> Self {
        self.assistant = path;
        self
    }

    /// Reads the assistant: the target, and the diagnostics.
    pub(super) fn load(&self) -> (Option<Target>, String) {
        let mut variables = Variables::default();
        variables.environment.clone_from(&self.environment);
        let (mut sources, mut found) = (Sources::default(), Vec::new());
        let place = Place::file("ananke.config.yaml");
        let preset = self.preset.map(|preset| Text {
            text: preset.to_owned(),
            place: place.clone(),
        });
        let folder = self.path(self.assistant);
        let request = AssistantRequest {
            folder: &folder,
            place: Some(&place),
            connectors: &self.configured,
            connector: self.connector.map(|id| (id, None)),
            preset: preset.as_ref(),
        };
        let mut around = Around {
            cwd: self.dir.path(),
            variables: &variables,
            find_functions: crate::testing::find_functions,
            sources: &mut sources,
            found: &mut found,
        };
        let target = assistant_target(&request, &mut around);
        let lines: Vec<_> = found.iter().map(line).collect();
        for place in found
            .iter()
            .filter_map(|diagnostic| diagnostic.place.as_ref())
        {
            if place.start < place.end {
                let text = sources.text(&place.file).unwrap();
                assert!(text.get(place.start as usize..place.end as usize).is_some());
            }
        }
        let has_errors = found.iter().any(Diagnostic::is_error);
        assert_eq!(target.is_none(), has_errors, "{lines:?}");
        (target, lines.join("\n"))
    }

    /// Returns what is wrong.
    pub(super) fn problems(&self) -> String {
        self.load().1
    }

    /// Returns the target as text, behind what is wrong.
    pub(super) fn shown(&self) -> String {
        let (target, mut out) = self.load();
        if !out.is_empty() {
            out.push('\n');
        }
        match target.map(|target| target.protocol) {
            Some(Protocol::OpenAi(target)) => describe(&target, &mut out),
            _ => out.push_str("no target"),
        }
        out
    }
}

fn describe(target: &OpenAiTarget, out: &mut String) {
    writeln!(out, "host {} model {}", target.host.text, target.model.text).unwrap();
    let key = target.key.as_ref().map(|key| key.text.as_str());
    writeln!(out, "key {key:?} in {:?}", target.key_header).unwrap();
    if let Some(parameters) = &target.parameters {
        writeln!(out, "parameters {}", parameters.value).unwrap();
    }
    if !target.stream {
        writeln!(out, "not streamed").unwrap();
    }
    for prompt in &target.prompts {
        let name = prompt.name.as_ref();
        let name = name.map_or_else(String::new, |name| format!(" ({name})"));
        let text = &prompt.content.text;
        let place = &prompt.content.place;
        writeln!(
            out,
            "{place}:{} {}{name}: {text:?}",
            place.column, prompt.role
        )
        .unwrap();
    }
    for (key, value) in &target.facts {
        writeln!(out, "{key} = {value:?}").unwrap();
    }
    if let Some(assistant) = &target.assistant {
        describe_scripts(assistant, out);
    }
}

fn describe_scripts(assistant: &Assistant, out: &mut String) {
    let call = |call: &ScriptCall| format!("{}#{}", call.shown, call.function.as_ref().unwrap());
    writeln!(out, "{} over {}", assistant.id, assistant.connector).unwrap();
    if let Some(hooks) = &assistant.hooks {
        let [create, next] = [&hooks.create, &hooks.next].map(|hook| hook.as_ref().map(call));
        writeln!(out, "hooks of {}: {create:?} {next:?}", hooks.shown).unwrap();
    }
    let ids = assistant.presets.keys().cloned().collect::<Vec<_>>();
    writeln!(
        out,
        "prompts of the app: {} of {}, presets {ids:?}",
        assistant.n_app_prompts,
        assistant.app_prompts.len()
    )
    .unwrap();
    for (id, connection) in &assistant.connectors {
        match connection {
            Ok(connection) => writeln!(out, "connector {id}: {}", connection.model.text),
            Err(why) => writeln!(out, "connector {id}: not usable: {why}"),
        }
        .unwrap();
    }
    for tool in &assistant.tools {
        writeln!(
            out,
            "tool {} of {} as {}: {:?} {} runs {} with {:?}; {} samples",
            tool.name,
            tool.server,
            tool.offered_name,
            tool.description,
            tool.input,
            tool.call.as_ref().map(call).unwrap_or_default(),
            tool.arguments,
            tool.samples.len()
        )
        .unwrap();
    }
    for server in &assistant.servers {
        let McpTarget {
            transport,
            auth,
            timeout_ms,
            ..
        } = &server.target;
        let way = match transport {
            McpWay::Stdio { command, env, .. } => {
                let words: Vec<&str> = command.iter().map(|word| word.text.as_str()).collect();
                let env: Vec<String> = env
                    .iter()
                    .map(|(name, value)| format!("{name}={}", value.text))
                    .collect();
                format!("{words:?} {env:?}")
            }
            McpWay::Http(url) => format!("http {}", url.text),
            McpWay::Sse(url) => format!("sse {}", url.text),
        };
        let secrets: Vec<&str> = auth
            .iter()
            .flat_map(TargetAuth::secrets)
            .map(|secret| secret.text.as_str())
            .collect();
        writeln!(
            out,
            "server {}: {way} {secrets:?} {:?} {timeout_ms}ms",
            server.id, server.tools
        )
        .unwrap();
    }
    if !assistant.tools.is_empty() || !assistant.servers.is_empty() {
        let is_on = assistant.tool_loop;
        writeln!(out, "loop {is_on}, {} times", assistant.max_turn).unwrap();
    }
}

/// Returns what is wrong with each of these packages.
pub(super) fn packages(packages: &[&str]) -> String {
    each("assistants/desk/package.yao", packages)
}

/// Returns what is wrong if the file at `path` has each of these contents.
pub(super) fn each(path: &str, contents: &[&str]) -> String {
    let problems = contents.iter().map(|content| {
        let found = Folder::new(&[(path, content)]).problems();
        if found.is_empty() {
            "fine".to_owned()
        } else {
            found
        }
    });
    problems.collect::<Vec<_>>().join("\n--\n")
}
