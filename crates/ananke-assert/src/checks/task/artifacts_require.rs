//! `artifacts.require`: filter the artifacts by name, text and data, then count them.

use ananke_model::check::Count;
use ananke_model::recording::Artifact;
use ananke_model::task_check::RequiredArtifact;
use serde_json::Value;

use super::artifacts_count::noun;
use crate::call_filter::GaveUp;
use crate::evidence::Evidence;
use crate::resolver::{Needle, Resolver};
use crate::shown::{counted, listed, shorten};
use crate::tasks::{artifacts, data, last_state, named, text};
use crate::value::{ArgPath, RawJson};
use crate::verdict::Verdict;

/// How many artifacts are searched for the nearest miss; the agent decides how many there are.
const MOST_NEAR: usize = 1000;

/// Requires artifacts.
#[derive(Clone, Debug)]
pub(super) struct ArtifactsRequire {
    name: Option<Needle>,
    text: Option<Needle>,
    data: Vec<AtPath>,
    count: Count,
}

/// A pattern for what stands at a path.
#[derive(Clone, Debug)]
struct AtPath {
    path: ArgPath,
    shown: String,
    needle: Needle,
}

/// What an artifact does not match.
struct Unmet {
    lines: Vec<String>,
    /// Whether the name is another one, then how many patterns do not match.
    distance: (bool, usize),
}

impl ArtifactsRequire {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(super) fn compile(written: &RequiredArtifact, resolver: &mut Resolver<'_>) -> Option<Self> {
        // Everything is compiled before giving up, so that every mistake is reported.
        let mut pattern = |written: &Option<_>| match written {
            Some(written) => resolver.pattern(written).map(Some),
            None => Some(None),
        };
        let (name, text) = (pattern(&written.name), pattern(&written.text_match));
        let data = written.data_match.iter().map(|written| {
            let path = resolver.value_path(&written.path);
            let needle = resolver.pattern(&written.pattern);
            let (path, shown) = path?;
            Some(AtPath {
                path,
                shown,
                needle: needle?,
            })
        });
        let data: Vec<Option<AtPath>> = data.collect();
        Some(Self {
            name: name?,
            text: text?,
            data: data.into_iter().collect::<Option<_>>()?,
            count: written.count,
        })
    }

    /// Returns the patterns in a few words.
    pub(super) fn subject(&self) -> String {
        let words = self.words();
        match words.is_empty() {
            true => "any".to_owned(),
            false => words.join(" and "),
        }
    }

    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        let words = self.words();
        let with = match words.is_empty() {
            true => String::new(),
            false => format!(" with {}", words.join(" and ")),
        };
        format!("{} {}{with}", self.count, noun(self.count))
    }

    fn words(&self) -> Vec<String> {
        let words = |subject: &str, needle: &Needle| format!("{subject} {}", needle.shown);
        let name = self.name.iter().map(|needle| words("name", needle));
        let text = self.text.iter().map(|needle| words("text", needle));
        let data = self.data.iter();
        let data = data.map(|at| format!("data {} {}", shorten(&at.shown), at.needle.shown));
        name.chain(text).chain(data).collect()
    }

    /// Judges the evidence: over a whole test, the artifacts of all turns.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let artifacts = artifacts(evidence)?;
        let mut matching = Vec::new();
        let mut nearest: Option<(&Artifact, Unmet)> = None;
        for (number, artifact) in artifacts.iter().enumerate() {
            let unmet = match self.unmet(artifact) {
                Ok(unmet) => unmet,
                Err(GaveUp(pattern)) => return Ok(Verdict::gave_up(&pattern)),
            };
            if unmet.lines.is_empty() {
                matching.push(named(artifact));
            } else if number < MOST_NEAR
                && nearest
                    .as_ref()
                    .is_none_or(|(_, known)| unmet.distance < known.distance)
            {
                nearest = Some((artifact, unmet));
            }
        }
        let actual = match artifacts.len() {
            0 => "no artifact".to_owned(),
            all => format!("{} of {}", matching.len(), counted(all, "artifact")),
        };
        let number = u64::try_from(matching.len()).unwrap_or(u64::MAX);
        if self.count.max.is_some_and(|max| number > max) {
            return Ok(Verdict::failed(actual).details(listed(matching)));
        }
        if number >= self.count.min {
            return Ok(Verdict::passed(actual));
        }
        let closest = nearest.into_iter().flat_map(|(artifact, unmet)| {
            let first = format!("closest artifact: {}", named(artifact));
            std::iter::once(first).chain(listed(unmet.lines))
        });
        let is_message = artifacts.is_empty() && last_state(evidence).is_err();
        let no_task = "the agent answered with a message and began no task".to_owned();
        Ok(Verdict::failed(actual)
            .details(closest)
            .details(is_message.then_some(no_task)))
    }

    /// Returns in words which patterns an artifact does not match.
    fn unmet(&self, artifact: &Artifact) -> Result<Unmet, GaveUp> {
        let mut unmet = Vec::new();
        if let Some(needle) = &self.name {
            match &artifact.name {
                Some(name) => unmet.extend(missed("name", needle, name)?),
                None => unmet.push("it has no name".to_owned()),
            }
        }
        let is_other = !unmet.is_empty();
        if let Some(needle) = &self.text {
            let text = text(artifact);
            match text.is_empty() {
                true => unmet.push("it has no text".to_owned()),
                false => unmet.extend(missed("text", needle, &text)?),
            }
        }
        let has_data = data(artifact).next().is_some();
        if self.data.is_empty() || has_data {
            unmet.extend(self.unmet_data(artifact)?);
            return Ok(Unmet {
                distance: (is_other, unmet.len()),
                lines: unmet,
            });
        }
        let distance = (is_other, unmet.len() + self.data.len());
        unmet.push("it has no data".to_owned());
        Ok(Unmet {
            distance,
            lines: unmet,
        })
    }

    /// All patterns for data must match in one part: the part that fails the fewest tells why.
    fn unmet_data(&self, artifact: &Artifact) -> Result<Vec<String>, GaveUp> {
        let mut nearest: Option<Vec<String>> = None;
        for value in data(artifact) {
            let unmet = self.unmet_in(value)?;
            if nearest
                .as_ref()
                .is_none_or(|known| unmet.len() < known.len())
            {
                nearest = Some(unmet);
            }
        }
        Ok(nearest.unwrap_or_default())
    }

    fn unmet_in(&self, value: &Value) -> Result<Vec<String>, GaveUp> {
        let json = value.to_string();
        let json = RawJson::parse(&json);
        let mut unmet = Vec::new();
        for at in &self.data {
            let subject = format!("data {}", shorten(&at.shown));
            match json.and_then(|json| at.path.look_up(json)) {
                Some(found) => unmet.extend(missed(&subject, &at.needle, found.leaf().text())?),
                None => unmet.push(format!("{subject} is missing")),
            }
        }
        Ok(unmet)
    }
}

/// Says that `text` does not match, if it does not.
pub(super) fn missed(subject: &str, needle: &Needle, text: &str) -> Result<Option<String>, GaveUp> {
    match needle.is_match(text) {
        Ok(true) => Ok(None),
        Ok(false) => Ok(Some(format!(
            "{subject}: \"{}\" does not match {}",
            shorten(text),
            needle.shown
        ))),
        Err(_) => Err(GaveUp(needle.shown.clone())),
    }
}
