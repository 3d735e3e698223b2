//! Colors, as escape codes. They only repeat what words and marks already say.

use std::fmt;

use crate::style::Style;

/// The few colors in use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    /// Something passed.
    Good,
    /// Something failed.
    Bad,
    /// Something is worth a look.
    Odd,
    /// Titles.
    Strong,
    /// Background information.
    Faint,
}

impl Tone {
    /// Returns the parameter of the "select graphic rendition" sequence.
    fn code(self) -> u8 {
        match self {
            Self::Good => 32,
            Self::Bad => 31,
            Self::Odd => 33,
            Self::Strong => 1,
            Self::Faint => 2,
        }
    }
}

/// Something to be written in a color.
#[derive(Debug)]
pub(crate) struct Painted<T> {
    content: T,
    tone: Option<Tone>,
}

/// Wraps `content` so that it is written in `tone`, if `style` has colors.
pub(crate) fn paint<T: fmt::Display>(style: &Style, tone: Tone, content: T) -> Painted<T> {
    Painted {
        content,
        tone: style.color.then_some(tone),
    }
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tone {
            Some(tone) => write!(f, "\x1b[{}m{}\x1b[0m", tone.code(), self.content),
            None => self.content.fmt(f),
        }
    }
}
