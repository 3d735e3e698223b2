//! The lines of a file: names, quotes, escapes, comments.

use std::collections::BTreeMap;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

/// Reads the variables of a file; says everything that is wrong with it.
pub(super) fn parse(
    file: &str,
    text: &str,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    let mut cursor = Cursor {
        file,
        text,
        at: 0,
        line: 1,
        column: 1,
    };
    while !cursor.rest().is_empty() {
        match entry(&mut cursor) {
            Ok(Some((name, value))) => {
                variables.insert(name, value);
            }
            Ok(None) => {}
            Err(diagnostic) => found.push(*diagnostic),
        }
        cursor.take_while(|c| c != '\n');
        cursor.next();
    }
    variables
}

type Entry = Option<(String, String)>;

/// Reads one entry and leaves the cursor at the end of its line; `None` for an empty line or a comment.
fn entry(cursor: &mut Cursor<'_>) -> Result<Entry, Box<Diagnostic>> {
    cursor.take_while(is_blank);
    if matches!(cursor.peek(), None | Some('\n' | '#')) {
        return Ok(None);
    }
    let mut start = cursor.place();
    let mut name = cursor.take_while(is_name);
    if name == "export" && cursor.peek().is_some_and(is_blank) {
        cursor.take_while(is_blank);
        start = cursor.place();
        name = cursor.take_while(is_name);
    }
    cursor.take_while(is_blank);
    if cursor.peek() != Some('=') {
        let diagnostic = Diagnostic::error(&start, "expected NAME=VALUE")
            .label("a name of letters, digits and _, then `=`")
            .hint("begin a comment with `#`");
        return Err(Box::new(diagnostic));
    }
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        let message = if name.is_empty() {
            "there is no name before `=`".to_owned()
        } else {
            format!("`{name}` is not a name")
        };
        let label = "expected letters, digits and _, not beginning with a digit";
        return Err(Box::new(Diagnostic::error(&start, message).label(label)));
    }
    cursor.next();
    cursor.take_while(is_blank);
    let value = match cursor.peek() {
        Some(quote @ ('"' | '\'')) => {
            let value = quoted(cursor, quote)?;
            cursor.take_while(is_blank);
            if !matches!(cursor.peek(), None | Some('\n' | '#')) {
                let diagnostic = Diagnostic::error(&cursor.place(), "text after the closing quote")
                    .hint("put the whole value in quotes, or a `#` before a comment");
                return Err(Box::new(diagnostic));
            }
            value
        }
        _ => plain(cursor.take_while(|c| c != '\n')),
    };
    if value.contains('\0') {
        let message = format!("the value of `{name}` holds a NUL character");
        let label = "no process can be given such a value";
        return Err(Box::new(Diagnostic::error(&start, message).label(label)));
    }
    Ok(Some((name.to_owned(), value)))
}

/// Returns an unquoted value: up to a comment, which needs a blank before it.
fn plain(line: &str) -> String {
    let comments = line.match_indices('#').map(|(at, _)| line.split_at(at).0);
    let value = comments
        .into_iter()
        .find(|before| before.is_empty() || before.ends_with(is_blank))
        .unwrap_or(line);
    value.trim().to_owned()
}

fn quoted(cursor: &mut Cursor<'_>, quote: char) -> Result<String, Box<Diagnostic>> {
    let start = cursor.place();
    cursor.next();
    let mut value = String::new();
    while let Some(c) = cursor.next() {
        match c {
            _ if c == quote => return Ok(value),
            '\\' if quote == '"' => match cursor.next() {
                Some('n') => value.push('\n'),
                Some('r') => value.push('\r'),
                Some('t') => value.push('\t'),
                Some('\n') => {}
                Some(c @ ('"' | '\\' | '$' | '`' | '\'')) => value.push(c),
                // What is no escape stands for itself, as in a shell.
                Some(c) => value.extend(['\\', c]),
                None => break,
            },
            // Windows ends lines with both; the value has the one that a reader expects.
            '\r' if cursor.peek() == Some('\n') => {}
            c => value.push(c),
        }
    }
    let message = format!("the quote {quote} is not closed");
    let diagnostic = Diagnostic::error(&start, message).label("the value begins here");
    Err(Box::new(diagnostic))
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A place in the text that goes forward.
struct Cursor<'t> {
    file: &'t str,
    text: &'t str,
    at: usize,
    line: u32,
    column: u32,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !is_wanted(c)).unwrap_or(rest.len());
        let (taken, _) = rest.split_at(end);
        for _ in taken.chars() {
            self.next();
        }
        taken
    }

    /// Returns where it stands, as the rest of the line.
    fn place(&self) -> Place {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let line = self.rest().lines().next().unwrap_or_default();
        Place {
            file: self.file.into(),
            line: self.line,
            column: self.column,
            start: small(self.at),
            end: small(self.at + line.trim_end().len()),
        }
    }
}
