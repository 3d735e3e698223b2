//! The host of scripts that judge a recording again: nobody is asked, nothing is fetched.

use std::path::PathBuf;

use ananke_assert::at_path;
use ananke_script::{AgentCall, Fetched, Host, Judged, Request, Verdict};
use serde_json::Value;

use super::host::matches;
use super::processes;

/// Reaches nothing but other scripts.
#[derive(Debug)]
pub(crate) struct Nowhere {
    /// The folder that holds `scripts/` and `assistants/`.
    pub(crate) root: PathBuf,
}

const NOBODY: &str = "a recording is judged, so nobody is asked";

impl Host for Nowhere {
    fn stream(&self, call: AgentCall) -> Result<Value, String> {
        Err(format!("the agent `{}`: {NOBODY}", call.agent))
    }

    fn judge(&self, question: Judged) -> Result<Verdict, String> {
        Err(format!("the agent `{}`: {NOBODY}", question.agent))
    }

    fn script(&self, process: &str) -> Option<Result<(PathBuf, String), String>> {
        processes::find(&self.root, process)
    }

    fn fetch(
        &self,
        _request: Request,
        done: Box<dyn FnOnce(Result<Fetched, String>) + Send + 'static>,
    ) {
        done(Err(NOBODY.to_owned()));
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }

    fn matches(&self, pattern: &str, text: &str) -> Result<bool, String> {
        matches(pattern, text)
    }

    fn json_path(&self, value: &Value, path: &str) -> Result<Option<Value>, String> {
        at_path(value, path)
    }
}
