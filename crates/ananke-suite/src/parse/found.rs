//! Where diagnostics are gathered.

use ananke_model::diagnostic::Diagnostic;

/// What was found so far.
pub(crate) type Found = Vec<Diagnostic>;
