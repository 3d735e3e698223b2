//! Whole folders, and every mistake in them: files in, a target or diagnostics out.

mod apps;
mod connectors;
mod folder;
mod hooks;
mod hostile;
mod mistakes;
mod servers;
mod suite;
mod whole;
