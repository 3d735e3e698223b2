//! What the console report looks like.

mod attempts;
mod console;
mod details;
mod live;
mod run;
