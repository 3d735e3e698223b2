//! Reads the actions of an answer back into events.

use std::time::Duration;

use serde_json::Value;

use crate::engine::Action;

/// One thing that an agent does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Happening {
    /// An event of AG-UI.
    Event(Value),
    /// Nothing, for a while.
    Wait(Duration),
    /// The answer breaks off here.
    Fault(Fault),
}

/// How an answer breaks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection is reset.
    Reset,
    /// The connection ends in the middle of the body.
    Close,
    /// Nothing comes any more.
    Stall,
}

/// Reads what an agent does. What is no event, as a script's `raw` text may be, is left out.
pub(crate) fn happenings(actions: &[Action]) -> Vec<Happening> {
    let mut found = Vec::new();
    let mut text = String::new();
    for action in actions {
        match action {
            Action::Send(bytes) => {
                text.push_str(&String::from_utf8_lossy(bytes).replace("\r\n", "\n"));
                while let Some((block, rest)) = text.split_once("\n\n") {
                    found.extend(event(block).map(Happening::Event));
                    text = rest.to_owned();
                }
            }
            Action::Wait(time) => found.push(Happening::Wait(*time)),
            Action::Reset => found.push(Happening::Fault(Fault::Reset)),
            Action::Close => found.push(Happening::Fault(Fault::Close)),
            Action::Stall => found.push(Happening::Fault(Fault::Stall)),
        }
    }
    found
}

fn event(block: &str) -> Option<Value> {
    let lines = block.lines().filter_map(|line| line.strip_prefix("data:"));
    let data: Vec<&str> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let event: Value = serde_json::from_str(&data.join("\n")).ok()?;
    event.is_object().then_some(event)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;

    use super::happenings;
    use crate::engine::Action;

    #[test]
    fn events_are_found_wherever_they_are_cut() {
        let actions = [
            Action::Send(Bytes::from_static(
                b": hello\n\ndata: {\"type\":\"A\"}\r\n\r\ndata: {\"ty",
            )),
            Action::Wait(Duration::from_millis(5)),
            Action::Send(Bytes::from_static(b"pe\":\ndata: \"B\"}\n\ndata: junk\n\n")),
            Action::Stall,
        ];
        insta::assert_snapshot!(format!("{:?}", happenings(&actions)), @r#"[Event(Object {"type": String("A")}), Wait(5ms), Event(Object {"type": String("B")}), Fault(Stall)]"#);
    }
}
