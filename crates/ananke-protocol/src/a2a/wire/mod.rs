//! The two versions and the two bindings: requests out of what is to be said, and one kind of event out of what comes back.

mod decode;
mod envelope;
mod event;
mod part;
mod request;
mod version;

pub(super) use decode::decode;
pub(super) use envelope::{RpcError, refusal, unwrap};
pub(super) use event::{Artifact, ArtifactUpdate, Event, Message, State, Status, Task};
pub(super) use part::{Content, Part, parts_of_content};
pub(super) use request::{Outgoing, Query, Wire, build};
pub(super) use version::Form;
pub use version::{Binding, Version};
