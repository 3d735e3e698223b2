//! `t.assert.Agent`: a test function asks a judge.

use std::sync::Arc;
use std::time::Duration;

use ananke_assert::Question;
use ananke_model::agent::Opinion;
use ananke_model::variables::text_form;
use ananke_script::Judged;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::gather::Asked;
use super::reply;
use crate::script::{connector, no_agent};
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
    let with_connector = with_connector.filter(|key| world.agent(key).is_ok());
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
    let sample = match no_agent(world, &question.agent) {
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
    }
}
