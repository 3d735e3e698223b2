//! References that have no value when the suite is loaded, and values that fit nowhere.

use std::collections::BTreeSet;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::{McpWay, PlannedTest, Protocol, Server, Target, TargetAuth};
use ananke_model::script::Grants;
use ananke_model::variables::{Piece, Reference, Scope, Variables, pieces};

use super::chat::host_of;
use super::texts::{server_texts, shown_texts, target_texts, test_texts};
use super::url::{header_problem, url_problem};
use crate::parse::{ConnectorSpec, Found};

/// Checks references, test by test. A text of the config that several tests use is reported once.
#[derive(Debug)]
pub(super) struct References<'a> {
    variables: &'a Variables,
    config_file: Option<&'a str>,
    reported: BTreeSet<(u32, String, String)>,
}

/// Who uses a text, for the words of a message.
enum User<'u> {
    Server,
    /// An agent that the command asks.
    Helper,
    /// What is granted to scripts.
    Scripts,
    Test {
        file: &'u str,
        has_hooks: bool,
    },
}

impl<'a> References<'a> {
    /// Returns a checker that knows these values.
    pub(super) fn new(variables: &'a Variables, config_file: Option<&'a str>) -> Self {
        Self {
            variables,
            config_file,
            reported: BTreeSet::new(),
        }
    }

    /// Checks everything that a test needs. A skipped test needs no more than it shows.
    pub(super) fn check_test(&mut self, test: &PlannedTest, found: &mut Found) {
        let user = User::Test {
            file: &test.file,
            has_hooks: !test.hooks.is_empty(),
        };
        if test.skip.is_some() {
            return self.check_texts(shown_texts(test), &user, found);
        }
        self.check_texts(test_texts(test), &user, found);
        self.check_target(&test.target, found);
    }

    /// Checks an agent that a test asks.
    pub(super) fn check_agent(&mut self, target: &Target, test: &PlannedTest, found: &mut Found) {
        if test.skip.is_none() {
            let user = User::Test {
                file: &test.file,
                has_hooks: !test.hooks.is_empty(),
            };
            self.check_texts(target_texts(target), &user, found);
            self.check_target(target, found);
        }
    }

    /// Checks an agent that the command asks.
    pub(super) fn check_helper(&mut self, target: &Target, found: &mut Found) {
        self.check_texts(target_texts(target), &User::Helper, found);
        self.check_target(target, found);
    }

    /// Checks what is granted to scripts.
    pub(super) fn check_grants(&mut self, grants: &Grants, found: &mut Found) {
        let hosts = grants.net.iter();
        let hosts = hosts.map(|host| (host.text.as_str(), &host.place));
        self.check_texts(hosts.collect(), &User::Scripts, found);
    }

    /// Checks a connector that perhaps no target names.
    pub(super) fn check_connector(&self, connector: &ConnectorSpec, found: &mut Found) {
        self.check_url(&host_of(connector), "the host", found);
        for (name, value) in &connector.headers {
            self.check_header(&name.text, value, found);
        }
        if let Some(key) = &connector.key {
            self.check_key(key, found);
        }
    }

    /// Checks the values of a target that are known by now.
    pub(super) fn check_target(&self, target: &Target, found: &mut Found) {
        match &target.protocol {
            Protocol::Agui(agui) => self.check_url(&agui.endpoint, "the endpoint", found),
            Protocol::OpenAi(chat) => {
                self.check_url(&chat.host, "the host", found);
                if let Some(key) = &chat.key {
                    self.check_key(key, found);
                }
            }
            Protocol::A2a(a2a) => {
                if let Some(url) = &a2a.endpoint {
                    self.check_url(url, "the endpoint", found);
                }
                if let Some(url) = &a2a.card_url {
                    self.check_url(url, "the URL of the agent card", found);
                }
            }
            Protocol::Mcp(mcp) => match &mcp.transport {
                McpWay::Http(url) | McpWay::Sse(url) => {
                    self.check_url(url, "the endpoint", found);
                }
                McpWay::Stdio { .. } => {}
            },
            Protocol::Command(_) | Protocol::Scripted(_) | Protocol::Script(_) => {}
        }
        if let Some(auth) = target.protocol.auth() {
            self.check_auth(auth, found);
        }
        for (name, value) in target.protocol.headers() {
            self.check_header(name, value, found);
        }
    }

