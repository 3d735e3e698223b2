//! Who asks, and through which connector, as names and values for a person.

use ananke_model::case::Identity;
use ananke_model::result::{TestResult, TestStatus};
use serde_json::{Map, Value};

/// Returns what is known of who asks; what was not given is left out.
pub(crate) fn asking(identity: &Identity) -> Vec<(&'static str, String)> {
    let json = |members: &Map<String, Value>| match members.is_empty() {
        true => String::new(),
        false => Value::Object(members.clone()).to_string(),
    };
    let all = [
        ("User", identity.user_id.clone()),
        ("Team", identity.team_id.clone()),
        ("Locale", identity.locale.clone()),
        ("Client", identity.client_type.clone()),
        ("Client IP", identity.client_ip.clone()),
        (
            "User agent",
            identity.user_agent.clone().unwrap_or_default(),
        ),
        ("Referer", identity.referer.clone()),
        ("Accept", identity.accept.clone()),
        ("Authorized", json(&identity.authorized)),
        ("Metadata", json(&identity.metadata)),
        ("Chat", identity.chat_id.clone().unwrap_or_default()),
    ];
    all.into_iter()
        .filter(|(_, value)| !value.is_empty())
        .collect()
}

/// Returns where the case says otherwise than the run about who asks.
pub(crate) fn asking_otherwise(
    result: &TestResult,
    run: Option<&Identity>,
) -> Vec<(&'static str, String)> {
    let Some(case) = &result.case else {
        return Vec::new();
    };
    let default = Identity::default();
    let of_run = asking(run.unwrap_or(&default));
    let of_case = asking(&case.identity);
    of_case
        .into_iter()
        .filter(|row| !of_run.contains(row))
        .collect()
}

/// The connector of a run.
#[derive(Debug, Default)]
pub(crate) enum Connector {
    /// No test was run.
    #[default]
    Unknown,
    /// Every test used this one, or none.
    Same(Option<String>),
    /// They differ.
    Mixed,
}

impl Connector {
    /// Takes note of a result; a test that was not run used none.
    pub(crate) fn add(&mut self, result: &TestResult) {
        if result.status == TestStatus::Skipped {
            return;
        }
        match self {
            Self::Unknown => *self = Self::Same(result.connector.clone()),
            Self::Same(connector) if *connector != result.connector => *self = Self::Mixed,
            Self::Same(_) | Self::Mixed => {}
        }
    }

    /// Returns its name, if every test that was run used the same one.
    pub(crate) fn name(&self) -> Option<String> {
        match self {
            Self::Same(connector) => connector.clone(),
            Self::Unknown | Self::Mixed => None,
        }
    }
}
