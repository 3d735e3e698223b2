//! Finds the test functions of a file, without running it.

use std::collections::{HashMap, HashSet};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::script::TestFunction;
use oxc::allocator::Allocator;
use oxc::ast::ast::{
    AssignmentTarget, BindingIdentifier, BindingPattern, Declaration, Expression, Program,
    Statement, VariableDeclaration,
};
use oxc::ast_visit::Visit;
use oxc::semantic::Scoping;
use oxc::span::{GetSpan as _, Span};

use super::find_functions::{Body, found};
use super::nesting;
use super::own_failures::OwnFailures;
use super::source::{Language, Lines, Source};
use super::syntax::parse;

/// What the name of a test begins with.
const PREFIX: &str = "Test";

/// A hook whose name looks like the one of a test.
const HOOK: &str = "TestMain";

/// Something that is a test, unless it turns out to be no function.
#[derive(Clone, Copy)]
struct Test<'p, 'a> {
    name: &'p str,
    span: Span,
    is: Is<'p, 'a>,
}

#[derive(Clone, Copy)]
enum Is<'p, 'a> {
    Function(Body<'p, 'a>),
    /// What comes of an expression.
    Made(&'p Expression<'a>),
    /// What stands in another file, or is taken out of something.
    Unseen,
}

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
        let tests = tests(&parsed.program);
        let mut refused = refuse_generators(&lines, &tests);
        refused.extend(refuse_exports(&lines, &parsed.program, &parsed.scoping));
        if !refused.is_empty() {
            return Err(refused);
        }
        let seen = tests.iter().map(|test| match test.is {
            Is::Function(body) => (Some(body), None),
            Is::Made(expression) => (None, Some(expression)),
            Is::Unseen => (None, None),
        });
        let (bodies, made): (Vec<_>, Vec<_>) = seen.unzip();
        let bodies: Vec<Body<'_, '_>> = bodies.into_iter().flatten().collect();
        let made: Vec<&Expression<'_>> = made.into_iter().flatten().collect();
        let own_failures = OwnFailures::new(&parsed.program, &bodies, &made);
        let tests = tests.iter().map(|test| TestFunction {
            name: test.name.to_owned(),
            place: lines.place(test.span),
            fails_by_itself: match test.is {
                Is::Function(body) => own_failures.has(body),
                Is::Made(expression) => own_failures.made(expression),
                Is::Unseen => true,
            },
        });
        Ok(tests.collect())
    })
}

fn is_test(name: &str) -> bool {
    name.starts_with(PREFIX) && name != HOOK
}

/// Finds everything that may be a test, in the order of the file.
fn tests<'p, 'a>(program: &'p Program<'a>) -> Vec<Test<'p, 'a>> {
    let functions = found(program);
    let functions = functions.into_iter().map(|one| Test {
        name: one.name,
        span: one.span,
        is: one.body.map_or(Is::Unseen, Is::Function),
    });
    let mut all: Vec<Test<'p, 'a>> = functions.collect();
    let mut made = Vec::new();
    for statement in &program.body {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            _ => statement.as_declaration(),
        };
        if let Some(Declaration::VariableDeclaration(variables)) = declaration {
            variables_of(&mut made, variables);
        }
    }
    let values: HashMap<&str, Test<'p, 'a>> = made.iter().map(|one| (one.name, *one)).collect();
    all.extend(made);
    for statement in &program.body {
        let Statement::ExportNamedDeclaration(export) = statement else {
            continue;
        };
        for one in &export.specifiers {
            let value = values.get(one.local.name().as_str());
            all.extend(value.map(|value| Test {
                name: one.exported.name().as_str(),
                span: one.exported.span(),
                is: value.is,
            }));
        }
    }
    all.retain(|one| is_test(one.name));
    all.sort_by_key(|one| one.span.start);
    let mut seen = HashSet::new();
    all.retain(|one| seen.insert(one.name));
    all
}

fn variables_of<'p, 'a>(all: &mut Vec<Test<'p, 'a>>, variables: &'p VariableDeclaration<'a>) {
    if variables.declare {
        return;
    }
    for one in &variables.declarations {
        match (&one.id, &one.init) {
            (BindingPattern::BindingIdentifier(id), init) => {
                let is = match init.as_ref().map(|init| init.get_inner_expression()) {
                    Some(init) if is_no_function(init) => continue,
                    Some(Expression::FunctionExpression(function)) => {
                        Is::Function(Body::Function(function))
                    }
                    Some(Expression::ArrowFunctionExpression(arrow)) => {
                        Is::Function(Body::Arrow(arrow))
                    }
                    Some(init) => Is::Made(init),
                    None => Is::Unseen,
                };
                all.push(Test {
                    name: id.name.as_str(),
                    span: id.span,
                    is,
                });
            }
            (pattern, _) => {
                let mut bound = Bound(Vec::new());
                bound.visit_binding_pattern(pattern);
                let names = bound.0.into_iter();
                all.extend(names.filter_map(|span| {
                    Some(Test {
                        name: named(pattern, span)?,
                        span,
                        is: Is::Unseen,
                    })
                }));
            }
        }
    }
}

