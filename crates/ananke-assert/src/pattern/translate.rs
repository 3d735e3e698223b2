//! Says in the engines' syntax what a pattern means in RE2 and JavaScript.

use std::fmt::Write as _;

use super::class::class;
use super::cursor::Cursor;
use super::error::PatternError;
use super::escape::{Escape, Place, Set, WORD, escape};
use super::slash::Flags;

/// Deeper nesting is refused before an engine has to follow it.
const MAX_DEPTH: usize = 50;
/// Larger repetitions are refused before an engine unrolls them.
const MAX_REPEAT: u32 = 100_000;

/// What a pattern is translated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// `regex`: linear time, without look-around and back-references.
    Linear,
    /// `fancy-regex`: backtracking.
    Backtracking,
    /// `regex` again: look-around left out and back-references matching anything. Whatever the pattern matches, this
    /// matches too, from the same place on.
    Relaxed,
}

/// A pattern in the engines' syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Translated {
    /// For `regex`.
    Linear(String),
    /// For `fancy-regex`, and for `regex` to find out where to begin.
    Backtracking {
        /// What the pattern means.
        exact: String,
        /// What it means at least.
        relaxed: String,
    },
}

/// Translates `body` for the simplest engine that can run it.
pub(super) fn translate(body: &str, flags: Flags) -> Result<Translated, PatternError> {
    let (regex, backtracks) = translate_for(Dialect::Linear, body, flags)?;
    if !backtracks {
        return Ok(Translated::Linear(regex));
    }
    Ok(Translated::Backtracking {
        exact: translate_for(Dialect::Backtracking, body, flags)?.0,
        relaxed: translate_for(Dialect::Relaxed, body, flags)?.0,
    })
}

/// Returns the text for the engine, and whether it needs backtracking.
fn translate_for(
    dialect: Dialect,
    body: &str,
    flags: Flags,
) -> Result<(String, bool), PatternError> {
    let mut translator = Translator::new(body, flags, dialect);
    translator.run()?;
    let case = if flags.ignore_case { "(?i)" } else { "" };
    let regex = if flags.sticky {
        format!("{case}\\A(?:{})", translator.out)
    } else {
        format!("{case}{}", translator.out)
    };
    Ok((regex, translator.backtracks))
}

/// The flags that change what this module writes. `i` and `U` are handed on to the engine.
#[derive(Clone, Copy)]
struct Modes {
    multi_line: bool,
    dot_all: bool,
}

struct OpenGroup {
    start: usize,
    modes_before: Modes,
    /// What was written before it, in bytes, if it is a look-around.
    look: Option<usize>,
}

struct Translator {
    cursor: Cursor,
    out: String,
    dialect: Dialect,
    modes: Modes,
    open: Vec<OpenGroup>,
    /// The names of the capturing groups so far; the first is number 1.
    groups: Vec<Option<String>>,
    /// Whether a repetition may follow.
    repeatable: bool,
    backtracks: bool,
}

impl Translator {
    fn new(body: &str, flags: Flags, dialect: Dialect) -> Self {
        Self {
            cursor: Cursor::new(body),
            out: String::with_capacity(body.len() + 16),
            dialect,
            modes: Modes {
                multi_line: flags.multi_line,
                dot_all: flags.dot_all,
            },
            open: Vec::new(),
            groups: Vec::new(),
            repeatable: false,
            backtracks: false,
        }
    }

    fn run(&mut self) -> Result<(), PatternError> {
        loop {
            let start = self.cursor.index();
            let Some(c) = self.cursor.bump() else { break };
            match c {
                '(' => self.open_group(start)?,
                ')' => self.close_group(start)?,
                '|' => {
                    self.out.push('|');
                    self.repeatable = false;
                }
                '*' | '+' | '?' => self.repeat(start, &c.to_string())?,
                '{' => match self.braces(start)? {
                    Some(braces) => self.repeat(start, &braces)?,
                    None => self.literal('{'),
                },
                '[' => {
                    class(&mut self.cursor, start, &mut self.out)?;
                    self.repeatable = true;
                }
                '.' => {
                    self.atom(if self.modes.dot_all {
                        "(?s:.)"
                    } else {
                        r"[^\n\r\x{2028}\x{2029}]"
                    });
                }
                '^' => self.place(if self.modes.multi_line {
                    "(?mR:^)"
                } else {
                    r"\A"
                }),
                '$' => self.place(if self.modes.multi_line {
                    "(?mR:$)"
                } else {
                    r"\z"
                }),
                '\\' => self.escape(start)?,
                _ => self.literal(c),
            }
        }
        match self.open.first() {
            Some(group) => Err(PatternError::at(group.start, "the group is not closed")
                .hint("write `\\(` for a parenthesis")),
            None => Ok(()),
        }
    }

