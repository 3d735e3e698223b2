//! All that was seen of a server: what the checks look at.

use super::frames::{Frame, Leftover};
use super::vocabulary::Vocabulary;

/// All that was seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The stream's URL without secrets.
    pub(super) subject: String,
    /// Which types events may have.
    pub(super) vocabulary: Vocabulary,
    /// Whether the stream was asked for with a token.
    pub(super) has_bearer: bool,
    /// Where a write was tried, or would have been.
    pub(super) write_path: Option<String>,
    /// The stream.
    pub(super) stream: Answered,
    /// The stream asked for once more, from its middle on.
    pub(super) reconnect: Option<Asked<Answered>>,
    /// The stream asked for without a token.
    pub(super) missing_bearer: Option<Asked<Short>>,
    /// A write with a token that may only read.
    pub(super) write: Option<Asked<Short>>,
    /// The stream asked for with a bound token and no proof.
    pub(super) bound: Option<Asked<Short>>,
    /// How long all of it took.
    pub(super) duration_ms: u64,
}

/// A further request: what answered it, or why nothing did.
#[derive(Clone, Debug)]
pub(super) struct Asked<T> {
    /// What answered it.
    pub(super) answer: Result<T, String>,
    /// How long it took.
    pub(super) duration_ms: u64,
}

/// An answer that was read as a stream.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    /// The status.
    pub(super) status: u16,
    /// In order, names in lower case.
    pub(super) headers: Vec<(String, String)>,
    /// Whether it came over HTTP/1.
    pub(super) is_http1: bool,
    /// Frames that were ended by a blank line.
    pub(super) frames: Vec<Frame>,
    /// What came after the last of them.
    pub(super) leftover: Leftover,
    /// Why there is no more.
    pub(super) ending: Ending,
    /// How long it took.
    pub(super) duration_ms: u64,
}

/// The beginning of an answer.
#[derive(Clone, Debug)]
pub(super) struct Short {
    /// The status.
    pub(super) status: u16,
    /// What it says about how to log in.
    pub(super) www_authenticate: String,
    /// The beginning of its body, unless that is of no interest.
    pub(super) text: String,
}

/// Why reading ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The server ended it.
    Closed,
    /// The connection broke; why.
    Broken(String),
    /// As much as was wanted came.
    Enough,
    /// A run was over, and nothing came for a while.
    Quiet,
    /// The time was over.
    TooLate,
    /// One frame, or all of it, was too large.
    TooLarge,
    /// The answer is no stream: nothing was read.
    NotRead,
}

impl Ending {
    /// Tells whether the server ended it. Otherwise more may have come.
    pub(super) fn is_servers(&self) -> bool {
        matches!(self, Self::Closed | Self::Broken(_))
    }

    /// Returns it in words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Closed => "the server closed the stream".to_owned(),
            Self::Broken(why) => format!("the stream broke off: {why}"),
            Self::Enough => "enough frames were read".to_owned(),
            Self::Quiet => "the run was over and the stream was quiet".to_owned(),
            Self::TooLate => "the time was over".to_owned(),
            Self::TooLarge => "the stream or one of its frames was too large".to_owned(),
            Self::NotRead => "the answer is no stream".to_owned(),
        }
    }
}

impl Answered {
    /// Returns all values of a header, joined as one list; `None` if there is none.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let values = self.headers.iter().filter(|(key, _)| key == name);
        let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Returns the media type without parameters, in lower case.
    pub(super) fn media_type(&self) -> String {
        let value = self.header("content-type").unwrap_or_default();
        let media = value.split(';').next().unwrap_or_default();
        media.trim().to_ascii_lowercase()
    }
}
