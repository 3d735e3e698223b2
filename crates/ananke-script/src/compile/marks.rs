//! Marks for the engine, which notes the place of an expression but not that of a declaration: what goes wrong in one without
//! a mark before it is told at the call before.

use std::collections::HashSet;

use oxc::allocator::{Allocator, Vec as ArenaVec};
use oxc::ast::ast::{
    ArrayExpressionElement, AssignmentTarget, BindingPattern, Declaration, Expression,
    ForStatementInit, IdentifierReference, NumberBase, Program, SimpleAssignmentTarget, Statement,
    VariableDeclaration,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{Visit, VisitMut, walk_mut};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan as _, Span};

/// Finds the statements that assign to what cannot be assigned to: constants, imports, and the names that a test file shares.
pub(super) fn vain_assignments(
    program: &Program<'_>,
    scoping: &Scoping,
    shared: &[String],
) -> HashSet<Span> {
    let mut search = Vain {
        scoping,
        shared,
        found: HashSet::new(),
    };
    search.visit_program(program);
    search.found
}

struct Vain<'s> {
    scoping: &'s Scoping,
    shared: &'s [String],
    found: HashSet<Span>,
}

impl Vain<'_> {
    fn is_fixed(&self, id: &IdentifierReference<'_>) -> bool {
        let reference = id.reference_id.get();
        let symbol = reference.and_then(|id| self.scoping.get_reference(id).symbol_id());
        match symbol {
            Some(symbol) => {
                let flags = self.scoping.symbol_flags(symbol);
                flags.is_const_variable() || flags.is_import()
            }
            None => self.shared.iter().any(|name| *name == id.name.as_str()),
        }
    }
}

impl<'a> Visit<'a> for Vain<'_> {
    fn visit_expression_statement(&mut self, statement: &oxc::ast::ast::ExpressionStatement<'a>) {
        let assigned = match statement.expression.get_inner_expression() {
            Expression::AssignmentExpression(assignment) => match &assignment.left {
                AssignmentTarget::AssignmentTargetIdentifier(id) => Some(&**id),
                _ => None,
            },
            Expression::UpdateExpression(update) => match &update.argument {
                SimpleAssignmentTarget::AssignmentTargetIdentifier(id) => Some(&**id),
                _ => None,
            },
            _ => None,
        };
        if assigned.is_some_and(|id| self.is_fixed(id)) {
            self.found.insert(statement.span);
        }
        oxc::ast_visit::walk::walk_expression_statement(self, statement);
    }
}

/// Puts a mark before every statement that takes values apart, and something after every vain assignment that the engine cannot
/// prove to be never reached: it would take the last of it for the place.
pub(super) fn mark<'a>(allocator: &'a Allocator, program: &mut Program<'a>, vain: &HashSet<Span>) {
    let builder = AstBuilder::new(allocator);
    let mut marks = Marks {
        allocator,
        builder,
        vain,
    };
    marks.visit_program(program);
}

struct Marks<'a, 'v> {
    allocator: &'a Allocator,
    builder: AstBuilder<'a>,
    vain: &'v HashSet<Span>,
}

impl<'a> Marks<'a, '_> {
    /// Returns the shortest statement.
    fn zero(&self, span: Span) -> Statement<'a> {
        let base = NumberBase::Decimal;
        let zero = Expression::new_numeric_literal(span, 0.0, None, base, &self.builder);
        Statement::new_expression_statement(span, zero, &self.builder)
    }
}

impl<'a> VisitMut<'a> for Marks<'a, '_> {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, statements);
        let n_marks = statements.iter().filter_map(taken_apart).count();
        if n_marks == 0 {
            return;
        }
        let marked = ArenaVec::with_capacity_in(statements.len() + n_marks, &self.allocator);
        for statement in std::mem::replace(statements, marked) {
            if let Some(span) = taken_apart(&statement) {
                statements.push(self.zero(span));
            }
            statements.push(statement);
        }
    }

    fn visit_statement(&mut self, statement: &mut Statement<'a>) {
        walk_mut::walk_statement(self, statement);
        let span = statement.span();
        if !self.vain.contains(&span) || !matches!(statement, Statement::ExpressionStatement(_)) {
            return;
        }
        let assignment = std::mem::replace(statement, self.zero(span));
        let always = Expression::new_identifier(span, "globalThis", &self.builder);
        *statement = Statement::new_if_statement(span, always, assignment, None, &self.builder);
    }
}

/// Returns the place of a statement that takes values apart as it declares names, goes through one, extends one, or begins with
/// an operator.
fn taken_apart(statement: &Statement<'_>) -> Option<Span> {
    let variables: &VariableDeclaration<'_> = match statement {
        Statement::VariableDeclaration(variables) => variables,
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::VariableDeclaration(variables) => variables,
            Declaration::ClassDeclaration(class) => {
                return class.super_class.as_ref().map(|_| export.span);
            }
            _ => return None,
        },
        Statement::ForOfStatement(of) => return Some(of.span),
        Statement::ReturnStatement(back) => {
            return back
                .argument
                .as_ref()
                .filter(|value| is_unnoted(value))
                .map(|_| back.span);
        }
        Statement::ClassDeclaration(class) => {
            return class.super_class.as_ref().map(|_| class.span);
        }
        Statement::ForStatement(of) => match &of.init {
            Some(ForStatementInit::VariableDeclaration(variables)) => variables,
            _ => return None,
        },
        _ => return None,
    };
    let mut apart = variables.declarations.iter().filter(|one| {
        matches!(
            one.id,
            BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_)
        ) || one.init.as_ref().is_some_and(is_unnoted)
    });
    apart.next().map(|_| statement.span())
}

/// Tells whether the engine notes no place for what may go wrong with a value.
fn is_unnoted(value: &Expression<'_>) -> bool {
    match value {
        Expression::UnaryExpression(_) => true,
        Expression::ArrayExpression(array) => array
            .elements
            .iter()
            .any(|one| matches!(one, ArrayExpressionElement::SpreadElement(_))),
        Expression::ClassExpression(class) => class.super_class.is_some(),
        _ => false,
    }
}
