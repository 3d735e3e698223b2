//! `${…}` references in texts: finding them, and putting values in their place.
//!
//! `${NAME}` and `${VAR.NAME}` come from `--var` and hooks, `${ENV.NAME}` from the environment, `${NAME:-default}` gives a
//! default, `$${` is a literal `${`. Values are inserted once and never scanned again, so what a hook or an agent says
//! cannot pull in another value.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Where a reference gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// `--var` and hooks.
    Variable,
    /// The environment.
    Environment,
}

/// One `${…}` in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// Where its value comes from.
    pub scope: Scope,
    /// The name without `VAR.` or `ENV.`.
    pub name: &'a str,
    /// What to use when there is no value.
    pub default: Option<&'a str>,
}

impl Reference<'_> {
    /// Returns the reference as a user would look for it: `NAME` or `ENV.NAME`.
    pub fn shown(&self) -> String {
        match self.scope {
            Scope::Variable => self.name.to_owned(),
            Scope::Environment => format!("ENV.{}", self.name),
        }
    }
}

/// A text, cut at its references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Stands as it is.
    Literal(&'a str),
    /// Is to be replaced.
    Reference(Reference<'a>),
    /// Looks like a reference and is none; the text between the braces.
    Malformed(&'a str),
}

/// Cuts `text` at its references.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, from) = rest.split_at(at);
        if let Some(kept) = before.strip_suffix('$') {
            // `$${` stands for `${`: drop one dollar sign and go on behind the brace.
            pieces.push(Piece::Literal(kept));
            let (literal, after) = from.split_at(2);
            pieces.push(Piece::Literal(literal));
            rest = after;
            continue;
        }
        pieces.push(Piece::Literal(before));
        let (_, inner_on) = from.split_at(2);
        let Some(end) = inner_on.find('}') else {
            pieces.push(Piece::Malformed(inner_on));
            return without_empty(pieces);
        };
        let (inner, after) = inner_on.split_at(end);
        pieces.push(reference(inner).map_or(Piece::Malformed(inner), Piece::Reference));
        rest = after.strip_prefix('}').unwrap_or(after);
    }
    pieces.push(Piece::Literal(rest));
    without_empty(pieces)
}

fn without_empty(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    pieces
        .into_iter()
        .filter(|piece| *piece != Piece::Literal(""))
        .collect()
}

fn reference(inner: &str) -> Option<Reference<'_>> {
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inner, None),
    };
    let (scope, name) = match (name.strip_prefix("ENV."), name.strip_prefix("VAR.")) {
        (Some(name), _) => (Scope::Environment, name),
        (None, Some(name)) => (Scope::Variable, name),
        (None, None) => (Scope::Variable, name),
    };
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(word)).then_some(Reference {
        scope,
        name,
        default,
    })
}

/// The values that references can have.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// From `--var` and hooks; JSON types are kept.
    pub variables: Map<String, Value>,
    /// From the environment.
    pub environment: BTreeMap<String, String>,
}

/// References that have no value, as [`Reference::shown`] names them.
pub type Undefined = Vec<String>;

impl Variables {
    /// Returns the value of `reference`, defaults included.
    pub fn get(&self, reference: &Reference<'_>) -> Option<Value> {
        let found = match reference.scope {
            Scope::Variable => self.variables.get(reference.name).cloned(),
            Scope::Environment => self
                .environment
                .get(reference.name)
                .map(|value| Value::from(value.as_str())),
        };
        found.or_else(|| reference.default.map(Value::from))
    }

    /// Replaces the references in `text` by the text form of their values.
    pub fn text(&self, text: &str) -> Result<String, Undefined> {
        self.text_with(text, |value| value)
    }

