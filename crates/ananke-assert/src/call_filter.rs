//! Which calls a demand is about: those of a tool that meet every condition.

use ananke_model::check::{ArgPattern, CallFilter as Written};
use ananke_model::diagnostic::did_you_mean;

use crate::evidence::Call;
use crate::resolver::{Needle, Resolver};
use crate::shown::shorten;
use crate::value::{ArgPath, Leaf, RawJson};

/// A compiled filter.
#[derive(Clone, Debug)]
pub(crate) struct CallFilter {
    /// The tool's whole name.
    pub(crate) name: String,
    /// All of which a call must meet.
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug)]
struct Condition {
    subject: Subject,
    needle: Needle,
    /// Whether the pattern must be found or must not be found.
    wanted: bool,
}

#[derive(Clone, Debug)]
enum Subject {
    Argument { path: ArgPath, shown: String },
    Result,
}

/// A condition that a call does not meet.
#[derive(Clone, Debug)]
pub(crate) struct Unmet {
    /// What is wrong, in words.
    pub(crate) line: String,
    /// Whether it is about an argument, not the result.
    pub(crate) is_argument: bool,
}

/// A search that was given up, and the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GaveUp(pub(crate) String);

impl CallFilter {
    /// Compiles a filter; nothing if there is a mistake in it.
    pub(crate) fn compile(written: &Written, resolver: &mut Resolver<'_>) -> Option<Self> {
        let name = resolver.text(&written.name);
        // Everything is compiled before giving up, so that every mistake is reported.
        let mut conditions: Vec<Option<Condition>> = Vec::new();
        for (patterns, wanted) in [
            (&written.args_match, true),
            (&written.args_not_match, false),
        ] {
            let compiled = patterns
                .iter()
                .map(|pattern| argument(pattern, wanted, resolver));
            conditions.extend(compiled);
        }
        for (pattern, wanted) in [
            (&written.result_match, true),
            (&written.result_not_match, false),
        ] {
            conditions.extend(pattern.as_ref().map(|pattern| {
                Some(Condition {
                    subject: Subject::Result,
                    needle: resolver.pattern(pattern)?,
                    wanted,
                })
            }));
        }
        Some(Self {
            name: name?,
            conditions: conditions.into_iter().collect::<Option<_>>()?,
        })
    }

