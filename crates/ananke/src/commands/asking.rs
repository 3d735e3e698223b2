//! Who asks which agent: `-n -c -u -t --ctx`, shared by every command that loads tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ananke_suite::Asking;
use clap::Args;

use crate::settings::Environment;

/// The facts that a bundle is judged by again.
const NAME: &str = "name";
const CONNECTOR: &str = "connector";
const USER: &str = "user";
const TEAM: &str = "team";
const SIMULATOR: &str = "simulator";
const CTX: &str = "ctx";
const BEFORE_ALL: &str = "before all";
const AFTER_ALL: &str = "after all";

/// Who asks which agent.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Who asks which agent")]
pub(crate) struct AskingArgs {
    /// The agent: a name under `targets` or `agents`, the `agentId` of a target, or an assistant folder
    #[arg(short, long, value_name = "AGENT", env = "ANANKE_NAME")]
    pub(crate) name: Option<String>,
    /// The connector to use instead of the target's own: one of its `connectors`, or of the config's for chat models
    #[arg(short, long, value_name = "CONNECTOR", env = "ANANKE_CONNECTOR")]
    pub(crate) connector: Option<String>,
    /// The user who asks, whatever the cases say [default: test-user]
    #[arg(short, long, value_name = "USER", env = "ANANKE_USER")]
    pub(crate) user: Option<String>,
    /// The team of that user, whatever the cases say [default: test-team]
    #[arg(short, long, value_name = "TEAM", env = "ANANKE_TEAM")]
    pub(crate) team: Option<String>,
    /// The agent that plays the user in cases with checkpoints that name none
    #[arg(long, value_name = "AGENT", env = "ANANKE_SIMULATOR")]
    pub(crate) simulator: Option<String>,
    /// A JSON file that says who asks, from where and with which rights; wins over -u and -t
    #[arg(long, value_name = "FILE", env = "ANANKE_CTX")]
    pub(crate) ctx: Option<PathBuf>,
    /// A function of a script to call before the first test, such as scripts.setup.Before
    #[arg(
        long,
        value_name = "FUNCTION",
        env = "ANANKE_BEFORE_ALL",
        help_heading = "How to run"
    )]
    pub(crate) before_all: Option<String>,
    /// A function of a script to call after the last test
    #[arg(
        long,
        value_name = "FUNCTION",
        env = "ANANKE_AFTER_ALL",
        help_heading = "How to run"
    )]
    pub(crate) after_all: Option<String>,
}

impl AskingArgs {
    /// Returns what the user said, and where the user said nothing what `facts` of an earlier run remember.
    pub(crate) fn or_recorded(
        &self,
        facts: Option<&BTreeMap<String, String>>,
        environment: &Environment,
    ) -> Self {
        let recorded = |name: &str| facts.and_then(|facts| facts.get(name).cloned());
        let or = |own: &Option<String>, name| own.clone().or_else(|| recorded(name));
        Self {
            name: or(&self.name, NAME),
            connector: or(&self.connector, CONNECTOR),
            user: or(&self.user, USER),
            team: or(&self.team, TEAM),
            simulator: or(&self.simulator, SIMULATOR),
            before_all: or(&self.before_all, BEFORE_ALL),
            after_all: or(&self.after_all, AFTER_ALL),
            ctx: self
                .ctx
                .clone()
                .or_else(|| Some(from_above(&recorded(CTX)?, environment))),
        }
    }

    /// Returns what is handed to the loader.
    /// `helpers` are agents that the command asks itself.
    pub(crate) fn asking<'a>(&'a self, helpers: &'a [&'a str]) -> Asking<'a> {
        Asking {
            name: self.name.as_deref(),
            connector: self.connector.as_deref(),
            user: self.user.as_deref(),
            team: self.team.as_deref(),
            ctx: self.ctx.as_deref(),
            simulator: self.simulator.as_deref(),
            helpers,
            before_all: self.before_all.as_deref(),
            after_all: self.after_all.as_deref(),
            calls_script: false,
        }
    }

    /// Returns what is worth remembering; paths are as seen from `root`.
    pub(crate) fn facts(&self, root: &Path, environment: &Environment) -> BTreeMap<String, String> {
        let ctx = self.ctx.as_ref().map(|path| {
            let path = environment.cwd.join(path);
            let path = path.strip_prefix(root).unwrap_or(&path);
            path.display().to_string()
        });
        let facts = [
            (NAME, &self.name),
            (CONNECTOR, &self.connector),
            (USER, &self.user),
            (TEAM, &self.team),
            (SIMULATOR, &self.simulator),
            (BEFORE_ALL, &self.before_all),
            (AFTER_ALL, &self.after_all),
            (CTX, &ctx),
        ];
        let facts = facts.into_iter();
        facts
            .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)))
            .collect()
    }

    /// Returns the flags that say the same again.
    pub(crate) fn words(&self) -> Vec<String> {
        let ctx = self.ctx.as_ref().map(|path| path.display().to_string());
        let flags = [
            ("-n", &self.name),
            ("-c", &self.connector),
            ("-u", &self.user),
            ("-t", &self.team),
            ("--simulator", &self.simulator),
            ("--before-all", &self.before_all),
            ("--after-all", &self.after_all),
            ("--ctx", &ctx),
        ];
        let flags = flags.into_iter();
        flags
            .filter_map(|(flag, value)| Some([flag.to_owned(), value.clone()?]))
            .flatten()
            .collect()
    }
}

/// Returns a file that was named as seen from the root of a project, looked for from the working directory upward.
fn from_above(path: &str, environment: &Environment) -> PathBuf {
    let mut folders = environment.cwd.ancestors().map(|folder| folder.join(path));
    let found = folders.find(|path| path.exists());
    found.unwrap_or_else(|| PathBuf::from(path))
}