    /// Replaces the references in `text`, passing each inserted value through `escape`.
    pub fn text_with(
        &self,
        text: &str,
        escape: impl Fn(String) -> String,
    ) -> Result<String, Undefined> {
        if !text.contains("${") {
            return Ok(text.to_owned());
        }
        let mut out = String::with_capacity(text.len());
        let mut undefined = Undefined::new();
        for piece in pieces(text) {
            match piece {
                Piece::Literal(literal) => out.push_str(literal),
                Piece::Reference(reference) => match self.get(&reference) {
                    Some(value) => out.push_str(&escape(text_form(&value))),
                    None => undefined.push(reference.shown()),
                },
                Piece::Malformed(inner) => undefined.push(inner.to_owned()),
            }
        }
        if undefined.is_empty() {
            Ok(out)
        } else {
            Err(undefined)
        }
    }

    /// Replaces the references in all strings of `value`; a string that is one reference takes the value's JSON type.
    pub fn json(&self, value: &Value) -> Result<Value, Undefined> {
        match value {
            Value::String(text) => match pieces(text).as_slice() {
                [Piece::Reference(reference)] => {
                    self.get(reference).ok_or_else(|| vec![reference.shown()])
                }
                _ => self.text(text).map(Value::String),
            },
            Value::Array(items) => {
                gather(items.iter().map(|item| self.json(item))).map(Value::Array)
            }
            Value::Object(members) => {
                let resolved = members
                    .iter()
                    .map(|(key, item)| Ok((key.clone(), self.json(item)?)));
                gather(resolved).map(|members| Value::Object(members.into_iter().collect()))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(value.clone()),
        }
    }
}

/// Returns a value as it stands inside a text: strings as they are, everything else as compact JSON.
pub fn text_form(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Goes through every string inside `value`.
pub fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(members) => members.values().flat_map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn gather<T>(results: impl Iterator<Item = Result<T, Undefined>>) -> Result<Vec<T>, Undefined> {
    let mut values = Vec::new();
    let mut undefined = Undefined::new();
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(names) => undefined.extend(names),
        }
    }
    if undefined.is_empty() {
        Ok(values)
    } else {
        Err(undefined)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn variables() -> Variables {
        let mut variables = Variables::default();
        let hook = json!({"ORDER": 42, "USER": {"id": 7}, "NAME": "Ann", "SNEAKY": "${ENV.TOKEN}"});
        variables.variables = hook.as_object().unwrap().clone();
        variables
            .environment
            .insert("TOKEN".to_owned(), "s3cret".to_owned());
        variables
    }

    fn text(text: &str) -> String {
        variables()
            .text(text)
            .unwrap_or_else(|undefined| format!("undefined: {}", undefined.join(", ")))
    }

    #[test]
    fn references_are_replaced() {
        assert_eq!(
            text("a ${NAME} b ${VAR.ORDER} c ${ENV.TOKEN}"),
            "a Ann b 42 c s3cret"
        );
        assert_eq!(text("${USER}"), r#"{"id":7}"#);
        assert_eq!(
            text("${MISSING:-none} ${NAME:-x} ${ENV.NO:-}|"),
            "none Ann |"
        );
    }

    #[test]
    fn dollar_dollar_brace_is_literal() {
        assert_eq!(
            text("costs $5, $${NAME} and $$${NAME}"),
            "costs $5, ${NAME} and $${NAME}"
        );
    }

    #[test]
    fn all_undefined_names_are_listed() {
        assert_eq!(
            text("${A} ${NAME} ${ENV.B} ${not a name}"),
            "undefined: A, ENV.B, not a name"
        );
        assert_eq!(text("${open"), "undefined: open");
    }

    #[test]
    fn inserted_values_are_not_scanned_again() {
        assert_eq!(text("${SNEAKY}"), "${ENV.TOKEN}");
    }

    #[test]
    fn a_whole_reference_keeps_its_json_type() {
        let value = json!({"order": "${ORDER}", "text": "no. ${ORDER}", "list": ["${USER}"]});
        let expected = json!({"order": 42, "text": "no. 42", "list": [{"id": 7}]});
        assert_eq!(variables().json(&value), Ok(expected));
        assert_eq!(
            variables().json(&json!(["${A}", {"b": "${B}"}])),
            Err(vec!["A".to_owned(), "B".to_owned()])
        );
    }
}
