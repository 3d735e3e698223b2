//! Paths into arguments: `user.name`, `items[0].id`, `items.0.id`, `["odd.key"]`.

use super::raw_json::RawJson;

/// A way from an object to one of the values inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgPath(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// `name`: a member; on an array, an index if it is a number.
    Name(String),
    /// `["name"]`: a member, whatever its spelling.
    Key(String),
    /// `[0]`: an item of an array.
    Index(usize),
}

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathError {
    /// What is wrong, as a lower-case fragment.
    pub(crate) message: &'static str,
    /// Number of the character, counted from 1.
    pub(crate) position: usize,
    /// The next step.
    pub(crate) hint: &'static str,
}

const HINT: &str =
    "paths look like `user.name`, `items[0].id` or `[\"odd.key\"]`, and start at the arguments";

impl ArgPath {
    /// Reads a path.
    pub(crate) fn parse(text: &str) -> Result<Self, PathError> {
        let mut reader = Reader {
            chars: text.chars().collect(),
            at: 0,
        };
        let mut steps = Vec::new();
        loop {
            if reader.peek() == Some('[') {
                steps.push(reader.bracket()?);
            } else {
                steps.push(reader.name()?);
            }
            match reader.peek() {
                None => return Ok(Self(steps)),
                Some('.') => {
                    reader.at += 1;
                    if reader.peek() == Some('[') {
                        return Err(reader.refuse("a bracket follows the dot"));
                    }
                }
                Some('[') => {}
                Some(_) => return Err(reader.refuse("expected a dot or a bracket")),
            }
        }
    }

    /// Returns the value that the path leads to; own members only, nothing if there is none.
    pub(crate) fn look_up<'a>(&self, args: RawJson<'a>) -> Option<RawJson<'a>> {
        self.0.iter().try_fold(args, |value, step| match step {
            Step::Name(name) => value
                .member(name)
                .or_else(|| value.item(canonical_index(name)?)),
            Step::Key(key) => value.member(key),
            Step::Index(index) => value.item(*index),
        })
    }

    /// Returns the name at the top of the arguments that the path begins with.
    pub(crate) fn top(&self) -> &str {
        match self.0.first() {
            Some(Step::Name(name) | Step::Key(name)) => name,
            Some(Step::Index(_)) | None => "",
        }
    }
}

/// Reads a number spelled as JavaScript spells an index: no sign, no leading zero.
fn canonical_index(text: &str) -> Option<usize> {
    let canonical = text == "0" || !text.starts_with('0');
    (canonical && text.chars().all(|c| c.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn refuse(&self, message: &'static str) -> PathError {
        PathError {
            message,
            position: self.at + 1,
            hint: HINT,
        }
    }

    fn name(&mut self) -> Result<Step, PathError> {
        let start = self.at;
        let mut name = String::new();
        while let Some(c) = self.peek()
            && c != '.'
            && c != '['
        {
            if c == ']' {
                return Err(self.refuse("there is no bracket to close"));
            }
            name.push(c);
            self.at += 1;
        }
        let refuse = |message, hint| {
            Err(PathError {
                message,
                position: start + 1,
                hint,
            })
        };
        match name.as_str() {
            "" => refuse("a name is missing", HINT),
            "$" => refuse(
                "`$` is not a name",
                "paths start at the arguments: leave `$` out, or write `[\"$\"]` for a key",
            ),
            "*" => refuse(
                "`*` is not a name",
                "a path leads to one value: write a number, or `[\"*\"]` for a key",
            ),
            _ => Ok(Step::Name(name)),
        }
    }

    fn bracket(&mut self) -> Result<Step, PathError> {
        self.at += 1;
        let step = match self.peek() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote)?,
            _ => {
                let mut digits = String::new();
                while let Some(c) = self.peek().filter(char::is_ascii_digit) {
                    digits.push(c);
                    self.at += 1;
                }
                match canonical_index(&digits) {
                    Some(index) => Step::Index(index),
                    None => return Err(self.refuse("expected a number or a quoted key")),
                }
            }
        };
        if self.peek() != Some(']') {
            return Err(self.refuse("the bracket is not closed"));
        }
        self.at += 1;
        Ok(step)
    }

    fn quoted(&mut self, quote: char) -> Result<Step, PathError> {
        self.at += 1;
        let mut key = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(self.refuse("the quote is not closed"));
            };
            self.at += 1;
            if c == quote {
                return Ok(Step::Key(key));
            }
            match self.peek().filter(|_| c == '\\') {
                Some(escaped) => {
                    key.push(escaped);
                    self.at += 1;
                }
                None => key.push(c),
            }
        }
    }
}
