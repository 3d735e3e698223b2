//! What the faces that are not AG-UI share: they keep the conversation themselves, and read an agent's answer event by event.
//!
//! An agent answers in AG-UI, whatever was spoken to it. `happening` reads its actions back into events, `memory` keeps the
//! history that an AG-UI client would send, `question` turns the user's words into the answer to an interrupt, `bounded`
//! forgets what is old.

mod bounded;
mod happening;
mod memory;
mod question;

pub(crate) use bounded::Bounded;
pub(crate) use happening::{Fault, Happening, happenings};
pub(crate) use memory::{Question, Said, Talks, patch};
