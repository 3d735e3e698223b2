//! Ids that are generated anew in each run, renamed in the order in which they appear: `id-1`, `id-2`.

use std::collections::{HashMap, HashSet};

use ananke_model::recording::Turn;
use serde_json::Value;

/// Shorter ids are counters or words, which stand in texts for other things too.
const MIN_CHARS: usize = 6;
/// Fewer digits may be any number.
const MIN_DIGITS: usize = 8;
/// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`
const UUID_BYTES: usize = 36;

/// Returns the ids of threads, runs, messages, calls, tasks and artifacts that the turns tell of.
pub(super) fn known(turns: &[Turn]) -> HashSet<&str> {
    let mut ids = HashSet::new();
    for turn in turns {
        for request in &turn.requests {
            // An envelope holds the input of the run in its `body`.
            let input = request.get("body").unwrap_or(request);
            for key in ["threadId", "runId"] {
                ids.extend(input.get(key).and_then(Value::as_str));
            }
        }
        for message in &turn.messages {
            ids.extend(message.get("id").and_then(Value::as_str));
        }
        ids.extend(turn.tool_calls.iter().map(|call| call.id.as_str()));
        ids.extend(turn.late_results.iter().map(|late| late.id.as_str()));
        if let Some(task) = &turn.task {
            ids.extend(
                [&task.id, &task.context_id]
                    .into_iter()
                    .flatten()
                    .map(String::as_str),
            );
            ids.extend(task.artifacts.iter().map(|artifact| artifact.id.as_str()));
        }
    }
    ids.retain(|id| looks_generated(id));
    ids
}

/// Tells whether an id can be told from the words and numbers of a text.
fn looks_generated(id: &str) -> bool {
    let n_digits = id.chars().filter(char::is_ascii_digit).count();
    let n_chars = id.chars().count();
    let is_number = n_digits == n_chars;
    n_chars >= MIN_CHARS && n_digits > 0 && (!is_number || n_digits >= MIN_DIGITS)
}

/// Returns `text` with `known` ids and UUIDs renamed. The same id has the same number wherever it stands.
pub(super) fn renamed(text: &str, known: &HashSet<&str>) -> String {
    let mut renamer = Renamer {
        known,
        numbers: HashMap::new(),
        out: String::with_capacity(text.len()),
    };
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_word(c)).unwrap_or(from.len()));
        renamer.out.push_str(before);
        renamer.word(word);
        rest = after;
    }
    renamer.out.push_str(rest);
    renamer.out
}

/// Ids are made of these.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "-_.:".contains(c)
}

struct Renamer<'a> {
    known: &'a HashSet<&'a str>,
    numbers: HashMap<String, usize>,
    out: String,
}

impl Renamer<'_> {
    /// Writes a stretch of characters that ids are made of.
    fn word(&mut self, word: &str) {
        // Most words are too short to be an id, or to hold one.
        if word.len() < MIN_CHARS {
            return self.out.push_str(word);
        }
        let trimmed = word.trim_end_matches(['.', ':', '-', '_']);
        if self.known.contains(word) {
            self.rename(word);
        } else if self.known.contains(trimmed) {
            self.rename(trimmed);
            self.out.push_str(word.strip_prefix(trimmed).unwrap_or(""));
        } else {
            for part in word.split_inclusive([':', '.']) {
                let id = part.trim_end_matches([':', '.']);
                self.part(id);
                self.out.push_str(part.strip_prefix(id).unwrap_or(""));
            }
        }
    }

    /// Writes what stands between two dots or colons.
    fn part(&mut self, part: &str) {
        if self.known.contains(part) {
            self.rename(part);
        } else {
            self.uuids(part);
        }
    }

    /// Writes a text with the UUIDs in it renamed.
    fn uuids(&mut self, text: &str) {
        let mut rest = text;
        let mut is_begin = true;
        while let Some(c) = rest.chars().next() {
            let uuid = rest.get(..UUID_BYTES).filter(|_| is_begin);
            let uuid = uuid.filter(|uuid| is_uuid(uuid));
            let ends = |uuid: &&str| {
                let after = rest.get(uuid.len()..).and_then(|rest| rest.chars().next());
                after.is_none_or(|c| !c.is_alphanumeric())
            };
            let taken = match uuid.filter(ends) {
                Some(uuid) => {
                    self.rename(&uuid.to_ascii_lowercase());
                    uuid.len()
                }
                None => {
                    self.out.push(c);
                    c.len_utf8()
                }
            };
            is_begin = !c.is_alphanumeric();
            rest = rest.get(taken..).unwrap_or("");
        }
    }

    fn rename(&mut self, id: &str) {
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(id.to_owned()).or_insert(next);
        self.out.push_str("id-");
        self.out.push_str(&number.to_string());
    }
}

fn is_uuid(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}
