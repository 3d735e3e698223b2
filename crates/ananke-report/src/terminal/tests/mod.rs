//! What the console report looks like.

mod answers;
mod attempts;
mod cases;
mod console;
mod details;
mod dynamic;
mod live;
mod run;
mod scripts;
mod stability;
