//! `-`: cases or a message from standard input.

use std::io::Read as _;

use ananke_suite::Input;

use crate::error::{CommandError, Exit};

/// More than this is no suite.
const MAX_BYTES: u64 = 64 << 20;

/// Reads standard input to its end.
pub(crate) fn read() -> Result<Input, CommandError> {
    let mut bytes = Vec::new();
    let stdin = std::io::stdin().lock();
    let read = stdin.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        CommandError::new(
            Exit::Trouble,
            format!("standard input cannot be read: {error}"),
        )
    })?;
    let wrong = |message: String| CommandError::new(Exit::Configuration, message);
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        return Err(wrong(format!("standard input holds more than {limit} MiB")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        wrong(format!(
            "standard input is not UTF-8: the first wrong byte is number {at}"
        ))
    })?;
    Ok(Input::Stdin(text))
}
