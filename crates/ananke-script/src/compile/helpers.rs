//! What compiled code calls besides what the user wrote: decorators in the form that TypeScript calls experimental.

/// The object on which the compiler expects its helpers.
const OBJECT: &str = "babelHelpers";

/// Defines the helpers, on one line. A decorator that returns nothing keeps what it decorates.
const DECORATORS: &str = "var babelHelpers = { \
decorate(decorators, target, key, about) { \
const isMember = arguments.length > 2; \
let decorated = !isMember ? target : about === null ? (about = Object.getOwnPropertyDescriptor(target, key)) : about; \
for (let i = decorators.length - 1; i >= 0; i--) { \
const result = isMember ? decorators[i](target, key, decorated) : decorators[i](decorated); \
decorated = result || decorated; } \
if (isMember && decorated) Object.defineProperty(target, key, decorated); \
return decorated; }, \
decorateParam(index, decorator) { return (target, key) => decorator(target, key, index); } };\n";

/// Returns the lines that `code` needs before it.
pub(super) fn needed(code: &str) -> &'static str {
    match code.contains(OBJECT) {
        true => DECORATORS,
        false => "",
    }
}
