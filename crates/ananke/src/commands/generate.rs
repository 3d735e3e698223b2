//! Asks agents for cases: what they give is checked case by case, the good ones are run, and it is told what was refused.

use std::collections::HashSet;
use std::time::Duration;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::Target;
use ananke_run::{AskOptions, ask_agent};
use ananke_suite::Input;
use serde_json::{Value, json};

use super::generator::Generator;
use super::load::{LoadArgs, LoadedPlan, Loading, generators, load};
use super::pipeline::runtime;
use super::server::start_server;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, unix_ms};
use crate::signals::Signals;
use crate::ui::Ui;

/// Returns the cases for every input that asks an agent for some.
pub(crate) fn generate(
    args: &LoadArgs,
    timeout: Duration,
    environment: &Environment,
    ui: &Ui,
) -> Result<Vec<Input>, CommandError> {
    let mut made = Vec::new();
    for generator in generators(args, environment)? {
        made.push(ask_for_cases(&generator, args, timeout, environment, ui)?);
    }
    Ok(made)
}

fn ask_for_cases(
    generator: &Generator,
    args: &LoadArgs,
    timeout: Duration,
    environment: &Environment,
    ui: &Ui,
) -> Result<Input, CommandError> {
    // Who makes the cases, and whom they are for, is known by loading a message to that agent.
    let message = [Input::Message("hello".to_owned())];
    let helpers = [generator.agent.as_str()];
    let loading = Loading {
        instead: Some(&message),
        helpers: &helpers,
        ..Loading::default()
    };
    let loaded = load(args, loading, environment)?;
    if loaded.has_errors() {
        ui.diagnostics(&loaded.diagnostics, &loaded.sources);
        let message = format!("`{}` could not be asked", generator.typed);
        return Err(CommandError::new(Exit::Configuration, message));
    }
    let answer = ask(generator, &loaded, timeout, environment)?;
    if ui.verbose > 0 {
        ui.talk(&format!("{} answered:\n{answer}\n", generator.agent));
    }
    let cases = generator.cases(&answer)?;
    let good = checked(generator, &cases, args, environment, ui)?;
    if good.is_empty() {
        let message = format!(
            "`{}`: none of the {} cases can be run",
            generator.typed,
            cases.len()
        );
        return Err(CommandError::new(Exit::NothingRan, message));
    }
    Ok(Input::Cases {
        shown: generator.typed.clone(),
        text: good.join("\n") + "\n",
    })
}

fn ask(
    generator: &Generator,
    loaded: &LoadedPlan,
    timeout: Duration,
    environment: &Environment,
) -> Result<String, CommandError> {
    let trouble = |message: String| CommandError::new(Exit::Trouble, message);
    let Some(agent) = loaded.plan.agents.get(&generator.agent) else {
        let message = format!("`{}`: there is no such agent", generator.typed);
        return Err(CommandError::new(Exit::Configuration, message));
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
        };
        let answer = ask_agent(agent, options).await;
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
        let id = serde_json::from_str::<Value>(case)
            .ok()
            .and_then(|case| case["id"].as_str().map(str::to_owned));
        if let Some(id) = id
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
    format!("{}{}", column.unwrap_or_default(), diagnostic.message)
}
