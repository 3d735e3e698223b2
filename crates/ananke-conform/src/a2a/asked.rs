//! What a request of A2A is for: some rules hold for it alone.

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum A2aAsked {
    /// The agent's card.
    Card,
    /// A message.
    Send,
    /// A message whose answer is streamed.
    Stream,
    /// A message that continues a task, streamed or not.
    Continue,
    /// The task that was just worked on.
    Get,
    /// A message to a task that has ended.
    SendFinished,
    /// An end to a task that has ended.
    CancelFinished,
    /// A task that never was.
    UnknownTask,
    /// A method that there is not.
    UnknownMethod,
    /// A body that is no JSON.
    BadJson,
    /// Parameters without what they must have.
    BadParams,
    /// A version of the protocol that there is not.
    BadVersion,
}

impl A2aAsked {
    /// Tells whether it asks for an answer of the agent.
    pub(crate) fn is_message(self) -> bool {
        matches!(self, Self::Send | Self::Stream | Self::Continue)
    }

    const ALL: [Self; 12] = [
        Self::Card,
        Self::Send,
        Self::Stream,
        Self::Continue,
        Self::Get,
        Self::SendFinished,
        Self::CancelFinished,
        Self::UnknownTask,
        Self::UnknownMethod,
        Self::BadJson,
        Self::BadParams,
        Self::BadVersion,
    ];

    /// Returns what it is called in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Send => "send",
            Self::Stream => "stream",
            Self::Continue => "continue",
            Self::Get => "get",
            Self::SendFinished => "send to a finished task",
            Self::CancelFinished => "cancel a finished task",
            Self::UnknownTask => "unknown task",
            Self::UnknownMethod => "unknown method",
            Self::BadJson => "bad JSON",
            Self::BadParams => "bad parameters",
            Self::BadVersion => "unknown version",
        }
    }

    /// Finds it by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|asked| asked.name() == name)
    }
}
