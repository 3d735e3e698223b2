//! What scripts can name beside `t`: `console`, timers, `fetch`, `Process`, and the `ctx` of a function. The script side is in
//! `js/`; what it cannot do itself, or must not decide, is done here: whoever may be reached, which files are read, what is
//! recorded.

mod answers;
mod bytes;
mod console;
mod environment;
mod files;
mod grants;
mod install;
mod kinds;
mod logs;
mod parts;
mod process;
mod send;
mod show;
#[cfg(test)]
mod tests;
mod timers;
mod urls;

pub(crate) use answers::fetched;
pub(crate) use install::install;
pub(crate) use kinds::is_error;
pub(crate) use parts::RUNTIME_MODULE;
pub use parts::TYPE_DEFINITIONS;
pub(crate) use show::shown;
