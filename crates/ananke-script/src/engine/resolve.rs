//! What an import means: a file beside, nothing outside the project, no packages.

use std::path::{Component, Path, PathBuf};

/// The name under which scripts import the types, and a few of the values, that they are given anyway.
pub(super) const RUNTIME: &str = "@yao/runtime";

/// What an import names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Import {
    File(PathBuf),
    Runtime,
}

/// Finds what `name` means in `base`, both as written. `root` is the folder outside of which nothing is imported, `exists`
/// tells whether there is a file.
pub(super) fn resolve(
    base: &Path,
    name: &str,
    root: &Path,
    exists: impl Fn(&Path) -> bool,
) -> Result<Import, String> {
    if name == RUNTIME || name == "ananke" {
        return Ok(Import::Runtime);
    }
    let is_path = name.starts_with("./") || name.starts_with("../") || name.starts_with('/');
    if name.contains("://") {
        return Err(format!(
            "modules are not fetched from the network: `{name}`; put the file beside the script and import it by path"
        ));
    }
    if !is_path && name != "." && name != ".." {
        return Err(format!(
            "packages cannot be imported: `{name}`; scripts import files by path, such as `./{name}`"
        ));
    }
    let folder = base.parent().unwrap_or(root);
    let wanted = plain(&folder.join(name));
    if !wanted.starts_with(root) {
        return Err(format!(
            "`{name}` is outside the project: imports stay below {}; put the config at the root of the project, or run from there",
            root.display()
        ));
    }
    let candidates = candidates(&wanted);
    let found = candidates.iter().find(|path| exists(path));
    match found {
        Some(path) => match path.canonicalize() {
            Ok(real) if !real.starts_with(root) => Err(format!(
                "`{name}` leads outside the project: imports stay below {}; put the config at the root of the project, or run from there",
                root.display()
            )),
            Ok(real) => Ok(Import::File(real)),
            Err(_) => Ok(Import::File(path.clone())),
        },
        None => Err(format!("there is no module `{name}`")),
    }
}

/// Returns the files that may be meant, the likeliest first.
fn candidates(wanted: &Path) -> Vec<PathBuf> {
    const ENDS: [&str; 5] = ["ts", "js", "mts", "mjs", "json"];
    let added = |end: &str| {
        let mut name = wanted.as_os_str().to_owned();
        name.push(".");
        name.push(end);
        PathBuf::from(name)
    };
    let mut candidates = vec![wanted.to_owned()];
    // `./x.js` may name the file that TypeScript makes of `x.ts`.
    let twin = match wanted.extension().and_then(|end| end.to_str()) {
        Some("js") => Some("ts"),
        Some("mjs") => Some("mts"),
        _ => None,
    };
    candidates.extend(twin.map(|twin| wanted.with_extension(twin)));
    candidates.extend(ENDS.map(added));
    candidates.extend(
        ENDS[..2]
            .iter()
            .map(|end| wanted.join("index").with_extension(end)),
    );
    candidates
}

/// Takes `.` and `..` out of a path.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(base: &str, name: &str, files: &[&str]) -> String {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        let exists = |path: &Path| files.iter().any(|file| file == path);
        match resolve(Path::new(base), name, Path::new("/p"), exists) {
            Ok(Import::File(path)) => path.display().to_string(),
            Ok(Import::Runtime) => "the runtime".to_owned(),
            Err(why) => why,
        }
    }

    #[test]
    fn imports_name_files_of_the_project() {
        let files = [
            "/p/src/a.ts",
            "/p/src/b/index.ts",
            "/p/c.json",
            "/p/src/d.js",
        ];
        let of = |name| found("/p/src/x_test.ts", name, &files);
        assert_eq!(of("./a"), "/p/src/a.ts");
        assert_eq!(of("./a.ts"), "/p/src/a.ts");
        assert_eq!(of("./a.js"), "/p/src/a.ts");
        assert_eq!(of("./b"), "/p/src/b/index.ts");
        assert_eq!(of("../c.json"), "/p/c.json");
        assert_eq!(of("./d"), "/p/src/d.js");
        assert_eq!(of("@yao/runtime"), "the runtime");
    }

    #[test]
    fn what_is_no_file_of_the_project_is_named() {
        let of = |name| found("/p/src/x_test.ts", name, &[]);
        insta::assert_snapshot!(of("./a"), @"there is no module `./a`");
        insta::assert_snapshot!(of("../../etc/passwd"), @"`../../etc/passwd` is outside the project: imports stay below /p; put the config at the root of the project, or run from there");
        insta::assert_snapshot!(of("https://deno.land/x.ts"), @"modules are not fetched from the network: `https://deno.land/x.ts`; put the file beside the script and import it by path");
        insta::assert_snapshot!(of("lodash"), @"packages cannot be imported: `lodash`; scripts import files by path, such as `./lodash`");
    }
}
