//! Loading, shared by `run`, `list` and `validate`: files to a plan, every mistake known before anything happens.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ananke_assert::Pattern;
use ananke_model::check::SnapshotUpdate;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_model::plan::{Plan, PlannedTest};
use ananke_model::script::ScriptCall;
use ananke_model::variables::{Variables, text_form};
use ananke_run::Redactor;
use ananke_store::Bundle;
use ananke_suite::{Asking, BROKEN_FILE, Input, LoadRequest};
use clap::Args;

use super::asking::AskingArgs;
use super::facts::{ALLOW_UNCHECKED, TARGET};
use super::generator::Generator;
use super::{as_recorded, stdin};
use crate::env_file::EnvFileArgs;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch, parse_var};
use crate::ui::Ui;

/// Which tests, and with which values.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which tests")]
pub(crate) struct LoadArgs {
    /// Test files, folders, globs, a message of several words, or `-` for stdin; without any, every test below this folder
    #[arg(value_name = "INPUT", help_heading = None::<&str>)]
    pub(crate) inputs: Vec<String>,
    /// As without -i.
    #[arg(
        short = 'i',
        long = "input",
        value_name = "INPUT",
        help = "The same, and any other text is a message to the agent; may be repeated [env: ANANKE_INPUT]"
    )]
    pub(crate) more_inputs: Vec<String>,
    /// The config file; by default the ananke.config.yaml of this folder or the nearest above
    #[arg(long, value_name = "FILE", env = "ANANKE_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Which of the config's targets to use; with several, every test is run against each of them
    #[arg(
        long = "target",
        value_name = "NAME",
        env = "ANANKE_TARGET",
        value_delimiter = ','
    )]
    pub(crate) targets: Vec<String>,
    /// Values for references.
    #[arg(
        long = "var",
        value_name = "NAME=VALUE",
        value_parser = parse_var,
        help = "A value for ${NAME} in the files; may be repeated [env: ANANKE_VAR_<NAME>]"
    )]
    pub(crate) vars: Vec<(String, String)>,
    /// Only tests whose file, case id or name matches, and functions of scripts whose name does; -run REGEX is the same
    #[arg(long, value_name = "REGEX", env = "ANANKE_RUN")]
    pub(crate) run: Option<String>,
    /// Only tests with this tag; of several tags one is enough
    #[arg(
        long = "tag",
        value_name = "TAG",
        env = "ANANKE_TAG",
        value_delimiter = ','
    )]
    pub(crate) tags: Vec<String>,
    #[command(flatten)]
    pub(crate) env_file: EnvFileArgs,
    /// Hide the value of this variable everywhere; may be repeated
    #[arg(
        long = "secret",
        value_name = "NAME",
        env = "ANANKE_SECRET",
        value_delimiter = ','
    )]
    pub(crate) secrets: Vec<String>,
    /// Permit tests that check nothing; they are counted in the summary
    #[arg(long, env = "ANANKE_ALLOW_UNCHECKED", value_parser = parse_switch)]
    pub(crate) allow_unchecked: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// What was loaded.
#[derive(Debug)]
pub(crate) struct LoadedPlan {
    pub(crate) plan: Plan,
    pub(crate) variables: Variables,
    /// Hides secrets in everything that is written.
    pub(crate) redactor: Redactor,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Mistakes that do not keep other tests from being run.
    pub(crate) broken: Vec<Diagnostic>,
    pub(crate) sources: Sources,
    /// What the tests were found by, as shown to a person.
    pub(crate) input: String,
    /// Whether no input was named.
    pub(crate) is_everything: bool,
    /// How many tests there were before `--run` and `--tag`.
    pub(crate) n_found: usize,
    /// The file that says who asks.
    pub(crate) ctx: Option<PathBuf>,
}

impl LoadedPlan {
    /// Returns the files that were read: the config, the tests, and the one that says who asks.
    pub(crate) fn files(&self, environment: &Environment) -> Vec<PathBuf> {
        let tests = self.plan.tests.iter().map(|test| &*test.file);
        let files: BTreeSet<&str> = tests.chain(self.plan.config_file.as_deref()).collect();
        let files = files.into_iter().map(|file| environment.cwd.join(file));
        files.chain(self.ctx.clone()).collect()
    }

