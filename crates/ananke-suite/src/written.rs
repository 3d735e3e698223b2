//! Keys of a file as its author wrote them, for taking them over into another file.

use std::sync::Arc;

use crate::parse::Found;
use crate::yaml::{Entry, Kind, Node, ScalarKind, compose};

/// A test or config file whose keys can be taken over.
#[derive(Clone, Debug)]
pub struct WrittenFile<'a> {
    text: &'a str,
    entries: Vec<Entry>,
}

impl<'a> WrittenFile<'a> {
    /// Reads a file; `None` if it holds no map. Mistakes are for those to tell who load it.
    pub fn read(text: &'a str) -> Option<Self> {
        let entries = entries(text)?;
        Some(Self { text, entries })
    }

    /// Returns the names below a key that holds a map; none if it holds something else.
    pub fn names_below(&self, key: &str) -> Vec<&str> {
        match self.entry(key).map(|(_, entry)| &entry.value.kind) {
            Some(Kind::Map(entries)) => entries
                .iter()
                .map(|entry| entry.key.text.as_str())
                .collect(),
            Some(Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken) | None => Vec::new(),
        }
    }

    /// Returns a key with its value as lines that mean the same at the root of another file: as they stand if they can
    /// stand alone, else in flow style with anchors resolved.
    pub fn lines_of(&self, key: &str) -> Option<String> {
        let (index, entry) = self.entry(key)?;
        let means_the_same = |lines: &String| {
            let read = entries(&format!("{lines}end: 0\n"));
            read.is_some_and(|read| match read.as_slice() {
                [first, _] => first.key.text == key && is_same(&first.value, &entry.value),
                _ => false,
            })
        };
        let flow = || flow(&entry.value).map(|value| format!("{key}: {value}\n"));
        self.block_lines(index)
            .filter(means_the_same)
            .or_else(|| flow().filter(means_the_same))
    }

    fn entry(&self, key: &str) -> Option<(usize, &Entry)> {
        let mut entries = self.entries.iter().enumerate();
        entries.find(|(_, entry)| entry.key.text == key)
    }

    /// Returns the lines from a key to the next one, without the comments that belong to the next.
    fn block_lines(&self, index: usize) -> Option<String> {
        let at = |index: usize| Some(self.entries.get(index)?.key.place.line as usize);
        let line = at(index)?;
        let n_lines = match at(index + 1) {
            Some(next) => next.checked_sub(line)?,
            None => usize::MAX,
        };
        let mut lines = self.text.lines().skip(line.checked_sub(1)?).peekable();
        let first = *lines.peek()?;
        let (indent, _) = first.split_at(first.len() - first.trim_start().len());
        let lines = lines.take(n_lines);
        let mut lines: Vec<&str> = lines
            .map(|line| line.strip_prefix(indent).unwrap_or(line))
            .collect();
        while lines
            .pop_if(|line| line.trim().is_empty() || line.starts_with('#'))
            .is_some()
        {}
        Some(lines.iter().map(|line| format!("{line}\n")).collect())
    }
}

fn entries(text: &str) -> Option<Vec<Entry>> {
    let mut found = Found::new();
    let root = compose(&Arc::from(""), text, &mut found)?;
    match root.kind {
        Kind::Map(entries) if found.is_empty() => Some(entries),
        _ => None,
    }
}

/// Tells whether two values are the same wherever they are written.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Scalar(one), Kind::Scalar(other)) => {
            one.text == other.text && one.kind == other.kind
        }
        (Kind::Seq(one), Kind::Seq(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(a, b))
        }
        (Kind::Map(one), Kind::Map(other)) => {
            let is_same =
                |(a, b): (&Entry, &Entry)| a.key.text == b.key.text && is_same(&a.value, &b.value);
            one.len() == other.len() && one.iter().zip(other).all(is_same)
        }
        _ => false,
    }
}

/// Returns a value in flow style; `None` for one that could not be read.
fn flow(node: &Node) -> Option<String> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    Some(match &node.kind {
        Kind::Scalar(scalar) if scalar.kind == ScalarKind::Str => quoted(&scalar.text),
        Kind::Scalar(scalar) if scalar.text.is_empty() => "null".to_owned(),
        Kind::Scalar(scalar) => scalar.text.clone(),
        Kind::Seq(items) => {
            let items: Option<Vec<_>> = items.iter().map(flow).collect();
            format!("[{}]", items?.join(", "))
        }
        Kind::Map(entries) => {
            let members = entries.iter().map(|entry| {
                Some(format!(
                    "{}: {}",
                    quoted(&entry.key.text),
                    flow(&entry.value)?
                ))
            });
            format!("{{{}}}", members.collect::<Option<Vec<_>>>()?.join(", "))
        }
        Kind::Broken => return None,
    })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn taken(text: &str) -> String {
        let file = WrittenFile::read(text).unwrap();
        file.lines_of("target")
            .unwrap_or_else(|| "nothing".to_owned())
    }

    #[test]
    fn keys_are_taken_over_as_they_stand() {
        let texts = [
            "version: 1\ntarget: good # the one\n# about turns\nturns: []\n",
            "target:\n\n  # who\n  headers: {X-Kept: 1.50, Y: '${ENV.Y}'}\n  state: |\n    # not a comment\n    target: no\n\n# next\n\nname: x\n",
            "name: 'a\n\n  target: no'\n\"target\": good",
            "target:\n- a\r\n- b\r\nname: x",
            "name: x\n",
        ];
        assert_snapshot!(texts.map(taken).join("---\n"), @r#"
        target: good # the one
        ---
        target:

          # who
          headers: {X-Kept: 1.50, Y: '${ENV.Y}'}
          state: |
            # not a comment
            target: no
        ---
        "target": good
        ---
        target:
        - a
        - b
        ---
        nothing
        "#);
    }

    #[test]
    fn keys_that_cannot_stand_alone_are_spelt_out() {
        let texts = [
            "{\"version\": 1, \"target\": {\"headers\": {\"A\": \"x: #y\", \"n\": 1.50}, \"tools\": [null, ~, true]}, \"name\": \"x\"}",
            "name: &n x\ntarget: {agentId: *n, state: {a: }}\nturns: []",
            "---\nname: x\ntarget: good\n...\n",
            "  name: x\n  target:\n    agentId: y\n  turns: []\n",
            "? target\n: good\n",
        ];
        assert_snapshot!(texts.map(taken).join("---\n"), @r#"
        target: {"headers": {"A": "x: #y", "n": 1.50}, "tools": [null, ~, true]}
        ---
        target: {"agentId": "x", "state": {"a": ~}}
        ---
        target: "good"
        ---
        target:
          agentId: y
        ---
        ? target
        : good
        "#);
    }

    #[test]
    fn names_are_those_of_a_map() {
        let file = WrittenFile::read("targets: {a: {}, b: {}}\ntarget: a\n").unwrap();
        assert_eq!(file.names_below("targets"), ["a", "b"]);
        assert!(file.names_below("target").is_empty() && file.names_below("x").is_empty());
        assert!(WrittenFile::read("- a\n").is_none() && WrittenFile::read("a: [").is_none());
    }
}
