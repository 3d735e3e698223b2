//! `type: tool_result`: a call of this tool gave a result, and no error; the result holds what is demanded.

use ananke_model::check::ToolResult as Written;
use serde_json::Value;

use super::Judged;
use super::tool_called::{calls_of, named, not_called, tool};
use crate::call_filter::GaveUp;
use crate::evidence::{Call, Evidence};
use crate::resolver::Resolver;
use crate::shown::{counted, listed, shorten};
use crate::value::{Texts, Wanted, brief};

/// Demands a result.
#[derive(Clone, Debug)]
pub(super) struct GaveResult {
    /// One name, as a list.
    pub(super) names: Vec<String>,
    result: Option<(Wanted, Value)>,
}

impl GaveResult {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(super) fn compile(written: &Written, resolver: &mut Resolver<'_>) -> Option<Self> {
        let name = tool(&written.tool, resolver);
        let result = written.result.as_ref().map(|json| {
            let wanted = Wanted::compile(json, Texts::Patterns, resolver)?;
            Some((wanted, resolver.value(&json.value, &json.place)?))
        });
        Some(Self {
            names: vec![name?],
            result: match result {
                Some(result) => Some(result?),
                None => None,
            },
        })
    }

    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        let holding = match &self.result {
            Some((_, value)) => format!(" holding {}", shorten(&value.to_string())),
            None => String::new(),
        };
        format!("result of `{}`{holding}", self.names.join("` or `"))
    }

    /// Says that it holds although it must not.
    pub(super) fn said_not(&self) -> String {
        let such = if self.result.is_some() {
            "such a result"
        } else {
            "a result"
        };
        format!("tool {} should not give {such}", named(&self.names))
    }

    /// Judges the evidence. Prohibitions look at every call that was seen, demands only at those that were made.
    pub(super) fn judge(&self, evidence: &Evidence<'_>, is_negated: bool) -> Judged {
        let calls = calls_of(&self.names, evidence, is_negated);
        if calls.is_empty() {
            return not_called(&self.names, evidence);
        }
        let mut nearest: Option<(&Call<'_>, Vec<String>)> = None;
        let mut unread = None;
        for call in &calls {
            let lines = match self.unmet(call) {
                Ok(lines) => lines,
                Err(GaveUp(pattern)) => return Judged::gave_up(&pattern).event(call.event),
            };
            if lines.is_empty() {
                return Judged::holds(call.shown()).event(call.event);
            }
            if unread.is_none() && self.is_unread(call) {
                unread = Some(call);
            }
            if nearest
                .as_ref()
                .is_none_or(|(_, known)| lines.len() < known.len())
            {
                nearest = Some((call, lines));
            }
        }
        if let Some(call) = unread.filter(|_| is_negated) {
            let said = format!("tool {} may have given such a result", named(&self.names));
            let text = shorten(call.result.unwrap_or_default());
            return Judged::undecided(said, call.shown())
                .event(call.event)
                .details([format!("the result begins like JSON and is not: {text}")]);
        }
        let such = if self.result.is_some() {
            "no such result"
        } else {
            "no result"
        };
        let said = format!("tool {} gave {such}", named(&self.names));
        let judged = Judged::fails(said, format!("{such} in {}", counted(calls.len(), "call")));
        match nearest {
            Some((call, lines)) => judged
                .event(call.event)
                .details([format!("closest call: {}", call.shown())])
                .details(listed(lines)),
            None => judged,
        }
    }

    /// Returns in words what is wrong with the result of a call.
    fn unmet(&self, call: &Call<'_>) -> Result<Vec<String>, GaveUp> {
        if let Some(error) = call.error {
            return Ok(vec![format!("the tool failed: {}", shorten(error))]);
        }
        let Some(text) = call.result else {
            return Ok(vec!["there is no result".to_owned()]);
        };
        let asks_more = |(wanted, _): &&(Wanted, Value)| !matches!(wanted, Wanted::Members(members) if members.is_empty());
        let Some((wanted, _)) = self.result.as_ref().filter(asks_more) else {
            let failed = failure(text).map(|error| format!("the tool failed: {error}"));
            return Ok(failed.into_iter().collect());
        };
        // Text that is no JSON is compared as it is; so is JSON that was demanded as text.
        let plain = Value::from(text);
        match serde_json::from_str::<Value>(text) {
            Ok(json) => {
                let lines = wanted.differences(&json, "$")?;
                let is_text = matches!(wanted, Wanted::Text(_) | Wanted::Pattern(_));
                match !lines.is_empty() && is_text && wanted.differences(&plain, "$")?.is_empty() {
                    true => Ok(Vec::new()),
                    false => Ok(lines),
                }
            }
            Err(_) => wanted.differences(&plain, "$"),
        }
    }

    /// Tells whether the result of a call was to be JSON that holds something, and is cut off or broken.
    fn is_unread(&self, call: &Call<'_>) -> bool {
        let is_plain = |wanted: &Wanted| matches!(wanted, Wanted::Text(_) | Wanted::Pattern(_));
        let asks_for_json = self
            .result
            .as_ref()
            .is_some_and(|(wanted, _)| !is_plain(wanted));
        let text = call.result.filter(|_| call.error.is_none()).unwrap_or("");
        asks_for_json
            && text.trim_start().starts_with(['{', '['])
            && serde_json::from_str::<Value>(text).is_err()
    }
}

/// Returns what went wrong, if a result is an object that has nothing but `error`: how many tools say that they failed.
fn failure(result: &str) -> Option<String> {
    let Ok(Value::Object(members)) = serde_json::from_str(result) else {
        return None;
    };
    match members.get("error").filter(|_| members.len() == 1)? {
        Value::String(error) => Some(shorten(error).into_owned()),
        error @ Value::Object(_) => Some(brief(error)),
        _ => None,
    }
}