    fn atom(&mut self, regex: &str) {
        self.out.push_str(regex);
        self.repeatable = true;
    }

    fn place(&mut self, regex: &str) {
        self.out.push_str(regex);
        self.repeatable = false;
    }

    fn literal(&mut self, c: char) {
        if c.is_ascii_punctuation() && c != '<' && c != '>' {
            self.out.push('\\');
        }
        self.out.push(c);
        self.repeatable = true;
    }

    fn open_group(&mut self, start: usize) -> Result<(), PatternError> {
        let mut look = None;
        let modes_before = self.modes;
        if !self.cursor.eat("?") {
            self.groups.push(None);
            self.out.push('(');
        } else if self.cursor.eat(":") {
            self.out.push_str("(?:");
        } else if let Some(sign) = ["=", "!", "<=", "<!"]
            .into_iter()
            .find(|sign| self.cursor.eat(sign))
        {
            look = Some(self.out.len());
            self.backtracks = true;
            self.out.push_str("(?");
            self.out.push_str(sign);
        } else if self.cursor.eat("<") || self.cursor.eat("P<") {
            let name = self.group_name(start)?;
            self.groups.push(Some(name));
            self.out.push('(');
        } else if !self.inline_flags(start)? {
            return Ok(());
        }
        if self.open.len() == MAX_DEPTH {
            return Err(PatternError::at(
                start,
                format!("groups are nested more than {MAX_DEPTH} deep"),
            ));
        }
        self.open.push(OpenGroup {
            start,
            modes_before,
            look,
        });
        self.repeatable = false;
        Ok(())
    }

    fn group_name(&mut self, start: usize) -> Result<String, PatternError> {
        let name = self
            .cursor
            .take_while(64, |c| c.is_alphanumeric() || c == '_' || c == '$');
        if name.is_empty() || !self.cursor.eat(">") {
            return Err(PatternError::at(start, "the group's name is not a word"));
        }
        if self.groups.iter().flatten().any(|taken| *taken == name) {
            return Err(PatternError::at(
                start,
                format!("there are two groups named `{name}`"),
            ));
        }
        Ok(name)
    }

    /// Reads `i)` or `i-s:` behind `(?`. Tells whether it opens a group.
    fn inline_flags(&mut self, start: usize) -> Result<bool, PatternError> {
        let refuse = || {
            PatternError::at(start, "this kind of group is not supported")
                .hint("known are `(?:…)`, `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`, `(?<name>…)`, and the flags `(?i)`, `(?m)`, `(?s)`, `(?U)`")
        };
        let mut modes = self.modes;
        let mut engine_flags = [String::new(), String::new()];
        let mut off = false;
        let mut n_flags = 0;
        loop {
            match self.cursor.bump() {
                Some('m') => modes.multi_line = !off,
                Some('s') => modes.dot_all = !off,
                Some(flag @ ('i' | 'U')) if !engine_flags.concat().contains(flag) => {
                    engine_flags[usize::from(off)].push(flag);
                }
                Some('-') if !off => {
                    off = true;
                    n_flags = 0;
                    continue;
                }
                Some(end @ (':' | ')')) if n_flags > 0 => {
                    let [on, off] = engine_flags;
                    let dash = if off.is_empty() { "" } else { "-" };
                    // The engine's own scoping rules are the same, so `(?i)` stays where it was written.
                    if end == ':' {
                        write!(self.out, "(?{on}{dash}{off}:").expect("strings take any text");
                    } else if !(on.is_empty() && off.is_empty()) {
                        write!(self.out, "(?{on}{dash}{off})").expect("strings take any text");
                    }
                    self.modes = modes;
                    self.repeatable = false;
                    return Ok(end == ':');
                }
                _ => return Err(refuse()),
            }
            n_flags += 1;
        }
    }

    fn close_group(&mut self, start: usize) -> Result<(), PatternError> {
        let Some(group) = self.open.pop() else {
            return Err(PatternError::at(start, "there is no group to close")
                .hint("write `\\)` for a parenthesis"));
        };
        self.out.push(')');
        if let Some(written) = group.look.filter(|_| self.dialect == Dialect::Relaxed) {
            self.out.truncate(written);
        }
        self.modes = group.modes_before;
        self.repeatable = group.look.is_none();
        Ok(())
    }

