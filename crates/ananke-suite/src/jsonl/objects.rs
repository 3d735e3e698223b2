//! The objects of a file, one after another.

use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

use super::chunks::Chunk;
use super::cursor::{Cursor, Syntax};
use super::mistakes;
use super::value::Reader;
use crate::yaml::Node;

/// Reads every object of a piece of text and hands each over as soon as it is read, so that many of them need little memory. Behind
/// one that is broken, reading goes on at the next line that begins with `{`.
pub(crate) fn each_object(
    file: &Arc<str>,
    chunk: Chunk<'_>,
    found: &mut Vec<Diagnostic>,
    mut take: impl FnMut(Node, &mut Vec<Diagnostic>),
) {
    let n_before = found.len();
    let mut n_objects = 0;
    let mut reader = Reader::new(Cursor::new(file, Syntax::Lines, chunk), found);
    let mut has_commas = false;
    loop {
        reader.cursor.skip_blank();
        if reader.cursor.is_at_end() || reader.is_full() {
            break;
        }
        match reader.cursor.peek() {
            b'{' => match reader.object(0) {
                Ok(object) => {
                    n_objects += 1;
                    take(object, reader.found);
                }
                Err(diagnostic) => {
                    reader.found.push(diagnostic);
                    reader.cursor.recover();
                }
            },
            b',' if n_objects > 0 => {
                // Once is enough: who separates two objects separates all.
                if !has_commas {
                    let diagnostic = mistakes::no_object(&mut reader.cursor);
                    reader.found.push(diagnostic);
                }
                has_commas = true;
                reader.cursor.skip(1);
            }
            byte => {
                let diagnostic = mistakes::no_object(&mut reader.cursor);
                reader.found.push(diagnostic);
                // What stands in a list would be refused line by line.
                if byte == b'[' {
                    break;
                }
                let first = reader.cursor.rest().chars().next();
                reader.cursor.skip(first.map_or(1, char::len_utf8));
                reader.cursor.recover();
            }
        }
    }
    if n_objects == 0 && found.len() == n_before {
        found.push(
            Diagnostic::error(&Place::file(file), "the file holds no case")
                .hint("write one JSON object per line, such as `{\"id\": \"greeting\", \"input\": \"Hello\", \"assert\": {\"type\": \"contains\", \"value\": \"Hi\"}}`"),
        );
    }
}

/// Reads every object of `text`.
pub(crate) fn objects(file: &Arc<str>, text: &str, found: &mut Vec<Diagnostic>) -> Vec<Node> {
    let mut objects = Vec::new();
    each_object(file, Chunk::whole(text), found, |object, _| {
        objects.push(object);
    });
    objects
}

/// Tells whether `text` begins like a report: with a record whose first member is `"type": "start"`. The first few lines
/// are enough.
pub(crate) fn is_report(text: &str) -> bool {
    let file = Arc::from("");
    let text = text.trim_start_matches('\u{feff}');
    let mut cursor = Cursor::new(&file, Syntax::Lines, Chunk::whole(text));
    let mut tokens = ["{", "\"type\"", ":", "\"start\""].iter();
    tokens.all(|token| {
        cursor.skip_blank();
        let is_next = cursor.rest().starts_with(token);
        cursor.skip(token.len());
        is_next
    })
}
