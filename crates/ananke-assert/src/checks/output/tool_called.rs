//! `type: tool_called`: one of these tools was called, with these arguments among others.

use std::collections::HashSet;

use ananke_model::check::ToolCalled as Written;
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;
use serde_json::Value;

use super::Judged;
use crate::evidence::{Call, Evidence};
use crate::resolver::Resolver;
use crate::shown::{counted, listed, shorten};
use crate::value::{Texts, Wanted};

/// How many names a misspelt one is compared with; the agent decides how many there are.
const MAX_NAMES: usize = 1000;

/// Demands a call.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub(super) names: Vec<String>,
    arguments: Option<(Wanted, Value)>,
}

impl Called {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(super) fn compile(written: &Written, resolver: &mut Resolver<'_>) -> Option<Self> {
        let names: Vec<_> = written
            .names
            .iter()
            .map(|name| tool(name, resolver))
            .collect();
        let arguments = written.arguments.as_ref().map(|json| {
            let wanted = Wanted::compile(json, Texts::Values, resolver)?;
            Some((wanted, resolver.value(&json.value, &json.place)?))
        });
        Some(Self {
            names: names.into_iter().collect::<Option<_>>()?,
            arguments: match arguments {
                Some(arguments) => Some(arguments?),
                None => None,
            },
        })
    }

    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        let with = match &self.arguments {
            Some((_, value)) => format!(" with {}", shorten(&value.to_string())),
            None => String::new(),
        };
        format!("call of `{}`{with}", self.names.join("` or `"))
    }

    /// Says that it holds although it must not.
    pub(super) fn said_not(&self) -> String {
        let with = if self.arguments.is_some() {
            " with these arguments"
        } else {
            ""
        };
        format!("tool {} should not be called{with}", named(&self.names))
    }

    /// Judges the evidence. Prohibitions look at every call that was seen, demands only at those that were made.
    pub(super) fn judge(&self, evidence: &Evidence<'_>, is_negated: bool) -> Judged {
        let calls = calls_of(&self.names, evidence, is_negated);
        let Some(first) = calls.first() else {
            return not_called(&self.names, evidence);
        };
        let Some((wanted, _)) = &self.arguments else {
            return Judged::holds(first.shown()).event(first.event);
        };
        let mut nearest: Option<(&Call<'_>, Vec<String>)> = None;
        let mut unread = None;
        for call in &calls {
            let lines = match arguments(call) {
                // Texts are values here, so there is no pattern to give up on.
                Ok(args) => wanted.differences(&args, "$").unwrap_or_default(),
                Err(error) => {
                    let line = format!("the arguments are not JSON: {error}");
                    unread.get_or_insert((call, line.clone()));
                    vec![line]
                }
            };
            if lines.is_empty() {
                return Judged::holds(call.shown()).event(call.event);
            }
            let lines = match call.args.trim().is_empty() {
                true => vec!["there are no arguments".to_owned()],
                false => lines,
            };
            if nearest
                .as_ref()
                .is_none_or(|(_, known)| lines.len() < known.len())
            {
                nearest = Some((call, lines));
            }
        }
        if let Some((call, line)) = unread.filter(|_| is_negated) {
            let said = format!(
                "tool {} may have been called with these arguments",
                named(&self.names)
            );
            return Judged::undecided(said, call.shown())
                .event(call.event)
                .details([line]);
        }
        let said = format!(
            "tool {} was not called with these arguments",
            named(&self.names)
        );
        let judged = Judged::fails(
            said,
            format!("{} without them", counted(calls.len(), "call")),
        );
        match nearest {
            Some((call, lines)) => judged
                .event(call.event)
                .details([format!("closest call: {}", call.shown())])
                .details(listed(lines)),
            None => judged,
        }
    }
}

/// Returns the arguments of a call. None at all are an object without members.
fn arguments(call: &Call<'_>) -> Result<Value, serde_json::Error> {
    match call.args.trim() {
        "" => Ok(Value::Object(serde_json::Map::new())),
        args => serde_json::from_str(args),
    }
}

/// Resolves the name of a tool, which must not become empty.
pub(super) fn tool(name: &Text, resolver: &mut Resolver<'_>) -> Option<String> {
    let resolved = resolver.text(name)?;
    if resolved.trim().is_empty() {
        let message = "the tool's name is empty";
        let diagnostic = Diagnostic::error(&name.place, message);
        resolver
            .diagnostics
            .push(diagnostic.label("its references give no text"));
        return None;
    }
    Some(resolved)
}

/// Returns the calls of these tools: by whole name, or by the part after `server__` or `server.`.
pub(super) fn calls_of<'e, 'a>(
    names: &[String],
    evidence: &'e Evidence<'a>,
    is_negated: bool,
) -> Vec<&'e Call<'a>> {
    let is_meant = |call: &&Call<'_>| {
        let is_named = |name: &String| match call.name.strip_suffix(name.as_str()) {
            Some(server) => server.is_empty() || server.ends_with("__") || server.ends_with('.'),
            None => false,
        };
        (is_negated || call.is_new) && names.iter().any(is_named)
    };
    evidence.calls.iter().filter(is_meant).collect()
}

/// Says that none of these tools was called, and what was.
pub(super) fn not_called(names: &[String], evidence: &Evidence<'_>) -> Judged {
    let mut known = HashSet::new();
    let names_called = evidence.calls.iter().filter(|call| call.is_new);
    let names_called = names_called.map(|call| call.name);
    let called: Vec<&str> = names_called.filter(|name| known.insert(*name)).collect();
    if called.is_empty() {
        return Judged::fails("no tools were called", "no call");
    }
    let meant = names
        .iter()
        .find_map(|name| did_you_mean(name, called.iter().take(MAX_NAMES).copied()));
    let shown = listed(called.iter().map(|name| shorten(name).into_owned())).join(" ");
    let said = format!("tool {} was not called, called: [{shown}]", named(names));
    Judged::fails(said, "no call")
        .details(meant.map(|near| format!("did you mean `{}`?", shorten(near))))
}

/// Returns the names as they stand in a sentence: `'a' or 'b'`.
pub(super) fn named(names: &[String]) -> String {
    let names: Vec<_> = names
        .iter()
        .map(|name| format!("'{}'", shorten(name)))
        .collect();
    names.join(" or ")
}
