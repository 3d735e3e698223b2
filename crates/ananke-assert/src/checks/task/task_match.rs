//! One check on a task, on artifacts or on a card, whichever it is.

use ananke_model::task_check::TaskCheck;

use super::artifacts_count::ArtifactsCount;
use super::artifacts_require::ArtifactsRequire;
use super::card_capabilities::CardCapability;
use super::card_match::CardMatch;
use super::card_security::CardSecurity;
use super::card_skills::CardSkill;
use super::task_state::TaskState;
use super::task_states::TaskStates;
use crate::evidence::Evidence;
use crate::resolver::Resolver;
use crate::verdict::Verdict;

/// Demands something of a task, of artifacts or of a card.
#[derive(Clone, Debug)]
pub(crate) struct TaskMatch {
    kind: Kind,
    /// Whether a task that was given up may be what is demanded.
    pub(crate) accepts_failure: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    State(TaskState),
    States(TaskStates),
    Count(ArtifactsCount),
    Require(ArtifactsRequire),
    Skill(CardSkill),
    Capability(CardCapability),
    Security(CardSecurity),
    Match(CardMatch),
}

impl TaskMatch {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(check: &TaskCheck, resolver: &mut Resolver<'_>) -> Option<Self> {
        let kind = match check {
            TaskCheck::State(states) => Kind::State(TaskState {
                states: states.clone(),
            }),
            TaskCheck::States(states) => Kind::States(TaskStates {
                states: states.clone(),
            }),
            TaskCheck::Artifacts(count) => Kind::Count(ArtifactsCount { count: *count }),
            TaskCheck::Artifact(required) => {
                Kind::Require(ArtifactsRequire::compile(required, resolver)?)
            }
            TaskCheck::Skill(id) => Kind::Skill(CardSkill {
                id: resolver.text(id)?,
            }),
            TaskCheck::Capability(capability) => Kind::Capability(CardCapability {
                capability: capability.clone(),
            }),
            TaskCheck::Security(name) => Kind::Security(CardSecurity {
                name: resolver.text(name)?,
            }),
            TaskCheck::Card(written) => Kind::Match(CardMatch::compile(written, resolver)?),
        };
        Some(Self {
            kind,
            accepts_failure: check.accepts_failure(),
        })
    }

    /// Returns what the check is about: the states, the count, the patterns or the name.
    pub(crate) fn subject(&self) -> String {
        match &self.kind {
            Kind::State(check) => check.states.join(" or "),
            Kind::States(check) => check.states.join(", "),
            Kind::Count(check) => check.count.to_string(),
            Kind::Require(check) => check.subject(),
            Kind::Skill(check) => check.id.clone(),
            Kind::Capability(check) => check.capability.name.clone(),
            Kind::Security(check) => check.name.clone(),
            Kind::Match(check) => check.shown.clone(),
        }
    }

    /// Tells whether something is demanded, not merely limited.
    pub(crate) fn asks(&self) -> bool {
        match &self.kind {
            Kind::Count(check) => check.count.min > 0,
            _ => true,
        }
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        match &self.kind {
            Kind::State(check) => check.states.join(" or "),
            Kind::States(check) => check.expected(),
            Kind::Count(check) => check.expected(),
            Kind::Require(check) => check.expected(),
            Kind::Skill(check) => check.expected(),
            Kind::Capability(check) => check.expected(),
            Kind::Security(check) => check.expected(),
            Kind::Match(check) => check.expected(),
        }
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let judged = match &self.kind {
            Kind::State(check) => check.judge(evidence),
            Kind::States(check) => check.judge(evidence),
            Kind::Count(check) => check.judge(evidence),
            Kind::Require(check) => check.judge(evidence),
            Kind::Skill(check) => check.judge(evidence),
            Kind::Capability(check) => check.judge(evidence),
            Kind::Security(check) => check.judge(evidence),
            Kind::Match(check) => check.judge(evidence),
        };
        // Where nothing is told, that is the verdict.
        judged.unwrap_or_else(|verdict| verdict)
    }
}