    /// Tells whether a mistake keeps anything from running.
    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Says why nothing is left to run, if so.
    pub(crate) fn nothing_to_run(&self, args: &LoadArgs) -> Option<CommandError> {
        if !self.plan.tests.is_empty() {
            return None;
        }
        if self.n_found == 0 {
            let error =
                CommandError::new(Exit::NothingRan, format!("no test found in {}", self.input));
            return Some(error.hint(
                "tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js",
            ));
        }
        let mut filters = Vec::new();
        filters.extend(args.run.iter().map(|pattern| format!("--run {pattern}")));
        filters.extend(args.tags.iter().map(|tag| format!("--tag {tag}")));
        let message = format!(
            "no test matches {} (of {} found)",
            filters.join(" "),
            self.n_found
        );
        Some(
            CommandError::new(Exit::NothingRan, message)
                .hint("`ananke list` shows every test with its tags"),
        )
    }
}

/// How to load, beside what the user said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Loading<'a> {
    /// A run whose values come before those of here and now.
    pub(crate) recorded: Option<&'a Bundle>,
    /// Whether the tests are those of that run too, and not those of here and now.
    pub(crate) is_as_recorded: bool,
    /// Which snapshots are to be written.
    pub(crate) update_snapshots: SnapshotUpdate,
    /// What is looked at beside all tests of the project, if the user named nothing.
    pub(crate) also: &'a [Input],
    /// Whether nothing else is looked at.
    pub(crate) is_only: bool,
    /// What is loaded, whatever the user named.
    pub(crate) instead: Option<&'a [Input]>,
    /// Cases that agents made for the inputs that ask for them.
    pub(crate) generated: &'a [Input],
    /// Agents that the command asks itself.
    pub(crate) helpers: &'a [&'a str],
    /// Whether `--timeout` was given.
    pub(crate) timeout_given: bool,
    /// Whether other tests are run though files with test functions hold mistakes.
    pub(crate) goes_on: bool,
    /// Whether the command itself calls a script.
    pub(crate) calls_script: bool,
}

impl<'a> Loading<'a> {
    /// Returns what the recorded run remembers under this name.
    fn fact(&self, name: &str) -> Option<&'a str> {
        let bundle = self.recorded?;
        bundle.head.run.facts.get(name).map(String::as_str)
    }
}

