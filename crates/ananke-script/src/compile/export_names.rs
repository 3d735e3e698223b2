//! The names of a module's top level that exist when it runs.

use std::collections::HashSet;

use oxc::ast::ast::{
    Declaration, ExportDefaultDeclarationKind, ImportDeclarationSpecifier, ModuleExportName,
    Program, Statement,
};
use oxc::ast_visit::Visit;
use serde_json::Value;

/// The names of a top level.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// What is declared or imported there, in order.
    pub(super) declared: Vec<String>,
    /// What is exported under another name: the name of the top level, and the other.
    pub(super) renamed: Vec<(String, String)>,
}

/// Collects the names of a program whose types were taken out.
pub(super) fn names(program: &Program<'_>) -> Names {
    let mut names = Names::default();
    let mut bound = Bound(&mut names.declared);
    for statement in &program.body {
        match statement {
            Statement::ImportDeclaration(import) => {
                for one in import.specifiers.iter().flatten() {
                    bound.0.push(local(one).to_owned());
                }
            }
            Statement::ExportDeclaration(export) => declaration(&mut bound, &export.declaration),
            Statement::ExportDefaultDeclaration(export) => {
                let id = match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                        function.id.as_ref()
                    }
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.as_ref(),
                    _ => None,
                };
                bound.0.extend(id.map(|id| id.name.to_string()));
            }
            _ => {
                if let Some(one) = statement.as_declaration() {
                    declaration(&mut bound, one);
                }
            }
        }
    }
    names.renamed = renamed(program, &names.declared);
    names
}

/// What the user exported.
#[derive(Debug, Default)]
pub(super) struct Exports {
    /// By name, as it is written.
    pub(super) names: Vec<String>,
    /// The modules of which everything is exported.
    pub(super) all_of: Vec<String>,
}

/// Collects what a program exports whose types were taken out.
pub(super) fn exports(program: &Program<'_>) -> Exports {
    let mut names = Vec::new();
    let mut all_of = Vec::new();
    for statement in &program.body {
        match statement {
            Statement::ExportDeclaration(export) => {
                declaration(&mut Bound(&mut names), &export.declaration);
            }
            Statement::ExportDefaultDeclaration(_) => names.push("default".to_owned()),
            Statement::ExportNamedDeclaration(export) => {
                names.extend(export.specifiers.iter().map(|one| written(&one.exported)));
            }
            Statement::ExportFromDeclaration(export) => {
                names.extend(export.specifiers.iter().map(|one| written(&one.exported)));
            }
            Statement::ExportAllDeclaration(export) => match &export.exported {
                Some(name) => names.push(written(name)),
                None => all_of.push(export.source.value.to_string()),
            },
            _ => {}
        }
    }
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    Exports { names, all_of }
}

fn written(name: &ModuleExportName<'_>) -> String {
    match name {
        ModuleExportName::StringLiteral(text) => Value::from(text.value.as_str()).to_string(),
        _ => name.name().to_string(),
    }
}

/// Returns the name that an import has in the file.
pub(super) fn local<'a>(import: &'a ImportDeclarationSpecifier<'_>) -> &'a str {
    match import {
        ImportDeclarationSpecifier::ImportSpecifier(one) => one.local.name.as_str(),
        ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => one.local.name.as_str(),
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => one.local.name.as_str(),
    }
}

fn declaration(bound: &mut Bound<'_>, declaration: &Declaration<'_>) {
    match declaration {
        Declaration::VariableDeclaration(variables) => {
            for one in &variables.declarations {
                bound.visit_binding_pattern(&one.id);
            }
        }
        Declaration::FunctionDeclaration(function) => {
            bound
                .0
                .extend(function.id.as_ref().map(|id| id.name.to_string()));
        }
        Declaration::ClassDeclaration(class) => {
            bound
                .0
                .extend(class.id.as_ref().map(|id| id.name.to_string()));
        }
        _ => {}
    }
}

fn renamed(program: &Program<'_>, declared: &[String]) -> Vec<(String, String)> {
    let declared: HashSet<&str> = declared.iter().map(String::as_str).collect();
    let mut renamed: Vec<(String, String)> = Vec::new();
    for statement in &program.body {
        let Statement::ExportNamedDeclaration(export) = statement else {
            continue;
        };
        for one in &export.specifiers {
            let (local, exported) = (one.local.name(), one.exported.name());
            let is_name = !matches!(one.exported, ModuleExportName::StringLiteral(_));
            let is_new = is_name && exported != "default" && !declared.contains(exported.as_str());
            if is_new && declared.contains(local.as_str()) {
                renamed.push((local.to_string(), exported.to_string()));
            }
        }
    }
    renamed
}

/// Collects the names that a pattern binds.
struct Bound<'n>(&'n mut Vec<String>);

impl<'a> Visit<'a> for Bound<'_> {
    fn visit_binding_identifier(&mut self, id: &oxc::ast::ast::BindingIdentifier<'a>) {
        self.0.push(id.name.to_string());
    }

    // Defaults are no part of the pattern's names.
    fn visit_expression(&mut self, _: &oxc::ast::ast::Expression<'a>) {}
}
