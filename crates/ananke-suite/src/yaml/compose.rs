//! Parser events to a tree, with everything that YAML allows and a suite must not hold refused at its place.

use std::collections::HashMap;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use granit_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, Tag, options};

use super::node::{Entry, Kind, Node, Scalar, ScalarKind};
use super::scalar::{resolve, resolve_tagged};

/// How deep lists and maps may stand in one another; code that walks a tree may recurse.
pub(crate) const MAX_DEPTH: usize = 128;
/// How many values a file may hold.
pub(crate) const MAX_NODES: usize = 1_000_000;
/// How many values anchors and aliases may copy, so that a few lines cannot stand for billions.
const MAX_COPIES: usize = 100_000;

/// Composes the one document in `source`. `None` if there is no tree to go on with, which is then reported.
pub(crate) fn compose(file: &Arc<str>, source: &str, found: &mut Vec<Diagnostic>) -> Option<Node> {
    let options = options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: 2 * MAX_DEPTH,
        block_nesting_limit: 2 * MAX_DEPTH,
    };
    let mut composer = Composer {
        file,
        source,
        found,
        open: Vec::new(),
        anchors: HashMap::new(),
        n_nodes: 0,
        n_copies: 0,
        root: None,
    };
    for event in Parser::new_from_str_with_options(source, options) {
        let step = match event {
            Ok((event, span)) => composer.take(event, &span),
            Err(error) => Err(composer.scan_error(&error)),
        };
        if let Err(diagnostic) = step {
            composer.found.push(diagnostic);
            return None;
        }
    }
    let root = composer.root;
    if root.is_none() {
        found.push(Diagnostic::error(&Place::file(file), "the file is empty"));
    }
    root
}

struct Composer<'a> {
    file: &'a Arc<str>,
    source: &'a str,
    found: &'a mut Vec<Diagnostic>,
    /// The lists and maps that are not closed yet, outermost first.
    open: Vec<Open>,
    anchors: HashMap<usize, Built>,
    n_nodes: usize,
    n_copies: usize,
    root: Option<Node>,
}

/// A list or a map that is not closed yet.
struct Open {
    start: Marker,
    anchor: usize,
    n_nodes: usize,
    height: usize,
    content: Content,
}

enum Content {
    Seq(Vec<Node>),
    Map {
        entries: Vec<Entry>,
        places: HashMap<String, Place>,
        key: Option<Key>,
    },
}

/// A key that waits for its value.
enum Key {
    New(Text),
    /// A diagnostic about it exists; its value is dropped.
    Refused,
}

/// A finished node with what it costs to copy it.
#[derive(Clone)]
struct Built {
    node: Node,
    n_nodes: usize,
    height: usize,
}

