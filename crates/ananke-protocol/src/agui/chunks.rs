//! Chunk expansion: `*_CHUNK` events become the START, CONTENT and END that they stand for.
//!
//! There is one pending stream per lane; a lane is a subagent, or the parent run. What a chunk may leave out, and what
//! closes a lane, follows the tables of the specification.

use std::borrow::Cow;

use super::event::Event;

/// What a lane has open.
#[derive(Clone, Debug)]
struct Pending {
    owner: Option<String>,
    kind: ChunkKind,
    id: String,
    /// Role and name, or tool name and parent, as the opener gave them.
    opener: [Option<String>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChunkKind {
    Text,
    Tool,
    Reasoning,
}

impl ChunkKind {
    fn event_name(self) -> &'static str {
        match self {
            Self::Text => "TEXT_MESSAGE_CHUNK",
            Self::Tool => "TOOL_CALL_CHUNK",
            Self::Reasoning => "REASONING_MESSAGE_CHUNK",
        }
    }

    /// The members that only the first chunk needs.
    fn opener_names(self) -> [&'static str; 2] {
        match self {
            Self::Text => ["role", "name"],
            Self::Tool => ["toolCallName", "parentMessageId"],
            Self::Reasoning => ["", ""],
        }
    }

    fn id_names(self) -> &'static str {
        match self {
            Self::Tool => "a toolCallId and a toolCallName",
            Self::Text | Self::Reasoning => "a messageId",
        }
    }
}

/// A chunk in one shape for all kinds.
struct Chunk<'a> {
    kind: ChunkKind,
    id: Option<Cow<'a, str>>,
    opener: [Option<Cow<'a, str>>; 2],
    delta: Option<Cow<'a, str>>,
}

/// What comes out of expansion.
pub(crate) enum Expanded<'a> {
    /// An event for the owner.
    Event(Event<'a>, Option<Cow<'a, str>>),
    /// A chunk that broke a rule: the rule and why.
    Finding(&'static str, String),
}

/// The open lanes of a stream.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    lanes: Vec<Pending>,
}

impl Chunks {
    /// Hands `event` of `owner`, expanded, to `sink`.
    pub(crate) fn expand<'a>(
        &mut self,
        event: Event<'a>,
        owner: Option<Cow<'a, str>>,
        mut sink: impl FnMut(Expanded<'a>),
    ) {
        if is_chunk(&event) {
            return self.chunk(as_chunk(event), owner, &mut sink);
        }
        if !self.lanes.is_empty() {
            match closes(&event) {
                Closes::Nothing => {}
                // It is malformed, and must not be read as the end of the parent's stream.
                Closes::ItsLane if owner.is_none() && ends_subagent(&event) => {}
                Closes::ItsLane => self.close(owner.as_deref(), &mut sink),
                Closes::AllLanes => {
                    for pending in std::mem::take(&mut self.lanes) {
                        sink(end(pending));
                    }
                }
            }
        }
        sink(Expanded::Event(event, owner));
    }

    /// Tells whether no chunk is waiting for another.
    pub(crate) fn is_idle(&self) -> bool {
        self.lanes.is_empty()
    }

