//! A map read by its shape: unknown and missing keys are reported on opening it.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Place, Text};

use super::Found;
use crate::schema::Shape;
use crate::yaml::{Entry, Kind, Node};

/// A map whose keys were checked.
#[derive(Debug)]
pub(super) struct Object<'n> {
    node: &'n Node,
    shape: &'static Shape,
    /// The keys that the parser asked for, so that tests notice a key that nothing reads.
    #[cfg(test)]
    asked: std::cell::RefCell<std::collections::BTreeSet<String>>,
}

impl<'n> Object<'n> {
    /// Opens `node` as a complete `shape`. `None` if it is no map.
    pub(super) fn open(node: &'n Node, shape: &'static Shape, found: &mut Found) -> Option<Self> {
        let object = Self::open_partial(node, shape, found)?;
        for field in shape.fields.iter().filter(|field| field.required) {
            if node.get(field.name).is_none() {
                let message = format!("`{}` is missing in {}", field.name, shape.title);
                let hint = format!("write `{}: {}`", field.name, field.example);
                found.push(Diagnostic::error(&node.place, message).hint(hint));
            }
        }
        Some(object)
    }

    /// Opens `node` as a `shape` of which no key is required. `None` if it is no map.
    pub(super) fn open_partial(
        node: &'n Node,
        shape: &'static Shape,
        found: &mut Found,
    ) -> Option<Self> {
        Self::open_beside(node, shape, &[], found)
    }

    /// Opens `node` as a `shape` of which no key is required, beside `other` keys that somebody else reads.
    pub(super) fn open_beside(
        node: &'n Node,
        shape: &'static Shape,
        other: &[&str],
        found: &mut Found,
    ) -> Option<Self> {
        let entries = match &node.kind {
            Kind::Map(entries) => entries,
            Kind::Broken => return None,
            Kind::Scalar(_) | Kind::Seq(_) => {
                found.push(
                    Diagnostic::error(
                        &node.place,
                        format!("expected a map, found {}", node.described()),
                    )
                    .label(format!("expected {}", key_list(shape))),
                );
                return None;
            }
        };
        for entry in entries {
            let name = entry.key.text.as_str();
            let is_own = shape.fields.iter().any(|field| field.name == name);
            if !is_own && !other.contains(&name) {
                found.push(unknown_key(entry, shape));
            }
        }
        Some(Self {
            node,
            shape,
            #[cfg(test)]
            asked: std::cell::RefCell::default(),
        })
    }

    /// Returns what stands under a key of the shape.
    pub(super) fn get(&self, name: &str) -> Option<&'n Node> {
        debug_assert!(
            self.shape.fields.iter().any(|field| field.name == name),
            "{} has no key {name}",
            self.shape.name
        );
        #[cfg(test)]
        self.asked.borrow_mut().insert(name.to_owned());
        self.node.get(name)
    }

    /// Returns what stands under a key that only some of the shapes have which are read alike.
    pub(super) fn find(&self, name: &str) -> Option<&'n Node> {
        let is_own = self.shape.fields.iter().any(|field| field.name == name);
        is_own.then(|| self.get(name)).flatten()
    }

    /// Returns the keys of the shape that are written.
    pub(super) fn written_keys(&self) -> Vec<Text> {
        let Kind::Map(entries) = &self.node.kind else {
            return Vec::new();
        };
        let keys = entries.iter().map(|entry| &entry.key);
        let is_own = |key: &&Text| self.shape.fields.iter().any(|field| field.name == key.text);
        keys.filter(is_own).cloned().collect()
    }

    /// Tells whether the map was opened as `shape`.
    pub(super) fn has_shape(&self, shape: &'static Shape) -> bool {
        std::ptr::eq(self.shape, shape)
    }

    /// Returns what messages call the map.
    pub(super) fn title(&self) -> &'static str {
        self.shape.title
    }

    /// Returns where a key is written; where the map is, if it is not there.
    pub(super) fn key_place(&self, name: &str) -> Place {
        let entry = match &self.node.kind {
            Kind::Map(entries) => entries.iter().find(|entry| entry.key.text == name),
            Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => None,
        };
        entry
            .map_or(&self.node.place, |entry| &entry.key.place)
            .clone()
    }

    /// Returns where the map is written.
    pub(super) fn place(&self) -> &'n Place {
        &self.node.place
    }
}

#[cfg(test)]
impl Drop for Object<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let asked = self.asked.borrow();
        for field in self.shape.fields {
            assert!(
                asked.contains(field.name),
                "nothing reads `{}` of {}",
                field.name,
                self.shape.name
            );
        }
    }
}

fn unknown_key(entry: &Entry, shape: &'static Shape) -> Diagnostic {
    let key = entry.key.text.as_str();
    let message = format!("unknown key `{key}` in {}", shape.title);
    let diagnostic =
        Diagnostic::error(&entry.key.place, message).label(format!("expected {}", key_list(shape)));
    if let Some((_, hint)) = shape.elsewhere.iter().find(|(known, _)| *known == key) {
        return diagnostic.hint(*hint);
    }
    match did_you_mean(key, shape.fields.iter().map(|field| field.name)) {
        Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
        None => diagnostic,
    }
}

fn key_list(shape: &'static Shape) -> String {
    let names: Vec<_> = shape.fields.iter().map(|field| field.name).collect();
    word_list(&names)
}

/// Returns the words as a list in a sentence: "`a`, `b` or `c`".
pub(super) fn word_list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => format!("`{word}`"),
        [words @ .., last] => format!("`{}` or `{last}`", words.join("`, `")),
    }
}
