//! Who asks which agent: the flags, and the file of `--ctx`.

use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources};
use ananke_model::variables::{Piece, pieces};

use crate::discover::{absolute, is_yaml_name, nearest_sibling, shown};
use crate::jsonl::objects;
use crate::load::LoadRequest;
use crate::parse::{ContextSpec, Found, context};
use crate::yaml::{Node, compose, read};

/// Who asks which agent, as far as the command line says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskingSpec<'a> {
    /// `-n`.
    pub(crate) name: Option<&'a str>,
    /// `-c`.
    pub(crate) connector: Option<&'a str>,
    /// `-u`.
    pub(crate) user: Option<&'a str>,
    /// `-t`.
    pub(crate) team: Option<&'a str>,
    /// `--simulator`.
    pub(crate) simulator: Option<&'a str>,
    /// Agents that the command itself asks.
    pub(crate) helpers: &'a [&'a str],
    /// `--before-all`.
    pub(crate) before_all: Option<&'a str>,
    /// `--after-all`.
    pub(crate) after_all: Option<&'a str>,
    /// Whether the command itself calls a script.
    pub(crate) calls_script: bool,
    /// What stands in the file of `--ctx`.
    pub(crate) context: Option<ContextSpec>,
}

/// Checks the flags, and reads the file of `--ctx`.
pub(crate) fn asking<'a>(
    request: &LoadRequest<'a>,
    sources: &mut Sources,
    found: &mut Found,
) -> AskingSpec<'a> {
    let asking = request.asking;
    AskingSpec {
        name: asking.name,
        connector: asking.connector,
        simulator: asking.simulator,
        helpers: asking.helpers,
        before_all: asking.before_all,
        after_all: asking.after_all,
        calls_script: asking.calls_script,
        user: asking.user.filter(|user| is_usable("-u", user, found)),
        team: asking.team.filter(|team| is_usable("-t", team, found)),
        context: asking
            .ctx
            .and_then(|path| context_file(request, path, sources, found)),
    }
}

fn is_usable(flag: &str, value: &str, found: &mut Found) -> bool {
    if value.trim().is_empty() {
        let message = format!("{flag}: the value is empty");
        found.push(Diagnostic::error_anywhere(message));
        return false;
    }
    let is_malformed = |piece: &Piece<'_>| matches!(piece, Piece::Malformed(_));
    if pieces(value).iter().any(is_malformed) {
        let message = format!("{flag}: `{value}` holds something that is not a reference");
        found.push(Diagnostic::error_anywhere(message).hint(
            "there are `${NAME}`, `${ENV.NAME}` and `${NAME:-default}`; `$${` is a literal `${`",
        ));
        return false;
    }
    true
}

fn context_file(
    request: &LoadRequest<'_>,
    path: &Path,
    sources: &mut Sources,
    found: &mut Found,
) -> Option<ContextSpec> {
    let path = absolute(request.cwd, path);
    let name = shown(&path, request.cwd);
    if !path.is_file() {
        let what = if path.is_dir() {
            "a folder"
        } else {
            "not there"
        };
        let message = format!("--ctx: the context file `{name}` is {what}");
        let diagnostic = Diagnostic::error_anywhere(message);
        found.push(match nearest_sibling(&path, request.cwd) {
            Some(sibling) if !path.exists() => {
                diagnostic.hint(format!("did you mean `{sibling}`?"))
            }
            _ => diagnostic.hint("`ananke schema context` says what it may hold"),
        });
        return None;
    }
    let name = Arc::from(name);
    let text = read(&path, &name, sources, found)?;
    if text.trim().is_empty() {
        found.push(
            Diagnostic::error(&Place::file(&name), "the context file is empty")
                .hint("write `{\"authorized\": {\"user_id\": \"admin\"}}`"),
        );
        return None;
    }
    context(&node(&name, &text, found)?, found)
}

/// Reads JSON as JSON, for its tabs and its mistakes, and everything else as YAML.
fn node(name: &Arc<str>, text: &str, found: &mut Found) -> Option<Node> {
    if !text.trim_start().starts_with('{') || is_yaml_name(Path::new(&**name)) {
        return compose(name, text, found);
    }
    let mut objects = objects(name, text, found).into_iter();
    let first = objects.next();
    if let Some(second) = objects.next() {
        let message = "a context file holds one object, found another";
        found.push(Diagnostic::error(&second.place, message));
    }
    first
}
