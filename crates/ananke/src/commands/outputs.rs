//! Reports in files: opened before the run, so that a path that cannot be written is told before anything happens;
//! streamed formats grow as results come, all others appear whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ananke_model::diagnostic::did_you_mean;
use ananke_model::run_event::RunEvent;
use ananke_report::{Report, ReportFormat};
use clap::{Args, ValueEnum};

use super::agent_report::AgentReport;
use super::sink::{Growth, Sink};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// Which reports to write.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Reports")]
pub(crate) struct OutputsArgs {
    /// Write a report, format by extension: jsonl, json, md, html, xml (JUnit), tap; `-` streams JSONL to stdout; may be repeated
    #[arg(short, long = "output", value_name = "FILE", env = "ANANKE_OUTPUT")]
    pub(crate) outputs: Vec<PathBuf>,
    /// Write a report of this format; without a file it takes the place of the report on stdout; report.FORMAT is what -o writes; may be repeated
    #[arg(
        short = 'r',
        long = "reporter",
        value_name = "FORMAT[:FILE]",
        value_parser = parse_reporter,
        env = "ANANKE_REPORTER"
    )]
    pub(crate) reporters: Vec<Reporter>,
    /// Leave no output-TIME.jsonl beside the cases
    #[arg(long, env = "ANANKE_NO_OUTPUT", value_parser = parse_switch)]
    pub(crate) no_output: bool,
    /// Annotations and a step summary for GitHub; auto: when `GITHUB_ACTIONS` is set
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        env = "ANANKE_GITHUB"
    )]
    pub(crate) github: Github,
}

/// When to talk to GitHub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Github {
    #[default]
    Auto,
    Always,
    Never,
}

/// A report that is named by its format, or by the agent that writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reporter {
    writer: Writer,
    /// Where it goes; stdout if absent.
    file: Option<PathBuf>,
    /// Whether it is called as agents are, such as `report.html`: then it is what the one `-o` writes, whatever its
    /// extension.
    is_for_output: bool,
}

/// Who writes a report.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Writer {
    Format(ReportFormat),
    /// An agent with this id.
    Agent(String),
}

fn parse_reporter(text: &str) -> Result<Reporter, String> {
    if let Some(id) = text.strip_prefix("agents:") {
        return Err(format!(
            "an agent that writes reports is named without `agents:`: `{id}`"
        ));
    }
    let (name, file) = match text.split_once(':') {
        Some((_, "")) => return Err(format!("`{text}` names no file")),
        Some((name, "-")) => (name, None),
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let known = ReportFormat::NAMES;
    let writer = match ReportFormat::from_name(name) {
        Some(format) => Writer::Format(format),
        None if name.is_empty() || did_you_mean(name, known.iter().copied()).is_some() => {
            return Err(format!(
                "`{name}` is no format; known are {}",
                known.join(", ")
            ));
        }
        None => Writer::Agent(name.to_owned()),
    };
    let is_agent = matches!(writer, Writer::Agent(_));
    Ok(Reporter {
        is_for_output: file.is_none() && (is_agent || name.starts_with("report.")),
        writer,
        file,
    })
}

impl OutputsArgs {
    /// Returns the agents that write reports.
    pub(crate) fn agents(&self) -> Vec<&str> {
        let reporters = self.reporters.iter();
        reporters
            .filter_map(|reporter| match &reporter.writer {
                Writer::Agent(id) => Some(id.as_str()),
                Writer::Format(_) => None,
            })
            .collect()
    }

    /// Returns the reports that agents write, ready to follow a run.
    pub(crate) fn agent_reports(&self, is_verbose: bool) -> Vec<AgentReport> {
        let reporters = self.reporters.iter();
        reporters
            .filter_map(|reporter| {
                let Writer::Agent(id) = &reporter.writer else {
                    return None;
                };
                let file = match &reporter.file {
                    Some(file) => Some(file.clone()),
                    None => self.outputs.first().cloned(),
                };
                Some(AgentReport::new(id.clone(), file, is_verbose))
            })
            .collect()
    }

    /// Refuses reports that agents write, where no agent is asked.
    pub(crate) fn refuse_agents(&self) -> Result<(), CommandError> {
        match self.agents().first() {
            None => Ok(()),
            Some(agent) => {
                let message = format!("`-r {agent}`: only `run` asks agents for reports");
                Err(CommandError::new(Exit::Configuration, message))
            }
        }
    }
}

/// The reports of a run.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    outputs: Vec<Output>,
    /// Whether one of them took the place of the report on stdout.
    pub(crate) owns_stdout: bool,
}

