//! What everything in a run shares that talks to somebody: agents under test, helpers, and the scripts that call them.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ananke_model::case::Identity;
use ananke_model::coverage::Coverage;
use ananke_model::plan::{Plan, Target};
use ananke_model::script::{Grants, Scripts as ScriptPlan};
use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;
use ananke_script::{Settings, Stop};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::agents::Helpers;
use crate::clients::Clients;
use crate::pace::Rate;
use crate::redact::Redactor;
use crate::speakers::{KnownAgents, Means, Scripts, SharedServers};

/// What all sessions, helpers and scripts share.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) plan: Arc<Plan>,
    pub(crate) variables: Variables,
    /// Hides the secrets of the run, and what hooks gave in any test so far.
    pub(crate) redactor: Redactor,
    pub(crate) proxies: Proxies,
    pub(crate) clients: Clients,
    pub(crate) scripts: Scripts,
    pub(crate) helpers: Helpers,
    pub(crate) known_agents: KnownAgents,
    pub(crate) shared_servers: SharedServers,
    pub(crate) rate: Option<Rate>,
    /// How long a turn may wait for a busy agent, where its target does not say.
    pub(crate) backoff: Option<Duration>,
    pub(crate) unix_ms: fn() -> i64,
    pub(crate) cancel: CancellationToken,
    /// What all scripts share.
    pub(crate) settings: Arc<Settings>,
    /// Stops all scripts once the user stops the run.
    pub(crate) stop: Stop,
    coverage: Mutex<Coverage>,
    /// Where scripts have their questions answered; nowhere outside of a runtime.
    pub(crate) handle: Option<Handle>,
}

/// What a world is made of.
#[derive(Debug)]
pub(crate) struct WorldParts<'a> {
    pub(crate) plan: Arc<Plan>,
    pub(crate) variables: Variables,
    pub(crate) redactor: Redactor,
    pub(crate) proxies: Proxies,
    pub(crate) rate: Option<Rate>,
    pub(crate) backoff: Option<Duration>,
    pub(crate) unix_ms: fn() -> i64,
    pub(crate) cancel: CancellationToken,
    /// The folder from which files are shown.
    pub(crate) cwd: &'a Path,
    /// Whether lines and functions of scripts are counted.
    pub(crate) coverage: bool,
}

impl World {
    /// Makes a world; inside a runtime, if scripts are to reach anybody.
    pub(crate) fn new(parts: WorldParts<'_>) -> Arc<Self> {
        let WorldParts {
            plan,
            variables,
            redactor,
            proxies,
            rate,
            backoff,
            unix_ms,
            cancel,
            cwd,
            coverage,
        } = parts;
        let root = match plan.scripts.root.as_os_str().is_empty() {
            true => &plan.root,
            false => &plan.scripts.root,
        };
        let grants = resolved(&plan.scripts.grants, &variables);
        let settings = Arc::new(Settings::new(root, cwd, grants, coverage));
        Arc::new(Self {
            plan,
            variables,
            redactor,
            proxies,
            clients: Clients::default(),
            scripts: Scripts::default(),
            helpers: Helpers::default(),
            known_agents: KnownAgents::default(),
            shared_servers: SharedServers::default(),
            rate,
            backoff,
            unix_ms,
            cancel,
            settings,
            stop: Stop::default(),
            coverage: Mutex::default(),
            handle: Handle::try_current().ok(),
        })
    }

    /// Makes a world without tests: for one question, or one look.
    pub(crate) fn alone(alone: Alone<'_>) -> Arc<Self> {
        let plan = Plan {
            root: alone.root.to_owned(),
            identity: alone.identity.cloned(),
            scripts: alone.scripts.cloned().unwrap_or_default(),
            ..Plan::default()
        };
        Self::new(WorldParts {
            plan: Arc::new(plan),
            variables: alone.variables.clone(),
            redactor: alone.redactor,
            proxies: alone.proxies.clone(),
            rate: None,
            backoff: None,
            unix_ms: || 0,
            cancel: alone.cancel,
            cwd: alone.root,
            coverage: false,
        })
    }

    /// Returns what speakers are made with.
    pub(crate) fn means<'a>(self: &'a Arc<Self>, variables: &'a Variables) -> Means<'a> {
        Means {
            variables,
            clients: &self.clients,
            scripts: &self.scripts,
            proxies: &self.proxies,
            root: &self.plan.root,
            world: self,
        }
    }

    /// Returns the helper with this key; says why there is none.
    pub(crate) fn agent(&self, key: &str) -> Result<&Target, String> {
        let of_scripts = || match self.plan.scripts.agents.get(key)? {
            Ok(target) => Some(Ok(target)),
            Err(why) => Some(Err(why.clone())),
        };
        let found = self.plan.agents.get(key).map(Ok).or_else(of_scripts);
        found.unwrap_or_else(|| Err(format!("the plan has no agent `{key}`")))
    }

    /// Tells whether there is such a key, usable or not.
    pub(crate) fn knows(&self, key: &str) -> bool {
        let Plan {
            agents, scripts, ..
        } = &*self.plan;
        agents.contains_key(key) || scripts.agents.contains_key(key)
    }

    /// Adds what a script ran.
    pub(crate) fn cover(&self, more: Coverage) {
        if !more.files.is_empty() {
            self.coverage
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .add(more);
        }
    }

    /// Takes out what all scripts ran so far.
    pub(crate) fn take_coverage(&self) -> Coverage {
        std::mem::take(&mut self.coverage.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a world without tests is made of.
#[derive(Debug)]
pub(crate) struct Alone<'a> {
    pub(crate) variables: &'a Variables,
    pub(crate) proxies: &'a Proxies,
    pub(crate) root: &'a Path,
    pub(crate) identity: Option<&'a Identity>,
    pub(crate) scripts: Option<&'a ScriptPlan>,
    pub(crate) redactor: Redactor,
    pub(crate) cancel: CancellationToken,
}

/// Returns grants with their references resolved; a host whose reference has no value is granted to nobody.
fn resolved(grants: &Grants, variables: &Variables) -> Grants {
    let mut grants = grants.clone();
    grants
        .net
        .retain_mut(|host| match variables.text(&host.text) {
            Ok(text) => {
                host.text = text;
                true
            }
            Err(_) => false,
        });
    grants
}
