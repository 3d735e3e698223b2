//! Hides secrets in everything that a run hands out. One function for each thing that holds text.

use std::sync::Arc;

use ananke_model::recording::{EventLog, TaskRecord, ToolCall, Turn, TurnStatus};
use ananke_model::result::{CheckResult, TestResult};
use ananke_model::run_event::RunEvent;
use serde_json::Value;

use super::inner::{Inner, Weak, apply};
use super::redactor::Redactor;
use super::{events, json_text, partial};

impl Redactor {
    /// Hides the secrets in everything that `result` says; ids and files stay, since tests are found by them.
    pub fn result(&self, result: &mut TestResult) {
        if let Some(inner) = self.inner() {
            inner.result(result);
        }
    }

    /// Hides the secrets in a turn, raw events included. Tells whether there were any.
    pub fn turn(&self, turn: &mut Turn) -> bool {
        self.inner().is_some_and(|inner| inner.turn(turn))
    }

    /// Returns a turn without its secrets and without its raw events, if it has any secrets.
    pub(crate) fn hidden(&self, turn: &Turn) -> Option<Turn> {
        let inner = self.inner()?;
        let mut hidden = Turn {
            events: EventLog::default(),
            ..turn.clone()
        };
        inner.turn(&mut hidden).then_some(hidden)
    }

    /// Hides the secrets in what a run tells.
    pub fn event(&self, event: &mut RunEvent) {
        let Some(inner) = self.inner() else {
            return;
        };
        match event {
            RunEvent::RunStarted(info) => {
                inner.derived(&mut info.input);
                info.agents.iter_mut().for_each(|agent| {
                    inner.derived(agent);
                });
                info.facts.values_mut().for_each(|fact| {
                    inner.derived(fact);
                });
                info.connector.iter_mut().for_each(|connector| {
                    inner.derived(connector);
                });
                info.identity.iter_mut().for_each(|identity| {
                    inner.identity(identity);
                });
            }
            RunEvent::TestFinished { result, .. } => inner.result(result),
            RunEvent::Notice(text) => {
                inner.derived(text);
            }
            RunEvent::TestStarted { .. } | RunEvent::TestSlow { .. } | RunEvent::RunFinished(_) => {
            }
        }
    }
}

impl Inner {
    fn result(&self, result: &mut TestResult) {
        self.derived(&mut result.name);
        self.derived(&mut result.target);
        let texts = [&mut result.reason_details, &mut result.warnings];
        let texts = texts.into_iter().flatten().chain(&mut result.reason);
        texts.for_each(|text| {
            self.derived(text);
        });
        for judged in &mut result.turns {
            self.turn(&mut judged.turn);
            judged.checks.iter_mut().for_each(|check| self.check(check));
        }
        result.checks.iter_mut().for_each(|check| self.check(check));
        for checkpoint in &mut result.checkpoints {
            checkpoint.description.iter_mut().for_each(|text| {
                self.derived(text);
            });
            let checks = checkpoint.checks.iter_mut();
            checks.for_each(|check| self.check(check));
        }
        for value in result.variables.values_mut() {
            self.value(value);
        }
        if let Some(case) = &mut result.case {
            self.case(case);
        }
        if let Some(record) = &mut result.script {
            self.script(record);
        }
        for log in &mut result.logs {
            self.derived(&mut log.text);
        }
        result.connector.iter_mut().for_each(|connector| {
            self.text(connector);
        });
        for other in result.earlier.iter_mut().chain(&mut result.other_runs) {
            self.result(other);
        }
    }

    fn check(&self, check: &mut CheckResult) {
        let texts = [&mut check.subject, &mut check.expected, &mut check.actual];
        let texts = texts.into_iter().chain(&mut check.details);
        texts.chain(&mut check.message).for_each(|text| {
            self.derived(text);
        });
        check.value.iter_mut().for_each(|value| {
            self.value(value);
        });
        self.samples(&mut check.samples);
        if let Some(write) = &mut check.snapshot {
            self.text(&mut write.content);
        }
    }