impl Composer<'_> {
    /// Takes one event. An `Err` ends the composing.
    fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Diagnostic> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let kind = self.scalar(text.into_owned(), style, tag.as_deref(), span);
                let place = self.place(span.start, span.end);
                self.finish(anchor, Built::leaf(place, kind))
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.collection_tag("seq", tag.as_deref(), span);
                self.begin(anchor, span, Content::Seq(Vec::new()))
            }
            Event::MappingStart(_, anchor, tag) => {
                self.collection_tag("map", tag.as_deref(), span);
                let content = Content::Map {
                    entries: Vec::new(),
                    places: HashMap::new(),
                    key: None,
                };
                self.begin(anchor, span, content)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(anchor) => self.alias(anchor, span),
            Event::UnresolvedAlias(name) => {
                let place = self.place(span.start, span.end);
                let message = format!("the alias `*{name}` has no anchor before it");
                self.found.push(Diagnostic::error(&place, message));
                self.finish(0, Built::leaf(place, Kind::Broken))
            }
            Event::DocumentStart(..) if self.root.is_some() => {
                let place = self.place(span.start, span.end);
                Err(
                    Diagnostic::error(&place, "a file holds one YAML document, this is another")
                        .hint("one file is one test: put each in a file of its own"),
                )
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, anchor: usize, span: &Span, content: Content) -> Result<(), Diagnostic> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        self.open.push(Open {
            start: span.start,
            anchor,
            n_nodes: 1,
            height: 1,
            content,
        });
        Ok(())
    }

    fn end(&mut self, span: &Span) -> Result<(), Diagnostic> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let kind = match open.content {
            Content::Seq(items) => Kind::Seq(items),
            Content::Map { entries, .. } => Kind::Map(entries),
        };
        let built = Built {
            node: Node {
                place: self.place(open.start, span.end),
                kind,
            },
            n_nodes: open.n_nodes,
            height: open.height,
        };
        self.finish(open.anchor, built)
    }

    /// Puts a finished node where it belongs, and keeps a copy if it has an anchor.
    fn finish(&mut self, anchor: usize, built: Built) -> Result<(), Diagnostic> {
        if anchor != 0 {
            self.count_copies(built.n_nodes, &built.node.place)?;
            self.anchors.insert(anchor, built.clone());
        }
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            let message = format!("the file holds more than {MAX_NODES} values");
            return Err(Diagnostic::error(&built.node.place, message));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(built.node);
            return Ok(());
        };
        parent.n_nodes += built.n_nodes;
        parent.height = parent.height.max(built.height + 1);
        match &mut parent.content {
            Content::Seq(items) => items.push(built.node),
            Content::Map {
                entries,
                places,
                key,
            } => match key.take() {
                None => *key = Some(new_key(built.node, places, self.found)),
                Some(Key::Refused) => {}
                Some(Key::New(key)) => {
                    let mut value = built.node;
                    if value.is_null() && value.place.start == value.place.end {
                        // Nothing was written, so there is nothing to point at but the key.
                        value.place = key.place.clone();
                    }
                    entries.push(Entry { key, value });
                }
            },
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, span: &Span) -> Result<(), Diagnostic> {
        let place = self.place(span.start, span.end);
        let Some(built) = self.anchors.get(&anchor).cloned() else {
            let message = "the alias stands inside the value that it repeats";
            return Err(Diagnostic::error(&place, message));
        };
        if self.open.len() + built.height > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        self.count_copies(built.n_nodes, &place)?;
        self.finish(0, built)
    }

    fn count_copies(&mut self, n_nodes: usize, place: &Place) -> Result<(), Diagnostic> {
        self.n_copies += n_nodes;
        if self.n_copies <= MAX_COPIES {
            return Ok(());
        }
        let message = format!("anchors and aliases stand for more than {MAX_COPIES} values");
        Err(Diagnostic::error(place, message))
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, tag: Option<&Tag>, span: &Span) -> Kind {
        let kind = match tag {
            None if style == ScalarStyle::Plain => resolve(&text),
            None => ScalarKind::Str,
            Some(tag) if tag.original() == "!" => ScalarKind::Str,
            Some(tag) => match tag.core_suffix() {
                None => return self.refuse_tag(tag, span),
                Some(suffix) => match resolve_tagged(suffix, &text) {
                    Some(kind) => kind,
                    None => {
                        let place = self.place(span.start, span.end);
                        let message = format!("the tag `!!{suffix}` does not fit this value");
                        self.found.push(Diagnostic::error(&place, message));
                        return Kind::Broken;
                    }
                },
            },
        };
        Kind::Scalar(Scalar { text, kind })
    }

    fn collection_tag(&mut self, own: &str, tag: Option<&Tag>, span: &Span) {
        if let Some(tag) = tag
            && tag.original() != "!"
            && !tag.is_yaml_core_schema_tag(own)
        {
            self.refuse_tag(tag, span);
        }
    }

    fn refuse_tag(&mut self, tag: &Tag, span: &Span) -> Kind {
        let at = span.tag_span().unwrap_or(*span);
        let place = self.place(at.start, at.end);
        let message = format!("the tag `{}` is not supported", tag.original());
        self.found.push(
            Diagnostic::error(&place, message).hint("write the value without a tag, or in quotes"),
        );
        Kind::Broken
    }

    fn too_deep(&self, span: &Span) -> Diagnostic {
        let place = self.place(span.start, span.end);
        let message = format!("lists and maps stand more than {MAX_DEPTH} deep in one another");
        Diagnostic::error(&place, message)
    }

    fn scan_error(&self, error: &ScanError) -> Diagnostic {
        let mut place = self.place(*error.marker(), *error.marker());
        let next = self.source.get(place.start as usize..).unwrap_or_default();
        if let Some(character) = next.chars().next().filter(|c| !matches!(c, '\n' | '\r')) {
            place.end = place.start + small(character.len_utf8());
        }
        let info = error.info();
        let diagnostic = Diagnostic::error(&place, format!("invalid YAML: {info}"));
        if info.contains("tab") {
            diagnostic.hint("indent with spaces")
        } else if info.contains("mapping values are not allowed") {
            diagnostic.hint("put text that holds `: ` in quotes, and check the indentation")
        } else {
            diagnostic
        }
    }

    /// Returns the place from `start` to `end`, cut at the end of its first line.
    fn place(&self, start: Marker, end: Marker) -> Place {
        let mut from = start.byte_offset().unwrap_or(0).min(self.source.len());
        while !self.source.is_char_boundary(from) {
            from -= 1;
        }
        let mut to = end
            .byte_offset()
            .unwrap_or(from)
            .clamp(from, self.source.len());
        if start.line() != end.line() {
            let (_, rest) = self.source.split_at(from);
            let line = rest.split(['\n', '\r']).next().unwrap_or_default();
            to = to.min(from + line.trim_end().len());
        }
        Place {
            file: Arc::clone(self.file),
            line: small(start.line().max(1)),
            column: small(start.col() + 1),
            start: small(from),
            end: small(to),
        }
    }
}

impl Built {
    fn leaf(place: Place, kind: Kind) -> Self {
        Self {
            node: Node { place, kind },
            n_nodes: 1,
            height: 0,
        }
    }
}

fn new_key(node: Node, places: &mut HashMap<String, Place>, found: &mut Vec<Diagnostic>) -> Key {
    let Kind::Scalar(scalar) = node.kind else {
        if !matches!(node.kind, Kind::Broken) {
            let message = format!("a key must be text, found {}", node.described());
            found.push(Diagnostic::error(&node.place, message));
        }
        return Key::Refused;
    };
    if scalar.text == "<<" {
        found.push(
            Diagnostic::error(&node.place, "merge keys (`<<`) are not supported")
                .hint("repeat the keys, or share assertions with `extends`"),
        );
        return Key::Refused;
    }
    if let Some(first) = places.get(&scalar.text) {
        let message = format!("the key `{}` is written twice", scalar.text);
        let label = format!("first written at {}:{}", first, first.column);
        found.push(Diagnostic::error(&node.place, message).label(label));
        return Key::Refused;
    }
    places.insert(scalar.text.clone(), node.place.clone());
    Key::New(Text {
        text: scalar.text,
        place: node.place,
    })
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