    /// Checks what is needed to start the app under test.
    pub(super) fn check_server(&mut self, server: &Server, found: &mut Found) {
        self.check_texts(server_texts(server), &User::Server, found);
        self.check_url(&server.url, "the server's URL", found);
    }

    fn check_texts(
        &mut self,
        texts: Vec<super::texts::Found<'_>>,
        user: &User<'_>,
        found: &mut Found,
    ) {
        for (text, place) in texts.into_iter().filter(|(text, _)| text.contains("${")) {
            for piece in pieces(text) {
                if let Piece::Reference(reference) = piece {
                    self.check_reference(&reference, place, user, found);
                }
            }
        }
    }

    fn check_reference(
        &mut self,
        reference: &Reference<'_>,
        place: &Place,
        user: &User<'_>,
        found: &mut Found,
    ) {
        let may_come_from_hook = reference.scope == Scope::Variable
            && matches!(
                user,
                User::Test {
                    has_hooks: true,
                    ..
                }
            );
        if may_come_from_hook || self.variables.get(reference).is_some() {
            return;
        }
        let shown = reference.shown();
        let key = (place.start, place.file.to_string(), shown.clone());
        if !self.reported.insert(key) {
            return;
        }
        let name = reference.name;
        let default = format!("write a default: `${{{shown}:-…}}`");
        let (label, hint) = match (reference.scope, user) {
            (Scope::Environment, _) => (
                format!("the environment has no `{name}`"),
                format!("set `{name}`, or {default}"),
            ),
            (Scope::Variable, User::Server) => (
                "the server starts before any hook".to_owned(),
                format!("give it with `--var {name}=…`, or {default}"),
            ),
            (Scope::Variable, User::Scripts) => (
                "what scripts may touch is known before any hook".to_owned(),
                format!("give it with `--var {name}=…`, or {default}"),
            ),
            (Scope::Variable, User::Helper) => (
                "the agent is asked without any hook".to_owned(),
                format!("give it with `--var {name}=…`, or {default}"),
            ),
            (Scope::Variable, User::Test { file, .. }) => {
                let is_config = self.config_file == Some(&place.file);
                let label = format!("used by `{file}`, which has no hooks");
                (
                    if is_config { label } else { String::new() },
                    format!("give it with `--var {name}=…`, print it from a hook, or {default}"),
                )
            }
        };
        let message = format!("`${{{shown}}}` has no value");
        found.push(Diagnostic::error(place, message).label(label).hint(hint));
    }

    /// Checks a URL whose references have values by now; the others are checked after the hooks.
    fn check_url(&self, url: &Text, what: &str, found: &mut Found) {
        let resolved = self.variables.text(&url.text).ok();
        if let Some(problem) = resolved.as_deref().and_then(url_problem) {
            // The value itself is not shown: it may hold a secret from the environment.
            let message = format!("{what} is not an http or https URL");
            found.push(Diagnostic::error(&url.place, message).label(problem));
        }
    }

    fn check_auth(&self, auth: &TargetAuth, found: &mut Found) {
        for secret in auth.secrets() {
            self.check_key(secret, found);
        }
        if let TargetAuth::ClientCredentials {
            token_url: Some(url),
            ..
        } = auth
        {
            self.check_url(url, "the URL of the token", found);
        }
    }

    /// Checks a key. It is never shown.
    fn check_key(&self, key: &Text, found: &mut Found) {
        let Ok(resolved) = self.variables.text(&key.text) else {
            return;
        };
        let problem = match resolved.trim().is_empty() {
            true => Some("it is empty"),
            false => header_problem(&resolved),
        };
        if let Some(problem) = problem {
            let message = "the key cannot have this value";
            found.push(Diagnostic::error(&key.place, message).label(problem));
        }
    }

    fn check_header(&self, name: &str, value: &Text, found: &mut Found) {
        let resolved = self.variables.text(&value.text).ok();
        if let Some(problem) = resolved.as_deref().and_then(header_problem) {
            let message = format!("the header `{name}` cannot have this value");
            found.push(Diagnostic::error(&value.place, message).label(problem));
        }
    }
}
