//! The rules of `ananke conform`: the list of their examples, which the binary is built with, and a page for each.

use std::fs;
use std::path::Path;

use super::{ananke, root, target};
use crate::step::output;

const FIXTURES: &str = "crates/ananke-conform/fixtures";
const PAGES: &str = "docs/conformance";

/// Lists the file of each rule. Files with `--` in their names are further ones.
pub(super) fn index() -> Result<Vec<(String, String)>, String> {
    let names = names(&root().join(FIXTURES))?;
    let rules = names
        .iter()
        .filter_map(|name| name.strip_suffix(".json"))
        .filter(|rule| !rule.contains("--"));
    let mut list = "[\n".to_owned();
    for rule in rules {
        list += &format!("    (\"{rule}\", include_str!(\"{rule}.json\")),\n");
    }
    list += "]\n";
    Ok(vec![(format!("{FIXTURES}/index.in"), list)])
}

/// Has the binary write the pages, and returns them; a page of a rule that is gone is an error.
pub(super) fn pages() -> Result<Vec<(String, String)>, String> {
    let folder = target().join("gen/conformance");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let shown = folder.display().to_string();
    output(&mut ananke(&["conform", "--pages", &shown]))?;
    let written = names(&folder)?;
    let stale = names(&root().join(PAGES))?
        .into_iter()
        .find(|name| name != "clients.md" && !written.contains(name));
    if let Some(name) = stale {
        return Err(format!(
            "{PAGES}/{name} is about a rule that is gone: delete it"
        ));
    }
    let read = |name: String| {
        let text = fs::read_to_string(folder.join(&name)).map_err(|error| error.to_string())?;
        Ok((format!("{PAGES}/{name}"), text))
    };
    written.into_iter().map(read).collect()
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    Ok(names)
}
