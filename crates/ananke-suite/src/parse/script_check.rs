//! What functions of scripts judge: checks of `type: script`, and `script` in a block.

use std::path::PathBuf;

use ananke_model::check::Check;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::script::{ScriptCall, ScriptCheck};

use super::Found;
use super::case_options::json_map;
use super::duration::duration;
use super::judge::demanded;
use super::object::Object;
use super::values::{boolean, json, mismatch, text};
use crate::schema::{SCRIPT_DEMAND, SCRIPT_OPTIONS};
use crate::yaml::{Kind, Node};

/// Reads what stands under `script` in a block: a name, a map, or a list of both.
pub(super) fn script_demands(node: &Node, found: &mut Found) -> Option<Vec<(Place, Check)>> {
    let items = demanded(node, found)?;
    let demands = items.iter().filter_map(|item| {
        let check = script_demand(item, found)?;
        Some((item.place.clone(), Check::Script(Box::new(check))))
    });
    Some(demands.collect())
}

fn script_demand(node: &Node, found: &mut Found) -> Option<ScriptCheck> {
    match &node.kind {
        Kind::Scalar(_) => Some(ScriptCheck {
            call: named(text(node, found)?),
            value: None,
            metadata: None,
            timeout_ms: None,
            negate: false,
            message: None,
        }),
        Kind::Map(_) => {
            let n_before = found.len();
            let object = Object::open(node, &SCRIPT_DEMAND, found)?;
            let asked = [object.get("metadata"), object.get("timeout")];
            read(&object, object.get("use"), asked, n_before, found)
        }
        Kind::Seq(_) | Kind::Broken => {
            mismatch(node, "the name of a function, or a map", found);
            None
        }
    }
}

/// Reads a check of `type: script`, whose type was read before.
pub(super) fn script_check(object: &Object<'_>, found: &mut Found) -> Option<ScriptCheck> {
    let n_before = found.len();
    let (script, used) = (object.get("script"), object.get("use"));
    let function = match (script, used) {
        (Some(node), None) | (None, Some(node)) => Some(node),
        (Some(_), Some(node)) => {
            let message = "`script` and `use` say the same twice";
            found.push(Diagnostic::error(&node.place, message).hint("leave one of them out"));
            None
        }
        (None, None) => {
            let message = format!("`script` is missing in {}", object.title());
            let hint = "write `script: scripts.test.Assert`";
            found.push(Diagnostic::error(object.place(), message).hint(hint));
            None
        }
    };
    let options = object.get("options");
    let options = options.and_then(|node| Object::open(node, &SCRIPT_OPTIONS, found));
    let [metadata, timeout] = ["metadata", "timeout"].map(|key| options.as_ref()?.get(key));
    let timeout = match (object.get("timeout"), timeout) {
        (Some(node), Some(_)) => {
            let message = "`timeout` stands in `options` already";
            found.push(Diagnostic::error(&node.place, message).hint("leave one of them out"));
            None
        }
        (beside, inside) => beside.or(inside),
    };
    read(object, function, [metadata, timeout], n_before, found)
}

/// Reads what both forms have in common. `asked` are `metadata` and `timeout`.
fn read(
    object: &Object<'_>,
    function: Option<&Node>,
    [metadata, timeout]: [Option<&Node>; 2],
    n_before: usize,
    found: &mut Found,
) -> Option<ScriptCheck> {
    let function = function.and_then(|node| text(node, found));
    let value = object.get("value").and_then(|node| json(node, found));
    let metadata = metadata.and_then(|node| json_map(node, found));
    let timeout_ms = timeout.and_then(|node| duration(node, found));
    let negate = object.get("negate").and_then(|node| boolean(node, found));
    let message = object.get("message").and_then(|node| text(node, found));
    // A demand without one of its parts is another demand.
    if found.len() > n_before {
        return None;
    }
    Some(ScriptCheck {
        call: named(function?),
        value,
        metadata,
        timeout_ms,
        negate: negate.unwrap_or(false),
        message,
    })
}

/// Returns a call of which only the name is known: planning finds the file.
fn named(function: Text) -> ScriptCall {
    ScriptCall {
        reference: function.text,
        path: PathBuf::new(),
        shown: "".into(),
        function: None,
        digest: String::new(),
        place: function.place,
    }
}
