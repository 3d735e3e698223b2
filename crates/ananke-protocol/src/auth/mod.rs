//! Who a client is, in every protocol that asks: `proof` stands in requests, `token` fetches what stands there for a while,
//! `discover` finds out where. `small` makes the requests that come before a conversation.

mod discover;
mod proof;
mod small;
mod token;

pub(crate) use discover::{Found, find_token_url};
pub use proof::Auth;
pub(crate) use small::{Fetched, Small, Unfetched, beginning_of};
pub(crate) use token::{Token, TokenRequest};
