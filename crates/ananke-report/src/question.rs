//! What a turn asked of a server, in the words in which a test asks it.

use ananke_model::recording::Turn;
use serde_json::Value;

/// Methods that list something, and how a test calls that.
const LISTED: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("resources/list", "resources"),
    ("resources/templates/list", "templates"),
    ("prompts/list", "prompts"),
];

/// Returns the keys of a turn that asks the same; `None` if the turn asks nothing of a server, or if what it asked was not
/// recorded. A list of everything has no keys.
pub(crate) fn question(turn: &Turn) -> Option<Vec<(&'static str, Value)>> {
    let params = |method: &str| {
        let mut sent = turn.requests.iter();
        sent.find(|request| request["method"] == method)?
            .get("params")
    };
    let named = |method: &str, key: &'static str| {
        let params = params(method)?;
        let mut keys = vec![(key, params.get("name")?.clone())];
        // No arguments and an empty map are the same.
        let args = params.get("arguments").and_then(Value::as_object);
        let args = args.filter(|args| !args.is_empty()).cloned();
        keys.extend(args.map(|args| ("args", Value::Object(args))));
        Some(keys)
    };
    match turn.kind.as_str() {
        "mcp:call" => named("tools/call", "tool"),
        "mcp:prompt" => named("prompts/get", "name"),
        "mcp:read" => Some(vec![("uri", params("resources/read")?.get("uri")?.clone())]),
        "mcp:list" => {
            let is_asked = |method: &str| turn.requests.iter().any(|sent| sent["method"] == method);
            let mut listed = LISTED.into_iter().filter(|(method, _)| is_asked(method));
            let (_, first) = listed.next()?;
            let is_one = listed.next().is_none();
            Some(is_one.then(|| ("what", first.into())).into_iter().collect())
        }
        _ => None,
    }
}
