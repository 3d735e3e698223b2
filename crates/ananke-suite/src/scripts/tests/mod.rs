//! What users write about scripts, and what comes of it.

mod checks;
mod discovery;
mod hooks;
mod references;
mod world;
