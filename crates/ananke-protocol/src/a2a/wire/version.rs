//! Versions and bindings, and the names that operations have in them.

/// A version of the protocol; only major and minor count on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 1.0.
    V1,
    /// 0.3.
    V03,
}

/// How requests are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// JSON-RPC 2.0 over POST.
    JsonRpc,
    /// A path for every operation.
    HttpJson,
}

/// How events and messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// 1.0: what something is, is the name of the member that it stands under.
    New,
    /// 0.3 over JSON-RPC: what something is, is said by `kind`.
    Named,
    /// 0.3 over HTTP+JSON: the JSON of Protocol Buffers, nearly that of 1.0.
    Proto,
}

impl Form {
    /// Returns the form that a version has over a binding.
    pub(crate) fn of(version: Version, binding: Binding) -> Self {
        match (version, binding) {
            (Version::V1, _) => Self::New,
            (Version::V03, Binding::JsonRpc) => Self::Named,
            (Version::V03, Binding::HttpJson) => Self::Proto,
        }
    }
}

/// What can be asked of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Send,
    Stream,
    Get,
    Cancel,
}

impl Version {
    /// Reads a version such as `1.0.1` or `0.3`; `None` if it is one that is not spoken.
    pub fn read(text: &str) -> Option<Self> {
        let mut numbers = text.trim().trim_start_matches(['v', 'V']).split('.');
        match (numbers.next()?, numbers.next().unwrap_or("0")) {
            ("1", _) => Some(Self::V1),
            ("0", "3") => Some(Self::V03),
            // What came before differs in the card alone.
            ("0", "2") => Some(Self::V03),
            _ => None,
        }
    }

    /// Returns the version as it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1 => "1.0",
            Self::V03 => "0.3",
        }
    }

    /// Returns the version to try where this one is refused.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::V1 => Self::V03,
            Self::V03 => Self::V1,
        }
    }

    /// Returns the header that names extensions.
    pub(crate) fn extensions_header(self) -> &'static str {
        match self {
            Self::V1 => "a2a-extensions",
            Self::V03 => "x-a2a-extensions",
        }
    }
}

impl Binding {
    /// Reads the name of a binding; `None` if it is one that is not spoken.
    pub fn read(text: &str) -> Option<Self> {
        match text.trim().to_ascii_uppercase().as_str() {
            "JSONRPC" | "JSON-RPC" => Some(Self::JsonRpc),
            "HTTP+JSON" | "REST" => Some(Self::HttpJson),
            _ => None,
        }
    }

    /// Returns the name that cards use.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonRpc => "JSONRPC",
            Self::HttpJson => "HTTP+JSON",
        }
    }
}

impl Operation {
    /// Returns the method of JSON-RPC.
    pub(crate) fn method(self, version: Version) -> &'static str {
        match (self, version) {
            (Self::Send, Version::V1) => "SendMessage",
            (Self::Send, Version::V03) => "message/send",
            (Self::Stream, Version::V1) => "SendStreamingMessage",
            (Self::Stream, Version::V03) => "message/stream",
            (Self::Get, Version::V1) => "GetTask",
            (Self::Get, Version::V03) => "tasks/get",
            (Self::Cancel, Version::V1) => "CancelTask",
            (Self::Cancel, Version::V03) => "tasks/cancel",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_major_and_minor_count() {
        let read = |text| Version::read(text).map(Version::name);
        assert_eq!(read("1.0.1"), Some("1.0"));
        assert_eq!(read("1"), Some("1.0"));
        assert_eq!(read("v0.3.0"), Some("0.3"));
        assert_eq!(read("0.1"), None);
        assert_eq!(read("2.0"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn bindings_are_open_strings() {
        let read = |text| Binding::read(text).map(Binding::name);
        assert_eq!(read("jsonrpc"), Some("JSONRPC"));
        assert_eq!(read("HTTP+JSON"), Some("HTTP+JSON"));
        assert_eq!(read("GRPC"), None);
    }
}
