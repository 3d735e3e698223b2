//! What the terminal can show. The binary decides; everything here only obeys.

/// How text for people is drawn.
#[derive(Clone, Debug)]
pub struct Style {
    /// Whether escape codes for colors are written.
    pub color: bool,
    /// Whether symbols outside ASCII are written.
    pub unicode: bool,
    /// Columns of the terminal; what is wider is cut where that loses nothing important.
    pub width: usize,
}

/// Width of the rulers; a narrower terminal gets shorter ones.
const RULER: usize = 63;

impl Style {
    /// Returns the first text, or the second on a terminal that only knows ASCII.
    pub(crate) fn pick<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }

    /// Returns the mark of a passed test.
    pub(crate) fn tick(&self) -> &'static str {
        self.pick("✓", "+")
    }

    /// Returns the mark of a failed test.
    pub(crate) fn cross(&self) -> &'static str {
        self.pick("✗", "x")
    }

    /// Returns the mark of a test that is not run.
    pub(crate) fn circle(&self) -> &'static str {
        self.pick("○", "o")
    }

    /// Returns the mark of a case that asks something.
    pub(crate) fn play(&self) -> &'static str {
        self.pick("►", ">")
    }

    /// Returns the mark of information.
    pub(crate) fn info(&self) -> &'static str {
        self.pick("ℹ", "i")
    }

    /// Returns the mark of a warning.
    pub(crate) fn warn(&self) -> &'static str {
        self.pick("⚠", "!")
    }

    /// Returns the branch that leads to a reason.
    pub(crate) fn branch(&self) -> &'static str {
        self.pick("└─", "`-")
    }

    /// Returns the bar that stands before every line of foreign text.
    pub(crate) fn bar(&self) -> &'static str {
        self.pick("│", "|")
    }

    /// Returns what separates short parts of a line.
    pub(crate) fn dot(&self) -> &'static str {
        self.pick("·", "-")
    }

    /// Returns what leads from arguments to a result.
    pub(crate) fn arrow(&self) -> &'static str {
        self.pick("→", "->")
    }

    /// Returns what stands for text that was cut.
    pub(crate) fn ellipsis(&self) -> &'static str {
        self.pick("…", "...")
    }

    /// Returns the ruler around the header and the verdict.
    pub(crate) fn double_ruler(&self) -> String {
        self.pick("═", "=").repeat(RULER.min(self.width))
    }

    /// Returns the ruler around section titles.
    pub(crate) fn ruler(&self) -> String {
        self.pick("─", "-").repeat(RULER.min(self.width))
    }
}