    /// Tells whether any call of the tool is meant.
    pub(crate) fn is_unconditional(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Tells whether results matter.
    pub(crate) fn looks_at_results(&self) -> bool {
        self.conditions
            .iter()
            .any(|condition| matches!(condition.subject, Subject::Result))
    }

    /// Tells whether calls are left out by their results.
    pub(crate) fn leaves_out_results(&self) -> bool {
        let leaves_out = |condition: &Condition| {
            matches!(condition.subject, Subject::Result) && !condition.wanted
        };
        self.conditions.iter().any(leaves_out)
    }

    /// Tells whether `call`, a call of this tool, meets every condition.
    pub(crate) fn matches(&self, call: &Call<'_>) -> Result<bool, GaveUp> {
        let mut args = None;
        for condition in &self.conditions {
            if !condition.holds(condition.leaf(call, &mut args).as_ref())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the conditions that `call` does not meet.
    pub(crate) fn unmet(&self, call: &Call<'_>) -> Result<Vec<Unmet>, GaveUp> {
        let mut args = None;
        let mut unmet = Vec::new();
        for condition in &self.conditions {
            let leaf = condition.leaf(call, &mut args);
            if !condition.holds(leaf.as_ref())? {
                unmet.push(Unmet {
                    line: condition.explain(call, leaf.as_ref(), args.flatten()),
                    is_argument: matches!(condition.subject, Subject::Argument { .. }),
                });
            }
        }
        Ok(unmet)
    }

    /// Returns the conditions in words, with a leading ` with` if there are any.
    pub(crate) fn words(&self) -> String {
        let words: Vec<String> = self.conditions.iter().map(Condition::words).collect();
        if words.is_empty() {
            String::new()
        } else {
            format!(" with {}", words.join(" and "))
        }
    }
}

fn argument(written: &ArgPattern, wanted: bool, resolver: &mut Resolver<'_>) -> Option<Condition> {
    let path = resolver.path(&written.path);
    let needle = resolver.pattern(&written.pattern);
    let (path, shown) = path?;
    Some(Condition {
        subject: Subject::Argument { path, shown },
        needle: needle?,
        wanted,
    })
}

impl Condition {
    /// Returns what the pattern is compared with; nothing if it is missing. The arguments are read at most once.
    fn leaf<'a>(
        &self,
        call: &Call<'a>,
        args: &mut Option<Option<RawJson<'a>>>,
    ) -> Option<Leaf<'a>> {
        match &self.subject {
            Subject::Argument { path, .. } => {
                let args = args.get_or_insert_with(|| RawJson::parse(call.args));
                path.look_up((*args)?).map(RawJson::leaf)
            }
            Subject::Result => {
                let result = call.result?;
                Some(match RawJson::parse(result) {
                    Some(json) => json.leaf(),
                    None => Leaf::Text(result.into()),
                })
            }
        }
    }

    /// What is missing does not match, and so meets only a condition that forbids a match.
    fn holds(&self, leaf: Option<&Leaf<'_>>) -> Result<bool, GaveUp> {
        match leaf {
            None => Ok(!self.wanted),
            Some(leaf) => match self.needle.is_match(leaf.text()) {
                Ok(found) => Ok(found == self.wanted),
                Err(_) => Err(GaveUp(self.needle.shown.clone())),
            },
        }
    }

    fn subject(&self) -> &str {
        match &self.subject {
            Subject::Argument { shown, .. } => shown,
            Subject::Result => "result",
        }
    }

    fn words(&self) -> String {
        let not = if self.wanted { "" } else { "not " };
        format!("{} {not}matching {}", self.subject(), self.needle.shown)
    }

    fn explain(
        &self,
        call: &Call<'_>,
        leaf: Option<&Leaf<'_>>,
        args: Option<RawJson<'_>>,
    ) -> String {
        let (subject, pattern) = (self.subject(), &self.needle.shown);
        let Some(leaf) = leaf else {
            return match &self.subject {
                Subject::Result => match call.error {
                    Some(error) => {
                        format!("there is no result; the tool failed: {}", shorten(error))
                    }
                    None => "there is no result".to_owned(),
                },
                Subject::Argument { path, .. } => missing(subject, path, call, args),
            };
        };
        let value = match leaf {
            Leaf::Text(text) => format!("\"{}\"", shorten(text)),
            Leaf::Json(json) => shorten(json).into_owned(),
        };
        let verb = if self.wanted {
            "does not match"
        } else {
            "matches"
        };
        format!("{subject}: {value} {verb} {pattern}")
    }
}

/// Says that an argument is missing, and what there is instead.
fn missing(subject: &str, path: &ArgPath, call: &Call<'_>, args: Option<RawJson<'_>>) -> String {
    let Some(args) = args else {
        let why = call.args_error.unwrap_or("no value could be read");
        return format!(
            "{subject} is missing: the arguments are not JSON ({})",
            shorten(why)
        );
    };
    let keys: Vec<String> = args
        .members()
        .take(10)
        .map(|(key, _)| shorten(&key).into_owned())
        .collect();
    if keys.iter().any(|key| key == path.top()) {
        return format!("{subject} is missing");
    }
    match did_you_mean(path.top(), keys.iter().map(String::as_str)) {
        Some(near) => format!("{subject} is missing; did you mean `{near}`?"),
        None if !call.args.trim_start().starts_with('{') => {
            format!("{subject} is missing; the arguments are no object")
        }
        None if keys.is_empty() => format!("{subject} is missing; there are no arguments"),
        None => format!(
            "{subject} is missing; the arguments are: {}",
            keys.join(", ")
        ),
    }
}