    fn turn(&self, turn: &mut Turn) -> bool {
        let mut is_hit = turn.user.as_mut().is_some_and(|text| self.text(text));
        is_hit |= self.values(&mut turn.requests);
        is_hit |= self.status(&mut turn.status);
        is_hit |= self.text(&mut turn.text);
        is_hit |= self.text(&mut turn.reasoning);
        for message in &mut turn.messages {
            is_hit |= self.message(message);
        }
        for call in &mut turn.tool_calls {
            is_hit |= self.call(call);
        }
        for late in &mut turn.late_results {
            is_hit |= self.text(&mut late.id) | self.json_text(&mut late.result);
        }
        is_hit |= self.value(&mut turn.state) | self.unfinished(&mut turn.state);
        is_hit |= self.value(&mut turn.data) | self.value(&mut turn.server);
        for activity in &mut turn.activities {
            is_hit |= self.unfinished(activity);
        }
        for list in [&mut turn.activities, &mut turn.interrupts, &mut turn.usage] {
            is_hit |= self.values(list);
        }
        for finding in &mut turn.findings {
            is_hit |= self.derived(&mut finding.message);
        }
        for warning in &mut turn.warnings {
            is_hit |= self.derived(warning);
        }
        if let Some(simulated) = &mut turn.simulated {
            is_hit |= self.text(&mut simulated.input);
            let reasoning = simulated.reasoning.as_mut();
            is_hit |= reasoning.is_some_and(|text| self.text(text));
            if let Some(by) = &mut simulated.by {
                is_hit |= self.value(&mut by.persona);
                is_hit |= self.value(&mut by.goal);
            }
        }
        for opinion in &mut turn.opinions {
            is_hit |= self.opinion(opinion);
        }
        if let Some(task) = &mut turn.task {
            is_hit |= self.task(task);
        }
        if let Some(why) = &mut turn.no_calls_because {
            is_hit |= self.derived(why);
        }
        if let Some(hidden) = events::hidden(self, &turn.events) {
            turn.events = hidden;
            is_hit = true;
        }
        is_hit
    }

    fn task(&self, task: &mut TaskRecord) -> bool {
        let mut is_hit = false;
        for id in [&mut task.id, &mut task.context_id].into_iter().flatten() {
            is_hit |= self.text(id);
        }
        for artifact in &mut task.artifacts {
            is_hit |= self.text(&mut artifact.id);
            for words in [&mut artifact.name, &mut artifact.description] {
                is_hit |= words.as_mut().is_some_and(|words| self.text(words));
            }
            is_hit |= self.values(&mut artifact.parts) | self.value(&mut artifact.metadata);
        }
        if let Some(card) = &mut task.card {
            is_hit |= self.message(card);
        }
        if let Some(spoken) = &mut task.spoken {
            is_hit |= self.text(&mut spoken.url);
        }
        if let Some(error) = &mut task.error {
            is_hit |= self.derived(&mut error.message);
            is_hit |= error.code.as_mut().is_some_and(|code| self.text(code));
        }
        is_hit
    }

    fn status(&self, status: &mut TurnStatus) -> bool {
        match status {
            TurnStatus::Finished => false,
            TurnStatus::RunError { message, code } => {
                self.text(message) | code.as_mut().is_some_and(|code| self.text(code))
            }
            TurnStatus::Broken(trouble) => self.derived(&mut trouble.message),
        }
    }

    fn call(&self, call: &mut ToolCall) -> bool {
        let mut is_hit = self.text(&mut call.id) | self.text(&mut call.name);
        is_hit |= self.json_text(&mut call.args_text);
        is_hit |= call
            .result
            .as_mut()
            .is_some_and(|text| self.json_text(text));
        is_hit |= call.error.as_mut().is_some_and(|text| self.text(text));
        let error = call.args_error.as_mut();
        is_hit | error.is_some_and(|text| self.derived(text))
    }

    /// A message may be shared with the conversation: it is copied only if something in it changes.
    fn message(&self, message: &mut Arc<Value>) -> bool {
        let is_hit = self.has(message, Weak::Hide);
        is_hit && self.hide(Arc::make_mut(message), Weak::Hide)
    }

    fn values(&self, values: &mut [Value]) -> bool {
        let values = values.iter_mut();
        values.fold(false, |is_hit, value| self.value(value) | is_hit)
    }

    pub(super) fn text(&self, text: &mut String) -> bool {
        let edits = self.edits(text, Weak::Hide);
        if !edits.is_empty() {
            *text = apply(text, &edits);
        }
        !edits.is_empty()
    }

    fn json_text(&self, text: &mut String) -> bool {
        let hidden = json_text::hidden(self, text);
        hidden.map(|hidden| *text = hidden).is_some()
    }

    pub(super) fn derived(&self, text: &mut String) -> bool {
        partial::hide(self, text)
    }
}
