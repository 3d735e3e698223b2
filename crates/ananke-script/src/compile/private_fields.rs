//! Tells whether the objects of a class keep something that nobody else can read.

use oxc::allocator::Allocator;
use oxc::ast::ast::{ClassElement, Expression, Statement};
use oxc::parser::Parser;

use super::nesting;
use super::source::{Language, Lines, Source};

/// Tells whether a class, by its own text, has private fields: private methods and static fields keep nothing in an object. What
/// cannot be read is taken to have some.
pub(crate) fn has_private_fields(class: &str) -> bool {
    if !class.contains('#') {
        return false;
    }
    let text = format!("({class}\n)");
    let source = Source {
        shown: "class.js",
        text: &text,
    };
    let Ok(lines) = Lines::new(source) else {
        return true;
    };
    nesting::with_stack(&lines, || Ok(read(&lines))).unwrap_or(true)
}

fn read(lines: &Lines<'_>) -> bool {
    let allocator = Allocator::default();
    let language = Language::of(&lines.shown);
    let parsed = Parser::new(&allocator, &lines.text, language.source_type()).parse();
    let Some(Statement::ExpressionStatement(statement)) = parsed.program.body.first() else {
        return true;
    };
    let Expression::ClassExpression(class) = statement.expression.get_inner_expression() else {
        return true;
    };
    class.body.body.iter().any(|element| match element {
        ClassElement::PropertyDefinition(field) => {
            !field.r#static && field.key.is_private_identifier()
        }
        ClassElement::AccessorProperty(field) => {
            !field.r#static && field.key.is_private_identifier()
        }
        _ => false,
    })
}
