//! Where a check looks: at the whole output, or at what stands at a path in its JSON.

use std::borrow::Cow;

use ananke_model::diagnostic::did_you_mean;
use ananke_model::place::Text;
use ananke_model::variables::text_form;
use serde_json::Value;

use super::Judged;
use crate::evidence::Evidence;
use crate::resolver::Resolver;
use crate::shown::{listed, shorten};
use crate::value::{JsonPath, NoJson};

/// `path` of a check, if it has one.
#[derive(Clone, Debug)]
pub(super) struct Looking {
    path: Option<(JsonPath, String)>,
}

impl Looking {
    /// Compiles a path; nothing if there is a mistake in it.
    pub(super) fn compile(path: Option<&Text>, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            path: match path {
                Some(path) => Some(resolver.json_path(path)?),
                None => None,
            },
        })
    }

    /// Returns the path as written.
    pub(super) fn path(&self) -> Option<&str> {
        self.path.as_ref().map(|(_, shown)| shown.as_str())
    }

    /// Returns ` at $.a`, or nothing for the whole output.
    pub(super) fn at(&self) -> String {
        match self.path() {
            Some(path) => format!(" at {}", shorten(path)),
            None => String::new(),
        }
    }

    /// Returns what a sentence is about: `output`, or `path '$.a'`.
    pub(super) fn named(&self) -> String {
        match self.path() {
            Some(path) => format!("path '{}'", shorten(path)),
            None => "output".to_owned(),
        }
    }

    /// Returns what stands at the path, which may be nothing: in the first JSON value of the output in which anything does.
    pub(super) fn nodes<'e>(&self, evidence: &'e Evidence<'_>) -> Result<Vec<&'e Value>, Judged> {
        let values = evidence.json().map_err(|none| no_json(none, evidence))?;
        let Some((path, _)) = &self.path else {
            return Ok(values.iter().take(1).collect());
        };
        let found = values.iter().map(|value| path.query(value));
        Ok(found
            .into_iter()
            .find(|nodes| !nodes.is_empty())
            .unwrap_or_default())
    }

    /// Returns what stands at the path. That nothing does decides nothing.
    pub(super) fn some_nodes<'e>(
        &self,
        evidence: &'e Evidence<'_>,
    ) -> Result<Vec<&'e Value>, Judged> {
        let nodes = self.nodes(evidence)?;
        if nodes.is_empty() {
            let said = format!("{}: nothing is there", self.named());
            return Err(Judged::undecided(said, "nothing").details(self.near(evidence)));
        }
        Ok(nodes)
    }

    /// Returns the texts to search: the output, or the text form of everything that stands at the path.
    pub(super) fn texts<'e>(
        &self,
        evidence: &'e Evidence<'_>,
    ) -> Result<Vec<Cow<'e, str>>, Judged> {
        if self.path.is_none() {
            return Ok(vec![Cow::Borrowed(&*evidence.text)]);
        }
        let text = |node: &'e Value| match node {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            other => Cow::Owned(text_form(other)),
        };
        Ok(self.some_nodes(evidence)?.into_iter().map(text).collect())
    }

    /// Returns what there is instead of what the path names.
    pub(super) fn near(&self, evidence: &Evidence<'_>) -> Vec<String> {
        let first = evidence.json().ok().and_then(<[_]>::first);
        let Some(Value::Object(members)) = first else {
            let shown = first.map(|value| format!("the JSON is {}", shorten(&value.to_string())));
            return shown.into_iter().collect();
        };
        let path = self.path().unwrap_or("");
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let top = path.split(|c| !is_word(c)).find(|word| !word.is_empty());
        let keys = || members.keys().take(100).map(String::as_str);
        let meant = top
            .filter(|top| !members.contains_key(*top))
            .and_then(|top| did_you_mean(top, keys()));
        let keys = listed(members.keys().map(|key| shorten(key).into_owned()));
        let there = match keys.is_empty() {
            true => "the JSON is an object without members".to_owned(),
            false => format!("the members are: {}", keys.join(", ")),
        };
        let meant = meant.map(|word| format!("did you mean `{}`?", shorten(word)));
        meant.into_iter().chain([there]).collect()
    }
}

/// Returns that the output has no JSON to look into.
fn no_json(none: &NoJson, evidence: &Evidence<'_>) -> Judged {
    let said = format!("output is not valid JSON: {}", none.why);
    Judged::undecided(said, quoted(&evidence.text))
}

/// Returns a text as what was seen.
pub(super) fn quoted(text: &str) -> String {
    match text.is_empty() {
        true => "no text at all".to_owned(),
        false => format!("\"{}\"", shorten(text)),
    }
}
