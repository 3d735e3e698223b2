//! What test functions can do with `t`, and what they can do to it.

mod assertions;
mod control;
mod equality;
mod hooks;
mod hostile;
mod left_behind;
mod limits;
mod misuse;
mod mocks;
mod subtests;
