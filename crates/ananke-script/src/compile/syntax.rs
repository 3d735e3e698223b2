//! Parses a file, and refuses what cannot be run.

use std::collections::HashSet;

use ananke_model::diagnostic::Diagnostic;
use oxc::allocator::Allocator;
use oxc::ast::ast::{
    AccessorProperty, Declaration, Decorator, ExportDefaultDeclarationKind, JSXElement,
    JSXFragment, Program, Statement, TSExportAssignment, TSImportEqualsDeclaration,
    TSModuleDeclaration, TSModuleDeclarationBody, TSModuleDeclarationName, TSModuleReference,
};
use oxc::ast_visit::{Visit, walk};
use oxc::parser::{ParseOptions, Parser};
use oxc::semantic::{Scoping, SemanticBuilder};
use oxc::span::Span;

use super::mistakes::mistakes;
use super::source::{Language, Lines};

/// A file that can be run, once its types are taken out.
pub(super) struct Parsed<'a> {
    pub(super) program: Program<'a>,
    pub(super) scoping: Scoping,
}

/// Parses a file and checks what the language demands beyond its grammar. All mistakes are told at once.
pub(super) fn parse<'a>(
    lines: &'a Lines<'_>,
    allocator: &'a Allocator,
) -> Result<Parsed<'a>, Vec<Diagnostic>> {
    let language = Language::of(&lines.shown);
    let options = ParseOptions {
        parse_regular_expression: true,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(allocator, &lines.text, language.source_type())
        .with_options(options)
        .parse();
    let mut found = parsed.diagnostics.into_vec();
    if parsed.panicked {
        return Err(mistakes(lines, found));
    }
    let program = parsed.program;
    // The transformation adds scopes and names of its own, and has enums evaluated beforehand.
    let checked = SemanticBuilder::new_compiler()
        .with_excess_capacity(1.0)
        .with_enum_eval(true)
        .build(&program);
    found.extend(checked.diagnostics);
    let scoping = checked.semantic.into_scoping();
    let mut all = mistakes(lines, found);
    all.extend(refuse(lines, &program));
    all.sort_by_key(|one| one.place.as_ref().map(|place| place.start));
    all.dedup_by(|one, other| {
        let is_repeated = |one: &Diagnostic| one.message.contains("already been declared");
        one.place == other.place && is_repeated(one) && is_repeated(other)
    });
    match all.is_empty() {
        true => Ok(Parsed { program, scoping }),
        false => Err(all),
    }
}

fn refuse(lines: &Lines<'_>, program: &Program<'_>) -> Vec<Diagnostic> {
    let mut refused = Refused {
        lines,
        mistakes: Vec::new(),
    };
    refused.visit_program(program);
    refused.functions_of_one_name(program);
    refused.namespaces_of_one_name(program);
    refused.mistakes
}

struct Refused<'l, 't> {
    lines: &'l Lines<'t>,
    mistakes: Vec<Diagnostic>,
}

impl Refused<'_, '_> {
    fn add(&mut self, span: Span, message: &str, label: &str, hint: &str) {
        let mistake = Diagnostic::error(&self.lines.place(span), message)
            .label(label)
            .hint(hint);
        self.mistakes.push(mistake);
    }

    /// Types allow a function to be declared again, for overloads. Two bodies are one too many.
    fn functions_of_one_name(&mut self, program: &Program<'_>) {
        let mut seen = HashSet::new();
        for statement in &program.body {
            let function = match statement {
                Statement::FunctionDeclaration(function) => function,
                Statement::ExportDeclaration(export) => match &export.declaration {
                    Declaration::FunctionDeclaration(function) => function,
                    _ => continue,
                },
                Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => function,
                    _ => continue,
                },
                _ => continue,
            };
            if let (Some(id), Some(_)) = (&function.id, &function.body)
                && !seen.insert(id.name.as_str())
            {
                self.add(
                    id.span,
                    &format!("the function `{}` has already been declared", id.name),
                    "expected another name",
                    "rename one of the two: only one of them would run",
                );
            }
        }
    }

    /// What is declared in one part of a namespace is not in scope in the other.
    fn namespaces_of_one_name(&mut self, program: &Program<'_>) {
        let mut seen = HashSet::new();
        for statement in &program.body {
            let declaration = match statement {
                Statement::ExportDeclaration(export) => Some(&export.declaration),
                _ => statement.as_declaration(),
            };
            let Some(Declaration::TSModuleDeclaration(namespace)) = declaration else {
                continue;
            };
            if let TSModuleDeclarationName::Identifier(id) = &namespace.id
                && !namespace.declare
                && has_values(namespace)
                && !seen.insert(id.name.as_str())
            {
                self.add(
                    id.span,
                    &format!("the namespace `{}` has already been declared", id.name),
                    "expected another name",
                    "put both into one namespace",
                );
            }
        }
    }

    fn markup(&mut self, span: Span) {
        self.add(
            span,
            "JSX cannot be used in scripts",
            "expected an expression without markup",
            "build the text with a template string",
        );
    }
}

/// Tells whether something of a namespace is there when it runs.
fn has_values(namespace: &TSModuleDeclaration<'_>) -> bool {
    match &namespace.body {
        Some(TSModuleDeclarationBody::TSModuleBlock(block)) => block.body.iter().any(|one| {
            let declaration = match one {
                Statement::ExportDeclaration(export) => Some(&export.declaration),
                _ => one.as_declaration(),
            };
            !declaration.is_some_and(|one| {
                matches!(
                    one,
                    Declaration::TSInterfaceDeclaration(_) | Declaration::TSTypeAliasDeclaration(_)
                )
            })
        }),
        Some(TSModuleDeclarationBody::TSModuleDeclaration(_)) => true,
        None => false,
    }
}

impl<'a> Visit<'a> for Refused<'_, '_> {
    fn visit_jsx_element(&mut self, element: &JSXElement<'a>) {
        self.markup(element.opening_element.span);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment<'a>) {
        self.markup(fragment.opening_fragment.span);
    }

    // The two kinds of decorators look the same and are called differently: which one is meant cannot be seen.
    fn visit_decorator(&mut self, decorator: &Decorator<'a>) {
        self.add(
            decorator.span,
            "decorators cannot be used in scripts",
            "expected a class or a member without one",
            "call the function that decorates where the class is used, such as `const Shop = logged(class { … })`",
        );
    }

    // The engine knows no such fields, and says of the rest of the line what it makes of it.
    fn visit_accessor_property(&mut self, property: &AccessorProperty<'a>) {
        self.add(
            property.span,
            "`accessor` fields cannot be used in scripts",
            "expected a field, or `get` and `set`",
            "leave `accessor` out: a field does the same unless it is decorated",
        );
        walk::walk_accessor_property(self, property);
    }

    fn visit_ts_export_assignment(&mut self, export: &TSExportAssignment<'a>) {
        self.add(
            export.span,
            "`export =` cannot be used in scripts: they are ES modules",
            "expected `export default`",
            "write `export default …`",
        );
        walk::walk_ts_export_assignment(self, export);
    }

    fn visit_ts_import_equals_declaration(&mut self, import: &TSImportEqualsDeclaration<'a>) {
        if let TSModuleReference::ExternalModuleReference(module) = &import.module_reference {
            let hint = format!(
                "write `import * as {} from \"{}\"`",
                import.id.name, module.expression.value
            );
            self.add(
                import.span,
                "`import … = require(…)` cannot be used in scripts: they are ES modules",
                "expected `import … from …`",
                &hint,
            );
        }
    }
}
