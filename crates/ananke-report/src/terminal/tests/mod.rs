//! What the console report looks like.

mod console;
mod details;
mod live;
mod run;
