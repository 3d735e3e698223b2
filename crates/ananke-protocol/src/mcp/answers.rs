//! What the client says when the server asks it: one table for both eras.

use std::sync::{Mutex, PoisonError};

use ananke_model::plan::ElicitAction;
use serde_json::{Map, Value, json};

use super::options::{Elicited, Fits, ScriptedAnswers};
use super::words::shortened;

/// How many questions of a turn are told of.
const MAX_NOTES: usize = 100;

/// The JSON-RPC code of a method that is not there.
const METHOD_NOT_FOUND: i64 = -32601;

/// The scripted answers, and what became of them.
#[derive(Debug)]
pub(super) struct Answers {
    scripted: ScriptedAnswers,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Which answers of each table were given, by their numbers.
    given: [Vec<usize>; 2],
    notes: Vec<String>,
}

/// A question that gets an error for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoAnswer {
    pub(super) code: i64,
    pub(super) message: String,
}

impl Answers {
    pub(super) fn new(scripted: ScriptedAnswers) -> Self {
        Self {
            scripted,
            state: Mutex::default(),
        }
    }

    /// Returns what the server is told that it may ask for.
    pub(super) fn capabilities(&self) -> Value {
        let mut offered = Map::new();
        if !self.scripted.elicitation.is_empty() {
            offered.insert("elicitation".to_owned(), json!({"form": {}}));
        }
        if !self.scripted.sampling.is_empty() {
            offered.insert("sampling".to_owned(), json!({}));
        }
        if self.scripted.roots.is_some() {
            offered.insert("roots".to_owned(), json!({}));
        }
        Value::Object(offered)
    }

    /// Answers a question of the server.
    pub(super) fn answer(&self, method: &str, params: &Value) -> Result<Value, NoAnswer> {
        match method {
            "ping" => Ok(json!({})),
            "elicitation/create" => Ok(self.elicited(params)),
            "sampling/createMessage" => self.sampled(params),
            "roots/list" => self.roots(),
            _ => {
                self.note(format!(
                    "the server asked for `{}`, which ananke does not know",
                    shortened(method)
                ));
                Err(not_found(method))
            }
        }
    }

    /// Forgets which answers were given: those that are given once may be given again.
    pub(super) fn forget(&self) {
        self.state().given = Default::default();
    }

    /// Returns what there was to say about questions since the last time.
    pub(super) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.state().notes)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, note: String) {
        let notes = &mut self.state().notes;
        if notes.len() < MAX_NOTES {
            notes.push(note);
        }
    }

    /// Returns the first entry of a table that fits a question.
    fn find<'a, T>(
        &self,
        table: usize,
        entries: &'a [T],
        fits: impl Fn(&T) -> &Fits,
        question: &str,
    ) -> Option<&'a T> {
        let question = question.to_lowercase();
        let given = &mut self.state().given[table];
        let mut numbered = entries.iter().enumerate();
        let (number, entry) = numbered.find(|(number, entry)| {
            let fits = fits(entry);
            let is_used = fits.once && given.contains(number);
            let wanted = fits.contains.as_deref().unwrap_or_default();
            !is_used && question.contains(&wanted.to_lowercase())
        })?;
        given.push(number);
        Some(entry)
    }

    fn elicited(&self, params: &Value) -> Value {
        let question = params["message"].as_str().unwrap_or_default();
        let entries = &self.scripted.elicitation;
        let shown = shortened(question);
        let Some(entry) = self.find(0, entries, |entry| &entry.fits, question) else {
            self.note(format!(
                "the server asked the user `{shown}`; no answer of `elicitation` fits, so it was declined"
            ));
            return json!({"action": "decline"});
        };
        let action = match entry.action {
            ElicitAction::Accept => "accept",
            ElicitAction::Decline => "decline",
            ElicitAction::Cancel => "cancel",
        };
        match filled_in(entry, &params["requestedSchema"]) {
            Some(content) => json!({"action": action, "content": content}),
            None => json!({"action": action}),
        }
    }

    fn sampled(&self, params: &Value) -> Result<Value, NoAnswer> {
        let question = last_words(params);
        let entries = &self.scripted.sampling;
        let shown = shortened(&question);
        let Some(entry) = self.find(1, entries, |entry| &entry.fits, &question) else {
            self.note(format!(
                "the server asked the model `{shown}`; no answer of `sampling` fits"
            ));
            return Err(NoAnswer {
                code: -1,
                message: "no answer is scripted for this request".to_owned(),
            });
        };
        Ok(match &entry.answer {
            Value::Object(_) => entry.answer.clone(),
            other => {
                let text = other
                    .as_str()
                    .map_or_else(|| other.to_string(), str::to_owned);
                json!({
                    "role": "assistant",
                    "content": {"type": "text", "text": text},
                    "model": "scripted",
                    "stopReason": "endTurn",
                })
            }
        })
    }

    fn roots(&self) -> Result<Value, NoAnswer> {
        let Some(roots) = &self.scripted.roots else {
            self.note("the server asked for `roots/list`; no `roots` are scripted".to_owned());
            return Err(not_found("roots/list"));
        };
        Ok(json!({"roots": roots}))
    }
}

/// Returns what the user fills in: what is scripted, and the defaults of the question for the rest.
fn filled_in(entry: &Elicited, schema: &Value) -> Option<Value> {
    if entry.action != ElicitAction::Accept {
        return None;
    }
    let mut content = match &entry.content {
        Some(Value::Object(content)) => content.clone(),
        Some(other) => return Some(other.clone()),
        None => Map::new(),
    };
    let members = schema["properties"].as_object().into_iter().flatten();
    for (name, member) in members {
        if let Some(default) = member
            .get("default")
            .filter(|_| !content.contains_key(name))
        {
            content.insert(name.clone(), default.clone());
        }
    }
    Some(Value::Object(content))
}

/// Returns the text of the last message of a sampling request.
fn last_words(params: &Value) -> String {
    let last = params["messages"].as_array().and_then(|all| all.last());
    let content = last.map_or(&Value::Null, |message| &message["content"]);
    let parts = match content {
        Value::Array(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| part["text"].as_str())
        .collect();
    texts.join("\n")
}

fn not_found(method: &str) -> NoAnswer {
    NoAnswer {
        code: METHOD_NOT_FOUND,
        message: format!("the client does not offer {method}"),
    }
}
