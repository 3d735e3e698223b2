//! Who asks, and through which connector, as names and values for a person.

use std::collections::BTreeSet;

use ananke_model::case::Identity;
use ananke_model::result::TestResult;
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

/// The connectors that tests of a run chose.
#[derive(Debug, Default)]
pub(crate) struct Connectors(BTreeSet<String>);

impl Connectors {
    /// Takes note of a result.
    pub(crate) fn add(&mut self, result: &TestResult) {
        if let Some(connector) = &result.connector
            && !self.0.contains(connector)
        {
            self.0.insert(connector.clone());
        }
    }

    /// Returns their names; `None` if no test chose one.
    pub(crate) fn names(&self) -> Option<String> {
        let names: Vec<String> = self.0.iter().cloned().collect();
        (!names.is_empty()).then(|| crate::count::some_of(&names, 10))
    }
}
