//! The one renderer of diagnostics: place, source line with carets, hint; and the same as JSON.

mod frame;
mod json;
mod mask;
mod render;
#[cfg(test)]
mod tests;

pub(crate) use frame::{Line, frame};
pub use json::diagnostics_json;
pub use render::render_diagnostics;
pub(crate) use render::{totals, without_credentials};
