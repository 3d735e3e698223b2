//! The retired `THINKING_*` events, as the client before 1.0 checks them: without ids there is one step and one message.

use serde_json::Value;

/// What is open.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    step: bool,
    message: bool,
}

impl Thinking {
    /// Returns the number of the first event that comes at the wrong moment, and why.
    pub(super) fn first_misplaced<'a>(
        events: impl Iterator<Item = &'a Value>,
    ) -> Option<(usize, String)> {
        let mut thinking = Self::default();
        let kinds = events.map(|event| event["type"].as_str().unwrap_or_default());
        kinds.enumerate().find_map(|(number, kind)| {
            let why = thinking.take(kind)?;
            Some((number, format!("`{kind}` {why}")))
        })
    }

    fn take(&mut self, kind: &str) -> Option<&'static str> {
        let (is_wrong, why) = match kind {
            "RUN_STARTED" => {
                *self = Self::default();
                return None;
            }
            "THINKING_START" => (self.step, "while a thinking step is open"),
            "THINKING_END" => (!self.step, "without a thinking step"),
            "THINKING_TEXT_MESSAGE_START" if !self.step => (true, "without a thinking step"),
            "THINKING_TEXT_MESSAGE_START" => (self.message, "while a thinking message is open"),
            "THINKING_TEXT_MESSAGE_CONTENT" | "THINKING_TEXT_MESSAGE_END" => {
                (!self.message, "without a thinking message")
            }
            _ => return None,
        };
        match kind {
            "THINKING_START" => self.step = true,
            "THINKING_END" => self.step = false,
            "THINKING_TEXT_MESSAGE_START" => self.message = true,
            "THINKING_TEXT_MESSAGE_END" => self.message = false,
            _ => {}
        }
        is_wrong.then_some(why)
    }
}
