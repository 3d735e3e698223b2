//! `agent`: another agent judges the output. It was asked when the output was recorded; here its answers are counted.

use ananke_model::agent::{AgentCheck, Opinion, Sample};
use ananke_model::result::Outcome;
use serde_json::{Value, json};

use crate::evidence::Evidence;
use crate::resolver::Resolver;
use crate::shown::shorten;
use crate::verdict::Verdict;

/// A demand that another agent judges.
#[derive(Clone, Debug)]
pub(crate) struct JudgedByAgent {
    pub(crate) agent: String,
    /// What is demanded, as written.
    pub(crate) value: Option<Value>,
    /// What to say when it does not hold.
    pub(crate) message: Option<String>,
    metadata: Value,
    samples: u32,
    negate: bool,
}

/// Something that a judge is to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The judge's id.
    pub agent: String,
    /// What is demanded, if the check says so itself.
    pub criteria: Option<Value>,
    /// `options.metadata`, references resolved.
    pub metadata: Value,
    /// What is judged.
    pub output: String,
    /// How often to ask.
    pub samples: u32,
}

impl Question {
    /// Returns what the answers are kept under.
    pub fn about(&self) -> Value {
        about(
            &self.agent,
            self.criteria.as_ref(),
            &self.metadata,
            &self.output,
        )
    }
}

fn about(agent: &str, criteria: Option<&Value>, metadata: &Value, output: &str) -> Value {
    json!({"agent": agent, "criteria": criteria, "metadata": metadata, "output": output})
}

impl JudgedByAgent {
    pub(crate) fn compile(check: &AgentCheck, resolver: &mut Resolver<'_>) -> Option<Self> {
        let metadata = check.call.metadata.as_ref();
        let metadata = metadata.map(|json| resolver.value(&json.value, &json.place));
        let criteria = check.criteria.as_ref();
        let criteria = criteria.map(|json| resolver.value(&json.value, &json.place));
        let message = check.message.as_ref().map(|text| resolver.text(text));
        Some(Self {
            agent: check.call.agent.clone(),
            value: match criteria {
                Some(criteria) => Some(criteria?),
                None => None,
            },
            message: match message {
                Some(message) => Some(message?),
                None => None,
            },
            metadata: match metadata {
                Some(metadata) => metadata?,
                None => json!({}),
            },
            samples: check.samples,
            negate: check.negate,
        })
    }

    /// Returns what has to be asked before the evidence can be judged.
    pub(crate) fn question(&self, evidence: &Evidence<'_>) -> Question {
        Question {
            agent: self.agent.clone(),
            criteria: self.value.clone(),
            metadata: self.metadata.clone(),
            output: evidence.text.to_string(),
            samples: self.samples,
        }
    }

    pub(crate) fn expected(&self) -> String {
        let verb = if self.negate { "refuses" } else { "accepts" };
        format!("an output that `{}` {verb}", self.agent)
    }

    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let about = self.question(evidence).about();
        let mut opinions = evidence.turns.iter().rev().flat_map(|turn| &turn.opinions);
        let Some(opinion) = opinions.find(|opinion| opinion.about == about) else {
            let actual = "it was not asked about this output";
            return undecided(actual.to_owned())
                .details(["run the test against the agents to have it judged".to_owned()]);
        };
        self.counted(opinion)
    }

    /// Lets most of the answers decide. Without a majority of all answers there is no verdict.
    fn counted(&self, opinion: &Opinion) -> Verdict {
        let n = opinion.samples.len();
        let count = |wanted: Option<bool>| {
            let samples = opinion.samples.iter();
            samples.filter(|sample| sample.passed == wanted).count()
        };
        let (n_yes, n_no) = (count(Some(true)), count(Some(false)));
        let wanted = if 2 * n_yes > n {
            true
        } else if 2 * n_no > n {
            false
        } else {
            let samples = opinion.samples.iter();
            let actual = if count(None) > 0 {
                format!("{} of {n} answers are no verdict", count(None))
            } else {
                format!("{n_yes} for and {n_no} against")
            };
            return undecided(actual).details(samples.map(line));
        };
        let word = if wanted { "accepted" } else { "refused" };
        let reason = opinion
            .samples
            .iter()
            .find(|sample| sample.passed == Some(wanted))
            .map(|sample| shorten(&sample.reason))
            .unwrap_or_default();
        let actual = match n {
            0 | 1 => format!("{word}: {reason}"),
            _ => format!("{word} by {} of {n}: {reason}", n_yes.max(n_no)),
        };
        if wanted != self.negate {
            return Verdict::passed(actual);
        }
        Verdict::failed(actual)
            .details([format!("{}: {reason}", self.agent)])
            .details(opinion.samples.iter().skip(1).map(line))
    }
}

fn undecided(actual: String) -> Verdict {
    Verdict {
        outcome: Outcome::Inconclusive,
        ..Verdict::passed(actual)
    }
}

fn line(sample: &Sample) -> String {
    let word = match sample.passed {
        Some(true) => "accepted",
        Some(false) => "refused",
        None => "no verdict",
    };
    format!("{word}: {}", shorten(&sample.reason))
}
