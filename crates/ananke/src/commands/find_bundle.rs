//! Which bundle is meant: a folder, its file, the name of a run, `latest` or `previous`.

use std::path::{Path, PathBuf};

use ananke_store::Bundle;
use clap::Args;

use super::bundle::{DEFAULT_DIR, shown, unreadable};
use crate::error::{CommandError, Exit};
use crate::settings::Environment;

/// Where to look for bundles, for commands that load no tests.
#[derive(Args, Debug)]
pub(crate) struct PlaceArgs {
    /// The folder of the bundles; by default `bundle.dir` of the config, else .ananke/runs beside it
    #[arg(long, value_name = "FOLDER", env = "ANANKE_BUNDLE_DIR")]
    bundle_dir: Option<PathBuf>,
    /// The config file, which may say where bundles are; by default the nearest ananke.config.yaml
    #[arg(long, value_name = "FILE", env = "ANANKE_CONFIG")]
    config: Option<PathBuf>,
}

impl PlaceArgs {
    /// Returns the place that they name.
    pub(crate) fn place<'a>(&'a self, environment: &'a Environment) -> BundlePlace<'a> {
        BundlePlace {
            dir: self.bundle_dir.as_deref(),
            config: self.config.as_deref(),
            environment,
        }
    }
}

/// Where the bundles of a project are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BundlePlace<'a> {
    /// `--bundle-dir`.
    pub(crate) dir: Option<&'a Path>,
    /// `--config`.
    pub(crate) config: Option<&'a Path>,
    pub(crate) environment: &'a Environment,
}

impl BundlePlace<'_> {
    /// Returns the folder of the project's bundles.
    pub(crate) fn folder(&self) -> PathBuf {
        let cwd = &self.environment.cwd;
        if let Some(dir) = self.dir {
            return cwd.join(dir);
        }
        let (root, settings) = ananke_suite::bundle_settings(cwd, self.config);
        let variables = self.environment.references(&[]);
        let dir = settings.dir.and_then(|dir| variables.text(&dir.text).ok());
        root.join(dir.as_deref().unwrap_or(DEFAULT_DIR))
    }

    /// Returns the path of the bundle that `name` means.
    pub(crate) fn find(&self, name: &str) -> Result<PathBuf, CommandError> {
        let path = self.environment.cwd.join(name);
        if path.exists() {
            return Ok(path);
        }
        let folder = self.folder();
        let runs = ananke_store::list(&folder);
        let found = match name {
            "latest" => runs.first().cloned(),
            "previous" => runs.get(1).cloned(),
            _ => {
                let mut matching = runs.iter().filter(|run| is_named(run, name));
                let first = matching.next().cloned();
                first.filter(|_| matching.next().is_none())
            }
        };
        found.ok_or_else(|| self.missing(name, &folder, &runs))
    }

    /// Reads the bundle that `name` means.
    pub(crate) fn read(&self, name: &str) -> Result<Bundle, CommandError> {
        let path = self.find(name)?;
        let mut bundle = Bundle::read(&path).map_err(|error| unreadable(&error))?;
        bundle.head.run.bundle = Some(shown(&bundle.path, self.environment));
        Ok(bundle)
    }

    fn missing(&self, name: &str, folder: &Path, runs: &[PathBuf]) -> CommandError {
        let message = format!(
            "there is no bundle `{name}`: no such file, and no such run in `{}`",
            shown(folder, self.environment)
        );
        let newest: Vec<&str> = runs
            .iter()
            .take(5)
            .filter_map(|run| run.file_name()?.to_str())
            .collect();
        let hint = if newest.is_empty() {
            "`ananke run` leaves a bundle of every run".to_owned()
        } else {
            format!(
                "the newest are {}; `latest` and `previous` work too",
                newest.join(", ")
            )
        };
        CommandError::new(Exit::Configuration, message).hint(hint)
    }
}

/// Tells whether a run's name begins or ends with what was typed.
fn is_named(run: &Path, typed: &str) -> bool {
    let name = run.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| !typed.is_empty() && (name.starts_with(typed) || name.ends_with(typed)))
}
