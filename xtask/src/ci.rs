//! `cargo xtask ci`: exactly what CI runs, cheapest first, with the tests and their closing line last.

use crate::step::{cargo, step};
use crate::{r#gen, test};

/// Runs everything; the first failure ends it.
pub(crate) fn run() -> bool {
    check() && test::run(&[])
}

/// Runs everything but the tests; the first failure ends it.
pub(crate) fn check() -> bool {
    step(
        "format",
        &mut cargo(&["xfmt", "--check"]),
        "run `cargo xfmt`",
    ) && r#gen::check()
        && step(
            "lints",
            &mut cargo(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ]),
            "fix what clippy says, or `expect` it with a reason",
        )
        && step(
            "documentation",
            cargo(&[
                "doc",
                "--workspace",
                "--no-deps",
                "--document-private-items",
                "--locked",
            ])
            // Private items are always documented here, so links to them hold.
            .env(
                "RUSTDOCFLAGS",
                "-D warnings -A rustdoc::private_intra_doc_links",
            ),
            "fix what rustdoc says",
        )
}
