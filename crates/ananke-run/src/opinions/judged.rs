//! `t.assert.Agent`: a test function asks a judge.

use std::sync::Arc;
use std::time::Duration;

use ananke_assert::Question;
use ananke_model::agent::Opinion;
use ananke_model::plan::{Protocol, Target};
use ananke_model::variables::text_form;
use ananke_script::Judged;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::gather::Asked;
use super::reply;
use crate::script::{connector, no_agent, no_connector};
use crate::world::World;

/// More than this could not be added to a clock.
const LONGEST: Duration = Duration::from_secs(86_400);

/// Asks a judge once.
pub(crate) async fn judged(world: &Arc<World>, judged: &Judged) -> Opinion {
    let Judged {
        agent,
        response,
        options,
        timeout,
    } = judged;
    let agent = agent.strip_prefix("agents:").unwrap_or(agent);
    let with_connector = connector(options).map(|name| format!("{agent}?connector={name}"));
    let unknown = with_connector.as_ref().filter(|key| {
        let is_other = |target: &Target| !matches!(target.protocol, Protocol::OpenAi(_));
        // To agents of other kinds a connector is only a word that they are told.
        !world.knows(key) && !world.agent(agent).is_ok_and(is_other)
    });
    let unknown = unknown.and(connector(options));
    let with_connector = with_connector.clone().filter(|key| world.knows(key));
    let criteria = options.get("criteria").filter(|value| !value.is_null());
    let metadata = options.get("metadata").filter(|value| value.is_object());
    let question = Question {
        agent: with_connector.unwrap_or_else(|| agent.to_owned()),
        script: None,
        criteria: criteria.cloned(),
        metadata: metadata.cloned().unwrap_or_else(|| json!({})),
        output: match response {
            Value::Null => String::new(),
            other => text_form(other),
        },
        samples: 1,
        timeout_ms: None,
    };
    let no_agent = no_agent(world, agent);
    let no_judge = no_agent.or_else(|| unknown.map(|name| no_connector(world, agent, name)));
    let sample = match no_judge {
        Some(why) => reply::none(why, 0),
        None => {
            let asked = Asked::new(&question, None, &json!([]), &[]);
            let timeout = (*timeout).min(LONGEST);
            let bounds = (timeout, Instant::now() + timeout);
            asked.answer(world, bounds).await.0
        }
    };
    Opinion {
        about: question.about(),
        samples: vec![sample],
        ..Opinion::default()
    }
}
