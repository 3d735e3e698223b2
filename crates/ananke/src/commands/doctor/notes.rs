//! What was found, shown as it is found, or as one JSON document at the end.

use ananke_report::escape;
use serde_json::{Value, json};

use crate::error::Exit;
use crate::ui::Ui;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Fine,
    Odd,
    Wrong,
}

/// What one check found.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    check: &'static str,
    mark: Mark,
    message: String,
    hint: Option<String>,
}

impl Finding {
    /// Returns that all is well.
    pub(super) fn fine(check: &'static str, message: impl Into<String>) -> Self {
        Self {
            check,
            mark: Mark::Fine,
            message: message.into(),
            hint: None,
        }
    }

    /// Returns something worth a look.
    pub(super) fn odd(check: &'static str, message: impl Into<String>) -> Self {
        Self {
            mark: Mark::Odd,
            ..Self::fine(check, message)
        }
    }

    /// Returns something that does not work.
    pub(super) fn wrong(check: &'static str, message: impl Into<String>) -> Self {
        Self {
            mark: Mark::Wrong,
            ..Self::fine(check, message)
        }
    }

    /// Adds the next step.
    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Passes everything that is shown through `edit`.
    #[must_use]
    pub(super) fn edited(mut self, edit: impl Fn(&str) -> String) -> Self {
        self.message = edit(&self.message);
        self.hint = self.hint.map(|hint| edit(&hint));
        self
    }
}

/// Everything that was found so far.
#[derive(Debug)]
pub(super) struct Notes<'a> {
    ui: &'a Ui,
    json: bool,
    target: Option<String>,
    findings: Vec<Value>,
    exit: Exit,
}

impl<'a> Notes<'a> {
    /// Returns notes that hold nothing yet.
    pub(super) fn new(ui: &'a Ui, json: bool) -> Self {
        Self {
            ui,
            json,
            target: None,
            findings: Vec::new(),
            exit: Exit::Passed,
        }
    }

    /// Begins with the next target, which may have a name.
    pub(super) fn target(&mut self, name: Option<&str>) {
        if !self.json {
            let name = name.map_or_else(String::new, |name| format!(" {}", escape(name)));
            self.ui.out(&format!("\ntarget{name}\n"));
        }
        self.target = name.map(str::to_owned);
    }

    /// Notes what a check found.
    pub(super) fn add(&mut self, finding: Finding) {
        let Finding {
            check,
            mark,
            message,
            hint,
        } = finding;
        if self.json {
            let status = match mark {
                Mark::Fine => "ok",
                Mark::Odd => "warning",
                Mark::Wrong => "error",
            };
            self.findings.push(json!({
                "target": self.target,
                "check": check,
                "status": status,
                "message": message,
                "hint": hint,
            }));
            return;
        }
        if self.ui.quiet && mark == Mark::Fine {
            return;
        }
        let style = &self.ui.stdout_style;
        let (sign, color) = match (mark, style.unicode) {
            (Mark::Fine, true) => ("✓", 32),
            (Mark::Fine, false) => ("+", 32),
            (Mark::Odd, _) => ("!", 33),
            (Mark::Wrong, true) => ("✗", 31),
            (Mark::Wrong, false) => ("x", 31),
        };
        let sign = if style.color {
            format!("\x1b[{color}m{sign}\x1b[0m")
        } else {
            sign.to_owned()
        };
        let mut text = format!("{sign} {check}: {}\n", escape(&message));
        if let Some(hint) = hint {
            text.push_str("  hint: ");
            text.push_str(&escape(&hint));
            text.push('\n');
        }
        self.ui.out(&text);
    }

    /// Notes that the command cannot end better than this.
    pub(super) fn end_with(&mut self, exit: Exit) {
        self.exit = self.exit.or_worse(exit);
    }

    /// Shows what is not shown yet, and returns how the command ends.
    pub(super) fn finish(self) -> Exit {
        if self.json {
            let document = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "findings": self.findings,
                "exit_code": self.exit.number(),
            });
            self.ui.out(&format!("{document:#}\n"));
        }
        self.exit
    }
}
