//! Puts values in the place of references and compiles what users wrote, collecting every mistake.

use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::variables::{Piece, Undefined, Variables, pieces, text_form};
use serde_json::Value;

use crate::pattern::{BudgetExceeded, Pattern, PatternCache, PatternError, SlashForm};
use crate::shown::shorten;
use crate::value::{ArgPath, JsonPath};

/// Values that stand for those which only a hook could give. A pattern is wrong if it is wrong with each of them.
const STAND_INS: [&str; 3] = ["x", "1", "00"];

/// How paths look that do not start at arguments.
const VALUE_PATHS: &str =
    "paths look like `provider.url`, `items[0].id` or `[\"odd.key\"]`, and lead to one value";

/// A compiled pattern and how it is shown.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    pattern: Arc<Pattern>,
    /// As the user would write it, between slashes.
    pub(crate) shown: String,
}

impl Needle {
    /// Tells whether the pattern is found in `text`.
    pub(crate) fn is_match(&self, text: &str) -> Result<bool, BudgetExceeded> {
        self.pattern.is_match(text)
    }

    /// Returns the byte range of the first match in `text`.
    pub(crate) fn find(
        &self,
        text: &str,
    ) -> Result<Option<std::ops::Range<usize>>, BudgetExceeded> {
        self.pattern.find(text)
    }
}

/// What to do about references without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// They are mistakes.
    Refuse,
    /// A hook may give them; another value stands in.
    StandIn,
}

