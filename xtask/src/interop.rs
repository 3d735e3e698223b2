//! Sets up the servers and checkers of `interop/`: Python environments and Node packages under `target/interop`.
//!
//! Each is made once: a stamp beside it tells what it was made from, and is written only when everything is in place.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::step::{bounded, command, output, root, seconds, target};

/// How long one step of the set-up may take.
const LIMIT: Duration = Duration::from_secs(600);

/// Writes down where something is, for the tests that need it.
pub(crate) fn stamp(name: &str, path: &str) -> Result<(), String> {
    let stamp = folder().join(name);
    std::fs::create_dir_all(folder())
        .and_then(|()| std::fs::write(&stamp, path))
        .map_err(|error| format!("{} cannot be written: {error}", stamp.display()))
}

/// Where the servers' packages are installed.
pub(crate) fn folder() -> PathBuf {
    target().join("interop")
}

/// A Python environment of the servers: packages that can live together.
struct Environment {
    /// Its folder, and the name of its stamp.
    name: &'static str,
    requirements: &'static str,
    constraints: &'static str,
    /// A script that makes one more file, and the name of that file.
    script: Option<(&'static str, &'static str)>,
}

/// Two protocols broke between the versions that are tried, and pip installs one version of a package.
const ENVIRONMENTS: [Environment; 3] = [
    Environment {
        name: "venv",
        requirements: "requirements.txt",
        constraints: "constraints.txt",
        script: Some(("junit/fetch_schema.py", "junit-10.xsd")),
    },
    Environment {
        name: "venv-new",
        requirements: "requirements-new.txt",
        constraints: "constraints-new.txt",
        script: None,
    },
    Environment {
        name: "venv-old",
        requirements: "requirements-old.txt",
        constraints: "constraints-old.txt",
        script: None,
    },
];

/// Makes the Python environments in `target/interop`; returns why that is impossible.
pub(crate) fn set_up_python() -> Result<(), String> {
    let version = version_of("python3")?;
    ENVIRONMENTS
        .iter()
        .try_for_each(|environment| environment.set_up(&version))
}

impl Environment {
    fn set_up(&self, version: &str) -> Result<(), String> {
        let mut sources = vec![self.requirements, self.constraints];
        sources.extend(self.script.map(|(script, _)| script));
        let stamp = folder().join(format!("{}.stamp", self.name));
        let stamp = Stamp::new(&stamp, version, &sources)?;
        let venv = folder().join(self.name);
        let python = venv.join("bin/python");
        if stamp.is_current() && python.exists() {
            println!("    Python packages are in {}", shown(&venv));
            return Ok(());
        }
        let started = Instant::now();
        println!("    installing Python packages into {} …", shown(&venv));
        stamp.clear();
        let path = venv.display().to_string();
        bounded(
            &mut command("python3", &["-m", "venv", "--clear", &path]),
            LIMIT,
        )?;
        let options = "-m pip --quiet --disable-pip-version-check --no-input install -r";
        let requirements = format!("interop/{}", self.requirements);
        let words: Vec<&str> = options.split(' ').chain([requirements.as_str()]).collect();
        bounded(&mut command(&python, &words), LIMIT)?;
        if let Some((script, made)) = self.script {
            let words = [
                format!("interop/{script}"),
                folder().join(made).display().to_string(),
            ];
            bounded(&mut command(&python, &words), LIMIT)?;
        }
        stamp.write()?;
        println!("    installed in {}", seconds(started));
        Ok(())
    }
}

/// Makes `target/interop/node`; returns why that is impossible.
pub(crate) fn set_up_node() -> Result<(), String> {
    let version = format!("{} {}", version_of("node")?, version_of("npm")?);
    let sources = ["package.json", "package-lock.json", ".npmrc"];
    let stamp = Stamp::new(&folder().join("node.stamp"), &version, &sources)?;
    let node = folder().join("node");
    // Node looks for packages beside the file that imports them, so the servers live there too.
    copy_servers(&node).map_err(|error| format!("{}: {error}", shown(&node)))?;
    if stamp.is_current() && node.join("node_modules").exists() {
        println!("    Node packages are in {}", shown(&node));
        return Ok(());
    }
    let started = Instant::now();
    println!("    installing Node packages into {} …", shown(&node));
    stamp.clear();
    bounded(
        command("npm", &["ci", "--loglevel=error"]).current_dir(&node),
        LIMIT,
    )?;
    stamp.write()?;
    println!("    installed in {}", seconds(started));
    Ok(())
}

fn copy_servers(node: &Path) -> std::io::Result<()> {
    copy_scripts(&root().join("interop"), node)?;
    copy_scripts(&root().join("interop/browser"), &node.join("browser"))
}

fn copy_scripts(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for file in std::fs::read_dir(from)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default();
        let is_server = path.extension().is_some_and(|ending| ending == "mjs");
        let is_manifest = ["package.json", "package-lock.json", ".npmrc"]
            .iter()
            .any(|manifest| name == *manifest);
        if is_server || is_manifest {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

fn version_of(program: &str) -> Result<String, String> {
    match output(&mut command(program, &["--version"])) {
        Ok(version) => Ok(version.trim().to_owned()),
        Err(why) if why.contains("cannot be started") => Err(format!("{program} not found")),
        Err(why) => Err(why),
    }
}

/// Shows a path below the repository without what is above it.
fn shown(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// What something was made from.
struct Stamp {
    path: PathBuf,
    text: String,
}

impl Stamp {
    fn new(path: &Path, version: &str, sources: &[&str]) -> Result<Self, String> {
        let mut hasher = DefaultHasher::new();
        for name in sources {
            let source = root().join("interop").join(name);
            let content = std::fs::read(&source)
                .map_err(|error| format!("{} cannot be read: {error}", source.display()))?;
            content.hash(&mut hasher);
        }
        Ok(Self {
            path: path.to_owned(),
            text: format!("{version}\n{:016x}\n", hasher.finish()),
        })
    }

    fn is_current(&self) -> bool {
        std::fs::read_to_string(&self.path).is_ok_and(|text| text == self.text)
    }

    fn clear(&self) {
        // It need not be there.
        std::fs::remove_file(&self.path).ok();
    }

    fn write(&self) -> Result<(), String> {
        std::fs::write(&self.path, &self.text)
            .map_err(|error| format!("{} cannot be written: {error}", self.path.display()))
    }
}
