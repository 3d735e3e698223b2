//! What a file imports by name.

use ananke_model::place::Place;
use oxc::allocator::Allocator;
use oxc::ast::ast::{ImportDeclarationSpecifier, Statement};
use oxc::span::{GetSpan as _, Span};

use super::nesting;
use super::source::{Lines, Source};
use super::syntax::parse;

/// A name that a file imports, or passes on, from a module.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The module as written.
    pub(crate) module: String,
    /// The name in that module.
    pub(crate) name: String,
    /// Where it stands.
    pub(crate) place: Place,
}

/// Returns what a file imports by name; nothing of a file that is broken.
pub(crate) fn imported(source: Source<'_>) -> Vec<Imported> {
    let Ok(lines) = Lines::new(source) else {
        return Vec::new();
    };
    let found = nesting::with_stack(&lines, || {
        let allocator = Allocator::default();
        let program = parse(&lines, &allocator)?.program;
        let mut all = Vec::new();
        let mut add = |module: &str, name: &str, span: Span| {
            all.push(Imported {
                module: module.to_owned(),
                name: name.to_owned(),
                place: lines.place(span),
            });
        };
        for statement in &program.body {
            match statement {
                Statement::ImportDeclaration(import) => {
                    for one in import.specifiers.iter().flatten() {
                        let name = match one {
                            ImportDeclarationSpecifier::ImportSpecifier(one) => one.imported.name(),
                            ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {
                                "default".into()
                            }
                            ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => continue,
                        };
                        add(&import.source.value, &name, one.span());
                    }
                }
                Statement::ExportFromDeclaration(export) => {
                    for one in &export.specifiers {
                        add(&export.source.value, &one.local.name(), one.span);
                    }
                }
                _ => {}
            }
        }
        Ok::<_, Vec<ananke_model::diagnostic::Diagnostic>>(all)
    });
    found.unwrap_or_default()
}
