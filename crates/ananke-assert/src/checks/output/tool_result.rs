//! `type: tool_result`: a call of this tool gave a result, and no error; the result holds what is demanded.

use ananke_model::check::ToolResult as Written;
use serde_json::Value;

use super::Judged;
use super::tool_called::{calls_of, named, not_called, tool};
use crate::call_filter::GaveUp;
use crate::evidence::{Call, Evidence};
use crate::resolver::Resolver;
use crate::shown::{counted, listed, shorten};
use crate::value::{Texts, Wanted};

/// How many calls are compared closely; the agent decides how many there are.
const MAX_CALLS: usize = 1000;

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
        for call in calls.iter().take(MAX_CALLS) {
            let lines = match self.unmet(call) {
                Ok(lines) => lines,
                Err(GaveUp(pattern)) => return Judged::gave_up(&pattern).event(call.event),
            };
            if lines.is_empty() {
                return Judged::holds(call.shown()).event(call.event);
            }
            if nearest
                .as_ref()
                .is_none_or(|(_, known)| lines.len() < known.len())
            {
                nearest = Some((call, lines));
            }
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
        let Some((wanted, _)) = &self.result else {
            return Ok(Vec::new());
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
}
