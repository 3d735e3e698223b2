//! Secrets in what a result says of a case: what is asked, and by whom.

use std::sync::Arc;

use ananke_model::case::{Case, Identity};
use serde_json::{Map, Value};

use super::inner::{Inner, Weak};

impl Inner {
    /// Hides the secrets in a case; its id stays, since it is found by it. Cases are shared with the plan and among runs:
    /// one is copied only if something in it changes.
    pub(super) fn case(&self, shared: &mut Arc<Case>) {
        let identity = &shared.identity;
        let values = [&shared.input].into_iter().chain(&shared.expected);
        let is_hit = values.into_iter().any(|value| self.has(value, Weak::Hide))
            || self.has_members(&shared.metadata)
            || self.has_members(&shared.options)
            || self.has_members(&identity.authorized)
            || self.has_members(&identity.metadata)
            || texts(identity).any(|text| !self.edits(text, Weak::Hide).is_empty());
        if !is_hit {
            return;
        }
        let case = Arc::make_mut(shared);
        self.value(&mut case.input);
        case.expected.iter_mut().for_each(|expected| {
            self.value(expected);
        });
        self.hide_members(&mut case.metadata);
        self.hide_members(&mut case.options);
        self.identity(&mut case.identity);
    }

    /// Hides the secrets in who asks.
    pub(super) fn identity(&self, identity: &mut Identity) {
        let Identity {
            user_id,
            team_id,
            locale,
            client_type,
            client_ip,
            user_agent,
            referer,
            accept,
            authorized,
            metadata,
            chat_id,
        } = identity;
        let texts = [
            user_id,
            team_id,
            locale,
            client_type,
            client_ip,
            referer,
            accept,
        ];
        let texts = texts.into_iter().chain(user_agent).chain(chat_id);
        texts.for_each(|text| {
            self.text(text);
        });
        let maps: [&mut Map<String, Value>; 2] = [authorized, metadata];
        for map in maps {
            self.hide_members(map);
        }
    }
}

fn texts(identity: &Identity) -> impl Iterator<Item = &String> {
    let texts = [
        &identity.user_id,
        &identity.team_id,
        &identity.locale,
        &identity.client_type,
        &identity.client_ip,
        &identity.referer,
        &identity.accept,
    ];
    let texts = texts.into_iter().chain(&identity.user_agent);
    texts.chain(&identity.chat_id)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ananke_model::case::{Case, Identity};
    use ananke_model::result::TestResult;
    use ananke_model::run_event::{RunEvent, RunInfo};
    use serde_json::json;

    use crate::redact::Secrets;
    use crate::testing::{Project, agent, options, run_live, variables};

    const KEY: &str = "sk-live.7f/3a+2b";

    fn members(value: serde_json::Value) -> serde_json::Map<String, serde_json::Value> {
        value.as_object().cloned().unwrap()
    }

    fn identity() -> Identity {
        Identity {
            user_id: KEY.to_owned(),
            team_id: KEY.to_owned(),
            locale: KEY.to_owned(),
            client_type: KEY.to_owned(),
            client_ip: KEY.to_owned(),
            user_agent: Some(KEY.to_owned()),
            referer: KEY.to_owned(),
            accept: KEY.to_owned(),
            authorized: members(json!({"sub": KEY})),
            metadata: members(json!({KEY: [KEY]})),
            chat_id: Some(KEY.to_owned()),
        }
    }

    fn secrets() -> Secrets {
        let mut secrets = Secrets::default();
        secrets.add("API_KEY", KEY);
        secrets
    }

    /// Runs a case against an agent that says what it was sent.
    async fn recorded(case: Case) -> Vec<TestResult> {
        let agent = agent(json!({"rules": [{"reply": [{"echo": "messages"}]}]})).await;
        let project = Project::new(&agent.url, &[("a", "turns: [{user: replaced}]\n")]);
        let mut plan = project.case(json!([{"role": "user", "content": "${ENV.KEY}"}]), &[]);
        plan.tests[0].target.connector = Some(KEY.to_owned());
        plan.tests[0].case = Some(Arc::new(case));
        let mut options = options();
        options.runs = 2;
        options.redactor = secrets().redactor();
        options.variables = variables();
        let environment = &mut options.variables.environment;
        environment.insert("KEY".to_owned(), KEY.to_owned());
        run_live(&plan, options).await.0
    }

    #[tokio::test]
    async fn nothing_that_a_case_says_gives_a_secret_away() {
        let case = Case {
            id: "T001".to_owned(),
            input: json!("my key is ${ENV.KEY}"),
            expected: Some(json!({"key": "${ENV.KEY}"})),
            metadata: members(json!({"note": "${ENV.KEY}", "literal": KEY})),
            options: members(json!({"connector": KEY})),
            identity: Identity {
                team_id: "${ENV.KEY}".to_owned(),
                ..identity()
            },
            ..Case::default()
        };
        let shared = Arc::new(case.clone());
        let results = recorded(case).await;
        assert_eq!(results[0].other_runs.len(), 1);
        let shown = serde_json::to_string(&results).unwrap();
        assert!(!shown.contains("7f/3a"), "{shown}");
        let case = results[0].case.as_ref().unwrap();
        assert_eq!(case.input, "my key is [redacted API_KEY]");
        assert_eq!(case.metadata["note"], "[redacted API_KEY]");
        assert_eq!(case.identity.user_id, "[redacted API_KEY]");
        assert_eq!(case.identity.team_id, "[redacted API_KEY]");
        assert_eq!(results[0].connector.as_deref(), Some("[redacted API_KEY]"));
        assert_eq!(results[0].short_id(), "T001");
        assert_eq!(
            shared.identity.user_id, KEY,
            "what others hold is not touched"
        );
    }

    #[tokio::test]
    async fn a_secret_in_one_place_alone_is_found() {
        let cases = [
            Case {
                metadata: members(json!({"deep": [{"key": KEY}]})),
                ..Case::default()
            },
            Case {
                expected: Some(json!(KEY)),
                ..Case::default()
            },
            Case {
                identity: Identity {
                    user_agent: Some(KEY.to_owned()),
                    ..Identity::default()
                },
                ..Case::default()
            },
        ];
        for case in cases {
            let mut shared = Arc::new(case);
            let redactor = secrets().redactor();
            redactor.inner().unwrap().case(&mut shared);
            let shown = serde_json::to_string(&shared).unwrap();
            assert!(!shown.contains("7f/3a"), "{shown}");
        }
    }

    #[test]
    fn a_case_without_a_secret_is_not_copied() {
        let mut shared = Arc::new(Case::default());
        let before = Arc::clone(&shared);
        secrets().redactor().inner().unwrap().case(&mut shared);
        assert!(Arc::ptr_eq(&shared, &before));
    }

    #[test]
    fn who_asks_is_hidden_when_the_run_begins() {
        let mut event = RunEvent::RunStarted(RunInfo {
            identity: Some(Box::new(identity())),
            ..RunInfo::default()
        });
        secrets().redactor().event(&mut event);
        assert!(!format!("{event:?}").contains("7f/3a"));
    }
}
