//! Finds the functions of a file's top level, without running it.

use std::collections::BTreeMap;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::script::ScriptFunction;
use oxc::allocator::Allocator;
use oxc::ast::ast::{
    ArrowFunctionExpression, Declaration, ExportDefaultDeclarationKind, Expression, Function,
    Program, Statement,
};
use oxc::span::{GetSpan as _, Span};

use super::export_names::local;
use super::nesting;
use super::source::{Language, Lines, Source};
use super::syntax::parse;

/// Finds the functions of a file's top level, and what it exports from other files: whether that is a function shows only when
/// it runs. The file's name is the one in positions. All mistakes of the file are told at once.
pub fn find_functions(file: &str, text: &str) -> Result<Vec<ScriptFunction>, Vec<Diagnostic>> {
    let source = Source { shown: file, text };
    let lines = Lines::new(source).map_err(|mistake| vec![mistake])?;
    if Language::of(file) == Language::Json {
        return Ok(Vec::new());
    }
    nesting::with_stack(&lines, || {
        let allocator = Allocator::default();
        let parsed = parse(&lines, &allocator)?;
        Ok(functions(&parsed.program))
    })
}

/// A function as it stands in the file.
#[derive(Clone, Copy)]
pub(super) enum Body<'p, 'a> {
    Function(&'p Function<'a>),
    Arrow(&'p ArrowFunctionExpression<'a>),
}

/// A function of the top level under one of its names.
#[derive(Clone, Copy)]
pub(super) struct Found<'p, 'a> {
    pub(super) name: &'p str,
    pub(super) span: Span,
    /// Nothing if it stands in another file.
    pub(super) body: Option<Body<'p, 'a>>,
    is_exported: bool,
    is_default: bool,
}

fn functions(program: &Program<'_>) -> Vec<ScriptFunction> {
    let functions = found(program).into_iter().map(|one| ScriptFunction {
        name: one.name.to_owned(),
        is_exported: one.is_exported,
        is_default: one.is_default,
    });
    functions.collect()
}

/// Finds functions in the order of the file. One that is exported under another name is found under both.
pub(super) fn found<'p, 'a>(program: &'p Program<'a>) -> Vec<Found<'p, 'a>> {
    let mut all = Vec::new();
    for statement in &program.body {
        match statement {
            Statement::ExportDeclaration(export) => declared(&mut all, &export.declaration, true),
            Statement::ExportDefaultDeclaration(export) => {
                all.extend(default(&export.declaration, export.span));
            }
            _ => {
                if let Some(declaration) = statement.as_declaration() {
                    declared(&mut all, declaration, false);
                }
            }
        }
    }
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, one) in all.iter().enumerate() {
        known.entry(one.name).or_insert(index);
    }
    for statement in &program.body {
        match statement {
            Statement::ExportNamedDeclaration(export) if !export.export_kind.is_type() => {
                let specifiers = export
                    .specifiers
                    .iter()
                    .filter(|one| !one.export_kind.is_type());
                for one in specifiers {
                    let (local, exported) =
                        (one.local.name().as_str(), one.exported.name().as_str());
                    let index = known.get(local).copied();
                    let body = index
                        .and_then(|index| all.get(index))
                        .and_then(|one| one.body);
                    let original = index.and_then(|index| all.get_mut(index));
                    match original {
                        Some(original) if exported == local || exported == "default" => {
                            original.is_exported = true;
                            original.is_default |= exported == "default";
                        }
                        None if !imports(program, local) => {}
                        _ => all.push(elsewhere(exported, one.exported.span(), body)),
                    }
                }
            }
            Statement::ExportFromDeclaration(export) if !export.export_kind.is_type() => {
                let specifiers = export
                    .specifiers
                    .iter()
                    .filter(|one| !one.export_kind.is_type());
                all.extend(
                    specifiers.map(|one| {
                        elsewhere(one.exported.name().as_str(), one.exported.span(), None)
                    }),
                );
            }
            Statement::ExportDefaultDeclaration(export) => {
                if let ExportDefaultDeclarationKind::Identifier(id) = &export.declaration
                    && let Some(original) = known
                        .get(id.name.as_str())
                        .and_then(|index| all.get_mut(*index))
                {
                    (original.is_exported, original.is_default) = (true, true);
                }
            }
            _ => {}
        }
    }
    all.sort_by_key(|one| one.span.start);
    all
}

fn elsewhere<'p, 'a>(name: &'p str, span: Span, body: Option<Body<'p, 'a>>) -> Found<'p, 'a> {
    Found {
        name,
        span,
        body,
        is_exported: true,
        is_default: name == "default",
    }
}

/// Tells whether the file imports `name`.
pub(super) fn imports(program: &Program<'_>, name: &str) -> bool {
    program.body.iter().any(|statement| match statement {
        Statement::ImportDeclaration(import) => import
            .specifiers
            .iter()
            .flatten()
            .any(|one| local(one) == name),
        _ => false,
    })
}

fn declared<'p, 'a>(
    all: &mut Vec<Found<'p, 'a>>,
    declaration: &'p Declaration<'a>,
    is_exported: bool,
) {
    match declaration {
        Declaration::FunctionDeclaration(function) => {
            // Overloads and `declare` have no body.
            if let (Some(id), Some(_)) = (&function.id, &function.body) {
                all.push(Found {
                    name: id.name.as_str(),
                    span: id.span,
                    body: Some(Body::Function(function)),
                    is_exported,
                    is_default: false,
                });
            }
        }
        Declaration::VariableDeclaration(variables) => {
            let functions = variables.declarations.iter().filter_map(|one| {
                let id = one.id.get_binding_identifier()?;
                Some(Found {
                    name: id.name.as_str(),
                    span: id.span,
                    body: Some(body(one.init.as_ref()?)?),
                    is_exported,
                    is_default: false,
                })
            });
            all.extend(functions);
        }
        _ => {}
    }
}

fn default<'p, 'a>(
    declaration: &'p ExportDefaultDeclarationKind<'a>,
    span: Span,
) -> Option<Found<'p, 'a>> {
    let (name, span, body) = match declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
            function.body.as_ref()?;
            let id = function.id.as_ref();
            (
                id.map_or("default", |id| id.name.as_str()),
                id.map_or(span, |id| id.span),
                Body::Function(function),
            )
        }
        other => ("default", span, body(other.as_expression()?)?),
    };
    Some(Found {
        name,
        span,
        body: Some(body),
        is_exported: true,
        is_default: true,
    })
}

fn body<'p, 'a>(expression: &'p Expression<'a>) -> Option<Body<'p, 'a>> {
    match expression.get_inner_expression() {
        Expression::FunctionExpression(function) => Some(Body::Function(function)),
        Expression::ArrowFunctionExpression(arrow) => Some(Body::Arrow(arrow)),
        _ => None,
    }
}
