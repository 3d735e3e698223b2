//! Commands that ananke starts: `hooks`, `server` and targets that are programs.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::{Hook, Server};

use super::Found;
use super::object::Object;
use super::values::{items, millis, scalar, scalars, text};
use crate::schema::{HOOK, SERVER};
use crate::yaml::{Node, ScalarKind};

/// How long a hook may take, and how long a server may take to answer.
const DEFAULT_TIMEOUT_MS: u64 = 30_000;

/// Reads an entry of `hooks`.
pub(super) fn hook(node: &Node, found: &mut Found) -> Option<Hook> {
    let object = Object::open(node, &HOOK, found)?;
    let cmd = object.get("cmd").and_then(|node| command(node, found));
    let timeout_ms = object
        .get("timeout_ms")
        .and_then(|node| millis(node, found));
    let env = object.get("env").map(|node| environment(node, found));
    Some(Hook {
        cmd: cmd?,
        timeout_ms: timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS),
        env: env.unwrap_or_default(),
        place: node.place.clone(),
    })
}

/// Reads `server`.
pub(super) fn server(node: &Node, found: &mut Found) -> Option<Server> {
    let object = Object::open(node, &SERVER, found)?;
    let cmd = object.get("cmd").and_then(|node| command(node, found));
    let url = object.get("url").and_then(|node| text(node, found));
    let timeout_ms = object
        .get("timeout_ms")
        .and_then(|node| millis(node, found));
    let env = object.get("env").map(|node| environment(node, found));
    Some(Server {
        cmd: cmd?,
        url: url?,
        timeout_ms: timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS),
        env: env.unwrap_or_default(),
        place: node.place.clone(),
    })
}

/// Reads `cmd`.
pub(super) fn command(node: &Node, found: &mut Found) -> Option<Vec<Text>> {
    command_under(node, "cmd", found)
}

/// Reads program and arguments, which stand under `key`.
pub(super) fn command_under(node: &Node, key: &str, found: &mut Found) -> Option<Vec<Text>> {
    if let Some(line) = node.scalar().filter(|s| s.kind == ScalarKind::Str) {
        let words: Vec<_> = line.text.split_whitespace().collect();
        found.push(
            Diagnostic::error(&node.place, "expected a list, found text")
                .label("there is no shell: program and arguments are written one by one")
                .hint(format!("write `{key}: [{}]`", words.join(", "))),
        );
        return None;
    }
    let items = items(node, found)?;
    let Some(program) = items.first() else {
        found.push(Diagnostic::error(&node.place, "the command is empty"));
        return None;
    };
    let cmd: Vec<_> = items.iter().map(|item| scalar(item, found)).collect();
    if program
        .scalar()
        .is_some_and(|scalar| scalar.text.is_empty())
    {
        found.push(Diagnostic::error(&program.place, "the program is empty"));
        return None;
    }
    cmd.into_iter().collect()
}

/// Reads `env`.
pub(super) fn environment(node: &Node, found: &mut Found) -> Vec<(String, Text)> {
    let mut environment = Vec::new();
    for (name, value) in scalars(node, found) {
        if name.text.is_empty() || name.text.contains(['=', '\0']) {
            let message = format!("`{}` cannot name an environment variable", name.text);
            found.push(Diagnostic::error(&name.place, message));
        } else {
            environment.push((name.text, value));
        }
    }
    environment
}