    /// Closes what is still open at the end of a stream.
    pub(crate) fn finish(&mut self, mut sink: impl FnMut(Expanded<'static>)) {
        for pending in std::mem::take(&mut self.lanes) {
            sink(end(pending));
        }
    }

    fn close<'a>(&mut self, owner: Option<&str>, sink: &mut impl FnMut(Expanded<'a>)) {
        if let Some(at) = self
            .lanes
            .iter()
            .position(|lane| lane.owner.as_deref() == owner)
        {
            sink(end(self.lanes.remove(at)));
        }
    }

    fn chunk<'a>(
        &mut self,
        chunk: Chunk<'a>,
        owner: Option<Cow<'a, str>>,
        sink: &mut impl FnMut(Expanded<'a>),
    ) {
        let kind = chunk.kind;
        let at = match chunk.id.as_deref() {
            Some(id) => self
                .lanes
                .iter()
                .position(|lane| lane.kind == kind && lane.id == id),
            None => match self.continued(kind, owner.as_deref()) {
                Ok(at) => at,
                Err(why) => return sink(Expanded::Finding("C2", why)),
            },
        };
        let Some(at) = at else {
            return self.open(chunk, owner, sink);
        };
        let lane = &self.lanes[at];
        if let Some(tag) = owner
            .as_deref()
            .filter(|tag| lane.owner.as_deref() != Some(tag))
        {
            let why = format!(
                "{} for '{}' is tagged '{tag}' but another owner opened it",
                kind.event_name(),
                lane.id
            );
            sink(Expanded::Finding("C4", why));
        }
        let repeats = chunk.opener.iter().zip(&lane.opener);
        for ((now, then), name) in repeats.zip(kind.opener_names()) {
            let Some(now) = now.as_deref().filter(|now| then.as_deref() != Some(now)) else {
                continue;
            };
            let then = match then {
                Some(then) => format!("had '{then}'"),
                None => "had none".to_owned(),
            };
            let why = format!(
                "{} for '{}' has the {name} '{now}', but its first chunk {then}",
                kind.event_name(),
                lane.id
            );
            sink(Expanded::Finding("C3", why));
        }
        let (id, owner) = (lane.id.clone(), lane.owner.clone());
        if let Some(delta) = chunk.delta {
            sink(content(kind, id, delta, owner));
        }
    }

    /// Finds the stream that a chunk without an id continues.
    fn continued(&self, kind: ChunkKind, owner: Option<&str>) -> Result<Option<usize>, String> {
        let of_kind = |lane: &Pending| lane.kind == kind;
        let in_lane = |tag: Option<&str>| {
            self.lanes
                .iter()
                .position(|lane| of_kind(lane) && lane.owner.as_deref() == tag)
        };
        if let Some(at) = in_lane(owner) {
            return Ok(Some(at));
        }
        if owner.is_some() {
            return Ok(None);
        }
        let mut candidates = self
            .lanes
            .iter()
            .enumerate()
            .filter(|(_, lane)| of_kind(lane));
        match (candidates.next(), candidates.next()) {
            (Some(_), Some(_)) => Err(format!(
                "{} without an id is ambiguous: several are open",
                kind.event_name()
            )),
            (first, _) => Ok(first.map(|(at, _)| at)),
        }
    }

    fn open<'a>(
        &mut self,
        chunk: Chunk<'a>,
        owner: Option<Cow<'a, str>>,
        sink: &mut impl FnMut(Expanded<'a>),
    ) {
        let kind = chunk.kind;
        let complete = kind != ChunkKind::Tool || chunk.opener[0].is_some();
        let (Some(id), true) = (chunk.id, complete) else {
            let why = format!("First {} must have {}", kind.event_name(), kind.id_names());
            return sink(Expanded::Finding("C1", why));
        };
        self.close(owner.as_deref(), sink);
        let mut opener = chunk.opener.map(|field| field.map(Cow::into_owned));
        if kind == ChunkKind::Text && opener[0].is_none() {
            opener[0] = Some("assistant".to_owned()); // "absent = assistant"
        }
        let owner = owner.map(Cow::into_owned);
        let id = id.into_owned();
        let [first, second] = opener.clone().map(|field| field.map(Cow::Owned));
        let start = match kind {
            ChunkKind::Text => Event::TextStart {
                id: Cow::Owned(id.clone()),
                role: first,
                name: second,
            },
            ChunkKind::Tool => Event::ToolStart {
                id: Cow::Owned(id.clone()),
                name: first.unwrap_or_default(),
                parent: second,
            },
            ChunkKind::Reasoning => Event::ReasoningMessageStart {
                id: Cow::Owned(id.clone()),
            },
        };
        sink(Expanded::Event(start, owner.clone().map(Cow::Owned)));
        if let Some(delta) = chunk.delta {
            sink(content(kind, id.clone(), delta, owner.clone()));
        }
        self.lanes.push(Pending {
            owner,
            kind,
            id,
            opener,
        });
    }
}

fn is_chunk(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::TextChunk { .. } | Event::ToolChunk { .. } | Event::ReasoningChunk { .. }
    )
}

fn as_chunk(event: Event<'_>) -> Chunk<'_> {
    let (kind, id, opener, delta) = match event {
        Event::TextChunk {
            id,
            role,
            name,
            delta,
        } => (ChunkKind::Text, id, [role, name], delta),
        Event::ToolChunk {
            id,
            name,
            parent,
            delta,
        } => (ChunkKind::Tool, id, [name, parent], delta),
        Event::ReasoningChunk { id, delta } => (ChunkKind::Reasoning, id, [None, None], delta),
        _ => unreachable!("only chunks are asked for: see `is_chunk`"),
    };
    Chunk {
        kind,
        id,
        opener,
        delta,
    }
}

fn content(
    kind: ChunkKind,
    id: String,
    delta: Cow<'_, str>,
    owner: Option<String>,
) -> Expanded<'_> {
    let id = Cow::Owned(id);
    let event = match kind {
        ChunkKind::Text => Event::TextContent { id, delta },
        ChunkKind::Tool => Event::ToolArgs { id, delta },
        ChunkKind::Reasoning => Event::ReasoningContent { id, delta },
    };
    Expanded::Event(event, owner.map(Cow::Owned))
}

fn end(pending: Pending) -> Expanded<'static> {
    let id = Cow::Owned(pending.id);
    let event = match pending.kind {
        ChunkKind::Text => Event::TextEnd { id },
        ChunkKind::Tool => Event::ToolEnd { id },
        ChunkKind::Reasoning => Event::ReasoningMessageEnd { id },
    };
    Expanded::Event(event, pending.owner.map(Cow::Owned))
}

enum Closes {
    Nothing,
    ItsLane,
    AllLanes,
}

fn ends_subagent(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::SubagentFinished { .. } | Event::SubagentError { .. }
    )
}

fn closes(event: &Event<'_>) -> Closes {
    match event {
        Event::RunStarted { .. }
        | Event::RunFinished { .. }
        | Event::RunError { .. }
        | Event::MessagesSnapshot { .. } => Closes::AllLanes,
        Event::ActivitySnapshot { .. }
        | Event::ActivityDelta { .. }
        | Event::ReasoningEncrypted { .. }
        | Event::SubagentStarted { .. }
        | Event::Raw
        | Event::Unknown => Closes::Nothing,
        _ => Closes::ItsLane,
    }
}