#[derive(Debug)]
struct Output {
    report: Box<dyn Report>,
    sink: Sink,
    /// Why nothing more is written to it.
    lost: Option<io::Error>,
}

impl Outputs {
    /// Opens everything that `args` ask for.
    pub(crate) fn open(
        args: &OutputsArgs,
        json: bool,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let mut outputs = Self::default();
        if json {
            outputs.add_stdout(ReportFormat::Json)?;
        }
        let named = writer_of_output(args)?;
        for path in &args.outputs {
            let named = match named {
                Some(Writer::Agent(_)) => continue,
                Some(Writer::Format(format)) => Some(*format),
                None => None,
            };
            if path.as_os_str() == "-" {
                outputs.add_stdout(named.unwrap_or(ReportFormat::Jsonl))?;
                continue;
            }
            refuse_folder(path, environment)?;
            let extension = path.extension().and_then(|word| word.to_str());
            let format = named.or_else(|| extension.and_then(ReportFormat::from_extension));
            let format = format.ok_or_else(|| unknown_extension(path))?;
            outputs.add_file(format, path, environment)?;
        }
        let mut annotates = false;
        for Reporter { writer, file, .. } in &args.reporters {
            let Writer::Format(format) = writer else {
                let has_file = file.is_some() || !args.outputs.is_empty();
                if !has_file && std::mem::replace(&mut outputs.owns_stdout, true) {
                    return Err(two_on_stdout());
                }
                continue;
            };
            match file {
                Some(path) => {
                    refuse_folder(path, environment)?;
                    outputs.add_file(*format, path, environment)?;
                }
                None if named == Some(writer) => {}
                None if *format == ReportFormat::Github => annotates = true,
                None => outputs.add_stdout(*format)?,
            }
        }
        let is_on_github = match args.github {
            Github::Auto => environment.get("GITHUB_ACTIONS") == Some("true"),
            Github::Always => true,
            Github::Never => false,
        };
        if is_on_github || annotates {
            outputs.add(ReportFormat::Github, Sink::Stderr);
        }
        let summary = environment.get("GITHUB_STEP_SUMMARY");
        if let Some(path) = summary.filter(|_| is_on_github).map(PathBuf::from) {
            let file = OpenOptions::new().append(true).create(true).open(&path);
            let file = file.map_err(|error| unwritable(&path, &error))?;
            outputs.add(ReportFormat::Markdown, Sink::Open { path, file });
        }
        Ok(outputs)
    }

    fn add(&mut self, format: ReportFormat, sink: Sink) {
        self.outputs.push(Output {
            report: format.open(),
            sink,
            lost: None,
        });
    }

    fn add_stdout(&mut self, format: ReportFormat) -> Result<(), CommandError> {
        if std::mem::replace(&mut self.owns_stdout, true) {
            return Err(two_on_stdout());
        }
        self.add(format, Sink::Stdout);
        Ok(())
    }

    /// Opens one more report; returns why it cannot be written.
    pub(crate) fn add_file(
        &mut self,
        format: ReportFormat,
        path: &Path,
        environment: &Environment,
    ) -> Result<(), CommandError> {
        let shown = path;
        let path = environment.cwd.join(path);
        let growth = match format {
            ReportFormat::Jsonl => Growth::Lines,
            _ => Growth::Whole,
        };
        if format == ReportFormat::Jsonl && !is_free(&path) {
            let message = format!(
                "`{}` is there and is no report: it would be lost",
                shown.display()
            );
            return Err(CommandError::new(Exit::Configuration, message)
                .hint("name another file, or remove this one"));
        }
        let sink = Sink::open(&path, growth).map_err(|error| unwritable(shown, &error))?;
        if matches!(sink, Sink::Stdout) {
            return self.add_stdout(format);
        }
        let mut others = self.outputs.iter().filter_map(|output| output.sink.path());
        if sink
            .path()
            .is_some_and(|path| others.any(|other| other == path))
        {
            let message = format!("two reports cannot share `{}`", shown.display());
            return Err(CommandError::new(Exit::Configuration, message));
        }
        self.add(format, sink);
        Ok(())
    }

