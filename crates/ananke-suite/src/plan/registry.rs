//! What targets are made of beside their own keys: connectors, scripts and assistant folders. Each is read once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Place, Sources, Text};
use ananke_model::plan::KeyHeader;
use ananke_model::script::{FindFunctions, ScriptCall};
use ananke_model::sensitive::Sensitive;
use ananke_model::variables::Variables;
use serde_json::{Map, Value};

use super::chat::host_of;
use super::connector::Chosen;
use super::sensitive::of_connector;
use crate::assistants::{App, Around, Connector, app_connector, find_app};
use crate::discover::{nearest_sibling, shown};
use crate::parse::{ConfigFile, ConnectorSpec, Found, ScriptSpec, TargetKind, TargetSpec, script};
use crate::scripts::{Asker, ScriptFunctions, script_root};
use crate::yaml::{compose, read};

/// What targets are made of.
#[derive(Debug)]
pub(super) struct Registry<'a> {
    config: Option<&'a ConfigFile>,
    /// The folder of the config.
    pub(super) root: &'a Path,
    pub(super) cwd: &'a Path,
    pub(super) variables: &'a Variables,
    pub(super) sources: &'a mut Sources,
    /// The app that the project is, or lies in.
    app: Option<App>,
    scripts: HashMap<PathBuf, Option<Json>>,
    find_functions: FindFunctions,
    /// Functions of scripts that checks, hooks and agents name.
    pub(super) functions: ScriptFunctions,
    /// What may hold secrets in the files of connectors that were read.
    pub(super) sensitive: Vec<Sensitive>,
}

impl<'a> Registry<'a> {
    /// Returns a registry that has read nothing yet.
    pub(super) fn new(
        config: Option<&'a ConfigFile>,
        root: &'a Path,
        cwd: &'a Path,
        variables: &'a Variables,
        find_functions: FindFunctions,
        sources: &'a mut Sources,
    ) -> Self {
        Self {
            config,
            root,
            cwd,
            variables,
            sources,
            app: find_app(root),
            scripts: HashMap::new(),
            find_functions,
            functions: ScriptFunctions::new(script_root(root), cwd, find_functions),
            sensitive: Vec::new(),
        }
    }

    /// Returns what the readers of assistant folders need.
    pub(super) fn around<'r>(&'r mut self, found: &'r mut Found) -> Around<'r> {
        Around {
            cwd: self.cwd,
            variables: self.variables,
            find_functions: self.find_functions,
            sources: self.sources,
            found,
        }
    }

    /// Returns the app that the project is, or lies in.
    pub(super) fn app(&self) -> Option<&App> {
        self.app.as_ref()
    }

