//! Looks at a target that does not speak AG-UI: is anybody there, and does it answer?

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ananke_model::plan::Target;
use ananke_model::recording::Turn;
use ananke_model::script::{ScriptCall, ScriptFunction};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use ananke_protocol::http::{Proxies, without_secrets};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::remote::{card, tools};
use crate::redact::{Redactor, secrets_of_target};
use crate::speakers::{Bounds, Call, CommandSpeaker, OpenAiSpeaker, ScriptSpeaker, Speaker};
use crate::world::{Alone, World};

/// A target that does not speak AG-UI, ready to be talked to as a test would.
#[derive(Debug)]
pub struct OtherProbe {
    speaker: Speaker,
    timeout: Duration,
    redactor: Redactor,
    /// Where programs are looked for.
    path: Option<String>,
    root: PathBuf,
}

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is as it should be.
    Fine(String),
    /// It may be wrong.
    Odd(String),
    /// It cannot be talked to.
    Wrong(String),
}

impl OtherProbe {
    pub(super) fn new(
        target: &Target,
        variables: &Variables,
        proxies: &Proxies,
        root: &Path,
    ) -> Result<Self, String> {
        let redactor = secrets_of_target(target, variables).redactor();
        let world = World::alone(Alone {
            variables,
            proxies,
            root,
            identity: None,
            scripts: None,
            redactor: redactor.clone(),
            cancel: CancellationToken::new(),
        });
        let means = world.means(variables);
        Ok(Self {
            speaker: Speaker::new(target, &means, &Call::default())?,
            timeout: Duration::from_millis(target.protocol.timeout_ms()),
            redactor,
            path: variables.environment.get("PATH").cloned(),
            root: root.to_owned(),
        })
    }

    /// Returns where the agent is, as it may be shown.
    pub fn address(&self) -> String {
        match &self.speaker {
            Speaker::Agui(speaker) => without_secrets(&speaker.options.endpoint),
            Speaker::OpenAi(speaker) => without_secrets(&speaker.options.url),
            Speaker::Assistant(speaker) => without_secrets(&speaker.model.options.url),
            Speaker::Command(speaker) => format!("the program `{}`", speaker.program()),
            Speaker::Scripted(_) => "a script, followed inside this process".to_owned(),
            Speaker::A2a(speaker) => speaker.address(),
            Speaker::Mcp(speaker) => speaker.address.clone(),
            Speaker::Script(speaker) => {
                let function = speaker.function();
                format!("`{}` in {}", function.reference, function.shown)
            }
        }
    }

    /// Takes the target's secrets out of a text.
    pub fn redacted(&self, text: &str) -> String {
        self.redactor.text(text).into_owned()
    }

    /// Looks whether somebody is there, without saying a word.
    pub async fn look(&self, limit: Duration) -> Seen {
        match &self.speaker {
            Speaker::OpenAi(speaker) => models(speaker, limit).await,
            Speaker::Assistant(speaker) => models(&speaker.model, limit).await,
            Speaker::Command(speaker) => self.program(speaker),
            Speaker::Script(speaker) => function(speaker),
            Speaker::A2a(speaker) => card(speaker, limit).await,
            Speaker::Mcp(speaker) => tools(speaker, limit).await,
            Speaker::Agui(_) | Speaker::Scripted(_) => {
                Seen::Fine("there is nothing that could be out of reach".to_owned())
            }
        }
    }

    fn program(&self, speaker: &CommandSpeaker) -> Seen {
        let program = speaker.program();
        let candidates: Vec<PathBuf> = match (program.contains('/'), &self.path) {
            (true, _) => vec![self.root.join(program.trim_start_matches("./"))],
            (false, Some(path)) => path
                .split(':')
                .map(|folder| self.root.join(folder).join(program))
                .collect(),
            (false, None) => {
                return Seen::Odd("the environment has no PATH to look for it".to_owned());
            }
        };
        let is_executable = |path: &PathBuf| {
            fs::metadata(path)
                .is_ok_and(|told| told.is_file() && told.permissions().mode() & 0o111 != 0)
        };
        match candidates.iter().find(|path| is_executable(path)) {
            Some(path) => Seen::Fine(format!("`{program}` is {}", path.display())),
            None if program.contains('/') => Seen::Wrong(format!(
                "`{program}` is not an executable file in {}",
                self.root.display()
            )),
            None => Seen::Wrong(format!("`{program}` is in no folder of PATH")),
        }
    }

    /// Says `message` in a conversation of its own.
    pub async fn say(&self, message: &str, unix_ms: i64, cancel: &CancellationToken) -> Turn {
        let bounds = Bounds {
            timeout: self.timeout,
            whole: Duration::MAX,
            unix_ms,
            cancel,
        };
        let mut conversation = self.speaker.conversation();
        let action = Action::User(message.to_owned());
        let mut turn = self.speaker.turn(action, &mut conversation, bounds).await;
        turn.warnings.extend(self.speaker.close().await);
        turn
    }
}

/// Looks whether the function of a script is there.
fn function(speaker: &ScriptSpeaker) -> Seen {
    let ScriptCall {
        path,
        shown,
        function,
        ..
    } = speaker.function();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return Seen::Wrong(format!("{shown} cannot be read: {error}")),
    };
    let functions = match ananke_script::find_functions(shown, &text) {
        Ok(functions) => functions,
        Err(mistakes) => {
            let why = mistakes.first().map_or("", |mistake| &mistake.message);
            return Seen::Wrong(format!("{shown} is no script: {why}"));
        }
    };
    let is_meant = |one: &&ScriptFunction| match function {
        Some(name) => one.name == *name,
        None => one.is_default,
    };
    let exported = || {
        let mut exported = functions.iter().filter(|one| one.is_exported);
        exported.next().filter(|_| exported.next().is_none())
    };
    let found = functions.iter().find(is_meant);
    let found = found.or_else(|| exported().filter(|_| function.is_none()));
    match (found, function) {
        (Some(found), _) => Seen::Fine(format!("`{}` is in {shown}", found.name)),
        (None, Some(name)) => Seen::Wrong(format!("there is no function `{name}` in {shown}")),
        (None, None) => Seen::Wrong(format!(
            "{shown} has neither a default export nor exactly one exported function"
        )),
    }
}

/// Asks a chat endpoint for its models. Not all have such a list; whoever answers is there.
async fn models(speaker: &OpenAiSpeaker, limit: Duration) -> Seen {
    let options = &speaker.options;
    let url = options.url.replacen("/chat/completions", "/models", 1);
    let look = match speaker.client.get(&url, &speaker.headers, limit).await {
        Ok(look) => look,
        Err(why) => return Seen::Wrong(why),
    };
    let model = &options.model;
    match look.status {
        401 | 403 => Seen::Wrong(format!(
            "the server answers, but with HTTP {}: is the key right?",
            look.status
        )),
        200 => {
            let list: Value = serde_json::from_str(&look.body).unwrap_or_default();
            let Some(models) = list["data"].as_array() else {
                return Seen::Fine("the server answers; it does not tell its models".to_owned());
            };
            if models.iter().any(|one| one["id"] == model.as_str()) {
                Seen::Fine(format!("the server answers, and has the model `{model}`"))
            } else {
                Seen::Odd(format!(
                    "the server answers, but does not list the model `{model}`"
                ))
            }
        }
        status => Seen::Fine(format!(
            "the server answers (HTTP {status} when asked for its models)"
        )),
    }
}
