//! Recordings judged by the tests as they are now: no agent, no hook, no clock, no runtime.

#[cfg(test)]
mod case_tests;
mod difference;
mod judge_test;
mod led;
mod messages;
mod missing;
mod planned;
mod recordings;
mod run;
mod script;
mod sent;
#[cfg(test)]
mod tests;
mod words;

pub use judge_test::judge_test;
pub use recordings::Recordings;
pub use run::{JudgeOptions, Lookup, judge};
