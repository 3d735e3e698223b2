//! One check on the output with all that every type has: `path`, `negate`, `message`.

use ananke_model::check::{OutputCheck, OutputCheckKind};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Json;
use ananke_model::variables::text_form;
use serde_json::Value;

use super::{
    AtPath, Called, Contains, Equals, GaveResult, Judged, Looking, Mode, Regex, State, TypeIs,
};
use crate::evidence::Evidence;
use crate::resolver::Resolver;
use crate::shown::shorten_to;
use crate::verdict::Verdict;

/// How many characters of a value name the check.
const SUBJECT_CHARS: usize = 80;

/// Demands something of the output.
#[derive(Clone, Debug)]
pub(crate) struct OutputMatch {
    kind: Kind,
    looking: Looking,
    pub(crate) negate: bool,
    /// The demand as written, references resolved.
    pub(crate) value: Option<Value>,
    /// What to say when it does not hold.
    pub(crate) message: Option<String>,
}

#[derive(Clone, Debug)]
enum Kind {
    Equals(Equals),
    Contains(Contains),
    Regex(Regex),
    JsonPath(AtPath),
    Type(TypeIs),
    ToolCalled(Called),
    ToolResult(GaveResult),
}

impl OutputMatch {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(check: &OutputCheck, resolver: &mut Resolver<'_>) -> Option<Self> {
        // Everything is compiled before giving up, so that every mistake is reported.
        let looking = Looking::compile(check.path.as_ref(), resolver);
        let message = check.message.as_ref().map(|text| resolver.text(text));
        let kind = Kind::compile(&check.kind, resolver)?;
        // It is made of the texts that were resolved above, so there is nothing new to report.
        let value = check
            .value
            .as_ref()
            .map(|json| resolver.value(&json.value, &json.place));
        Some(Self {
            kind,
            looking: looking?,
            negate: check.negate,
            value: match value {
                Some(value) => Some(value?),
                None => None,
            },
            message: match message {
                Some(message) => Some(message?),
                None => None,
            },
        })
    }

    /// Returns what the check is about: the value, the pattern, the path or the tool.
    pub(crate) fn subject(&self) -> String {
        let subject = match &self.kind {
            Kind::Equals(check) => text_form(&check.value),
            Kind::Contains(check) => {
                let items: Vec<_> = check.items.iter().map(text_form).collect();
                items.join(", ")
            }
            Kind::Regex(check) => check.needle.shown.clone(),
            Kind::JsonPath(_) => self.looking.path().unwrap_or("").to_owned(),
            Kind::Type(check) => check.word().to_owned(),
            Kind::ToolCalled(check) => check.names.join(" or "),
            Kind::ToolResult(check) => check.names.join(" or "),
        };
        // One line, whatever the value is.
        let words: Vec<&str> = subject.split_whitespace().collect();
        let mut subject = shorten_to(&words.join(" "), SUBJECT_CHARS).into_owned();
        if !matches!(self.kind, Kind::JsonPath(_)) {
            subject.push_str(&self.looking.at());
        }
        if self.negate {
            subject.push_str(" (negated)");
        }
        subject
    }

    /// Tells whether it can be judged only where calls can be seen.
    pub(crate) fn is_about_calls(&self) -> bool {
        matches!(self.kind, Kind::ToolCalled(_) | Kind::ToolResult(_))
    }

