//! Sends the requests of scenarios and keeps what came of them.

use ananke_protocol::http::{Ask, NoAnswer};
use serde_json::Value;

use super::talk::{Talker, Until};
use crate::case::{Case, ScenarioSeen, Shown};
use crate::drive::{DriveError, Target};
use crate::exchange::{Answer, Asked, Ending, Exchange};

/// How many requests may take all their time before the server is given up.
const MAX_SILENT: usize = 2;

/// Sends requests and keeps exchanges.
#[derive(Debug)]
pub(crate) struct Driver<'a> {
    pub(crate) target: &'a Target,
    pub(crate) case: Case,
    /// The scenario that is being played.
    pub(crate) scenario: &'static str,
    talker: Talker,
    n_silent: usize,
    last_id: u64,
}

impl<'a> Driver<'a> {
    /// Begins.
    pub(crate) fn new(target: &'a Target) -> Result<Self, DriveError> {
        Ok(Self {
            target,
            talker: Talker {
                client: target.client()?,
                timeout: target.timeout,
                limits: target.limits,
            },
            case: Case {
                subject: target.shown_url(),
                ..Case::default()
            },
            scenario: "",
            n_silent: 0,
            last_id: 0,
        })
    }

    /// Returns an id that no request had before.
    pub(crate) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Sends a request, reads its answer and keeps both.
    pub(crate) async fn ask(
        &mut self,
        step: String,
        asked: Asked,
        request: Option<Value>,
        ask: &Ask,
        until: Until<'_>,
    ) -> Result<&Answer, DriveError> {
        let (answer, reason) = self.talker.talk(ask, until).await;
        let is_first = self.case.exchanges.is_empty();
        match reason {
            Some(NoAnswer::Wrong(why)) => return Err(DriveError::Configuration(why)),
            Some(NoAnswer::Unreachable(why)) if is_first => {
                let url = self.target.shown_url();
                return Err(DriveError::Unreachable { url, why });
            }
            _ => {}
        }
        let is_silent = matches!(answer.ending, Ending::NoAnswer(_)) || answer.overdue().is_some();
        self.n_silent += usize::from(is_silent);
        self.case.exchanges.push(Exchange {
            scenario: self.scenario.to_owned(),
            step,
            asked,
            request,
            answer,
        });
        let last = self.case.exchanges.last();
        Ok(&last.expect("one was just added").answer)
    }

    /// Says why nothing more is asked of the server, if that is so.
    pub(crate) fn closed_door(&self) -> Option<String> {
        let n = self.n_silent;
        (n >= MAX_SILENT).then(|| format!("{n} requests got no answer, or none that ended"))
    }

    /// Notes what became of a scenario.
    pub(crate) fn seen(&mut self, name: &'static str, shown: Shown, detail: String) {
        self.case.scenarios.push(ScenarioSeen {
            name,
            shown,
            detail,
        });
    }
}
