//! One question to a function of a script, outside of a run: `scripts:` generators and reporters.

use std::time::Instant;

use ananke_model::script::{FailureKind, ScriptCall};
use ananke_model::variables::text_form;
use ananke_script::Argument;
use serde_json::Value;

use super::ask::{Answer, AskError, AskErrorKind, AskOptions, failed, hidden};
use crate::script::{Calls, context_of, in_one_line};

/// Calls a function with what is asked, what goes beside it, and a `ctx`; what it returns is its answer: a text as it is,
/// anything else as JSON.
pub async fn ask_script(function: &ScriptCall, ask: AskOptions<'_>) -> Result<Answer, AskError> {
    let world = ask.world();
    let arguments = vec![
        Argument::Json(ask.message.clone()),
        Argument::Json(Value::Object(ask.metadata.clone())),
        Argument::Context(context_of(ask.identity, "")),
    ];
    let since = Instant::now();
    let calls = Calls::new(&world, 0);
    let called = calls.call(function, arguments, ask.timeout).await;
    let duration_us = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
    let name = &function.reference;
    let answer = match called.result {
        Ok(Value::Null) => Err(failed(format!(
            "`{name}` returned nothing: it must return a text, or a value that is JSON"
        ))),
        Ok(value) => Ok(text_form(&value)),
        Err(failure) => {
            let kind = match failure.kind {
                FailureKind::Timeout => AskErrorKind::Timeout,
                _ => AskErrorKind::Failed,
            };
            let message = format!("`{name}` failed: {}", in_one_line(&failure));
            Err(AskError { kind, message })
        }
    };
    match answer {
        Ok(text) => Ok(Answer {
            last: text.clone(),
            text,
            duration_us,
        }),
        Err(error) => Err(hidden(error, ask.redactor)),
    }
}
