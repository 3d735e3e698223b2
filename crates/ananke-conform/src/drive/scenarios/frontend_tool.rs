//! `frontend-tool`: the agent calls a tool that only the front end has, and the next run brings the result.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, last_in_words, not_shown, say_all, shown};
use crate::drive::driver::{Driver, Step};

/// How often the front end answers. An agent that calls for ever is stopped.
const MAX_ANSWERS: usize = 3;

/// Offers tools, and answers the calls that are made of them.
pub(in crate::drive) async fn frontend_tool(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let mut runs = say_all(driver, setup, &mut thread).await?;
    let offered = |name: &str| setup.tools.iter().find(|tool| tool.name == name);
    let mut called: Vec<String> = Vec::new();
    let mut has_answered = false;
    for _ in 0..MAX_ANSWERS {
        let Some(last) = runs.last().filter(|seen| seen.lets_go_on()) else {
            break;
        };
        let mut n_answers = 0;
        for call in &last.calls {
            let Some(tool) = offered(&call.name) else {
                continue;
            };
            called.push(format!("`{}`", call.name));
            if !call.is_answered {
                thread.answer_call(&call.id, &tool.result);
                n_answers += 1;
            }
        }
        if n_answers == 0 {
            break;
        }
        has_answered = true;
        runs.push(driver.run(&mut thread, Step::run("answer")).await?);
    }
    let names: Vec<String> = setup
        .tools
        .iter()
        .map(|tool| format!("`{}`", tool.name))
        .collect();
    let ended = last_in_words(&runs);
    if called.is_empty() {
        let names = names.join(", ");
        return not_shown(format!(
            "the agent did not call {names}, which was offered; {ended}"
        ));
    }
    let called = called.join(", ");
    if !has_answered {
        return not_shown(format!(
            "the agent called {called} and did not wait for the front end; {ended}"
        ));
    }
    shown(format!(
        "the agent called {called} and got the answer; {ended}"
    ))
}
