//! A run of a binary, from its arguments to its start.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::output::RunOutput;
use super::running::Running;

/// How long a run may take, unless the test says otherwise.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A run of a binary that is being prepared.
#[derive(Debug)]
pub struct Invocation {
    command: Command,
    stdin: Option<Vec<u8>>,
    time_limit: Duration,
}

impl Invocation {
    /// Prepares a run of `bin` in `dir`. The environment holds `PATH` and `HOME` only.
    pub fn new(bin: &Path, dir: &Path, home: &Path) -> Self {
        let mut command = Command::new(bin);
        command
            .current_dir(dir)
            .env_clear()
            .env("PATH", search_path())
            .env("HOME", home);
        Self {
            command,
            stdin: None,
            time_limit: TIME_LIMIT,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Removes an environment variable.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Gives the process this input, then closes it; without it there is none.
    #[must_use]
    pub fn stdin(mut self, text: &str) -> Self {
        self.stdin = Some(text.as_bytes().to_vec());
        self
    }

    /// Changes the limit on time.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Runs it to its end. Panics with the output so far if that takes too long.
    pub fn run(self) -> RunOutput {
        self.start().wait()
    }

    /// Starts it, for tests that do something meanwhile.
    pub fn start(mut self) -> Running {
        self.command.stdin(if self.stdin.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        });
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.process_group(0);
        let started = Instant::now();
        let mut child = match self.command.spawn() {
            Ok(child) => child,
            Err(error) => panic!("cannot start {:?}: {error}", self.command.get_program()),
        };
        if let (Some(bytes), Some(mut stdin)) = (self.stdin, child.stdin.take()) {
            // A process that does not read its input is not this thread's concern.
            std::thread::spawn(move || stdin.write_all(&bytes).ok());
        }
        Running::new(child, started, self.time_limit)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tests' own environment, not the product's settings"
)]
fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap_or_default()
}
