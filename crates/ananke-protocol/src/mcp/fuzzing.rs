//! A door for the fuzz target: whatever a server answers is put into words.

use serde_json::{Map, Value};

use super::action::McpAction;
use super::told::Told;

/// Puts a result into words: of a call with and without a schema, of a list, of a resource, of a prompt.
pub fn tell(body: &[u8]) {
    let Ok(result) = serde_json::from_slice::<Value>(body) else {
        return;
    };
    let actions = [
        McpAction::Call {
            tool: "tool".to_owned(),
            args: Map::new(),
        },
        McpAction::List(None),
        McpAction::Read { uri: String::new() },
        McpAction::Prompt {
            name: String::new(),
            args: Map::new(),
        },
    ];
    // A server may announce any schema: here the result stands for one as well.
    let schema = result.clone();
    for action in &actions {
        for outcome in [Ok(result.clone()), Err(result.clone())] {
            Told::of(action, &outcome, None);
            Told::of(action, &outcome, Some(&schema));
        }
    }
}
