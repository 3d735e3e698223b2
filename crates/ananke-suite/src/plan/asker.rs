//! Who asks: `--ctx` before `-u` and `-t` before the case before the defaults.

use ananke_model::case::Identity;
use ananke_model::place::{Place, Text};
use serde_json::{Map, Value};

use crate::asking::AskingSpec;
use crate::parse::CaseSpec;

/// Who asks in this run.
#[derive(Debug)]
pub(super) struct Asker {
    identity: Identity,
    has_user: bool,
    has_team: bool,
    has_authorized: bool,
    /// Whether `-u`, `-t` or `--ctx` was given.
    pub(super) is_given: bool,
    /// Where the file of `--ctx` says it.
    pub(super) place: Option<Place>,
}

impl Asker {
    /// Returns who asks by the flags.
    pub(super) fn new(asking: &AskingSpec<'_>) -> Self {
        let mut identity = Identity::default();
        let context = asking.context.clone().unwrap_or_default();
        let text = |text: Option<Text>| text.map(|text| text.text);
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        let user = text(context.user).or_else(|| owned(asking.user));
        let team = text(context.team).or_else(|| owned(asking.team));
        let (has_user, has_team) = (user.is_some(), team.is_some());
        let given = [
            (&mut identity.user_id, user),
            (&mut identity.team_id, team),
            (&mut identity.locale, text(context.locale)),
            (&mut identity.client_type, text(context.client_type)),
            (&mut identity.client_ip, text(context.client_ip)),
            (&mut identity.referer, text(context.referer)),
            (&mut identity.accept, text(context.accept)),
        ];
        for (field, value) in given {
            if let Some(value) = value {
                *field = value;
            }
        }
        identity.user_agent = text(context.user_agent);
        identity.metadata = context.metadata;
        identity.chat_id = text(context.chat_id);
        let has_authorized = context.authorized.is_some();
        identity.authorized = context.authorized.unwrap_or_default();
        Self {
            identity,
            has_user,
            has_team,
            has_authorized,
            place: asking.context.as_ref().map(|file| file.place.clone()),
            is_given: asking.user.is_some() || asking.team.is_some() || asking.context.is_some(),
        }
    }

    /// Returns who asks where nothing else is said.
    pub(super) fn of_run(&self) -> Identity {
        self.with_subject(self.identity.clone())
    }

    /// Returns who asks in a case.
    pub(super) fn of_case(&self, case: &CaseSpec) -> Identity {
        let mut identity = self.identity.clone();
        if let Some(user) = case.user.as_ref().filter(|_| !self.has_user) {
            identity.user_id.clone_from(&user.text);
        }
        if let Some(team) = case.team.as_ref().filter(|_| !self.has_team) {
            identity.team_id.clone_from(&team.text);
        }
        self.with_subject(identity)
    }

    /// Adds the subject, which is the user if the file does not say otherwise.
    fn with_subject(&self, mut identity: Identity) -> Identity {
        if self.has_authorized && !identity.authorized.contains_key("sub") {
            let mut authorized = Map::new();
            let user = Value::String(identity.user_id.clone());
            authorized.insert("sub".to_owned(), user);
            authorized.append(&mut identity.authorized);
            identity.authorized = authorized;
        }
        identity
    }
}

/// Returns what the agent can be told about who asks: names with values, and maps of them.
pub(super) fn fields(identity: &Identity) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut add = |name: &str, value: &str| {
        fields.insert(name.to_owned(), Value::String(value.to_owned()));
    };
    add("user_id", &identity.user_id);
    add("team_id", &identity.team_id);
    add("locale", &identity.locale);
    add("referer", &identity.referer);
    add("accept", &identity.accept);
    let client = [
        ("type", Some(&identity.client_type)),
        ("ip", Some(&identity.client_ip)),
        ("user_agent", identity.user_agent.as_ref()),
    ];
    let client = client.into_iter().filter_map(|(name, value)| {
        let value = Value::String(value?.clone());
        Some((name.to_owned(), value))
    });
    fields.insert("client".to_owned(), Value::Object(client.collect()));
    if !identity.authorized.is_empty() {
        let authorized = Value::Object(identity.authorized.clone());
        fields.insert("authorized".to_owned(), authorized);
    }
    fields
}

/// Returns what the agent is told beside who asks: of the file of `--ctx`, the case and its options, the later wins.
pub(super) fn metadata(identity: &Identity, case: Option<&CaseSpec>) -> Map<String, Value> {
    let mut metadata = identity.metadata.clone();
    let written = case.and_then(|case| case.metadata.as_ref());
    let option = case.and_then(|case| case.option("metadata"));
    for json in written
        .into_iter()
        .chain(option.map(|option| &option.value))
    {
        if let Value::Object(members) = &json.value {
            metadata.extend(members.clone());
        }
    }
    metadata
}
