//! What can be wrong with a pattern, at load and while searching.

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong, as a lower-case fragment.
    pub message: String,
    /// Where, as the number of the character counted from 1; `None` if it is the pattern as a whole.
    pub position: Option<usize>,
    /// The next step, if there is one to suggest.
    pub hint: Option<String>,
    /// Whether it is a pattern, but one that is found in every text.
    pub matches_anything: bool,
}

impl PatternError {
    /// Returns an error about the character at `index`, counted from 0.
    pub(super) fn at(index: usize, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            position: Some(index + 1),
            hint: None,
            matches_anything: false,
        }
    }

    /// Returns an error about the whole pattern.
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            position: None,
            hint: None,
            matches_anything: false,
        }
    }

    /// Returns an error about a pattern that is found in every text.
    pub(crate) fn anything() -> Self {
        Self {
            matches_anything: true,
            ..Self::whole("it matches the empty text, which is everywhere")
        }
        .hint("write what must be found at least, such as `.+` instead of `.*`, or anchor it with `^` and `$`")
    }

    /// Adds the next step.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Moves the position by the characters that stand before the translated part.
    pub(super) fn shifted(mut self, by: usize) -> Self {
        self.position = self.position.map(|position| position + by);
        self
    }
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match self.position {
            Some(position) => write!(f, " at character {position}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PatternError {}

/// A search that was given up because it took too many steps. It is never a match, and never the absence of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetExceeded;

impl std::fmt::Display for BudgetExceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the pattern took too many steps")
    }
}

impl std::error::Error for BudgetExceeded {}
