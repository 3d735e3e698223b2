//! Finds the test functions of a file, without running it.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::script::TestFunction;
use oxc::allocator::Allocator;

use super::find_functions::{Body, Found, found};
use super::nesting;
use super::own_failures::OwnFailures;
use super::source::{Language, Lines, Source};
use super::syntax::parse;

/// What the name of a test begins with.
const PREFIX: &str = "Test";

/// A hook whose name looks like the one of a test.
const HOOK: &str = "TestMain";

/// Finds the test functions of a file, in its order. The file's name is the one in positions. All mistakes of the file are told
/// at once.
pub fn find_tests(file: &str, text: &str) -> Result<Vec<TestFunction>, Vec<Diagnostic>> {
    let source = Source { shown: file, text };
    let lines = Lines::new(source).map_err(|mistake| vec![mistake])?;
    if Language::of(file) == Language::Json {
        return Ok(Vec::new());
    }
    nesting::with_stack(&lines, || {
        let allocator = Allocator::default();
        let parsed = parse(&lines, &allocator)?;
        let tests: Vec<(Found<'_, '_>, Body<'_, '_>)> = found(&parsed.program)
            .into_iter()
            .filter(|one| one.name.starts_with(PREFIX) && one.name != HOOK)
            .filter_map(|one| Some((one, one.body?)))
            .collect();
        refuse_generators(&lines, &tests)?;
        let bodies: Vec<Body<'_, '_>> = tests.iter().map(|(_, body)| *body).collect();
        let own_failures = OwnFailures::new(&parsed.program, &bodies);
        let tests = tests.iter().map(|(test, body)| TestFunction {
            name: test.name.to_owned(),
            place: lines.place(test.span),
            fails_by_itself: own_failures.has(*body),
        });
        Ok(tests.collect())
    })
}

fn refuse_generators(
    lines: &Lines<'_>,
    tests: &[(Found<'_, '_>, Body<'_, '_>)],
) -> Result<(), Vec<Diagnostic>> {
    let refused: Vec<Diagnostic> = tests
        .iter()
        .filter(|(_, body)| matches!(body, Body::Function(function) if function.generator))
        .map(|(test, _)| {
            let message = format!(
                "the test `{}` is a generator, which would never run",
                test.name
            );
            Diagnostic::error(&lines.place(test.span), message)
                .label("expected a function or an async function")
                .hint("remove the `*`")
        })
        .collect();
    match refused.is_empty() {
        true => Ok(()),
        false => Err(refused),
    }
}
