//! Inheritance of what is demanded of tasks, artifacts and the card.

use ananke_model::check::{Check, Demand, Level};
use ananke_model::place::Place;
use ananke_model::task_check::TaskCheck;

use super::blocks::{extend, replace};
use crate::parse::TaskSpec;

/// What has been gathered from target to turn.
#[derive(Clone, Debug, Default)]
pub(super) struct GatheredTasks {
    state: Option<Demand>,
    states: Vec<Demand>,
    count: Option<Demand>,
    require: Vec<Demand>,
    skills: Vec<Demand>,
    capabilities: Vec<Demand>,
    security: Vec<Demand>,
    card_match: Vec<Demand>,
}

impl GatheredTasks {
    /// Keeps prohibitions and limits: of all these only a count without a lower bound is one.
    pub(super) fn keep_limits(&mut self) {
        *self = Self {
            count: self.count.take().filter(is_limit),
            ..Self::default()
        };
    }

    /// Returns what a turn inherits. What a test says of states is about how its task ends and the way there, to which no
    /// turn but the last can come.
    pub(super) fn for_turn(&self) -> Self {
        let is_of_target = |demand: &Demand| demand.origin.level == Level::Target;
        let mut inherited = self.clone();
        inherited.state = inherited.state.filter(is_of_target);
        inherited.states.retain(is_of_target);
        inherited
    }

    /// Adds what stands in a block itself.
    pub(super) fn apply(&mut self, spec: &TaskSpec, demand: &dyn Fn(&(Place, Check)) -> Demand) {
        replace(&mut self.state, &spec.state, |one| Some(demand(one)));
        extend(&mut self.states, &spec.states, demand);
        replace(&mut self.count, &spec.count, |one| Some(demand(one)));
        extend(&mut self.require, &spec.require, demand);
        extend(&mut self.skills, &spec.skills, demand);
        extend(&mut self.capabilities, &spec.capabilities, demand);
        one_of_each_name(&mut self.capabilities);
        extend(&mut self.security, &spec.security, demand);
        extend(&mut self.card_match, &spec.card_match, demand);
    }

    /// Goes through the demands in the order in which failures are shown.
    pub(super) fn demands(&self) -> impl Iterator<Item = &Demand> {
        let tasks = self.state.iter().chain(&self.states);
        let artifacts = self.count.iter().chain(&self.require);
        let card = [
            &self.skills,
            &self.capabilities,
            &self.security,
            &self.card_match,
        ];
        let made = tasks.chain(artifacts);
        made.chain(card.into_iter().flatten())
    }
}

fn task_check(demand: &Demand) -> Option<&TaskCheck> {
    match &demand.check {
        Check::Task(check) => Some(check),
        _ => None,
    }
}

fn is_limit(demand: &Demand) -> bool {
    matches!(task_check(demand), Some(TaskCheck::Artifacts(count)) if count.min == 0)
}

/// Keeps the last demand for each capability: an agent cannot be able and unable to do the same thing.
fn one_of_each_name(capabilities: &mut Vec<Demand>) {
    let name = |demand: &Demand| match task_check(demand) {
        Some(TaskCheck::Capability(capability)) => Some(capability.name.clone()),
        _ => None,
    };
    let names: Vec<_> = capabilities.iter().map(name).collect();
    let mut index = 0;
    capabilities.retain(|_| {
        index += 1;
        let later = names.get(index..).unwrap_or_default();
        names
            .get(index - 1)
            .is_some_and(|name| !later.contains(name))
    });
}
