//! Who may begin when: tests in plan order as far as the limits of their groups allow, turns as far as busy agents and
//! the rate limit allow.

mod groups;
mod rate;
mod shared;
#[cfg(test)]
mod tests;

pub(crate) use rate::Rate;
pub use rate::RateLimit;
pub(crate) use shared::Pace;
