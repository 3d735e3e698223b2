//! Asks agents for cases: what they give is checked case by case, the good ones are run, and it is told what was refused.

use std::collections::HashSet;
use std::time::Duration;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::Target;
use ananke_model::script::ScriptCall;
use ananke_report::escape;
use ananke_run::{AskOptions, ask_agent, ask_script};
use ananke_suite::Input;
use serde_json::{Value, json};

use super::generator::{Generator, names_a_file};
use super::load::{LoadArgs, LoadedPlan, Loading, generators, load, script};
use super::pipeline::runtime;
use super::server::start_server;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, unix_ms};
use crate::signals::Signals;
use crate::ui::Ui;

/// What came of asking agents for cases.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// The cases that can be run, for each input that asks for some.
    pub(crate) inputs: Vec<Input>,
    /// How many were refused.
    pub(crate) n_refused: usize,
}

/// Returns the cases for every input that asks an agent for some.
pub(crate) fn generate(
    args: &LoadArgs,
    timeout: Duration,
    environment: &Environment,
    ui: &Ui,
) -> Result<Made, CommandError> {
    let mut made = Made::default();
    for generator in generators(args, environment)? {
        let (input, n_refused) = ask_for_cases(&generator, args, timeout, environment, ui)?;
        made.inputs.push(input);
        made.n_refused += n_refused;
    }
    Ok(made)
}

fn ask_for_cases(
    generator: &Generator,
    args: &LoadArgs,
    timeout: Duration,
    environment: &Environment,
    ui: &Ui,
) -> Result<(Input, usize), CommandError> {
    // Who makes the cases, and whom they are for, is known by loading a message to that agent.
    let message = [Input::Message("hello".to_owned())];
    let function = match generator.is_script {
        true => Some(script(args, &generator.agent, environment, ui)?),
        false => None,
    };
    let agent = [generator.agent.as_str()];
    let helpers = if function.is_none() { &agent[..] } else { &[] };
    let loading = Loading {
        instead: Some(&message),
        helpers,
        calls_script: function.is_some(),
        ..Loading::default()
    };
    let loaded = load(args, loading, environment)?;
    if loaded.has_errors() {
        ui.diagnostics(&loaded.diagnostics, &loaded.sources);
        let message = format!("`{}` could not be asked", generator.typed);
        return Err(CommandError::new(Exit::Configuration, message));
    }
    ui.hide(loaded.redactor.clone());
    let answer = ask(generator, function.as_ref(), &loaded, timeout, environment)?;
    // From here on nobody can tell a secret that the agent was given from one that it said.
    let answer = loaded.redactor.text(&answer).into_owned();
    if ui.verbose > 0 {
        let lines: Vec<_> = answer.lines().map(escape).collect();
        ui.talk(&format!(
            "{} answered:\n{}\n",
            generator.agent,
            lines.join("\n")
        ));
    }
    let cases = generator.cases(&answer)?;
    let good = checked(generator, &cases, args, environment, ui)?;
    let (n_asked, n_given) = (generator.count(), cases.len());
    if u64::try_from(n_given).unwrap_or(u64::MAX) != n_asked {
        let message = format!(
            "`{}`: {n_asked} cases were asked for, {n_given} were given",
            generator.typed
        );
        ui.warning(&message, &[]);
    }
    if good.is_empty() {
        let message = format!(
            "`{}`: of {} given, no case can be run",
            generator.typed,
            cases.len()
        );
        return Err(CommandError::new(Exit::NothingRan, message));
    }
    let input = Input::Cases {
        shown: generator.typed.clone(),
        text: good.join("\n") + "\n",
    };
    Ok((input, n_given - good.len()))
}

/// Who makes cases.
enum Maker<'a> {
    Agent(&'a Target),
    Script(&'a ScriptCall),
}

fn ask(
    generator: &Generator,
    function: Option<&ScriptCall>,
    loaded: &LoadedPlan,
    timeout: Duration,
    environment: &Environment,
) -> Result<String, CommandError> {
    let trouble = |message: String| CommandError::new(Exit::Trouble, message);
    let maker = match (function, loaded.plan.agents.get(&generator.agent)) {
        (Some(function), _) => Maker::Script(function),
        (None, Some(agent)) => Maker::Agent(agent),
        (None, None) => {
            let message = format!("`{}`: there is no such agent", generator.typed);
            return Err(CommandError::new(Exit::Configuration, message));
        }
    };
    let target = loaded.plan.tests.first().map(|test| &test.target);
    let described = target.map_or(Value::Null, |target| described(target, loaded));
    let id = described["id"].as_str().unwrap_or_default().to_owned();
    let (message, metadata) = (generator.message(&described), generator.metadata(&id));
    runtime(1)?.block_on(async {
        let signals = Signals::listen()
            .map_err(|error| trouble(format!("signals cannot be heard: {error}")))?;
        let server = start_server(
            &loaded.plan,
            &loaded.variables,
            environment,
            &signals.cancel,
        )
        .await?;
        let options = AskOptions {
            message: &message,
            metadata: &metadata,
            timeout,
            variables: &loaded.variables,
            proxies: &environment.proxies(),
            root: &loaded.plan.root,
            identity: loaded.plan.identity.as_ref(),
            redactor: &loaded.redactor,
            unix_ms: unix_ms(),
            cancel: &signals.cancel,
            scripts: &loaded.plan.scripts,
        };
        let answer = match maker {
            Maker::Script(function) => ask_script(function, options).await,
            Maker::Agent(agent) => ask_agent(agent, options).await,
        };
        if let Some(server) = server {
            server.stop(answer.is_err()).await;
        }
        answer.map(|answer| answer.text).map_err(|error| {
            let message = format!("`{}` gave no cases: {error}", generator.typed);
            match signals.stop() {
                Some(stop) => CommandError::new(Exit::Stopped(stop), message),
                None => trouble(message),
            }
        })
    })
}

/// Returns what a generator is told about the agent that the cases are for.
fn described(target: &Target, loaded: &LoadedPlan) -> Value {
    let agents = ananke_run::agents(&loaded.plan, &loaded.variables);
    let shown = target.name.clone().or_else(|| agents.into_iter().next());
    json!({"id": shown})
}

/// Returns the cases that can be run; the others are told with their mistakes.
fn checked(
    generator: &Generator,
    cases: &[String],
    args: &LoadArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Vec<String>, CommandError> {
    let mut good = Vec::new();
    let mut ids = HashSet::new();
    for (number, case) in (1..).zip(cases) {
        let one = [Input::Cases {
            shown: generator.typed.clone(),
            text: format!("{case}\n"),
        }];
        let loading = Loading {
            instead: Some(&one),
            ..Loading::default()
        };
        let loaded = load(args, loading, environment)?;
        let mut reasons: Vec<String> = loaded
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .map(said)
            .collect();
        let value: Value = serde_json::from_str(case).unwrap_or_default();
        if names_a_file(&value) {
            reasons.push("a case that an agent made sends no files".to_owned());
        }
        if let Some(id) = value["id"].as_str().map(str::to_owned)
            && !ids.insert(id.clone())
        {
            reasons.push(format!("the id `{id}` is there twice"));
        }
        if reasons.is_empty() {
            good.push(case.clone());
        } else {
            let message = format!("`{}`: case {number} was refused", generator.typed);
            ui.warning(&message, &reasons);
        }
    }
    Ok(good)
}

fn said(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.place.as_ref();
    let column = place.map(|place| format!("column {}: ", place.column));
    let message = escape(&diagnostic.message);
    format!("{}{message}", column.unwrap_or_default())
}
