//! Mistakes that tools like this one have made, one test each, named after the mistake.
//!
//! Most are covered in depth elsewhere; here stands the shortest proof that ananke does not repeat them.

mod assertions;
mod captured;
mod command_line;
mod files;
mod time;
mod turns;
mod values;

use crate::project::Project;

/// A test with one turn and this block.
fn turn(block: &str) -> String {
    format!("turns:\n  - user: go\n    assert: {block}\n")
}

/// Says what comes of one turn with this block, without `-v`.
fn judged(project: &Project, block: &str) -> String {
    project.test(&turn(block));
    project.run(&[])
}

/// Returns the exit code of one turn with this block.
fn code(project: &Project, block: &str) -> Option<i32> {
    project.test(&turn(block));
    project.output(&[]).code
}
