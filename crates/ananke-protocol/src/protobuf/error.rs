//! Why a frame is not an event.

/// Says what is wrong with a frame, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (in {place}, byte {offset} of the frame)")]
pub(crate) struct DecodeError {
    /// What is wrong.
    pub(crate) problem: Problem,
    /// The protobuf message that was being read.
    pub(crate) place: &'static str,
    /// The position in the frame, without its length prefix.
    pub(crate) offset: usize,
}

/// Names the one thing that made a frame unreadable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    /// A field, a length or a number runs past the end of its message.
    #[error("the data ends inside a field")]
    Truncated,
    /// A varint has more bits than its type.
    #[error("a varint is too long")]
    VarintTooLong,
    /// Field numbers start at 1.
    #[error("field number 0 is not allowed")]
    FieldZero,
    /// Groups are retired, and wire types 6 and 7 never existed.
    #[error("wire type {0} is not supported")]
    WireType(u8),
    /// Messages or values are nested too deeply.
    #[error("the data is nested more than {0} levels deep")]
    TooDeep(usize),
    /// One frame holds too many values.
    #[error("the frame holds more than {0} values")]
    TooManyValues(usize),
    /// JSON has no spelling for this number.
    #[error("the number {0} has no JSON form")]
    NotANumber(String),
    /// The frame names no event.
    #[error("the frame holds no event")]
    NoEvent,
    /// A choice between fields was made twice.
    #[error("both `{0}` and `{1}` are set, only one of them may be")]
    TwoArms(String, String),
    /// The type inside the event is not the one of its envelope.
    #[error("the envelope says {envelope}, but the event says type {declared}")]
    TypeMismatch {
        /// The type that the envelope's arm stands for.
        envelope: &'static str,
        /// The enum value inside the event.
        declared: i64,
    },
    /// The content is in a field that the message's role does not use.
    #[error("a message with role `{role}` cannot carry `{field}`")]
    WrongContent {
        /// The role of the message.
        role: String,
        /// The protobuf field that should be unset.
        field: &'static str,
    },
}