    /// Returns a connector of the config. `Some(None)` is one that could not be read.
    pub(super) fn own_connector(&self, id: &str) -> Option<Option<&'a ConnectorSpec>> {
        let connectors = self.config.iter().flat_map(|config| &config.connectors);
        let mut connectors = connectors.filter(|(name, _)| name.text == id);
        connectors.next().map(|(_, spec)| spec.as_ref())
    }

    /// Returns the connector that was chosen: one of the config, else one of the app. `None` if there is none or it cannot
    /// be used, which is then reported.
    pub(super) fn connector(
        &mut self,
        chosen: Chosen<'_>,
        found: &mut Found,
    ) -> Option<ConnectorSpec> {
        if let Some(own) = self.own_connector(chosen.id) {
            return own.cloned();
        }
        if let Some(app) = self.app.clone()
            && app.connector_ids().iter().any(|id| id == chosen.id)
        {
            let connector = app_connector(&app, chosen.id, &mut self.around(found));
            self.sensitive
                .extend(connector.iter().flat_map(of_connector));
            return connector.map(as_spec);
        }
        found.push(self.no_connector(chosen));
        None
    }

    /// Tells whether the connector that was chosen is there, and reports it if it is not.
    pub(super) fn has_connector(&self, chosen: Chosen<'_>, found: &mut Found) -> bool {
        let is_known = self.connector_ids().iter().any(|id| id == chosen.id);
        if !is_known {
            found.push(self.no_connector(chosen));
        }
        is_known
    }

    fn no_connector(&self, chosen: Chosen<'_>) -> Diagnostic {
        let id = chosen.id;
        let diagnostic = chosen.error(format!("there is no connector `{id}`"));
        let known = self.connector_ids();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        if let Some(word) = did_you_mean(id, known.iter().copied()) {
            diagnostic.hint(format!("did you mean `{word}`?"))
        } else if known.is_empty() {
            diagnostic.hint(format!(
                "write `connectors: {{\"{id}\": {{type: openai, host: …, model: …, key: …}}}}` at the root of the config"
            ))
        } else {
            diagnostic.hint(format!("there is `{}`", known.join("`, `")))
        }
    }

    /// Returns the ids of all connectors, those of the config first.
    pub(super) fn connector_ids(&self) -> Vec<String> {
        let own = self.config.iter().flat_map(|config| &config.connectors);
        let mut ids: Vec<String> = own.map(|(id, _)| id.text.clone()).collect();
        let of_app = self.app.iter().flat_map(App::connector_ids);
        ids.extend(of_app);
        ids
    }

    /// Returns the connectors of the config that name a model, as the reader of assistant folders takes them.
    pub(super) fn connectors_with_model(&self) -> Vec<Connector> {
        let own = self.config.iter().flat_map(|config| &config.connectors);
        own.filter_map(|(id, spec)| as_connector(&id.text, spec.as_ref()?))
            .collect()
    }

    /// Returns the function that is named at a place. `None` if there is none, which is then reported.
    pub(super) fn function(
        &mut self,
        written: &str,
        place: &Place,
        found: &mut Found,
    ) -> Option<ScriptCall> {
        let asker = Asker::Place(place.clone());
        self.functions.find(written, &asker, self.sources, found)
    }

    /// Returns the function that a hook names: one of the agent in the first folder, or beside the cases in the others.
    pub(super) fn hook(
        &mut self,
        written: &str,
        asker: &Asker,
        folders: (Option<&Path>, &[&Path]),
        found: &mut Found,
    ) -> Option<ScriptCall> {
        let sources = &mut *self.sources;
        self.functions.hook(written, asker, folders, sources, found)
    }

    /// Returns the folder of an assistant, if that is what a target is.
    pub(super) fn assistant_folder(&self, spec: &TargetSpec) -> Option<PathBuf> {
        if spec.kind != Some(TargetKind::Assistant) {
            return None;
        }
        match (&spec.folder, &spec.id) {
            (Some(folder), _) => Some(self.root.join(&folder.text)),
            (None, Some(id)) => self.app.as_ref()?.assistant(&id.text),
            (None, None) => None,
        }
    }

    /// Returns a script as JSON. `None` if it cannot be used, which is then reported.
    pub(super) fn script(&mut self, spec: &ScriptSpec, found: &mut Found) -> Option<Json> {
        match spec {
            ScriptSpec::Inline(json) => Some(json.clone()),
            ScriptSpec::File(path) => self.script_file(path, found),
        }
    }

    fn script_file(&mut self, text: &Text, found: &mut Found) -> Option<Json> {
        let path = self.root.join(&text.text);
        if let Some(known) = self.scripts.get(&path) {
            return known.clone();
        }
        let script = self.read_script(text, &path, found);
        self.scripts.insert(path, script.clone());
        script
    }

    fn read_script(&mut self, text: &Text, path: &Path, found: &mut Found) -> Option<Json> {
        if !path.is_file() {
            let what = if path.is_dir() {
                "a folder"
            } else {
                "not there"
            };
            let message = format!("the script `{}` is {what}", text.text);
            let diagnostic = Diagnostic::error(&text.place, message);
            found.push(match nearest_sibling(path, self.root) {
                Some(sibling) if !path.exists() => {
                    diagnostic.hint(format!("did you mean `{sibling}`?"))
                }
                _ => diagnostic.hint("the path is relative to the folder of the config"),
            });
            return None;
        }
        let name: Arc<str> = shown(path, self.cwd).into();
        let content = read(path, &name, self.sources, found)?;
        let n_before = found.len();
        let value = compose(&name, &content, found).and_then(|node| script(&node, found))?;
        if found.iter().skip(n_before).any(Diagnostic::is_error) {
            return None;
        }
        Some(Json {
            value,
            place: text.place.clone(),
        })
    }
}

/// Returns a connector of an app in the form of the config.
fn as_spec(connector: Connector) -> ConnectorSpec {
    let place = connector.host.place.clone();
    let named = |(name, value): (String, Text)| {
        let name = Text {
            text: name,
            place: value.place.clone(),
        };
        (name, value)
    };
    ConnectorSpec {
        place: place.clone(),
        host: Some(connector.host),
        model: Some(connector.model),
        key: connector.key,
        key_header: Some(connector.key_header),
        headers: connector.headers.into_iter().map(named).collect(),
        options: (!connector.parameters.is_empty()).then_some(Json {
            value: Value::Object(connector.parameters),
            place,
        }),
        stream: Some(connector.stream),
    }
}

fn as_connector(id: &str, spec: &ConnectorSpec) -> Option<Connector> {
    let parameters = match spec.options.as_ref().map(|options| &options.value) {
        Some(Value::Object(members)) => members.clone(),
        _ => Map::new(),
    };
    let headers = spec.headers.iter();
    Some(Connector {
        id: id.to_owned(),
        host: host_of(spec),
        model: spec.model.clone()?,
        key: spec.key.clone(),
        key_header: spec.key_header.unwrap_or(KeyHeader::Bearer),
        headers: headers
            .map(|(name, value)| (name.text.clone(), value.clone()))
            .collect(),
        parameters,
        stream: spec.stream.unwrap_or(true),
    })
}
