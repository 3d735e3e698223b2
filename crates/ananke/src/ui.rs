//! The terminal: the one place that prints. Stdout is data, stderr is talk.

use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_report::{Chunk, Style, json_load_error, render_diagnostics};
use ananke_run::Redactor;
use clap::{Args, ValueEnum};

use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_count, parse_switch};

/// How to talk.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Say more about each test; twice shows the conversations
    #[arg(short, long, action = clap::ArgAction::Count, global = true, env = "ANANKE_VERBOSE", value_parser = parse_count)]
    pub(crate) verbose: u8,
    /// Show only failures and the summary
    #[arg(short, long, global = true, env = "ANANKE_QUIET", value_parser = parse_switch)]
    pub(crate) quiet: bool,
    /// When to use colors.
    #[arg(
        long,
        help = "When to use colors; auto: on a terminal, unless NO_COLOR is set",
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        env = "ANANKE_COLOR"
    )]
    pub(crate) color: ColorChoice,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// Stdout, stderr, and what they can show.
#[derive(Clone, Debug)]
pub(crate) struct Ui {
    /// How to write on stdout.
    pub(crate) stdout_style: Style,
    /// How to write on stderr.
    pub(crate) stderr_style: Style,
    /// How often `-v` was given.
    pub(crate) verbose: u8,
    /// Whether `-q` was given.
    pub(crate) quiet: bool,
    /// Whether GitHub reads what is written, and obeys it.
    pub(crate) is_ci: bool,
    /// Whether a progress line may be shown.
    pub(crate) shows_progress: bool,
    /// Whether a progress line stands on the terminal.
    progress: Arc<Mutex<bool>>,
    /// Why something could not be written to stdout.
    lost: Arc<Mutex<Option<String>>>,
    /// What is hidden in everything that is written.
    redactor: Arc<Mutex<Redactor>>,
}

impl Ui {
    /// Decides what the terminal can show.
    pub(crate) fn new(args: &OutputArgs, environment: &Environment) -> Self {
        let is_dumb = environment.get("TERM") == Some("dumb");
        let color = |is_terminal: bool| match args.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let forced = environment
                    .get("CLICOLOR_FORCE")
                    .is_some_and(|value| value != "0");
                (is_terminal && !is_dumb || forced) && environment.get("NO_COLOR").is_none()
            }
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| environment.get(name));
        // No locale at all is the state of most CI machines, which show UTF-8 well.
        let unicode = locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8")
                || locale.contains("utf8")
                || locale == "c"
                || locale == "posix"
        });
        let style = |is_terminal| Style {
            color: color(is_terminal),
            unicode,
            width: environment.columns.unwrap_or(100),
        };
        Self {
            stdout_style: style(environment.stdout_is_terminal),
            stderr_style: style(environment.stderr_is_terminal),
            verbose: args.verbose,
            quiet: args.quiet,
            is_ci: environment.get("GITHUB_ACTIONS") == Some("true"),
            shows_progress: environment.stderr_is_terminal
                && !is_dumb
                && !args.quiet
                && environment.get("CI").is_none(),
            progress: Arc::default(),
            lost: Arc::default(),
            redactor: Arc::new(Mutex::new(Redactor::none())),
        }
    }

    /// Hides secrets in everything that is written from now on.
    pub(crate) fn hide(&self, redactor: Redactor) {
        *self.redactor.lock().unwrap_or_else(PoisonError::into_inner) = redactor;
    }

    /// Returns a text that ananke itself puts into a report, without secrets.
    pub(crate) fn hidden(&self, text: &str) -> String {
        self.redactor().text(text).into_owned()
    }

    fn redactor(&self) -> Redactor {
        let redactor = self.redactor.lock().unwrap_or_else(PoisonError::into_inner);
        redactor.clone()
    }

    /// Writes data. A reader that has gone away has seen what it wanted; anything else that goes wrong is kept.
    pub(crate) fn out(&self, text: &str) {
        self.clear_progress();
        let redactor = self.redactor();
        let mut stdout = std::io::stdout().lock();
        let written = stdout
            .write_all(redactor.page(text).as_bytes())
            .and_then(|()| stdout.flush());
        if let Err(error) = written
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
            lost.get_or_insert(error.to_string());
        }
    }

    /// Says why the report could not be written, if so.
    pub(crate) fn lost_report(&self) -> Option<CommandError> {
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        let why = lost.as_ref()?;
        Some(CommandError::new(
            Exit::Trouble,
            format!("the report could not be written: {why}"),
        ))
    }

    /// Writes talk.
    pub(crate) fn talk(&self, text: &str) {
        self.clear_progress();
        write_stderr(&self.redactor().text(text));
    }

    /// Writes what a reporter has to say.
    pub(crate) fn chunk(&self, chunk: &Chunk) {
        if !chunk.stdout.is_empty() {
            self.out(&chunk.stdout);
        }
        if !chunk.stderr.is_empty() {
            self.talk(&chunk.stderr);
        }
    }

    /// Shows diagnostics.
    pub(crate) fn diagnostics(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        self.talk(&render_diagnostics(
            diagnostics,
            sources,
            &self.stderr_style,
        ));
    }

    /// Writes why a command ended as the one JSON document on stdout.
    pub(crate) fn json_error(&self, error: &CommandError) {
        let document = json_load_error(
            &[error.diagnostic()],
            &Sources::default(),
            error.exit.number(),
        );
        self.out(&format!("{document:#}\n"));
    }

    /// Shows why a command ended.
    pub(crate) fn error(&self, error: &CommandError) {
        let mut text = told("error", &error.message, &error.details);
        if let Some(hint) = &error.hint {
            text.push_str("hint: ");
            text.push_str(&ananke_report::escape(hint));
            text.push('\n');
        }
        self.talk(&text);
    }

    /// Shows what was odd but changes nothing about the verdict.
    pub(crate) fn warning(&self, message: &str, details: &[String]) {
        self.talk(&told("warning", message, details));
    }

    /// Shows the progress line in place of the one before.
    pub(crate) fn progress(&self, line: &str) {
        let mut is_shown = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        write_stderr(&format!("\r\x1b[2K{line}"));
        *is_shown = !line.is_empty();
    }

    /// Takes the progress line away.
    pub(crate) fn clear_progress(&self) {
        let mut is_shown = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut *is_shown) {
            write_stderr("\r\x1b[2K");
        }
    }
}

fn told(word: &str, message: &str, details: &[String]) -> String {
    let mut text = format!("{word}: {}\n", ananke_report::escape(message));
    for line in details {
        text.push_str("  | ");
        text.push_str(&ananke_report::escape(line));
        text.push('\n');
    }
    text
}

fn write_stderr(text: &str) {
    let mut stderr = std::io::stderr().lock();
    stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush())
        .ok();
}
