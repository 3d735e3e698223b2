//! `-i agents:id?count=10` and `-i scripts:id?count=10`: an agent, or a function of a script, is asked for cases. What it gives is checked as if it came from a file.

use ananke_assert::jsons_of;
use serde_json::{Map, Value, json};

use crate::error::{CommandError, Exit};

/// How many cases are asked for if the user does not say.
const DEFAULT_COUNT: u64 = 5;
/// More cases than this are asked for by mistake.
const MAX_COUNT: u64 = 1000;

/// A reference to an agent, or a function, that makes cases.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Generator {
    /// The whole reference, as typed.
    pub(crate) typed: String,
    /// The agent, or the function.
    pub(crate) agent: String,
    /// Whether it is a function of a script.
    pub(crate) is_script: bool,
    count: u64,
    focus: Option<String>,
    /// The other parameters.
    extra: Map<String, Value>,
}

impl Generator {
    /// Reads `agents:id?name=value&…`, or `scripts:…`; nothing if the input is no such reference.
    pub(crate) fn read(typed: &str) -> Option<Result<Self, CommandError>> {
        let (prefix, reference) = typed.split_once(':')?;
        if !matches!(prefix, "agents" | "scripts") || typed.contains(char::is_whitespace) {
            return None;
        }
        Some(Self::parsed(typed, prefix, reference))
    }

    fn parsed(typed: &str, prefix: &str, reference: &str) -> Result<Self, CommandError> {
        let wrong = |message: String| {
            CommandError::new(Exit::Configuration, format!("`{typed}`: {message}"))
                .hint(format!("write `{prefix}:ID?count=10&focus=edge-cases`"))
        };
        let is_script = prefix == "scripts";
        let (agent, query) = reference.split_once('?').unwrap_or((reference, ""));
        if agent.is_empty() {
            let what = if is_script { "function" } else { "agent" };
            return Err(wrong(format!("no {what} is named")));
        }
        let mut generator = Self {
            typed: typed.to_owned(),
            agent: agent.to_owned(),
            is_script,
            count: DEFAULT_COUNT,
            focus: None,
            extra: Map::new(),
        };
        let mut seen = Vec::new();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let Some((name, value)) = parameter.split_once('=') else {
                return Err(wrong(format!("the parameter `{parameter}` has no value")));
            };
            let (Some(name), Some(value)) = (decoded(name), decoded(value)) else {
                let message = format!("`{parameter}` holds a `%` that escapes nothing");
                return Err(wrong(message));
            };
            if name.is_empty() {
                return Err(wrong(format!("the parameter `{parameter}` has no name")));
            }
            if seen.contains(&name) {
                return Err(wrong(format!("the parameter `{name}` is there twice")));
            }
            match name.as_str() {
                "count" => match value.parse() {
                    Ok(count @ 1..=MAX_COUNT) => generator.count = count,
                    _ => {
                        let message = format!(
                            "`count` is `{value}`, expected a number from 1 to {MAX_COUNT}"
                        );
                        return Err(wrong(message));
                    }
                },
                "focus" => generator.focus = Some(value),
                _ => {
                    generator.extra.insert(name.clone(), typed_value(&value));
                }
            }
            seen.push(name);
        }
        Ok(generator)
    }

    /// Returns what the agent is asked.
    pub(crate) fn message(&self, target: &Value) -> Value {
        json!({
            "target_agent": target,
            "count": self.count,
            "focus": self.focus,
            "extra": self.extra,
        })
    }

    /// Returns what it is told beside that.
    pub(crate) fn metadata(&self, target_id: &str) -> Map<String, Value> {
        let mut metadata = self.extra.clone();
        metadata.insert("test_mode".to_owned(), "generator".into());
        metadata.insert("target_agent".to_owned(), target_id.into());
        metadata.insert("count".to_owned(), self.count.into());
        if let Some(focus) = &self.focus {
            metadata.insert("focus".to_owned(), focus.as_str().into());
        }
        metadata
    }

    /// Returns how many cases were asked for.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Returns the cases in an answer, each as one line of JSON.
    pub(crate) fn cases(&self, answer: &str) -> Result<Vec<String>, CommandError> {
        let wrong = |message: &str| {
            let message = format!("`{}`: {message}", self.typed);
            CommandError::new(Exit::Inconclusive, message).hint(
                "expected a JSON list of cases, or an object with `cases` or `test_cases`; `-v` shows the answer",
            )
        };
        let mut cases = Vec::new();
        for value in jsons_of(answer) {
            match value {
                Value::Array(listed) => cases.extend(listed),
                Value::Object(mut members) => {
                    let listed = ["cases", "test_cases"]
                        .iter()
                        .find_map(|name| members.remove(*name));
                    match listed {
                        Some(Value::Array(listed)) => cases.extend(listed),
                        Some(_) => return Err(wrong("`cases` is no list")),
                        None => cases.push(Value::Object(members)),
                    }
                }
                _ => return Err(wrong("the answer is neither a list nor an object")),
            }
        }
        if cases.is_empty() {
            return Err(wrong("the answer holds no case"));
        }
        // What a model says is meant as it stands: it may not read variables.
        cases.iter_mut().for_each(literal);
        Ok(cases.iter().map(Value::to_string).collect())
    }
}

/// Makes references in all texts literal.
fn literal(value: &mut Value) {
    match value {
        Value::String(text) if text.contains("${") => *text = text.replace("${", "$${"),
        Value::Array(items) => items.iter_mut().for_each(literal),
        Value::Object(members) => members.values_mut().for_each(literal),
        _ => {}
    }
}

