//! Tells whether a test can fail without an assertion. Only then is a test that evaluated none a test at all.

use std::collections::HashSet;

use oxc::ast::ast::{
    ArrowFunctionExpression, BindingProperty, CallExpression, Expression, FormalParameters,
    Function, Program, Statement, ThrowStatement,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::Span;
use oxc::syntax::scope::ScopeFlags;

use super::export_names::local;
use super::find_functions::{Body, found};

/// The methods of `t` that fail a test.
const FAILING: [&str; 3] = ["error", "fail", "fatal"];

/// Objects whose methods of those names only write a line.
const LOGGING: [&str; 3] = ["console", "log", "logger"];

/// What is known of a file whose tests are asked for.
pub(super) struct OwnFailures<'p> {
    /// Functions of the file that are seen in full; what else is called with `t` stands elsewhere.
    known: HashSet<&'p str>,
    /// Whether a function that is no test fails or throws.
    others_fail: bool,
}

impl<'p> OwnFailures<'p> {
    /// Looks at all functions of a program but its tests.
    pub(super) fn new(
        program: &'p Program<'_>,
        tests: &[Body<'_, '_>],
        made: &[&Expression<'_>],
    ) -> Self {
        let mut imported = HashSet::new();
        for statement in &program.body {
            if let Statement::ImportDeclaration(import) = statement {
                imported.extend(import.specifiers.iter().flatten().map(local));
            }
        }
        let known = found(program)
            .into_iter()
            .map(|one| one.name)
            .filter(|name| !imported.contains(name))
            .collect();
        let mut own = Self {
            known,
            others_fail: false,
        };
        let mut search = Search::new(&own);
        let mut skipped = Functions::default();
        for expression in made {
            skipped.visit_expression(expression);
        }
        search.skipped = skipped.0;
        search.skipped.extend(tests.iter().map(|test| test.span()));
        search.visit_program(program);
        own.others_fail = search.fails();
        own
    }

    /// Tells whether a test can fail without an assertion.
    pub(super) fn has(&self, test: Body<'_, '_>) -> bool {
        if self.others_fail {
            return true;
        }
        let mut search = Search::new(self);
        match test {
            Body::Function(function) => search.visit_function(function, ScopeFlags::Function),
            Body::Arrow(arrow) => search.visit_arrow_function_expression(arrow),
        }
        search.fails()
    }
}

impl OwnFailures<'_> {
    /// Tells whether a test that an expression makes can fail without an assertion. What stands elsewhere can.
    pub(super) fn made(&self, test: &Expression<'_>) -> bool {
        let maker = match test {
            Expression::CallExpression(call) => call.callee.get_inner_expression(),
            other => other,
        };
        let mut search = Search::new(self);
        search.visit_expression(test);
        self.others_fail || search.fails() || !search.is_known(maker)
    }
}

/// Collects the functions in an expression.
#[derive(Default)]
struct Functions(HashSet<Span>);

impl<'a> Visit<'a> for Functions {
    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        self.0.insert(function.span);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.0.insert(arrow.span);
    }
}

impl Body<'_, '_> {
    fn span(self) -> Span {
        match self {
            Body::Function(function) => function.span,
            Body::Arrow(arrow) => arrow.span,
        }
    }
}

struct Search<'o, 'p> {
    own: &'o OwnFailures<'p>,
    skipped: HashSet<Span>,
    /// How many functions are around.
    n_around: usize,
    /// The names that `t` has.
    handles: HashSet<String>,
    /// Names to which failing methods were bound, and names that were called.
    bound: HashSet<String>,
    called: HashSet<String>,
    has_failed: bool,
}

impl<'o, 'p> Search<'o, 'p> {
    fn new(own: &'o OwnFailures<'p>) -> Self {
        Self {
            own,
            skipped: HashSet::new(),
            n_around: 0,
            handles: HashSet::new(),
            bound: HashSet::new(),
            called: HashSet::new(),
            has_failed: false,
        }
    }

    fn fails(&self) -> bool {
        self.has_failed || self.bound.intersection(&self.called).next().is_some()
    }

    /// The first parameter of the outermost function is `t`, under whatever name.
    fn enter(&mut self, span: Span, parameters: &FormalParameters<'_>) -> bool {
        if self.skipped.contains(&span) {
            return false;
        }
        if self.n_around == 0 {
            let first = parameters.items.first();
            let id = first.and_then(|first| first.pattern.get_binding_identifier());
            self.handles.extend(id.map(|id| id.name.to_string()));
        }
        self.n_around += 1;
        true
    }

    fn is_handle(&self, expression: &Expression<'_>) -> bool {
        matches!(expression.get_inner_expression(), Expression::Identifier(id) if self.handles.contains(id.name.as_str()))
    }

    fn call(&mut self, call: &CallExpression<'_>) {
        let callee = call.callee.get_inner_expression();
        if let Expression::Identifier(id) = callee {
            self.called.insert(id.name.to_string());
        }
        if let Some(member) = callee.as_member_expression()
            && let Some(name) = member.static_property_name()
        {
            let logs = matches!(member.object(), Expression::Identifier(id) if LOGGING.contains(&id.name.as_str()));
            self.has_failed |= FAILING.contains(&name) && !logs;
        }
        let is_given = call
            .arguments
            .iter()
            .filter_map(|argument| argument.as_expression())
            .any(|argument| self.is_handle(argument));
        self.has_failed |= is_given && !self.is_known(callee);
    }

    /// Tells whether what is called stands in this file.
    fn is_known(&self, callee: &Expression<'_>) -> bool {
        match callee {
            Expression::Identifier(id) => self.own.known.contains(id.name.as_str()),
            // `t.run(…, t)` and methods of objects in this file: their bodies are seen wherever they stand.
            Expression::StaticMemberExpression(member) => {
                match member.object.get_inner_expression() {
                    Expression::Identifier(_) if self.is_handle(&member.object) => true,
                    object => self.is_known(object),
                }
            }
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => true,
            _ => false,
        }
    }
}

impl<'a> Visit<'a> for Search<'_, '_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if self.enter(function.span, &function.params) {
            walk::walk_function(self, function, flags);
            self.n_around -= 1;
        }
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        if self.enter(arrow.span, &arrow.params) {
            walk::walk_arrow_function_expression(self, arrow);
            self.n_around -= 1;
        }
    }

    fn visit_throw_statement(&mut self, throw: &ThrowStatement<'a>) {
        self.has_failed |= self.n_around > 0;
        walk::walk_throw_statement(self, throw);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if self.n_around > 0 {
            self.call(call);
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_member_expression(&mut self, member: &oxc::ast::ast::MemberExpression<'a>) {
        // `promise.catch(t.fatal)` calls it later.
        let is_failing = member
            .static_property_name()
            .is_some_and(|name| FAILING.contains(&name));
        self.has_failed |= is_failing && self.n_around > 0 && self.is_handle(member.object());
        walk::walk_member_expression(self, member);
    }

    fn visit_binding_property(&mut self, property: &BindingProperty<'a>) {
        let key = property.key.static_name();
        if key.is_some_and(|key| FAILING.contains(&key.as_ref()))
            && let Some(id) = property.value.get_binding_identifier()
        {
            self.bound.insert(id.name.to_string());
        }
        walk::walk_binding_property(self, property);
    }
}
