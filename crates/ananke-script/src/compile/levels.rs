//! Counts how deeply a script nests, without parsing it: rather too many levels than too few, so that what is parsed with a stack
//! for that many levels does not overflow it. Brackets nest, and so do operators, keywords and statements without brackets.

use super::source::Language;

/// How many brackets may stand inside each other.
pub(super) const MAX_BRACKETS: usize = 1_000;

/// How many angle brackets may be open at once. The parser tries each as types and as a comparison, so many take forever.
const MAX_ANGLES: usize = 200;

/// What stands before a token, as far as a slash cares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Operator(u8),
    Word,
    Value,
    Closed(u8),
}

/// A pair of brackets that is open. What stands in it is deeper by each of its parts until something ends them.
#[derive(Default)]
struct Level {
    closes: u8,
    /// Whether `if`, `while`, `for` or `with` stands before: what follows is a statement.
    is_head: bool,
    /// Parts that a comma ends.
    parts: usize,
    /// Parts that only the end of the statement ends.
    heads: usize,
    /// Angle brackets that are open, if they are brackets.
    angles: usize,
    /// Whether a semicolon has ended the statement, unless `else` follows.
    has_ended: bool,
    /// Whether a brace was closed, which ends the statement if a word follows.
    has_closed: bool,
}

struct Counter<'a> {
    bytes: &'a [u8],
    at: usize,
    levels: Vec<Level>,
    depth: usize,
    deepest: usize,
    before: Before,
    /// Whether a label stands before.
    after_colon: bool,
    /// Whether `if`, `while`, `for` or `with` stands before.
    after_head: bool,
    /// Whether something can be read in two ways: then everything counts.
    is_unclear: bool,
}

/// Counts the levels of a text, rather too many than too few. An error is the offset at which there are too many brackets.
pub(super) fn count(text: &str, language: Language) -> Result<usize, usize> {
    let mut counter = Counter {
        bytes: text.as_bytes(),
        at: 0,
        levels: vec![Level::default()],
        depth: 1,
        deepest: 1,
        before: Before::Operator(b';'),
        after_colon: false,
        after_head: false,
        is_unclear: false,
    };
    if text.starts_with("#!") {
        counter.skip_line();
    }
    counter.run(language)?;
    Ok(match counter.is_unclear {
        true => count_all(text),
        false => counter.deepest,
    })
}

/// Counts everything that could be a level, however the text is read.
fn count_all(text: &str) -> usize {
    let mut in_word = false;
    let mut n = 1;
    for byte in text.bytes() {
        let is_word = is_word(byte);
        n += usize::from(match is_word {
            true => !in_word,
            false => {
                byte.is_ascii_punctuation() && !matches!(byte, b';' | b',' | b')' | b']' | b'}')
            }
        });
        in_word = is_word;
    }
    n
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\\') || byte >= 0x80
}