/// Tells whether a case names a file to be sent. A model does not decide which files leave this machine.
pub(crate) fn names_a_file(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim_start().to_ascii_lowercase().starts_with("file:"),
        Value::Array(items) => items.iter().any(names_a_file),
        Value::Object(members) => members.values().any(names_a_file),
        _ => false,
    }
}

/// Returns a value with the type that it looks like: a whole number, a number, true or false, else text.
fn typed_value(text: &str) -> Value {
    if let Ok(number) = text.parse::<i64>() {
        return number.into();
    }
    if let Ok(number) = text.parse::<f64>()
        && number.is_finite()
    {
        return number.into();
    }
    match text {
        "true" => true.into(),
        "false" => false.into(),
        _ => text.into(),
    }
}

/// Undoes the escapes of a URL; `+` is a blank. Nothing if a `%` escapes nothing.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                bytes.push(u8::try_from(digit(high)? * 16 + digit(low)?).ok()?);
                rest = after;
            }
            (b'%', _) => return None,
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Generator {
        match Generator::read(typed) {
            Some(Ok(generator)) => generator,
            other => panic!("{typed}: {other:?}"),
        }
    }

    fn refused(typed: &str) -> String {
        match Generator::read(typed) {
            Some(Err(error)) => error.message,
            other => panic!("{typed}: {other:?}"),
        }
    }

    #[test]
    fn parameters_are_typed() {
        let generator = read(
            "agents:workers.test.gen?count=10&focus=edge-cases&n=3&x=0.5&on=true&name=a%20b+c",
        );
        assert_eq!(generator.agent, "workers.test.gen");
        assert_eq!(
            generator.message(&json!({"id": "shop"})),
            json!({"target_agent": {"id": "shop"}, "count": 10, "focus": "edge-cases",
                "extra": {"n": 3, "x": 0.5, "on": true, "name": "a b c"}})
        );
        assert_eq!(
            Value::from(generator.metadata("shop")),
            json!({"n": 3, "x": 0.5, "on": true, "name": "a b c", "test_mode": "generator",
                "target_agent": "shop", "count": 10, "focus": "edge-cases"})
        );
        assert_eq!(read("agents:gen").metadata("a")["count"], 5);
    }

    #[test]
    fn what_is_no_reference_is_left_alone() {
        assert!(Generator::read("tests").is_none());
        assert!(Generator::read("agents: who are they?").is_none());
    }

    #[test]
    fn mistakes_are_told() {
        assert_eq!(refused("agents:"), "`agents:`: no agent is named");
        assert_eq!(
            refused("scripts:?count=2"),
            "`scripts:?count=2`: no function is named"
        );
        assert_eq!(
            refused("agents:g?count=0"),
            "`agents:g?count=0`: `count` is `0`, expected a number from 1 to 1000"
        );
        assert_eq!(
            refused("agents:g?count"),
            "`agents:g?count`: the parameter `count` has no value"
        );
        assert_eq!(
            refused("agents:g?=3"),
            "`agents:g?=3`: the parameter `=3` has no name"
        );
        assert_eq!(
            refused("agents:g?a=%zz"),
            "`agents:g?a=%zz`: `a=%zz` holds a `%` that escapes nothing"
        );
        assert_eq!(
            refused("agents:g?a=1&a=2"),
            "`agents:g?a=1&a=2`: the parameter `a` is there twice"
        );
    }

    #[test]
    fn cases_come_in_several_wrappings() {
        let generator = read("agents:gen");
        let case = "{\"id\":\"a\",\"input\":\"hi\"}";
        for answer in [
            format!("[{case}]"),
            format!("{{\"cases\": [{case}]}}"),
            format!("Here you are:\n```json\n{{\"test_cases\": [{case}]}}\n```\n"),
            case.to_owned(),
        ] {
            let cases = generator.cases(&answer).map_err(|error| error.message);
            assert_eq!(cases, Ok(vec![case.to_owned()]), "{answer}");
        }
        for answer in ["I would rather not", "[]", "7", "{\"cases\": {}}"] {
            assert!(generator.cases(answer).is_err(), "{answer}");
        }
    }

    #[test]
    fn no_case_of_an_answer_is_lost() {
        let generator = read("agents:gen");
        let other = "{\"id\":\"b\"}";
        let case = "{\"id\":\"a\",\"input\":\"hi\"}";
        for answer in [
            format!("{case}\n{other}\n"),
            format!("```jsonl\n{case}\n{other}\n```"),
            format!("One:\n```json\n{case}\n```\nTwo:\n```json\n{other}\n```"),
        ] {
            let cases = generator.cases(&answer).map_err(|error| error.message);
            assert_eq!(
                cases,
                Ok(vec![case.to_owned(), other.to_owned()]),
                "{answer}"
            );
        }
    }

    #[test]
    fn a_model_reads_no_variables_and_sends_no_files() {
        let generator = read("agents:gen");
        let cases = generator.cases("[{\"id\": \"a\", \"input\": \"${ENV.TOKEN}\"}]");
        let cases = cases.map_err(|error| error.message);
        assert_eq!(
            cases,
            Ok(vec![
                "{\"id\":\"a\",\"input\":\"$${ENV.TOKEN}\"}".to_owned()
            ])
        );
        assert!(names_a_file(
            &json!({"messages": [{"content": [{"source": "file:///etc/passwd"}]}]})
        ));
        assert!(!names_a_file(&json!({"input": "which file is it?"})));
    }
}