/// Resolves and compiles texts.
#[derive(Debug)]
pub(crate) struct Resolver<'v> {
    variables: &'v Variables,
    unknown: Unknown,
    /// Every mistake so far.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'v> Resolver<'v> {
    /// Returns a resolver that has found no mistakes yet.
    pub(crate) fn new(variables: &'v Variables, unknown: Unknown) -> Self {
        Self {
            variables,
            unknown,
            diagnostics: Vec::new(),
        }
    }

    /// Returns a name with its references replaced.
    pub(crate) fn text(&mut self, text: &Text) -> Option<String> {
        let resolved = self.replaced(&text.text, STAND_INS[0], |value| value);
        self.reported(&text.place, resolved)
    }

    /// Returns a value with its references replaced; a string that is one reference takes the value's JSON type.
    pub(crate) fn value(&mut self, value: &Value, place: &Place) -> Option<Value> {
        let resolved = match self.unknown {
            Unknown::Refuse => self.variables.json(value),
            Unknown::StandIn => Ok(self.stood_in(value)),
        };
        self.reported(place, resolved)
    }

    fn stood_in(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match pieces(text).as_slice() {
                [Piece::Reference(reference)] => {
                    let known = self.variables.get(reference);
                    known.unwrap_or_else(|| Value::from(STAND_INS[0]))
                }
                _ => match self.replaced(text, STAND_INS[0], |value| value) {
                    Ok(text) => Value::from(text),
                    Err(_) => value.clone(),
                },
            },
            Value::Array(items) => items.iter().map(|item| self.stood_in(item)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(key, item)| (key.clone(), self.stood_in(item)))
                .collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// Compiles a path into the JSON of an output. Returns it together with its text.
    pub(crate) fn json_path(&mut self, text: &Text) -> Option<(JsonPath, String)> {
        let mut first_error = None;
        for stand_in in STAND_INS {
            let resolved = self.replaced(&text.text, stand_in, |value| value);
            let resolved = self.reported(&text.place, resolved)?;
            match JsonPath::parse(&resolved) {
                Ok(path) => return Some((path, resolved)),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
            if self.unknown == Unknown::Refuse {
                break;
            }
        }
        let error = first_error?;
        let message = format!("`{}` is not a path", shorten(&text.text));
        // Positions are those of the text after values came in.
        let position = error.position.filter(|_| !text.text.contains("${"));
        let label = match position {
            Some(position) => format!("{} at character {position}", error.message),
            None => error.message,
        };
        let diagnostic = Diagnostic::error(&text.place, message).label(label);
        self.diagnostics.push(diagnostic.hint(error.hint));
        None
    }

    /// Compiles an argument path. Returns it together with its text.
    pub(crate) fn path(&mut self, text: &Text) -> Option<(ArgPath, String)> {
        self.path_of("an argument path", None, text)
    }

    /// Compiles a path to one value of any object. Returns it together with its text.
    pub(crate) fn value_path(&mut self, text: &Text) -> Option<(ArgPath, String)> {
        self.path_of("a path", Some(VALUE_PATHS), text)
    }

    fn path_of(
        &mut self,
        what: &str,
        hint: Option<&str>,
        text: &Text,
    ) -> Option<(ArgPath, String)> {
        let resolved = self.text(text)?;
        match ArgPath::parse(&resolved) {
            Ok(path) => Some((path, resolved)),
            Err(error) => {
                let message = format!("`{}` is not {what}", shorten(&text.text));
                let label = format!("{} at character {}", error.message, error.position);
                self.diagnostics.push(
                    Diagnostic::error(&text.place, message)
                        .label(label)
                        .hint(hint.unwrap_or(error.hint)),
                );
                None
            }
        }
    }

    /// Compiles a pattern. Values are escaped, so they match themselves only.
    pub(crate) fn pattern(&mut self, text: &Text) -> Option<Needle> {
        self.pattern_that(text, |_| Ok(()))
    }

    /// Compiles a pattern that must not match anything there is: it would tell nothing.
    pub(crate) fn telling_pattern(&mut self, text: &Text) -> Option<Needle> {
        self.pattern_that(text, |pattern| match pattern.matches_anything() {
            true => Err(PatternError::anything()),
            false => Ok(()),
        })
    }

    fn pattern_that(
        &mut self,
        text: &Text,
        accept: impl Fn(&Pattern) -> Result<(), PatternError>,
    ) -> Option<Needle> {
        // Taken apart before values come in: a value can bring neither slashes nor flags.
        let form = SlashForm::split(&text.text);
        let shown = self.replaced(&text.text, STAND_INS[0], |value| literal(&value));
        let shown = self.reported(&text.place, shown)?;
        let mut first_error = None;
        for stand_in in STAND_INS {
            let body = self.replaced(form.body, stand_in, |value| regex::escape(&value));
            let body = self.reported(&text.place, body)?;
            let resolved = SlashForm {
                body: &body,
                ..form
            };
            let compiled = PatternCache::shared().compile(resolved);
            match compiled.and_then(|pattern| accept(&pattern).map(|()| pattern)) {
                Ok(pattern) => {
                    let shown = if form.offset == 0 {
                        format!("/{}/", shorten(&shown))
                    } else {
                        shorten(&shown).into_owned()
                    };
                    return Some(Needle { pattern, shown });
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
            if self.unknown == Unknown::Refuse {
                break;
            }
        }
        if let Some(error) = first_error {
            self.diagnostics.push(bad_pattern(text, &error));
        }
        None
    }

    fn replaced(
        &self,
        text: &str,
        stand_in: &str,
        escape: impl Fn(String) -> String,
    ) -> Result<String, Undefined> {
        if self.unknown == Unknown::Refuse || !text.contains("${") {
            return self.variables.text_with(text, escape);
        }
        let replaced = pieces(text).into_iter().map(|piece| match piece {
            Piece::Literal(literal) => literal.to_owned(),
            Piece::Reference(reference) => match self.variables.get(&reference) {
                Some(value) => escape(text_form(&value)),
                None => stand_in.to_owned(),
            },
            Piece::Malformed(_) => stand_in.to_owned(),
        });
        Ok(replaced.collect())
    }

    fn reported<T>(&mut self, place: &Place, resolved: Result<T, Undefined>) -> Option<T> {
        match resolved {
            Ok(resolved) => Some(resolved),
            Err(names) => {
                let plural = if names.len() == 1 { "" } else { "s" };
                let message = format!("undefined variable{plural} `{}`", names.join("`, `"));
                self.diagnostics.push(
                    Diagnostic::error(place, message).hint(
                        "give a value with `--var NAME=value` or a hook, or a default with `${NAME:-default}`",
                    ),
                );
                None
            }
        }
    }
}

/// How a value begins that was hidden before it came into a bundle.
const REDACTED: &str = "[redacted ";

/// Returns a value as one would write it in a pattern to match itself. What stands for a secret is shown as it is, so that
/// a result reads the same in a live run and when its bundle is judged again.
fn literal(value: &str) -> String {
    let mut shown = String::with_capacity(value.len());
    let mut is_redacted = false;
    for (at, c) in value.char_indices() {
        is_redacted |= value.get(at..).unwrap_or("").starts_with(REDACTED);
        if !is_redacted && r"\.+*?()|[]{}^$".contains(c) {
            shown.push('\\');
        }
        is_redacted &= c != ']';
        shown.push(c);
    }
    shown
}

fn bad_pattern(text: &Text, error: &PatternError) -> Diagnostic {
    if text.text.is_empty() {
        return Diagnostic::error(&text.place, "the pattern is empty")
            .hint("leave the check out, or write `.` for any text");
    }
    let message = match error.matches_anything {
        true => format!("the pattern `{}` matches anything", shorten(&text.text)),
        false => format!("`{}` is not a pattern", shorten(&text.text)),
    };
    // Positions are those of the text after values came in.
    let label = if text.text.contains("${") {
        error.message.clone()
    } else {
        error.to_string()
    };
    let diagnostic = Diagnostic::error(&text.place, message).label(label);
    match &error.hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}
