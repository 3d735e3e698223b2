//! What the page tells of a case beside its conversation: what was asked, what was expected, and by whom.

use ananke_model::case::Identity;
use ananke_model::result::TestResult;
use serde::Serialize;
use serde_json::{Map, Value};

use super::detail::Scale;
use super::island::cut;
use crate::asked::{Asked, asked};
use crate::asking::asking_otherwise;

/// How many messages are shown.
const MOST_MESSAGES: usize = 100;

/// A case as the page reads it.
#[derive(Debug, Serialize)]
pub(super) struct CaseView {
    /// What is sent, message by message.
    #[serde(rename = "ask")]
    messages: Vec<Asked>,
    /// How many more messages there are.
    #[serde(rename = "more", skip_serializing_if = "is_zero")]
    n_more: usize,
    /// JSON text, as are metadata and options.
    #[serde(rename = "exp", skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(rename = "meta", skip_serializing_if = "Option::is_none")]
    metadata: Option<String>,
    #[serde(rename = "opt", skip_serializing_if = "Option::is_none")]
    options: Option<String>,
    /// Who asks, where the run says otherwise.
    #[serde(rename = "who", skip_serializing_if = "Vec::is_empty")]
    asking: Vec<(&'static str, String)>,
}

/// Returns what is told of a case; nothing for a test that is none.
pub(super) fn case_view(
    result: &TestResult,
    run: Option<&Identity>,
    scale: Scale,
) -> Option<CaseView> {
    let case = result.case.as_ref()?;
    let mut messages = asked(&case.input);
    let n_more = messages.len().saturating_sub(MOST_MESSAGES);
    messages.truncate(MOST_MESSAGES);
    for message in &mut messages {
        message.text = cut(&message.text, scale.text).into_owned();
        message.attachments.truncate(MOST_MESSAGES);
    }
    let json = |members: &Map<String, Value>| {
        let text = Value::Object(members.clone()).to_string();
        (!members.is_empty()).then(|| cut(&text, scale.text).into_owned())
    };
    let asking = asking_otherwise(result, run).into_iter();
    Some(CaseView {
        messages,
        n_more,
        expected: case
            .expected
            .as_ref()
            .map(|expected| cut(&expected.to_string(), scale.text).into_owned()),
        metadata: json(&case.metadata),
        options: json(&case.options),
        asking: asking
            .map(|(name, value)| (name, cut(&value, scale.text).into_owned()))
            .collect(),
    })
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(n: &usize) -> bool {
    *n == 0
}