    /// Reads `2}`, `2,}` or `2,3}` behind a brace. Anything else leaves the brace a literal.
    fn braces(&mut self, start: usize) -> Result<Option<String>, PatternError> {
        let after_brace = self.cursor.index();
        let min = self.cursor.take_while(10, |c| c.is_ascii_digit());
        let comma = self.cursor.eat(",");
        let max = if comma {
            self.cursor.take_while(10, |c| c.is_ascii_digit())
        } else {
            min.clone()
        };
        if min.is_empty() || !self.cursor.eat("}") {
            self.cursor.back_to(after_brace);
            return Ok(None);
        }
        let number = |digits: &str| {
            digits
                .parse::<u32>()
                .ok()
                .filter(|number| *number <= MAX_REPEAT)
                .ok_or_else(|| {
                    PatternError::at(start, format!("repeats more than {MAX_REPEAT} times"))
                })
        };
        let least = number(&min)?;
        if max.is_empty() {
            return Ok(Some(format!("{{{least},}}")));
        }
        let most = number(&max)?;
        if most < least {
            return Err(PatternError::at(
                start,
                format!("the repetition `{{{min},{max}}}` runs backwards"),
            ));
        }
        Ok(Some(format!("{{{least},{most}}}")))
    }

    fn repeat(&mut self, start: usize, repetition: &str) -> Result<(), PatternError> {
        if !self.repeatable {
            return Err(PatternError::at(start, "there is nothing to repeat")
                .hint(format!("write `\\{repetition}` to search for it")));
        }
        self.out.push_str(repetition);
        if self.cursor.eat("?") {
            self.out.push('?');
        }
        self.repeatable = false;
        Ok(())
    }

    fn escape(&mut self, start: usize) -> Result<(), PatternError> {
        match escape(&mut self.cursor, start, false)? {
            Escape::Char(c) => self.literal(c),
            Escape::Verbatim(text) => text.chars().for_each(|c| self.literal(c)),
            Escape::Set(Set::Property(property)) => self.atom(&property),
            Escape::Set(Set::Ascii { members, negated }) => {
                let caret = if negated { "^" } else { "" };
                // Ignoring case would let two letters beyond ASCII (U+017F and U+212A) into `\w`.
                self.atom(&format!("(?-i:[{caret}{members}])"));
            }
            Escape::Place(Place::Start) => self.place(r"\A"),
            Escape::Place(Place::End) => self.place(r"\z"),
            Escape::Place(Place::WordBoundary) => self.boundary(true),
            Escape::Place(Place::NoWordBoundary) => self.boundary(false),
            Escape::Group(number) => {
                self.reference(start, (number <= self.groups.len()).then_some(number))?;
            }
            Escape::NamedGroup(name) => {
                let index = self
                    .groups
                    .iter()
                    .position(|group| group.as_ref() == Some(&name));
                self.reference(start, index.map(|index| index + 1))?;
            }
        }
        Ok(())
    }

    fn boundary(&mut self, wanted: bool) {
        let regex = match (self.dialect, wanted) {
            (Dialect::Linear | Dialect::Relaxed, true) => r"(?-u:\b)".to_owned(),
            (Dialect::Linear | Dialect::Relaxed, false) => r"(?-u:\B)".to_owned(),
            // This engine knows Unicode boundaries only, so it is told what lies on either side.
            (Dialect::Backtracking, true) => {
                format!("(?-i:(?<=[{WORD}])(?![{WORD}])|(?<![{WORD}])(?=[{WORD}]))")
            }
            (Dialect::Backtracking, false) => {
                format!("(?-i:(?<=[{WORD}])(?=[{WORD}])|(?<![{WORD}])(?![{WORD}]))")
            }
        };
        self.place(&regex);
    }

    fn reference(&mut self, start: usize, number: Option<usize>) -> Result<(), PatternError> {
        let Some(number) = number else {
            return Err(
                PatternError::at(start, "there is no such group before this")
                    .hint("groups are counted from 1 by their opening parenthesis"),
            );
        };
        self.backtracks = true;
        if self.dialect == Dialect::Relaxed {
            self.atom("(?s:.*)");
        } else {
            // As in JavaScript, a group that took no part matches the empty text.
            self.atom(&format!("(?({number})\\{number}|)"));
        }
        Ok(())
    }
}
