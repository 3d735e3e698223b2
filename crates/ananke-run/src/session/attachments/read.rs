//! Reads one file, within limits.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine as _};

/// The largest file that is sent.
const MAX_BYTES: u64 = 20 << 20;

/// Returns the content of a file in base64, or why there is none.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let told = fs::metadata(path).map_err(|error| error.to_string())?;
    // What is no file may never end.
    if !told.is_file() {
        return Err("not a file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut content = Vec::with_capacity(usize::try_from(told.len().min(MAX_BYTES)).unwrap_or(0));
    let mut limited = file.take(MAX_BYTES + 1);
    let n_bytes = limited.read_to_end(&mut content);
    let n_bytes = n_bytes.map_err(|error| error.to_string())?;
    if n_bytes as u64 > MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        return Err(format!(
            "larger than {limit} MiB, which is the most that is sent with a message"
        ));
    }
    Ok(BASE64_STANDARD.encode(content))
}
