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

/// What stands at a path.
#[derive(Clone, Debug)]
pub(super) struct Seen<'e> {
    /// The values, at least one, for each JSON value in which the path leads anywhere.
    pub(super) lists: Vec<Vec<&'e Value>>,
    /// Why there may be more; nothing if there is not, or if it does not matter.
    pub(super) unread: Option<&'e str>,
}

impl<'e> Seen<'e> {
    /// Goes through all values.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'e Value> {
        self.lists.iter().flatten().copied()
    }
}

/// The texts to search.
#[derive(Clone, Debug)]
pub(super) struct Texts<'e> {
    pub(super) texts: Vec<Cow<'e, str>>,
    /// Why there may be more; nothing if there is not, or if it does not matter.
    pub(super) unread: Option<&'e str>,
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

    /// Tells whether the path leads to one value at most.
    pub(super) fn is_singular(&self) -> bool {
        let path = self.path.as_ref();
        path.is_none_or(|(path, _)| path.is_singular())
    }

    /// Returns what stands at the path, which may be nothing.
    ///
    /// Demands look into the first JSON value of the output in which anything does, prohibitions into each of them.
    pub(super) fn nodes<'e>(
        &self,
        evidence: &'e Evidence<'_>,
        is_forbidden: bool,
    ) -> Result<Seen<'e>, Judged> {
        let json = evidence.json().map_err(|none| no_json(none, evidence))?;
        let beside = json.beside.iter().filter(|_| is_forbidden);
        let found = json
            .best
            .iter()
            .chain(beside)
            .map(|value| match &self.path {
                Some((path, _)) => path.query(value),
                None => vec![value],
            });
        let mut found = found.filter(|nodes| !nodes.is_empty());
        Ok(match is_forbidden {
            true => Seen {
                lists: found.collect(),
                unread: json.unread.as_deref(),
            },
            false => Seen {
                lists: found.next().into_iter().collect(),
                unread: None,
            },
        })
    }

    /// Returns what stands at the path. That nothing does decides nothing.
    pub(super) fn some_nodes<'e>(
        &self,
        evidence: &'e Evidence<'_>,
        is_forbidden: bool,
    ) -> Result<Seen<'e>, Judged> {
        let seen = self.nodes(evidence, is_forbidden)?;
        if seen.lists.is_empty() {
            let said = format!("{}: nothing is there", self.named());
            return Err(Judged::undecided(said, "nothing").details(self.near(evidence)));
        }
        Ok(seen)
    }

    /// Returns why it is not certain that nothing stands at the path: not all could be read, or what the path begins with is
    /// not there, and may be misspelt.
    pub(super) fn doubt(&self, seen: &Seen<'_>, evidence: &Evidence<'_>) -> Option<Judged> {
        if let Some(judged) = self.unread(seen.unread, evidence) {
            return Some(judged);
        }
        let (stem, text) = self.path.as_ref()?.0.stem()?;
        let json = evidence.json().ok()?;
        let mut values = json.best.iter().chain(&json.beside);
        if values.any(|value| !stem.query(value).is_empty()) {
            return None;
        }
        let named = self.named();
        let said = format!("{named}: there is no '{}' to look into", shorten(text));
        Some(Judged::undecided(said, "nothing").details(self.near(evidence)))
    }

    /// Returns that nothing forbidden was found, but not everything could be read.
    pub(super) fn unread(&self, why: Option<&str>, evidence: &Evidence<'_>) -> Option<Judged> {
        let said = format!(
            "{}: not all of the output could be read: {}",
            self.named(),
            why?
        );
        Some(Judged::undecided(said, quoted(&evidence.text)))
    }

    /// Returns the texts to search: the output, or the text form of everything that stands at the path.
    pub(super) fn texts<'e>(
        &self,
        evidence: &'e Evidence<'_>,
        is_forbidden: bool,
    ) -> Result<Texts<'e>, Judged> {
        if self.path.is_none() {
            return Ok(Texts {
                texts: vec![Cow::Borrowed(&*evidence.text)],
                unread: None,
            });
        }
        let text = |node: &'e Value| match node {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            other => Cow::Owned(text_form(other)),
        };
        let seen = self.some_nodes(evidence, is_forbidden)?;
        Ok(Texts {
            texts: seen.nodes().map(text).collect(),
            unread: seen.unread,
        })
    }

    /// Returns what there is instead of what the path names.
    pub(super) fn near(&self, evidence: &Evidence<'_>) -> Vec<String> {
        let first = evidence.first_json();
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
