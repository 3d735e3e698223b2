//! The calls of a file, to which positions of the engine are snapped.

use oxc::ast::ast::{
    CallExpression, Expression, NewExpression, NullLiteral, Program, TaggedTemplateExpression,
    ThrowStatement,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan as _, Span};

/// Methods that reject a promise with what they are given.
const REJECTING: [&str; 4] = ["abort", "reject", "rejects", "throw"];

/// A call: all of it, and the name of what is called. The name of a call without one is empty and stands at its beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) span: Span,
    pub(super) name: Span,
    /// Whether it makes what a `throw` throws.
    pub(super) is_thrown: bool,
}

/// Collects the calls of a program as the user wrote it, by their beginning. Tells also whether it throws `null`, or rejects a
/// promise with it.
pub(super) fn sites(program: &Program<'_>) -> (Vec<Site>, bool) {
    let mut collector = Collector::default();
    collector.visit_program(program);
    let mut sites = collector.sites;
    sites.sort_by_key(|site| (site.span.start, std::cmp::Reverse(site.span.end)));
    (sites, collector.throws_null)
}

#[derive(Default)]
struct Collector {
    sites: Vec<Site>,
    /// What the innermost `throw` throws.
    thrown: Span,
    throws_null: bool,
    /// Whether what is visited is thrown.
    is_thrown: bool,
}

impl Collector {
    fn add(&mut self, span: Span, callee: &Expression<'_>) {
        self.sites.push(Site {
            span,
            name: name(callee),
            is_thrown: self.thrown == span,
        });
    }
}

/// Returns where the name of what is called stands.
fn name(callee: &Expression<'_>) -> Span {
    match callee.get_inner_expression() {
        Expression::Identifier(id) => id.span,
        Expression::StaticMemberExpression(member) => member.property.span,
        Expression::PrivateFieldExpression(member) => member.field.span,
        other => Span::empty(other.span().start),
    }
}

impl<'a> Visit<'a> for Collector {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.add(call.span, &call.callee);
        let has_null = call
            .arguments
            .iter()
            .any(|argument| matches!(argument.as_expression(), Some(Expression::NullLiteral(_))));
        // `reject(null)`, under whatever name, `controller.abort(null)`, `mock.rejects(null)`.
        let is_member = matches!(&call.callee, Expression::StaticMemberExpression(member)
            if !REJECTING.contains(&member.property.name.as_str()));
        self.throws_null |= has_null && !is_member;
        walk::walk_call_expression(self, call);
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        self.add(new.span, &new.callee);
        walk::walk_new_expression(self, new);
    }

    fn visit_tagged_template_expression(&mut self, tagged: &TaggedTemplateExpression<'a>) {
        self.add(tagged.span, &tagged.tag);
        walk::walk_tagged_template_expression(self, tagged);
    }

    fn visit_throw_statement(&mut self, throw: &ThrowStatement<'a>) {
        self.thrown = throw.argument.get_inner_expression().span();
        self.is_thrown = true;
        walk::walk_throw_statement(self, throw);
        self.is_thrown = false;
    }

    fn visit_null_literal(&mut self, _: &NullLiteral) {
        self.throws_null |= self.is_thrown;
    }
}