    /// Tells whether something is demanded, not merely forbidden.
    pub(crate) fn asks(&self) -> bool {
        match &self.kind {
            Kind::Contains(check) if check.mode == Mode::None => self.negate,
            _ => !self.negate || self.looking.path().is_some(),
        }
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        let looking = &self.looking;
        let but = if self.negate { "anything but " } else { "" };
        let no = if self.negate { "no " } else { "" };
        match &self.kind {
            Kind::Equals(check) => format!("{but}{}", check.expected(looking)),
            Kind::Contains(check) => check.expected(looking, self.negate),
            Kind::Regex(check) => format!("{no}{}", check.expected(looking)),
            Kind::JsonPath(check) => check.expected(looking, self.negate),
            Kind::Type(check) => format!("{but}{}", check.expected(looking)),
            Kind::ToolCalled(check) => {
                let a = if self.negate { "no " } else { "a " };
                format!("{a}{}", check.expected())
            }
            Kind::ToolResult(check) => {
                let a = if self.negate { "no " } else { "a " };
                format!("{a}{}", check.expected())
            }
        }
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let looking = &self.looking;
        let judged = match &self.kind {
            Kind::Equals(check) => check.judge(looking, evidence, self.negate),
            Kind::Contains(check) => check.judge(looking, evidence, self.negate),
            Kind::Regex(check) => check.judge(looking, evidence, self.negate),
            Kind::JsonPath(check) => check.judge(looking, evidence, self.negate),
            Kind::Type(check) => check.judge(looking, evidence, self.negate),
            Kind::ToolCalled(check) => check.judge(evidence, self.negate),
            Kind::ToolResult(check) => check.judge(evidence, self.negate),
        };
        let Judged {
            said,
            actual,
            details,
            event,
            ..
        } = judged;
        match (judged.state, self.negate) {
            (State::Holds, false) => Verdict::passed(actual).event(event),
            (State::Holds, true) => Verdict::failed(actual)
                .details([self.said_not()])
                .event(event),
            (State::Fails, true) => Verdict::passed(actual),
            (State::Fails, false) => Verdict::failed(actual)
                .details([said])
                .details(details)
                .event(event),
            (State::Undecided, _) => {
                let why = self
                    .negate
                    .then(|| "what cannot be decided fails, negated or not".to_owned());
                Verdict::failed(actual)
                    .details([said])
                    .details(details)
                    .details(why)
                    .event(event)
            }
        }
    }

    /// Says that it holds although it must not.
    fn said_not(&self) -> String {
        let looking = &self.looking;
        match &self.kind {
            Kind::Equals(check) => check.said_not(looking),
            Kind::Contains(check) => check.said_not(looking),
            Kind::Regex(check) => check.said_not(looking),
            Kind::JsonPath(check) => check.said_not(looking),
            Kind::Type(check) => check.said_not(looking),
            Kind::ToolCalled(check) => check.said_not(),
            Kind::ToolResult(check) => check.said_not(),
        }
    }
}

impl Kind {
    fn compile(kind: &OutputCheckKind, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(match kind {
            OutputCheckKind::Equals(json) => Self::Equals(Equals {
                value: resolver.value(&json.value, &json.place)?,
            }),
            OutputCheckKind::Contains(json) => {
                Self::Contains(Contains::new(Mode::Each, &searched(json, resolver)?))
            }
            OutputCheckKind::NotContains(json) => {
                Self::Contains(Contains::new(Mode::None, &searched(json, resolver)?))
            }
            OutputCheckKind::Regex(pattern) => Self::Regex(Regex {
                needle: resolver.telling_pattern(pattern)?,
            }),
            OutputCheckKind::JsonPath(json) => Self::JsonPath(AtPath {
                value: match json {
                    Some(json) => Some(resolver.value(&json.value, &json.place)?),
                    None => None,
                },
            }),
            OutputCheckKind::Type(json_type) => Self::Type(TypeIs {
                json_type: *json_type,
            }),
            OutputCheckKind::ToolCalled(called) => {
                Self::ToolCalled(Called::compile(called, resolver)?)
            }
            OutputCheckKind::ToolResult(result) => {
                Self::ToolResult(GaveResult::compile(result, resolver)?)
            }
        })
    }
}

/// Resolves what is looked for. An empty text would be found in anything, an empty list demands nothing.
fn searched(json: &Json, resolver: &mut Resolver<'_>) -> Option<Value> {
    let value = resolver.value(&json.value, &json.place)?;
    let is_idle = match &value {
        Value::Array(items) => items.is_empty() || items.iter().any(|item| item == ""),
        other => other == "",
    };
    if is_idle {
        let diagnostic = Diagnostic::error(&json.place, "the value is empty");
        resolver
            .diagnostics
            .push(diagnostic.label("an empty text is found in anything"));
        return None;
    }
    Some(value)
}
