//! What scripts around a test logged: hooks, and agents that are scripts.

use std::sync::{Arc, Mutex, PoisonError};

use ananke_model::recording::Turn;
use ananke_model::script::{LogLevel, ScriptLog};

/// How many lines are kept with a result.
const MOST_LINES: usize = 1000;

/// What was logged so far by calls that belong together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logs(Arc<Mutex<Vec<ScriptLog>>>);

impl Logs {
    /// Keeps lines that `who` logged.
    pub(super) fn keep(&self, who: &str, logs: &[ScriptLog]) {
        if !logs.is_empty() {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            add(&mut kept, by(who, logs));
        }
    }

    /// Takes out what was kept.
    pub(crate) fn take(&self) -> Vec<ScriptLog> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns lines with the name of who logged them in front.
pub(crate) fn by<'a>(who: &'a str, logs: &'a [ScriptLog]) -> impl Iterator<Item = ScriptLog> {
    logs.iter().map(move |log| ScriptLog {
        level: log.level,
        text: format!("{who}: {}", log.text),
    })
}

/// Returns what functions logged that judged turns, with their names in front.
pub(crate) fn of_checks(turns: &[Turn]) -> Vec<ScriptLog> {
    let opinions = turns.iter().flat_map(|turn| &turn.opinions);
    let logs = opinions.flat_map(|opinion| {
        let script = opinion.about["script"].as_str();
        let samples = script.map_or(&[][..], |_| &opinion.samples);
        samples.iter().flat_map(move |sample| {
            let logs = serde_json::from_value::<Vec<ScriptLog>>(sample.answer["logs"].clone());
            by(script.unwrap_or_default(), &logs.unwrap_or_default()).collect::<Vec<_>>()
        })
    });
    logs.collect()
}

/// Adds lines, as far as there is room; that some were left out is said once.
pub(crate) fn add(kept: &mut Vec<ScriptLog>, more: impl IntoIterator<Item = ScriptLog>) {
    for log in more {
        if kept.len() < MOST_LINES {
            kept.push(log);
            continue;
        }
        if kept.len() == MOST_LINES {
            kept.push(ScriptLog {
                level: LogLevel::Warn,
                text: "further lines of logs were left out".to_owned(),
            });
        }
        return;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_as_far_as_there_is_room() {
        let logs = Logs::default();
        let line = ScriptLog {
            level: LogLevel::Info,
            text: "hi".to_owned(),
        };
        logs.keep("agent", &vec![line.clone(); 999]);
        logs.keep("agent", &[line.clone(), line.clone(), line.clone()]);
        logs.keep("agent", &[line]);
        let kept = logs.take();
        assert_eq!(kept.len(), 1001);
        assert_eq!(kept[999].text, "agent: hi");
        assert_eq!(kept[1000].text, "further lines of logs were left out");
        assert_eq!(logs.take(), []);
    }
}
