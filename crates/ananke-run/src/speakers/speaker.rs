//! One agent, ready to be spoken to.

use ananke_model::plan::{Protocol, Target};
use ananke_model::recording::Turn;
use ananke_model::script::ScriptLog;
use ananke_protocol::agui::{Action, Conversation};

use super::a2a::A2aSpeaker;
use super::agui::AguiSpeaker;
use super::assistant::AssistantSpeaker;
use super::command::CommandSpeaker;
use super::mcp::McpSpeaker;
use super::openai::OpenAiSpeaker;
use super::script::ScriptSpeaker;
use super::scripted::ScriptedSpeaker;
use super::{Bounds, Call, Means};

/// An agent with its references resolved: everything that the turns of a test share.
#[derive(Debug)]
pub(crate) enum Speaker {
    Agui(Box<AguiSpeaker>),
    OpenAi(Box<OpenAiSpeaker>),
    Assistant(Box<AssistantSpeaker>),
    Command(Box<CommandSpeaker>),
    Scripted(Box<ScriptedSpeaker>),
    Script(Box<ScriptSpeaker>),
    A2a(Box<A2aSpeaker>),
    Mcp(Box<McpSpeaker>),
}

impl Speaker {
    /// Resolves a target; says what keeps it from being spoken to.
    pub(crate) fn new(target: &Target, means: &Means<'_>, call: &Call) -> Result<Self, String> {
        Ok(match &target.protocol {
            Protocol::Agui(agui) => Self::Agui(Box::new(AguiSpeaker::new(agui, means, call)?)),
            Protocol::OpenAi(chat) => match &chat.assistant {
                Some(own) => {
                    let speaker = AssistantSpeaker::new(chat, own, means, call)?;
                    Self::Assistant(Box::new(speaker))
                }
                None => Self::OpenAi(Box::new(OpenAiSpeaker::new(chat, means, call)?)),
            },
            Protocol::Command(command) => {
                let connector = target.connector.as_deref();
                let speaker = CommandSpeaker::new(command, connector, means, call)?;
                Self::Command(Box::new(speaker))
            }
            Protocol::Script(script) => {
                Self::Script(Box::new(ScriptSpeaker::new(script, target, means, call)))
            }
            Protocol::A2a(agent) => Self::A2a(Box::new(A2aSpeaker::new(agent, means, call)?)),
            Protocol::Mcp(server) => Self::Mcp(Box::new(McpSpeaker::new(server, means, call)?)),
            Protocol::Scripted(scripted) => {
                Self::Scripted(Box::new(ScriptedSpeaker::new(scripted, means, call)?))
            }
        })
    }

    /// Returns a conversation that has not begun.
    pub(crate) fn conversation(&self) -> Conversation {
        match self {
            Self::Agui(speaker) => speaker.conversation(),
            Self::OpenAi(_)
            | Self::Assistant(_)
            | Self::Command(_)
            | Self::Scripted(_)
            | Self::Script(_)
            | Self::A2a(_)
            | Self::Mcp(_) => Conversation::default(),
        }
    }

    /// Returns the name of what only one test at a time may use: a thread that the user named, or a server that tests share.
    pub(crate) fn turnstile(&self) -> Option<&str> {
        match self {
            Self::Agui(speaker) => speaker.literal_thread(),
            Self::Mcp(speaker) => speaker.turnstile(),
            Self::OpenAi(_)
            | Self::Assistant(_)
            | Self::Command(_)
            | Self::Scripted(_)
            | Self::Script(_)
            | Self::A2a(_) => None,
        }
    }

    /// Closes what is open, unless other tests go on with it. Returns what was odd. To be called when all turns are over.
    pub(crate) async fn close(&self) -> Vec<String> {
        match self {
            Self::Mcp(speaker) => Box::pin(speaker.close()).await,
            Self::Assistant(speaker) => Box::pin(speaker.close()).await,
            Self::Agui(_)
            | Self::OpenAi(_)
            | Self::Command(_)
            | Self::Scripted(_)
            | Self::Script(_)
            | Self::A2a(_) => Vec::new(),
        }
    }

    /// Returns what the scripts of an agent call the conversation, if it is made of scripts.
    pub(crate) fn chat_id(&self) -> Option<&str> {
        match self {
            Self::Assistant(speaker) => Some(speaker.chat_id()),
            Self::Script(speaker) => Some(speaker.chat_id()),
            Self::Agui(_)
            | Self::OpenAi(_)
            | Self::Command(_)
            | Self::Scripted(_)
            | Self::A2a(_)
            | Self::Mcp(_) => None,
        }
    }

    /// Takes out what the scripts of an agent logged so far.
    pub(crate) fn take_logs(&self) -> Vec<ScriptLog> {
        match self {
            Self::Assistant(speaker) => speaker.take_logs(),
            Self::Script(speaker) => speaker.take_logs(),
            Self::Agui(_)
            | Self::OpenAi(_)
            | Self::Command(_)
            | Self::Scripted(_)
            | Self::A2a(_)
            | Self::Mcp(_) => Vec::new(),
        }
    }

    /// Takes part in one turn.
    pub(crate) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        match self {
            Self::Agui(speaker) => speaker.turn(action, conversation, bounds).await,
            Self::OpenAi(speaker) => speaker.turn(action, conversation, bounds).await,
            Self::Assistant(speaker) => speaker.turn(action, conversation, bounds).await,
            Self::Command(speaker) => speaker.turn(action, conversation, bounds).await,
            Self::Scripted(speaker) => speaker.turn(action, conversation, bounds).await,
            Self::Script(speaker) => speaker.turn(action, conversation, bounds).await,
            Self::A2a(speaker) => speaker.turn(action, conversation, bounds).await,
            Self::Mcp(speaker) => speaker.turn(action, conversation, bounds).await,
        }
    }
}
