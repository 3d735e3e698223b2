//! Where the functions are that scripts call by the name of a process: `scripts.orders.Find`, `agents.shop.tools.Find`.

use std::path::{Path, PathBuf};

/// Kinds of files that hold scripts, in the order in which they are looked for.
const ENDINGS: [&str; 2] = ["ts", "js"];

/// Finds the file and the function of a process; nothing if the name is of another kind.
pub(super) fn find(root: &Path, process: &str) -> Option<Result<(PathBuf, String), String>> {
    let (kind, rest) = process.split_once('.')?;
    let is_agent = match kind {
        "scripts" => false,
        "agents" => true,
        _ => return None,
    };
    let mut names: Vec<&str> = rest.split('.').collect();
    let function = names.pop().unwrap_or_default();
    let is_plain = |name: &&str| !name.is_empty() && !name.contains(['/', '\\', '\0', ':']);
    if names.is_empty() || !names.iter().all(is_plain) || !is_plain(&function) {
        let form = match is_agent {
            true => "agents.<id>.<module>.<function>",
            false => "scripts.<module>.<function>",
        };
        return Some(Err(format!("`{process}` is not of the form `{form}`")));
    }
    let mut candidates = Vec::new();
    if !is_agent {
        candidates.push(joined(&root.join("scripts"), &names));
    }
    // The longest id of an assistant first; the rest is the module.
    for n_id in (1..names.len()).rev() {
        let (id, module) = names.split_at(n_id);
        for folder in [root.join("assistants"), root.to_owned()] {
            candidates.push(joined(&joined(&folder, id).join("src"), module));
        }
    }
    for candidate in &candidates {
        for ending in ENDINGS {
            let file = with_ending(candidate, ending);
            if file.is_file() {
                return Some(Ok((file, function.to_owned())));
            }
        }
    }
    let looked = candidates.iter().map(|candidate| {
        let below = candidate.strip_prefix(root).unwrap_or(candidate);
        format!("{}.ts", below.display())
    });
    let looked: Vec<String> = looked.collect();
    Some(Err(match looked.is_empty() {
        true => format!("`{process}` names no module: agents.<id>.<module>.<function>"),
        false => format!(
            "there is no script for `{process}`: looked for {} (and .js)",
            looked.join(", ")
        ),
    }))
}

fn joined(folder: &Path, names: &[&str]) -> PathBuf {
    folder.join(names.iter().collect::<PathBuf>())
}

/// Adds an ending; `with_extension` would take a part of a name away that has a point in it.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(".");
    path.push(ending);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_functions_of_files() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path();
        for file in [
            "scripts/orders.ts",
            "scripts/shop/cart.js",
            "assistants/shop/src/tools.ts",
            "expense/src/setup.ts",
            "assistants/a/b/src/index.ts",
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let found = |process: &str| match find(root, process) {
            None => "none".to_owned(),
            Some(Err(why)) => why,
            Some(Ok((path, function))) => {
                let below = path.strip_prefix(root).unwrap().display().to_string();
                format!("{below} {function}")
            }
        };
        assert_eq!(found("scripts.orders.Find"), "scripts/orders.ts Find");
        assert_eq!(found("scripts.shop.cart.Add"), "scripts/shop/cart.js Add");
        assert_eq!(
            found("scripts.expense.setup.Ready"),
            "expense/src/setup.ts Ready"
        );
        assert_eq!(
            found("agents.shop.tools.Find"),
            "assistants/shop/src/tools.ts Find"
        );
        assert_eq!(
            found("agents.a.b.index.Create"),
            "assistants/a/b/src/index.ts Create"
        );
        assert_eq!(found("models.user.Find"), "none");
        assert_eq!(
            found("scripts.orders"),
            "`scripts.orders` is not of the form `scripts.<module>.<function>`"
        );
        assert_eq!(
            found("scripts.../x.F"),
            "`scripts.../x.F` is not of the form `scripts.<module>.<function>`"
        );
        assert_eq!(
            found("scripts.none.Find"),
            "there is no script for `scripts.none.Find`: looked for scripts/none.ts (and .js)"
        );
        assert_eq!(
            found("agents.shop.Find"),
            "`agents.shop.Find` names no module: agents.<id>.<module>.<function>"
        );
    }
}