/// Tells whether an expression is certainly no function.
fn is_no_function(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::Identifier(id) => id.name == "undefined",
        Expression::TemplateLiteral(_)
        | Expression::ObjectExpression(_)
        | Expression::ArrayExpression(_)
        | Expression::ClassExpression(_)
        | Expression::NewExpression(_)
        | Expression::UnaryExpression(_)
        | Expression::BinaryExpression(_)
        | Expression::UpdateExpression(_)
        | Expression::ImportExpression(_) => true,
        other => other.is_literal(),
    }
}

/// Collects where a pattern binds names.
struct Bound(Vec<Span>);

impl<'a> Visit<'a> for Bound {
    fn visit_binding_identifier(&mut self, id: &BindingIdentifier<'a>) {
        self.0.push(id.span);
    }

    // Defaults are no part of the pattern's names.
    fn visit_expression(&mut self, _: &Expression<'a>) {}
}

/// Returns the name that a pattern binds at a place.
fn named<'p>(pattern: &'p BindingPattern<'_>, span: Span) -> Option<&'p str> {
    match pattern {
        BindingPattern::BindingIdentifier(id) => (id.span == span).then_some(id.name.as_str()),
        BindingPattern::AssignmentPattern(with) => named(&with.left, span),
        BindingPattern::ObjectPattern(object) => {
            let rest = object.rest.iter().map(|rest| &rest.argument);
            let members = object.properties.iter().map(|member| &member.value);
            members.chain(rest).find_map(|one| named(one, span))
        }
        BindingPattern::ArrayPattern(array) => {
            let rest = array.rest.iter().map(|rest| &rest.argument);
            let members = array.elements.iter().flatten();
            members.chain(rest).find_map(|one| named(one, span))
        }
    }
}

fn refuse_generators(lines: &Lines<'_>, tests: &[Test<'_, '_>]) -> Vec<Diagnostic> {
    tests
        .iter()
        .filter(
            |test| matches!(test.is, Is::Function(Body::Function(function)) if function.generator),
        )
        .map(|test| {
            let message = format!(
                "the test `{}` is a generator, which would never run",
                test.name
            );
            Diagnostic::error(&lines.place(test.span), message)
                .label("expected a function or an async function")
                .hint("remove the `*`")
        })
        .collect()
}

/// Refuses exports whose names cannot be seen: tests among them would be missing without a word.
fn refuse_exports(lines: &Lines<'_>, program: &Program<'_>, scoping: &Scoping) -> Vec<Diagnostic> {
    let is_global = |name: &str| {
        scoping
            .root_unresolved_references()
            .keys()
            .any(|key| *key == name)
    };
    let mut refused = Vec::new();
    for statement in &program.body {
        match statement {
            Statement::ExportAllDeclaration(export)
                if export.exported.is_none() && !export.export_kind.is_type() =>
            {
                let hint = format!(
                    "name the functions: `export {{ TestA, TestB }} from \"{}\"`",
                    export.source.value
                );
                let message = "`export *` in a file of tests does not say which tests there are";
                refused.push(
                    Diagnostic::error(&lines.place(export.span), message)
                        .label("expected the names of the functions")
                        .hint(hint),
                );
            }
            Statement::ExpressionStatement(statement) => {
                if let Expression::AssignmentExpression(assignment) = &statement.expression
                    && let Some(name) = commonjs(&assignment.left)
                    && is_global(name)
                {
                    let message = format!(
                        "`{}` cannot be used in scripts: they are ES modules",
                        if name == "module" {
                            "module.exports"
                        } else {
                            "exports"
                        }
                    );
                    refused.push(
                        Diagnostic::error(&lines.place(assignment.left.span()), message)
                            .label("expected `export`")
                            .hint("write `export function TestA(t) { … }`"),
                    );
                }
            }
            _ => {}
        }
    }
    refused
}

/// Returns `module` of `module.exports` and `module.exports.a`, `exports` of `exports.a`.
fn commonjs<'p>(target: &'p AssignmentTarget<'_>) -> Option<&'p str> {
    let AssignmentTarget::StaticMemberExpression(member) = target else {
        return None;
    };
    match &member.object {
        Expression::Identifier(id) if id.name == "exports" => Some("exports"),
        Expression::Identifier(id) if id.name == "module" && member.property.name == "exports" => {
            Some("module")
        }
        Expression::StaticMemberExpression(inner) if inner.property.name == "exports" => {
            matches!(&inner.object, Expression::Identifier(id) if id.name == "module")
                .then_some("module")
        }
        _ => None,
    }
}
