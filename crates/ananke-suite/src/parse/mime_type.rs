//! Which kind of data a file holds, by its extension.

use std::path::Path;

/// Returns the type of the data in a file, if its extension tells.
pub(crate) fn of_path(path: &Path) -> Option<&'static str> {
    of_extension(&path.extension()?.to_string_lossy())
}

/// Returns the type that an extension stands for.
pub(super) fn of_extension(extension: &str) -> Option<&'static str> {
    let mime_type = match extension.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "bmp" => "image/bmp",
        "svg" => "image/svg+xml",
        "wav" => "audio/wav",
        "mp3" => "audio/mpeg",
        "flac" => "audio/flac",
        "ogg" => "audio/ogg",
        "m4a" => "audio/mp4",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "mov" => "video/quicktime",
        "pdf" => "application/pdf",
        "doc" => "application/msword",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xls" => "application/vnd.ms-excel",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "ppt" => "application/vnd.ms-powerpoint",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt" => "application/vnd.oasis.opendocument.text",
        "ods" => "application/vnd.oasis.opendocument.spreadsheet",
        "odp" => "application/vnd.oasis.opendocument.presentation",
        "rtf" => "application/rtf",
        "csv" => "text/csv",
        "json" => "application/json",
        "xml" => "application/xml",
        "html" | "htm" => "text/html",
        "md" | "markdown" => "text/markdown",
        "txt" | "text" | "log" | "yaml" | "yml" | "toml" | "ini" | "conf" | "jsonl" | "sql"
        | "sh" | "bash" | "bat" | "ps1" | "c" | "h" | "cc" | "cpp" | "hpp" | "cs" | "css"
        | "dart" | "go" | "java" | "js" | "mjs" | "cjs" | "jsx" | "kt" | "lua" | "php" | "pl"
        | "py" | "r" | "rb" | "rs" | "scala" | "swift" | "ts" | "tsx" | "vue" => "text/plain",
        _ => return None,
    };
    Some(mime_type)
}
