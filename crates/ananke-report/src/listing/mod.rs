//! What can be said about a plan without running it: `list`, `--dry-run`, `validate -v`.

mod demands;
mod dry_run;
mod facts;
mod functions;
mod list;
mod resolved;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_dynamic;

pub use demands::effective_demands;
pub use dry_run::dry_run_listing;
pub use list::{list_json, list_text};
pub use resolved::{ResolvedPlan, resolved_plan};
