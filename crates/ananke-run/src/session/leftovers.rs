//! Processes that a hook left in the background: they may serve the test, and they end with it.

use crate::process::HookRun;

/// Ends what the hooks left behind; returns a warning for each hook that left something.
pub(crate) async fn end(hooks: Vec<HookRun>) -> Vec<String> {
    let mut warnings = Vec::new();
    for (number, hook) in hooks.into_iter().enumerate() {
        if hook.group.is_alive() {
            warnings.push(format!(
                "hook {} left processes in the background; they were ended with the test",
                number + 1
            ));
        }
        hook.group.end().await;
    }
    warnings
}