impl Counter<'_> {
    fn run(&mut self, language: Language) -> Result<(), usize> {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.next() == Some(b'/') => self.skip_line(),
                b'/' if self.next() == Some(b'*') => self.skip_comment(),
                b'/' => self.slash(),
                b'"' | b'\'' => self.string(byte),
                b'`' => {
                    self.token();
                    self.at += 1;
                    self.template()?;
                }
                b'(' => self.open(b')')?,
                b'[' => self.open(b']')?,
                b'{' => self.open(b'}')?,
                b')' | b']' | b'}' => {
                    let Some(level) = self.levels.pop_if(|level| {
                        level.closes == byte || level.closes == b'`' && byte == b'}'
                    }) else {
                        // The parser stops here too.
                        return Ok(());
                    };
                    self.depth -= level.parts + level.heads + 1;
                    self.at += 1;
                    self.before = match byte {
                        b')' if level.is_head => Before::Operator(byte),
                        b'}' => Before::Closed(byte),
                        _ => Before::Value,
                    };
                    if level.closes == b'`' {
                        self.template()?;
                    } else if byte == b'}'
                        && let Some(level) = self.levels.last_mut()
                    {
                        level.has_closed = true;
                    }
                }
                _ if is_word(byte) => self.word(),
                _ => self.operator(byte, language)?,
            }
        }
        Ok(())
    }

    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    /// Ends the statement that a semicolon or a brace has ended, now that something else follows.
    fn token(&mut self) {
        self.after_colon = false;
        self.after_head = false;
        if let Some(level) = self.levels.last_mut() {
            if std::mem::take(&mut level.has_ended) {
                self.depth -= level.parts + level.heads;
                (level.parts, level.heads, level.angles) = (0, 0, 0);
            }
            level.has_closed = false;
        }
    }

    fn add(&mut self, n_parts: usize, n_heads: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.parts += n_parts;
            level.heads += n_heads;
            self.depth += n_parts + n_heads;
            self.deepest = self.deepest.max(self.depth);
        }
    }

    fn open(&mut self, closes: u8) -> Result<(), usize> {
        let is_head = self.after_head;
        self.token();
        self.before = Before::Operator(closes);
        if self.levels.len() > MAX_BRACKETS {
            return Err(self.at);
        }
        self.at += 1;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.levels.push(Level {
            closes,
            is_head,
            ..Level::default()
        });
        Ok(())
    }

    fn operator(&mut self, byte: u8, language: Language) -> Result<(), usize> {
        let may_be_markup = byte == b'<'
            && language != Language::TypeScript
            && self
                .next()
                .is_some_and(|next| is_word(next) || next == b'>');
        self.is_unclear |= may_be_markup;
        let before = self.before;
        let is_label = byte == b':' && self.after_colon && self.before == Before::Word;
        self.token();
        match byte {
            b';' => {
                if let Some(level) = self.levels.last_mut() {
                    level.has_ended = true;
                }
            }
            b',' => {
                if let Some(level) = self.levels.last_mut() {
                    self.depth -= level.parts;
                    level.parts = 0;
                }
            }
            b'<' => {
                self.add(0, 1);
                self.angle()?;
            }
            b'>' => {
                self.add(1, 0);
                if let Some(level) = self.levels.last_mut() {
                    level.angles = level.angles.saturating_sub(1);
                }
            }
            _ => self.add(usize::from(!is_label), usize::from(is_label)),
        }
        self.after_colon = byte == b':';
        // After `a++`, `a!` and `A<B>` a slash divides, after `!` and `=>` it begins a pattern.
        let is_unclear = match byte {
            b'+' | b'-' => before == Before::Operator(byte),
            b'!' => !matches!(before, Before::Operator(_)),
            b'>' => before != Before::Operator(b'='),
            _ => false,
        };
        self.before = match is_unclear {
            true => Before::Closed(byte),
            false => Before::Operator(byte),
        };
        self.at += 1;
        Ok(())
    }

    fn angle(&mut self) -> Result<(), usize> {
        if let Some(level) = self.levels.last_mut() {
            level.angles += 1;
            if level.angles > MAX_ANGLES {
                return Err(self.at);
            }
        }
        Ok(())
    }

    fn word(&mut self) {
        let start = self.at;
        while self.bytes.get(self.at).copied().is_some_and(is_word) {
            self.at += 1;
        }
        let word = self.bytes.get(start..self.at).unwrap_or_default();
        let is_member = matches!(self.before, Before::Operator(b'.' | b'#'));
        let after_head = match word {
            b"if" | b"for" | b"while" | b"with" => !is_member,
            b"await" => self.after_head,
            _ => false,
        };
        let after_colon = self.after_colon;
        if let Some(level) = self.levels.last_mut() {
            if word == b"else" {
                (level.has_ended, level.has_closed) = (false, false);
            }
            level.has_ended |= level.has_closed && !continues(word);
        }
        self.token();
        (self.after_colon, self.after_head) = (after_colon, after_head);
        let is_head = matches!(word, b"if" | b"else" | b"for" | b"while" | b"do" | b"with");
        self.add(usize::from(!is_head), usize::from(is_head));
        self.before = match precedes_value(word) {
            Some(true) if !is_member => Before::Operator(b'w'),
            Some(_) => Before::Closed(b'w'),
            None => Before::Word,
        };
    }

    fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().enumerate().position(|(index, byte)| {
            matches!(byte, b'\n' | b'\r')
                || *byte == 0xE2
                    && matches!(rest.get(index + 1..index + 3), Some([0x80, 0xA8 | 0xA9]))
        });
        self.at += end.unwrap_or(rest.len());
        // The separators of Unicode would be read as a word.
        if self.bytes.get(self.at) == Some(&0xE2) {
            self.at += 3;
        }
    }

    fn skip_comment(&mut self) {
        let rest = self.bytes.get(self.at + 2..).unwrap_or_default();
        let end = rest.windows(2).position(|pair| pair == b"*/");
        self.at += end.map_or(rest.len() + 2, |end| end + 4);
    }

    fn slash(&mut self) {
        let is_pattern = match self.before {
            Before::Operator(_) => true,
            Before::Word | Before::Value => false,
            Before::Closed(_) => {
                self.is_unclear = true;
                false
            }
        };
        self.token();
        self.add(1, 0);
        self.at += 1;
        self.before = Before::Operator(b'/');
        if is_pattern {
            self.pattern();
        }
    }

    /// Skips a pattern. Its groups nest as well.
    fn pattern(&mut self) {
        let mut in_class = false;
        let mut n_groups = 0;
        while let Some(byte) = self.bytes.get(self.at).copied() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'[' => {
                    in_class = true;
                    n_groups += 1;
                }
                b'(' => n_groups += 1,
                b']' => in_class = false,
                b'/' if !in_class => break,
                b'\n' | b'\r' => {
                    self.is_unclear = true;
                    break;
                }
                _ => {}
            }
        }
        self.deepest = self.deepest.max(self.depth + n_groups);
        self.before = Before::Value;
    }

    fn string(&mut self, quote: u8) {
        self.token();
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at).copied() {
            self.at += 1;
            match byte {
                b'\\' if self.bytes.get(self.at) == Some(&b'\r') && self.next() == Some(b'\n') => {
                    self.at += 2;
                }
                b'\\' => self.at += 1,
                b'\n' | b'\r' => {
                    self.is_unclear = true;
                    break;
                }
                _ if byte == quote => break,
                _ => {}
            }
        }
        self.before = Before::Value;
    }

    /// Skips the text of a template, up to its end or to a value in it.
    fn template(&mut self) -> Result<(), usize> {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => break,
                b'$' if self.bytes.get(self.at) == Some(&b'{') => return self.open(b'`'),
                _ => {}
            }
        }
        self.before = Before::Value;
        Ok(())
    }
}

