//! What happened: one turn after another, whatever protocol was spoken. Judging needs nothing else.

mod event_log;
mod task;
mod turn;

pub use event_log::EventLog;
pub use task::{Artifact, ErrorLayer, Spoken, StateChange, TaskError, TaskRecord};
pub use turn::{
    CallEventClock, Finding, LateResult, Recording, Refusal, ToolCall, Trouble, TroubleKind, Turn,
    TurnStatus, TurnTiming,
};
