//! The flag: which files, what they brought, and who gets it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources, Text};
use ananke_model::plan::Plan;
use clap::Args;

use super::parse::parse;
use crate::settings::Environment;

/// The largest file that is read.
const MAX_BYTES: u64 = 1024 * 1024;

/// Variables from files.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EnvFileArgs {
    /// Files of variables.
    #[arg(
        long = "env-file",
        value_name = "FILE",
        help = "A file with NAME=VALUE lines for ${ENV.NAME}, hooks and the server; may be repeated, the last wins, the \
                environment wins over all [env: ANANKE_ENV_FILE]"
    )]
    pub(crate) env_files: Vec<PathBuf>,
}

/// What the files brought.
#[derive(Debug, Default)]
pub(crate) struct FileVariables {
    /// Those that the environment does not have itself.
    pub(crate) variables: BTreeMap<String, String>,
    /// What is wrong with the files.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Their texts.
    pub(crate) sources: Sources,
}

impl EnvFileArgs {
    /// Reads the files that `--env-file` or its twin names.
    pub(crate) fn read(&self, environment: &Environment) -> FileVariables {
        let mut files = self.env_files.clone();
        if files.is_empty() {
            let twin = environment.list("ANANKE_ENV_FILE");
            files.extend(twin.into_iter().map(PathBuf::from));
        }
        let mut read = FileVariables::default();
        for file in files {
            let shown = file.display().to_string();
            match text(&environment.cwd.join(&file)) {
                Ok(text) => {
                    read.sources.insert(&shown, &text);
                    let variables = parse(&shown, &text, &mut read.diagnostics);
                    read.variables.extend(variables);
                }
                Err(why) => {
                    let message = format!("cannot read `{shown}`: {why}");
                    let hint = "`--env-file` names a text file with lines such as `NAME=VALUE`";
                    read.diagnostics
                        .push(Diagnostic::error_anywhere(message).hint(hint));
                }
            }
        }
        read.variables
            .retain(|name, _| !environment.variables.contains_key(name));
        read
    }
}

impl FileVariables {
    /// Returns the environment with these variables added.
    pub(crate) fn over(&self, environment: &Environment) -> Environment {
        let mut variables = environment.variables.clone();
        variables.extend(self.variables.clone());
        Environment {
            variables,
            cwd: environment.cwd.clone(),
            ..*environment
        }
    }

    /// Hands the variables to the processes of a plan. What a hook or the server sets itself wins.
    pub(crate) fn give_to(&self, plan: &mut Plan) {
        let own = |place: &Place| {
            let text = |value: &String| Text {
                // The value is no place for references.
                text: value.replace("${", "$${"),
                place: place.clone(),
            };
            let variables = self.variables.iter();
            variables
                .map(|(name, value)| (name.clone(), text(value)))
                .collect::<Vec<_>>()
        };
        if self.variables.is_empty() {
            return;
        }
        for hook in plan.tests.iter_mut().flat_map(|test| &mut test.hooks) {
            hook.env.splice(..0, own(&hook.place));
        }
        if let Some(server) = &mut plan.server {
            server.env.splice(..0, own(&server.place));
        }
    }
}

fn text(path: &Path) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if about.is_dir() {
        return Err("it is a folder".to_owned());
    }
    if about.len() > MAX_BYTES {
        return Err("it is larger than 1 MiB".to_owned());
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}