/// Tells whether a word after a closed brace goes on with the same expression or statement.
fn continues(word: &[u8]) -> bool {
    matches!(
        word,
        b"else"
            | b"in"
            | b"of"
            | b"instanceof"
            | b"as"
            | b"satisfies"
            | b"while"
            | b"catch"
            | b"finally"
            | b"from"
            | b"extends"
            | b"is"
    )
}

/// Tells whether a pattern stands after a word if a slash does. Nothing if the slash divides; not surely if it could be either.
fn precedes_value(word: &[u8]) -> Option<bool> {
    match word {
        b"return" | b"typeof" | b"case" | b"in" | b"do" | b"else" | b"void" | b"throw"
        | b"delete" | b"new" | b"instanceof" => Some(true),
        b"of" | b"await" | b"yield" | b"default" | b"extends" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(text: &str) -> String {
        match count(text, Language::TypeScript) {
            Ok(n) => n.to_string(),
            Err(offset) => format!("too deep at {offset}"),
        }
    }

    #[test]
    fn flat_files_stay_flat_however_long_they_are() {
        let functions = "function f(a: number) { return { a: [a, a], b: 'x' }; }\n".repeat(1_000);
        let list = format!("const x = [{}];", "{ a: 1, b: ['x'] },\n".repeat(1_000));
        let ifs = "if (a) { b(); } else { c(); }\n".repeat(1_000);
        assert_eq!(
            levels(&functions),
            levels(functions.lines().next().unwrap())
        );
        assert!(levels(&list).parse::<usize>().unwrap() < 30);
        assert!(levels(&ifs).parse::<usize>().unwrap() < 30);
    }

    #[test]
    fn everything_that_nests_counts() {
        for part in [
            "!",
            "-x-",
            "a?b:",
            "x=>",
            "a=",
            "if(a)",
            "if(a);else ",
            "typeof ",
            "a+",
            "a.",
            "f`x`+",
            "{}+",
            "a:",
            "do ",
            "if(a){}else ",
            "(x/y)/",
            "x/x/",
            "await ",
            "`${x}`+",
        ] {
            let n: usize = levels(&part.repeat(500)).parse().unwrap();
            assert!(n >= 500, "{part}: {n}");
        }
    }

    #[test]
    fn slashes_are_told_apart() {
        let text = "x = (a + b) / 2; if (a) /[(]/.test(b); y = !/[(]/.test(c) && d => /[(]/; return /[(]/; z = a[0] / 2;";
        assert_eq!(levels(&text.repeat(100)), levels(text));
    }

    #[test]
    fn brackets_in_literals_are_no_brackets() {
        assert_eq!(levels(&"A<B,".repeat(5_000)), "too deep at 801");
        let text = r#"f("(((", '[', `{`, /[(]\/(/, 1); // ((("#.repeat(50);
        assert!(
            levels(&text).parse::<usize>().unwrap() < 30,
            "{}",
            levels(&text)
        );
        assert!(
            levels(r#"(")"+"#.repeat(500).as_str())
                .parse::<usize>()
                .unwrap()
                >= 500
        );
        assert_eq!(levels(&"([".repeat(5_000)), "too deep at 1000");
    }
}