/// Loads what `args` name.
pub(crate) fn load(
    args: &LoadArgs,
    loading: Loading<'_>,
    environment: &Environment,
) -> Result<LoadedPlan, CommandError> {
    let files = args.env_file.read(environment);
    let environment = &files.over(environment);
    let now = environment.references(&args.vars);
    let variables = match loading.recorded {
        Some(bundle) => with_recorded(bundle, now, &args.vars),
        None => now,
    };
    let mut inputs = match loading.instead {
        Some(inputs) => inputs.to_vec(),
        None => inputs(args, loading, environment)?,
    };
    let is_everything = inputs.is_empty();
    if is_everything && !loading.also.is_empty() {
        inputs.extend((!loading.is_only).then(|| Input::Argument(".".to_owned())));
        inputs.extend_from_slice(loading.also);
    }
    let facts = loading.recorded.map(|bundle| &bundle.head.run.facts);
    let asking = args.asking.or_recorded(facts, environment);
    let filter = args.run.as_deref().map(|text| {
        Pattern::compile(text).map_err(|error| {
            CommandError::new(Exit::Configuration, format!("--run `{text}`: {error}"))
        })
    });
    let filter = filter.transpose()?;
    let config = match loading.recorded {
        Some(bundle) if loading.is_as_recorded => as_recorded::config(bundle),
        _ => args.config.as_deref(),
    };
    let recorded = loading.fact(TARGET).filter(|_| args.targets.is_empty());
    let recorded = recorded.iter().flat_map(|names| names.split(','));
    let targets = args.targets.iter().map(String::as_str).chain(recorded);
    let targets: Vec<String> = targets.map(ToOwned::to_owned).collect();
    let loaded = ananke_suite::load(&LoadRequest {
        cwd: &environment.cwd,
        inputs: &inputs,
        config,
        targets: &targets,
        variables: &variables,
        allow_unchecked: args.allow_unchecked || loading.fact(ALLOW_UNCHECKED).is_some(),
        update_snapshots: loading.update_snapshots,
        asking: Asking {
            calls_script: loading.calls_script,
            ..asking.asking(loading.helpers)
        },
        find_tests: ananke_script::find_tests,
        find_functions: ananke_script::find_functions,
        timeout_given: loading.timeout_given,
        goes_on: loading.goes_on,
    });
    let mut plan = loaded.plan;
    files.give_to(&mut plan);
    let mut sources = loaded.sources;
    sources.extend(files.sources);
    let mut diagnostics = files.diagnostics;
    diagnostics.extend(loaded.diagnostics);
    diagnostics.extend(ananke_assert::check_plan(&plan, &variables));
    let n_found = plan.tests.len();
    let has_hooks = plan.tests.iter().any(|test| !test.hooks.is_empty());
    let mut failure = None;
    plan.tests.retain(|test| {
        let is_named = filter.as_ref().is_none_or(|filter| {
            matches(filter, test).unwrap_or_else(|error| {
                failure = Some(error);
                false
            })
        });
        let is_tagged = args.tags.is_empty() || args.tags.iter().any(|tag| test.tags.contains(tag));
        is_named && is_tagged
    });
    if let Some(message) = failure {
        return Err(CommandError::new(Exit::Configuration, message));
    }
    let mut broken = loaded.broken;
    let is_broken = |test: &PlannedTest| {
        let script = test.script.as_ref();
        script.is_some_and(|script| script.function.name == BROKEN_FILE)
    };
    if plan.tests.iter().all(is_broken) {
        diagnostics.append(&mut broken);
    }
    let redactor = redactor(args, loading, &plan, &variables, has_hooks)?;
    let input = if is_everything {
        "the project".to_owned()
    } else {
        let typed: Vec<&str> = inputs.iter().map(Input::typed).collect();
        typed.join(" ")
    };
    Ok(LoadedPlan {
        plan,
        variables,
        redactor,
        diagnostics,
        broken,
        sources,
        input,
        is_everything,
        n_found,
        ctx: asking.ctx.map(|path| environment.cwd.join(path)),
    })
}

/// Returns what the user named; `ANANKE_INPUT` counts as `-i`. Standard input is read at most once.
fn inputs(
    args: &LoadArgs,
    loading: Loading<'_>,
    environment: &Environment,
) -> Result<Vec<Input>, CommandError> {
    let arguments = args.inputs.iter().cloned().map(Input::Argument);
    let flags = args.more_inputs.iter().cloned().map(Input::Flag);
    let mut inputs: Vec<Input> = arguments.chain(flags).collect();
    if inputs.is_empty() && !loading.is_as_recorded {
        inputs.extend(
            environment
                .list("ANANKE_INPUT")
                .into_iter()
                .map(Input::Flag),
        );
    }
    let mut stdin = None;
    for input in &mut inputs {
        if let Some(generator) = Generator::read(input.typed()) {
            *input = given(&generator?, loading)?;
            continue;
        }
        if input.typed() != "-" {
            continue;
        }
        if stdin.is_some() {
            let message = "standard input can be read only once: `-` is given twice";
            return Err(CommandError::new(Exit::Configuration, message));
        }
        *input = stdin.insert(stdin::read()?).clone();
    }
    Ok(inputs)
}

/// Returns the cases that an agent made.
fn given(generator: &Generator, loading: Loading<'_>) -> Result<Input, CommandError> {
    let mut generated = loading.generated.iter();
    let cases = generated.find(|input| input.typed() == generator.typed);
    cases.cloned().ok_or_else(|| {
        let message = format!(
            "`{}` asks an agent for cases, which only `run` does",
            generator.typed
        );
        CommandError::new(Exit::Configuration, message)
            .hint("`ananke run --dry-run -o cases.jsonl` saves them")
    })
}