    /// Refuses reports that would take the place of what is being tested.
    pub(crate) fn refuse_inputs(&self, inputs: &[PathBuf]) -> Result<(), CommandError> {
        let real = |path: &Path| path.canonicalize().ok();
        let inputs: Vec<PathBuf> = inputs.iter().filter_map(|path| real(path)).collect();
        let mut paths = self.outputs.iter().filter_map(|output| output.sink.path());
        let taken = paths.find(|path| real(path).is_some_and(|path| inputs.contains(&path)));
        let Some(path) = taken else {
            return Ok(());
        };
        let message = format!(
            "the report `{}` would replace a file of this run",
            path.display()
        );
        Err(CommandError::new(Exit::Configuration, message).hint("name another file"))
    }

    /// Feeds the reports; what goes to stdout and stderr is written through `ui`.
    pub(crate) fn event(&mut self, event: &RunEvent, ui: &Ui) {
        for output in &mut self.outputs {
            let bytes = output.report.event(event);
            output.write(&bytes, ui);
        }
    }

    /// Ends the reports; returns what could not be written.
    pub(crate) fn finish(self, ui: &Ui) -> Vec<CommandError> {
        let mut troubles = Vec::new();
        for output in self.outputs {
            troubles.extend(output.finish(ui).err());
        }
        troubles
    }
}

impl Output {
    fn write(&mut self, bytes: &[u8], ui: &Ui) {
        if !bytes.is_empty() && self.lost.is_none() {
            self.lost = self.sink.write(bytes, ui).err();
        }
    }

    fn finish(self, ui: &Ui) -> Result<(), CommandError> {
        let Self {
            report,
            mut sink,
            lost,
        } = self;
        let path = sink.path().map(Path::to_owned).unwrap_or_default();
        let ended = match lost {
            Some(error) => Err(error),
            None => sink
                .write(&report.finish(), ui)
                .and_then(|()| sink.finish()),
        };
        ended.map_err(|error| unwritable(&path, &error))
    }
}

/// Returns who writes the one `-o`, if a `-r` says so.
fn writer_of_output(args: &OutputsArgs) -> Result<Option<&Writer>, CommandError> {
    let mut named = args
        .reporters
        .iter()
        .filter(|reporter| reporter.is_for_output);
    match (args.outputs.len(), named.next(), named.next()) {
        (0, _, _) | (_, None, _) => Ok(None),
        (1, Some(reporter), None) => Ok(Some(&reporter.writer)),
        (_, Some(_), _) => {
            let message = "it is not clear which `-r` belongs to which `-o`";
            Err(CommandError::new(Exit::Configuration, message)
                .hint("name the file with the format: `-r report.html:FILE`"))
        }
    }
}

/// Tells whether a file of lines may be replaced: there is none, it is empty, or it is a report. Cases look much the same.
fn is_free(path: &Path) -> bool {
    if !path.is_file() {
        return true;
    }
    let Ok(mut file) = File::open(path) else {
        return true;
    };
    let mut begin = [0; 64];
    let n = file.read(&mut begin).unwrap_or_default();
    let begin = String::from_utf8_lossy(begin.get(..n).unwrap_or_default()).replace(' ', "");
    begin.is_empty() || begin.starts_with("{\"type\":\"start\"")
}

fn refuse_folder(path: &Path, environment: &Environment) -> Result<(), CommandError> {
    if !environment.cwd.join(path).is_dir() {
        return Ok(());
    }
    let message = format!("`{}` is a folder, not a file for a report", path.display());
    let hint = format!(
        "name a file in it: `-o {}`",
        path.join("report.html").display()
    );
    Err(CommandError::new(Exit::Configuration, message).hint(hint))
}

fn two_on_stdout() -> CommandError {
    let message = "two reports cannot share stdout";
    CommandError::new(Exit::Configuration, message)
        .hint("of `--json`, `-o -` and `--reporter FORMAT` give one; others go to files: `--reporter FORMAT:FILE`")
}

fn unknown_extension(path: &Path) -> CommandError {
    let message = format!(
        "`-o {}`: the extension names no format; known are {}",
        path.display(),
        ReportFormat::EXTENSIONS.join(", ")
    );
    let hint = format!("`--reporter FORMAT:{}` says which it is", path.display());
    CommandError::new(Exit::Configuration, message).hint(hint)
}

fn unwritable(path: &Path, error: &io::Error) -> CommandError {
    CommandError::new(
        Exit::Trouble,
        format!("the report `{}` cannot be written: {error}", path.display()),
    )
}
