//! Files that are sent with a message: read when they are sent, and recorded by what they are, not by what they hold.

mod cache;
mod kept;
mod read;
mod sha256;

pub(crate) use cache::Attachments;
pub(crate) use kept::{keep_short, shorten, shorten_parts};
pub(crate) use read::read;
