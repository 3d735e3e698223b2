//! Processes that a hook left in the background: they may serve the test, and they end with it.

use crate::process::{HookRun, Survivor, find_survivors, names};

/// Ends what the hooks left behind; returns a warning for each hook that left something.
pub(crate) async fn end(hooks: Vec<HookRun>) -> Vec<String> {
    if hooks.is_empty() {
        return Vec::new();
    }
    let marks = hooks.iter().map(|hook| hook.group.mark().to_owned());
    let found = find_survivors(marks.collect()).await;
    let mut warnings = Vec::new();
    for (number, hook) in hooks.into_iter().enumerate() {
        let left: Vec<Survivor> = found
            .iter()
            .filter(|survivor| survivor.mark == hook.group.mark())
            .cloned()
            .collect();
        if !left.is_empty() {
            warnings.push(warning(number, &format!(": {}", names(&left))));
        } else if hook.group.is_alive() {
            warnings.push(warning(number, ""));
        }
        hook.group.end_with(&left).await;
    }
    warnings
}

/// Returns a warning about what a hook, counted from 0, left behind.
pub(crate) fn warning(number: usize, what: &str) -> String {
    let number = number + 1;
    format!("hook {number} left processes in the background, which were ended with the test{what}")
}
