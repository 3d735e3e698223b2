//! What the console report looks like.

mod answers;
mod attempts;
mod cases;
mod console;
mod details;
mod live;
mod run;
mod stability;