/// Finds a function of a script that the command itself calls; what is wrong with it is told.
pub(crate) fn script(
    args: &LoadArgs,
    reference: &str,
    environment: &Environment,
    ui: &Ui,
) -> Result<ScriptCall, CommandError> {
    let variables = environment.references(&args.vars);
    let found = ananke_suite::script_reference(
        &LoadRequest {
            cwd: &environment.cwd,
            inputs: &[],
            config: args.config.as_deref(),
            targets: &[],
            variables: &variables,
            allow_unchecked: false,
            update_snapshots: SnapshotUpdate::None,
            asking: Asking::default(),
            find_tests: ananke_script::find_tests,
            find_functions: ananke_script::find_functions,
            timeout_given: false,
            goes_on: false,
        },
        reference,
    );
    found.map_err(|refused| {
        ui.diagnostics(&refused.diagnostics, &refused.sources);
        let message = format!("`scripts:{reference}` cannot be called");
        CommandError::new(Exit::Configuration, message)
    })
}

/// Returns what the user named that asks an agent for cases.
pub(crate) fn generators(
    args: &LoadArgs,
    environment: &Environment,
) -> Result<Vec<Generator>, CommandError> {
    let listed = environment.list("ANANKE_INPUT");
    let mut inputs = args.inputs.iter().chain(&args.more_inputs).peekable();
    let inputs: Vec<&String> = match inputs.peek() {
        Some(_) => inputs.collect(),
        None => listed.iter().collect(),
    };
    inputs
        .into_iter()
        .filter_map(|input| Generator::read(input))
        .collect()
}

/// Returns what hides the secrets of a plan and those that are named.
fn redactor(
    args: &LoadArgs,
    loading: Loading<'_>,
    plan: &Plan,
    variables: &Variables,
    has_hooks: bool,
) -> Result<Redactor, CommandError> {
    let mut secrets = ananke_run::secrets_of(plan, variables);
    for name in &args.secrets {
        // What has no value now may come from a hook.
        match secrets.add_named(name, variables) {
            Err(error) if !has_hooks => {
                let message = format!("--secret {name}: {error}, and no test has a hook");
                return Err(CommandError::new(Exit::Configuration, message));
            }
            _ => {}
        }
        let recorded = loading.recorded.iter().flat_map(|bundle| &bundle.results);
        let attempts = recorded.flat_map(|result| result.earlier.iter().chain([result]));
        for value in attempts.filter_map(|attempt| attempt.variables.get(name)) {
            secrets.add(name, &text_form(value));
        }
    }
    Ok(secrets.redactor())
}

/// Returns the values of the recorded run; `--var` wins over them, and what it did not record comes from here and now.
fn with_recorded(bundle: &Bundle, now: Variables, vars: &[(String, String)]) -> Variables {
    let recorded = &bundle.head.variables;
    let mut variables = now;
    for (name, value) in &recorded.variables {
        if !vars.iter().any(|(given, _)| given == name) {
            variables.variables.insert(name.clone(), value.clone());
        }
    }
    variables.environment.extend(recorded.environment.clone());
    variables
}

/// Returns what a test is called where it has one target: a pattern for one is a pattern for several.
fn without_target(test: &PlannedTest) -> &str {
    let id = test.short_id();
    let name = test.target.name.as_deref().unwrap_or_default();
    let before = id.strip_suffix(name);
    before.and_then(|id| id.strip_suffix('@')).unwrap_or(id)
}

/// Tells whether `--run` picks a test. Functions of scripts are picked by their names alone.
fn matches(filter: &Pattern, test: &PlannedTest) -> Result<bool, String> {
    let found = |text: &str| {
        filter
            .is_match(text)
            .map_err(|_| "--run: the pattern takes too many steps".to_owned())
    };
    if let Some(script) = &test.script {
        // What a file holds that cannot be understood is not known.
        return Ok(script.function.name == BROKEN_FILE || found(&test.name.text)?);
    }
    Ok(found(test.short_id())?
        || found(&test.id.0)?
        || found(&test.name.text)?
        || found(without_target(test))?)
}
