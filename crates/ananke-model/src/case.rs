//! What is known of a test that is a line of a JSONL file, or a message from the command line: who asks, what is asked, and
//! what the report repeats of it.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::place::{Json, Place};

/// A JSONL case, or a message from the command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Case {
    /// Its id as written; unique in its file.
    pub id: String,
    /// Where it came from.
    pub kind: CaseKind,
    /// `input` or `messages` as written.
    pub input: Value,
    /// How many messages are sent.
    pub n_messages: usize,
    /// The output that `expected` names.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub expected: Option<Value>,
    /// `metadata` as written.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// `options` as written.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// Who asks.
    pub identity: Identity,
    /// Where it stands, if that is a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// Where a case came from, which decides how it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseKind {
    /// A case with `input`.
    #[default]
    Input,
    /// A case with `messages`.
    Messages,
    /// A message from the command line: it needs no check, and its answer goes to stdout.
    Message,
}

/// Who asks the agent, and from where: `-u`, `-t`, `--ctx`, and `user` and `team` of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// The user.
    pub user_id: String,
    /// The user's team.
    pub team_id: String,
    /// The language, such as `en-us`.
    pub locale: String,
    /// What kind of client it is.
    pub client_type: String,
    /// Where the client is.
    pub client_ip: String,
    /// What the client calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Where the request came from.
    pub referer: String,
    /// Which form of answer is wanted.
    pub accept: String,
    /// The other members of `authorized` in the `--ctx` file: `sub`, `client_id`, `scope`, `session_id`, `tenant_id`,
    /// `remember_me`, `constraints`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub authorized: Map<String, Value>,
    /// `metadata` of the `--ctx` file.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// `chat_id` of the `--ctx` file: what scripts and prompts are told. Threads of agents have names of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_id: Option<String>,
}

impl Default for Identity {
    fn default() -> Self {
        Self {
            user_id: "test-user".to_owned(),
            team_id: "test-team".to_owned(),
            locale: "en-us".to_owned(),
            client_type: "test".to_owned(),
            client_ip: "127.0.0.1".to_owned(),
            user_agent: None,
            referer: "test".to_owned(),
            accept: "standard".to_owned(),
            authorized: Map::new(),
            metadata: Map::new(),
            chat_id: None,
        }
    }
}

/// The messages of a case, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Messages {
    /// A list of AG-UI messages without ids. The parts that stand for files have an empty `source.value`.
    pub list: Json,
    /// The files whose content goes into those parts when the messages are sent.
    pub attachments: Vec<Attachment>,
}

/// A file that is sent with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Which message, counted from 0.
    pub message: usize,
    /// Which part of its content, counted from 0.
    pub part: usize,
    /// The file, absolute.
    pub path: PathBuf,
    /// The file as the user would type it.
    pub shown: String,
    /// Where it is named.
    pub place: Place,
}

/// Reads a member that is there, `null` included: usually `null` is read as if it were not there.
pub(crate) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
