//! The texts of our own scripts.

use rquickjs::context::EvalOptions;
use rquickjs::{Ctx, Exception, Function};

const PARTS: [(&str, &str); 8] = [
    ("own", include_str!("own.js")),
    ("testing", include_str!("testing.js")),
    ("harness", include_str!("harness.js")),
    ("assert", include_str!("assert.js")),
    ("assert_more", include_str!("assert_more.js")),
    ("equal", include_str!("equal.js")),
    ("display", include_str!("display.js")),
    ("mock", include_str!("mock.js")),
];

/// Reads one of our own scripts: each is a function.
pub(super) fn part<'js>(ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    let text = PARTS.iter().find(|(part, _)| *part == name);
    let Some((_, text)) = text else {
        return Err(Exception::throw_message(
            ctx,
            &format!("there is no part `{name}`"),
        ));
    };
    let mut options = EvalOptions::default();
    options.filename = Some(format!("ananke:{name}"));
    ctx.eval_with_options(*text, options)
}
