//! Ids of agents that were given where a message can stand: some agent would answer them, and nothing would be checked.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;

use super::folders::folder_of;
use super::pick::matching;
use crate::assistants::find_app;
use crate::load::Input;
use crate::parse::{ConfigFile, Found};

/// Reports every `-i` that is not a message but the id of an agent. `messages` are those that would be sent.
pub(crate) fn refuse_bare_ids(
    inputs: &[Input],
    messages: &[&str],
    config: Option<&ConfigFile>,
    (root, cwd): (&Path, &Path),
    found: &mut Found,
) {
    for input in inputs {
        let Input::Flag(text) = input else { continue };
        let is_word = !text.contains(char::is_whitespace);
        if !is_word || !messages.contains(&text.as_str()) {
            continue;
        }
        let is_in_config = || config.is_some_and(|config| !matching(config, text).is_empty());
        let is_folder = || folder_of(text, find_app(root).as_ref(), cwd).is_some();
        if is_in_config() || is_folder() {
            let message = format!("-i: `{text}` is the id of an agent, not a message");
            found.push(Diagnostic::error_anywhere(message).hint(format!(
                "write `-i agents:{text}` to ask it for cases, `-n {text}` to test it; to send it as a message, pipe it into `ananke run -`"
            )));
        }
    }
}
