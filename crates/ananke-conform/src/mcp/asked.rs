//! What a request of MCP is for: some rules hold for it alone.

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpAsked {
    /// What the server is, without a handshake.
    Discover,
    /// A version that there is not, without a handshake.
    DiscoverVersion,
    /// The handshake.
    Initialize,
    /// A handshake with a version that there is not.
    InitializeVersion,
    /// The client is ready: a notification.
    Initialized,
    /// Are you there?
    Ping,
    /// What there is.
    List(McpListed),
    /// A tool is called.
    Call,
    /// A method that there is not.
    UnknownMethod,
    /// A tool that there is not.
    UnknownTool,
    /// Parameters without what they must have.
    BadParams,
    /// A page that there is not.
    BadCursor,
    /// A body that is no JSON.
    BadJson,
    /// A request without the session's id.
    NoSession,
    /// A version that there is not, in the header.
    BadVersionHeader,
    /// A request of a web page from elsewhere.
    ForeignOrigin,
    /// JSON that is said to be text.
    ContentType,
    /// GET.
    Get,
    /// The end of the session.
    Delete,
    /// A request in a session that was ended.
    Ended,
}

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum McpListed {
    /// Tools.
    Tools,
    /// Resources.
    Resources,
    /// Templates of resources.
    Templates,
    /// Prompts.
    Prompts,
}

impl McpListed {
    /// All of them.
    pub(super) const ALL: [Self; 4] =
        [Self::Tools, Self::Resources, Self::Templates, Self::Prompts];

    /// Returns the method that lists them.
    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    /// Returns the member of the result that holds them.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }

    /// Returns the capability that announces them.
    pub(super) fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources | Self::Templates => "resources",
            Self::Prompts => "prompts",
        }
    }
}

impl McpAsked {
    const ALL: [Self; 23] = [
        Self::Discover,
        Self::DiscoverVersion,
        Self::Initialize,
        Self::InitializeVersion,
        Self::Initialized,
        Self::Ping,
        Self::List(McpListed::Tools),
        Self::List(McpListed::Resources),
        Self::List(McpListed::Templates),
        Self::List(McpListed::Prompts),
        Self::Call,
        Self::UnknownMethod,
        Self::UnknownTool,
        Self::BadParams,
        Self::BadCursor,
        Self::BadJson,
        Self::NoSession,
        Self::BadVersionHeader,
        Self::ForeignOrigin,
        Self::ContentType,
        Self::Get,
        Self::Delete,
        Self::Ended,
    ];

    /// Returns what it is called in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::DiscoverVersion => "discover with an unknown version",
            Self::Initialize => "initialize",
            Self::InitializeVersion => "initialize with an unknown version",
            Self::Initialized => "initialized",
            Self::Ping => "ping",
            Self::List(listed) => listed.method(),
            Self::Call => "call",
            Self::UnknownMethod => "unknown method",
            Self::UnknownTool => "unknown tool",
            Self::BadParams => "bad parameters",
            Self::BadCursor => "bad cursor",
            Self::BadJson => "bad JSON",
            Self::NoSession => "no session id",
            Self::BadVersionHeader => "unknown version in the header",
            Self::ForeignOrigin => "foreign origin",
            Self::ContentType => "text/plain",
            Self::Get => "GET",
            Self::Delete => "DELETE",
            Self::Ended => "ended session",
        }
    }

    /// Finds it by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|asked| asked.name() == name)
    }
}
