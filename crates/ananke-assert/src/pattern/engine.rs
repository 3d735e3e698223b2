//! Searching: the linear engine, or the bounded backtracking one.

use std::ops::Range;

use super::error::{BudgetExceeded, PatternError};
use super::slash::SlashForm;
use super::translate::{Translated, translate};

/// Longer patterns are refused unread.
const MAX_BYTES: usize = 256 << 10;
/// What a compiled pattern may take, so that `(a{1000}){1000}` is refused.
const MAX_COMPILED_BYTES: usize = 10 << 20;
/// How often a search may backtrack.
const MAX_STEPS: usize = 5_000_000;

/// One character of each kind that anchors and word boundaries tell apart.
const BESIDE: [&str; 6] = ["a", "é", " ", "\n", "\r", "\u{2028}"];

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern(Engine);

#[derive(Clone, Debug)]
enum Engine {
    Linear(regex::Regex),
    Backtracking(Box<Backtracking>),
}

#[derive(Clone, Debug)]
struct Backtracking {
    exact: fancy_regex::Regex,
    /// Matches whatever `exact` matches, in linear time: there is no need to backtrack where this finds nothing.
    relaxed: regex::Regex,
}

impl Pattern {
    /// Compiles `text`: a plain pattern, or `/pattern/flags`.
    pub fn compile(text: &str) -> Result<Self, PatternError> {
        Self::from_slash_form(SlashForm::split(text))
    }

    /// Compiles a pattern that was taken apart already.
    pub(crate) fn from_slash_form(form: SlashForm<'_>) -> Result<Self, PatternError> {
        let flags = form.read_flags()?;
        if form.body.is_empty() {
            return Err(PatternError::whole("the pattern is empty")
                .hint("it would match anything; write `.` for any text"));
        }
        if form.body.len() > MAX_BYTES {
            return Err(PatternError::whole(format!(
                "the pattern is longer than {} KiB",
                MAX_BYTES >> 10
            )));
        }
        let translated = translate(form.body, flags).map_err(|error| error.shifted(form.offset))?;
        build(&translated).map(Self)
    }

    /// Tells whether the pattern is found anywhere in `text`.
    pub fn is_match(&self, text: &str) -> Result<bool, BudgetExceeded> {
        match &self.0 {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(engine) => engine.find(text).map(|found| found.is_some()),
        }
    }

    /// Tells whether the pattern is found in every text there is, since it can match nothing at the beginning or at the end
    /// of each. Patterns with look-around ask something of the whole text, and are not looked at.
    pub(crate) fn matches_anything(&self) -> bool {
        let Engine::Linear(regex) = &self.0 else {
            return false;
        };
        if !regex.is_match("") {
            return false;
        }
        // Between characters, a match of nothing depends on no more than what kind of character stands beside it.
        let is_free = |around: String| {
            let around = linear(&around).ok();
            around.is_some_and(|regex| BESIDE.iter().all(|text| regex.is_match(text)))
        };
        is_free(format!(r"\A(?:{regex})(?s:.)\z")) || is_free(format!(r"\A(?s:.)(?:{regex})\z"))
    }

    /// Returns the byte range of the first match in `text`.
    pub fn find(&self, text: &str) -> Result<Option<Range<usize>>, BudgetExceeded> {
        match &self.0 {
            Engine::Linear(regex) => Ok(regex.find(text).map(|found| found.range())),
            Engine::Backtracking(engine) => engine.find(text),
        }
    }
}

impl Backtracking {
    fn find(&self, text: &str) -> Result<Option<Range<usize>>, BudgetExceeded> {
        let Some(candidate) = self.relaxed.find(text) else {
            return Ok(None);
        };
        match self.exact.find_from_pos(text, candidate.start()) {
            Ok(found) => Ok(found.map(|found| found.range())),
            Err(_) => Err(BudgetExceeded),
        }
    }
}

fn build(translated: &Translated) -> Result<Engine, PatternError> {
    match translated {
        Translated::Linear(regex) => linear(regex).map(Engine::Linear),
        Translated::Backtracking { exact, relaxed } => {
            let exact = fancy_regex::RegexBuilder::new(exact)
                .delegate_size_limit(MAX_COMPILED_BYTES)
                .backtrack_limit(MAX_STEPS)
                .build()
                .map_err(|error| refusal(&error))?;
            let relaxed = linear(relaxed)?;
            Ok(Engine::Backtracking(Box::new(Backtracking {
                exact,
                relaxed,
            })))
        }
    }
}

fn linear(regex: &str) -> Result<regex::Regex, PatternError> {
    regex::RegexBuilder::new(regex)
        .size_limit(MAX_COMPILED_BYTES)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => too_large(),
            // The engine's last line says what is wrong; those above show the translated pattern.
            other => PatternError::whole(last_line(&other.to_string())),
        })
}

/// Says why the backtracking engine cannot run a pattern that is well formed.
fn refusal(error: &fancy_regex::Error) -> PatternError {
    let too_many = |error: &fancy_regex::CompileError| match error {
        fancy_regex::CompileError::InnerError(inner) => inner.size_limit().is_some(),
        _ => false,
    };
    match error {
        fancy_regex::Error::CompileError(error) if too_many(error) => too_large(),
        // Its positions are those of the translated pattern, which the user did not write.
        fancy_regex::Error::ParseError(_, error) => unsupported(&error.to_string()),
        fancy_regex::Error::CompileError(error) => unsupported(&error.to_string()),
        other => unsupported(&other.to_string()),
    }
}

fn unsupported(why: &str) -> PatternError {
    let why = why.to_lowercase();
    PatternError::whole(format!(
        "this use of look-around or back-references is not supported: {why}"
    ))
}

fn too_large() -> PatternError {
    PatternError::whole(format!(
        "the pattern takes more than {} MiB when compiled",
        MAX_COMPILED_BYTES >> 20
    ))
    .hint("use smaller repetitions")
}

fn last_line(message: &str) -> String {
    let line = message.lines().last().unwrap_or(message);
    line.strip_prefix("error: ").unwrap_or(line).to_lowercase()
}
