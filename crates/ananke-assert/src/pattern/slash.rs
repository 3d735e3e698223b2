//! The two ways to write a pattern: plain, or `/pattern/flags`.

use super::error::PatternError;

/// A pattern taken apart. Variables are inserted into `body` only, so a value cannot bring slashes or flags with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlashForm<'a> {
    /// The pattern itself.
    pub(crate) body: &'a str,
    /// What stands behind the last slash.
    pub(crate) flags: &'a str,
    /// How many characters stand before the body.
    pub(crate) offset: usize,
}

impl<'a> SlashForm<'a> {
    /// Takes `text` apart. It is in slash form if it begins with a slash and only letters follow its last slash.
    pub(crate) fn split(text: &'a str) -> Self {
        let plain = Self {
            body: text,
            flags: "",
            offset: 0,
        };
        match text
            .strip_prefix('/')
            .and_then(|rest| rest.rsplit_once('/'))
        {
            Some((body, flags)) if flags.chars().all(|c| c.is_ascii_alphabetic()) => Self {
                body,
                flags,
                offset: 1,
            },
            _ => plain,
        }
    }

    /// Tells whether `text` may have been meant as plain text: it has slashes inside, like a path.
    pub(crate) fn is_ambiguous(&self) -> bool {
        let mut escaped = false;
        let mut in_class = false;
        for c in self.body.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => return self.offset == 1,
                _ => {}
            }
        }
        false
    }

    /// Reads the flags.
    pub(super) fn read_flags(&self) -> Result<Flags, PatternError> {
        let mut flags = Flags::default();
        let first = self.offset + self.body.chars().count() + 1;
        for (number, flag) in self.flags.chars().enumerate() {
            let refuse = |why: &str| {
                let plain = format!("\\/{}/{}", self.body, self.flags);
                Err(PatternError::at(first + number, format!("{why} flag `{flag}`")).hint(format!(
                    "the flags are `g`, `i`, `m`, `s`, `u` and `y`; to search for the text itself write `{plain}`"
                )))
            };
            if self
                .flags
                .chars()
                .take(number)
                .any(|earlier| earlier == flag)
            {
                return refuse("repeated");
            }
            match flag {
                // There is one search over text that is always Unicode, so these two change nothing.
                'g' | 'u' => {}
                'i' => flags.ignore_case = true,
                'm' => flags.multi_line = true,
                's' => flags.dot_all = true,
                'y' => flags.sticky = true,
                _ => return refuse("unknown"),
            }
        }
        Ok(flags)
    }
}

/// What flags ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    /// `i`: letters match in either case.
    pub(super) ignore_case: bool,
    /// `m`: `^` and `$` match at lines.
    pub(super) multi_line: bool,
    /// `s`: `.` matches line ends too.
    pub(super) dot_all: bool,
    /// `y`: the match begins where the text begins.
    pub(super) sticky: bool,
}
