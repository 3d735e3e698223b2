//! The live line on stderr, for terminals only.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::reporter::Terminal;
use crate::duration::duration;
use crate::style::Style;

impl Terminal {
    /// Returns the live line: how many of how many, failures so far, what runs now. Empty if there is nothing to tell.
    ///
    /// It has no line end and is narrower than the terminal, so that `\r` and "erase line" remove it. `now_ms` is in Unix
    /// milliseconds, like the start of the run.
    pub fn progress(&self, now_ms: u64) -> String {
        if !self.is_live || self.options.quiet {
            return String::new();
        }
        let style = &self.options.style;
        let started_ms = u64::try_from(self.info.started_at_ms).unwrap_or(0);
        let elapsed_us = now_ms.saturating_sub(started_ms).saturating_mul(1_000);
        let dot = style.dot();
        let mut line = format!("{}/{}", self.n_finished, self.info.total);
        let mut add = |part: String| line = format!("{line} {dot} {part}");
        if elapsed_us >= 1_000_000 {
            add(duration(elapsed_us, style));
        }
        if self.n_troubled > 0 {
            add(format!("{} failed", self.n_troubled));
        }
        let mut running = self.running.values();
        if let Some(first) = running.next() {
            let others = match running.len() {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            add(format!("running [{first}]{others}"));
        }
        fitted(&line, style)
    }
}

/// Cuts a line so that the cursor stays in it.
fn fitted(line: &str, style: &Style) -> String {
    let room = style.width.saturating_sub(1);
    if line.width() <= room {
        return line.to_owned();
    }
    let ellipsis = style.ellipsis();
    let room = room.saturating_sub(ellipsis.width());
    let mut used = 0;
    let kept = line.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    kept.collect::<String>() + ellipsis
}
