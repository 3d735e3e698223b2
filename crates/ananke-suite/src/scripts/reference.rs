//! How a function of a script is named: `scripts.test.Assert`, `scripts:tests.validate-expense`, `./checks/refund.ts#Check`.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Place;

use super::names::{is_script_name, words};

/// Who names a function.
#[derive(Clone, Debug)]
pub(crate) enum Asker {
    /// It is named in a file.
    Place(Place),
    /// A flag names it.
    Flag(&'static str),
}

impl Asker {
    /// Returns an error that tells who made the mistake.
    pub(super) fn error(&self, message: String) -> Diagnostic {
        match self {
            Self::Place(place) => Diagnostic::error(place, message),
            Self::Flag("") => Diagnostic::error_anywhere(message),
            Self::Flag(flag) => Diagnostic::error_anywhere(format!("{flag}: {message}")),
        }
    }

    /// Returns the place that calls remember.
    pub(super) fn place(&self) -> Place {
        match self {
            Self::Place(place) => place.clone(),
            Self::Flag(_) => Place::default(),
        }
    }
}

/// What a reference says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference<'r> {
    /// A path, and perhaps a function.
    Path(PathBuf, Option<&'r str>),
    /// The words of a name, of which the last may be the function.
    Words {
        /// The words.
        words: Vec<&'r str>,
        /// Whether the last word is more likely a function than a file.
        ends_in_function: bool,
    },
    /// No prefix and no ending of a script: a hook can be named so.
    Bare(&'r str),
}

/// Reads a reference.
pub(super) fn reference<'r>(written: &'r str, asker: &Asker) -> Result<Reference<'r>, Diagnostic> {
    let wrong = |message: String, hint: &str| Err(asker.error(message).hint(hint));
    if written.contains("${") {
        return wrong(
            "a script is named without references".to_owned(),
            "write the name as it is, such as `scripts.test.Assert`",
        );
    }
    if written.starts_with("agents:") {
        return wrong(
            format!("`{written}` names an agent, not a script"),
            "write `type: agent` if an agent is to judge, or name a script: `scripts:tests.validate`",
        );
    }
    let (rest, prefix) = match (
        written.strip_prefix("scripts:"),
        written.strip_prefix("scripts."),
    ) {
        (Some(rest), _) => (rest, ':'),
        (None, Some(rest)) if !is_path(written) => (rest, '.'),
        (None, _) => (written, ' '),
    };
    if rest.contains('?') {
        return wrong(
            "parameters after `?` are only for `-i`".to_owned(),
            "leave them out; what a check is told stands under `options.metadata`",
        );
    }
    if is_path(rest) {
        let (path, function) = match rest.split_once('#') {
            Some((path, function)) => (path, Some(function)),
            None => (rest, None),
        };
        if function.is_some_and(|function| function.trim().is_empty()) {
            return wrong(
                format!("`{written}` names no function behind `#`"),
                "write its name, or leave `#` out for the default export",
            );
        }
        return Ok(Reference::Path(PathBuf::from(path), function));
    }
    if prefix == ' ' {
        return Ok(Reference::Bare(rest));
    }
    match words(rest) {
        Some(words) => Ok(Reference::Words {
            words,
            ends_in_function: prefix == '.',
        }),
        None => wrong(
            format!("`{written}` cannot be the name of a script"),
            "write the folders, the file and the function with dots: `scripts.test.Assert`",
        ),
    }
}

fn is_path(written: &str) -> bool {
    let path = written.split_once('#').map_or(written, |(path, _)| path);
    is_script_name(Path::new(path)) && !path.ends_with(['/', '\\'])
}

/// Returns what is to be said about a name without a prefix where no hook can stand.
pub(super) fn without_prefix(written: &str, asker: &Asker) -> Diagnostic {
    let diagnostic = asker.error(format!("`{written}` does not say where the script is"));
    let word = written.split(['.', ':']).next().unwrap_or_default();
    let rest = written.get(word.len()..).unwrap_or_default();
    match did_you_mean(word, ["scripts"]) {
        Some(_) if rest.len() > 1 => diagnostic.hint(format!("did you mean `scripts{rest}`?")),
        _ => diagnostic.hint(format!(
            "write `scripts.{written}` for what is below `scripts`, or a path: `./{written}.ts#Check`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Reference<'_> {
        reference(written, &Asker::Flag("")).unwrap()
    }

    #[test]
    fn three_forms_are_told_apart() {
        let words = |words: &[&'static str], ends_in_function| Reference::Words {
            words: words.to_vec(),
            ends_in_function,
        };
        let path = |path: &str, function| Reference::Path(PathBuf::from(path), function);
        assert_eq!(
            read("scripts.test.Assert"),
            words(&["test", "Assert"], true)
        );
        assert_eq!(read("scripts:a.b-c"), words(&["a", "b-c"], false));
        assert_eq!(read("./a/b.ts#Check"), path("./a/b.ts", Some("Check")));
        assert_eq!(read("scripts:a/b.js"), path("a/b.js", None));
        assert_eq!(read("scripts.d/b.ts"), path("scripts.d/b.ts", None));
        assert_eq!(read("env_test.Before"), Reference::Bare("env_test.Before"));
        assert_eq!(read("src/env.Before"), Reference::Bare("src/env.Before"));
    }
}
