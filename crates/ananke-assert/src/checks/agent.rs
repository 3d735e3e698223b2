//! `agent` and `script`: another agent, or a function, judges the output. It was asked when the output was recorded; here its
//! answers are counted.

use ananke_model::agent::{AgentCheck, Opinion, Sample};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Json;
use ananke_model::result::Outcome;
use ananke_model::script::{ScriptCall, ScriptCheck};
use ananke_model::variables::text_form;
use serde_json::{Value, json};

use crate::evidence::Evidence;
use crate::resolver::Resolver;
use crate::shown::{counted, listed, shorten};
use crate::verdict::Verdict;

/// What to do about an answer that was not recorded.
const ASK: &str = "run the test against the agents to have it judged";

/// A demand that another agent, or a function, judges.
#[derive(Clone, Debug)]
pub(crate) struct JudgedByAgent {
    agent: String,
    /// The function, if it is one that judges.
    script: Option<ScriptCall>,
    /// Its key in the plan.
    key: String,
    /// What is demanded, as written.
    pub(crate) value: Option<Value>,
    /// What to say when it does not hold.
    pub(crate) message: Option<String>,
    metadata: Value,
    samples: u32,
    timeout_ms: Option<u64>,
    pub(crate) negate: bool,
}

/// Something that a judge is to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The judge: a key of `Plan.agents`, or what the user calls the function.
    pub agent: String,
    /// The function, if it is one that judges.
    pub script: Option<ScriptCall>,
    /// What is demanded, if the check says so itself.
    pub criteria: Option<Value>,
    /// `options.metadata`, references resolved.
    pub metadata: Value,
    /// What is judged.
    pub output: String,
    /// How often to ask.
    pub samples: u32,
    /// How long one answer may take, if the check says so.
    pub timeout_ms: Option<u64>,
}

impl Question {
    /// Returns what the answers are kept under.
    pub fn about(&self) -> Value {
        let Self {
            criteria,
            metadata,
            output,
            ..
        } = self;
        match &self.script {
            Some(ScriptCall {
                reference, digest, ..
            }) => {
                json!({"script": reference, "digest": digest, "value": criteria, "metadata": metadata, "output": output})
            }
            None => {
                json!({"agent": self.agent, "criteria": criteria, "metadata": metadata, "output": output})
            }
        }
    }
}

impl JudgedByAgent {
    pub(crate) fn compile(check: &AgentCheck, resolver: &mut Resolver<'_>) -> Option<Self> {
        let metadata = check.call.metadata.as_ref();
        let metadata = metadata.map(|json| resolver.value(&json.value, &json.place));
        let criteria = check.criteria.as_ref();
        let criteria = criteria.map(|json| criteria_of(json, resolver));
        let message = check.message.as_ref().map(|text| resolver.text(text));
        Some(Self {
            script: None,
            agent: check.call.agent.clone(),
            key: check.call.key(),
            // Of these, what is there but could not be resolved is a mistake that was reported.
            metadata: metadata.unwrap_or_else(|| Some(json!({})))?,
            value: criteria.map_or(Some(None), |criteria| criteria.map(Some))?,
            message: message.map_or(Some(None), |message| message.map(Some))?,
            samples: check.samples,
            timeout_ms: check.timeout_ms,
            negate: check.negate,
        })
    }

    pub(crate) fn compile_script(check: &ScriptCheck, resolver: &mut Resolver<'_>) -> Option<Self> {
        let metadata = check.metadata.as_ref();
        let metadata = metadata.map(|json| resolver.value(&json.value, &json.place));
        let value = check.value.as_ref();
        let value = value.map(|json| resolver.value(&json.value, &json.place));
        let message = check.message.as_ref().map(|text| resolver.text(text));
        Some(Self {
            agent: check.call.reference.clone(),
            script: Some(check.call.clone()),
            key: check.call.reference.clone(),
            metadata: metadata.unwrap_or_else(|| Some(json!({})))?,
            value: value.map_or(Some(None), |value| value.map(Some))?,
            message: message.map_or(Some(None), |message| message.map(Some))?,
            samples: 1,
            timeout_ms: check.timeout_ms,
            negate: check.negate,
        })
    }

    /// Returns what has to be asked before the evidence can be judged.
    pub(crate) fn question(&self, evidence: &Evidence<'_>) -> Question {
        Question {
            agent: self.key.clone(),
            script: self.script.clone(),
            criteria: self.value.clone(),
            metadata: self.metadata.clone(),
            output: evidence.text.to_string(),
            samples: self.samples,
            timeout_ms: self.timeout_ms,
        }
    }

    pub(crate) fn subject(&self) -> String {
        let negated = if self.negate { " (negated)" } else { "" };
        format!("{}{negated}", self.agent)
    }

    pub(crate) fn expected(&self) -> String {
        let verb = if self.negate { "refuses" } else { "accepts" };
        let criteria = self.value.as_ref().map_or_else(String::new, |value| {
            format!(": {}", shorten(&text_form(value)))
        });
        format!("an output that `{}` {verb}{criteria}", self.agent)
    }

    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let about = self.question(evidence).about();
        let opinions = evidence.turns.iter().flat_map(|turn| &turn.opinions);
        let opinions = opinions.filter(|opinion| opinion.about == about);
        // Another check may have asked the same less often; of two that asked as often the later one counts.
        let Some(opinion) = opinions.max_by_key(|opinion| opinion.samples.len()) else {
            return undecided("no verdict: it was not asked about this output")
                .details([ASK.to_owned()]);
        };
        Verdict {
            samples: opinion.samples.clone(),
            ..self.counted(opinion)
        }
    }

    /// Lets most of the answers decide: without more than half of all of them there is no verdict. Nothing but their
    /// numbers counts.
    fn counted(&self, opinion: &Opinion) -> Verdict {
        let samples = &opinion.samples;
        let n = samples.len();
        let count = |passed| samples.iter().filter(|one| one.passed == passed).count();
        let (n_yes, n_no, n_none) = (count(Some(true)), count(Some(false)), count(None));
        if u64::try_from(n).is_ok_and(|n| n < u64::from(self.samples)) {
            let times = counted(n, "time");
            let actual = format!("no verdict: it was asked {times}, not {}", self.samples);
            return undecided(actual)
                .details(listed(samples.iter().map(line)))
                .details([ASK.to_owned()]);
        }
        let passed = if 2 * n_yes > n {
            true
        } else if 2 * n_no > n {
            false
        } else {
            if let [only] = samples.as_slice() {
                return undecided(line(only));
            }
            let actual = match n_none {
                0 => format!("{n_yes} for, {n_no} against: no majority of {n}"),
                _ => format!("{n_yes} for, {n_no} against, {n_none} without a verdict"),
            };
            return undecided(actual).details(listed(samples.iter().map(line)));
        };
        let word = if passed { "accepted" } else { "refused" };
        let first = samples.iter().find(|one| one.passed == Some(passed));
        let reason = first.map_or_else(String::new, because);
        let actual = match n {
            1 => format!("{word}{reason}"),
            _ => format!("{word} by {} of {n}{reason}", n_yes.max(n_no)),
        };
        if passed != self.negate {
            return Verdict::passed(actual);
        }
        // One answer is told by what was seen.
        let lines = samples.iter().map(line).filter(|_| n > 1);
        Verdict::failed(actual).details(listed(lines))
    }
}

/// Resolves criteria. What a variable leaves empty demands nothing.
fn criteria_of(json: &Json, resolver: &mut Resolver<'_>) -> Option<Value> {
    let criteria = resolver.value(&json.value, &json.place)?;
    let is_empty = match &criteria {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    };
    if is_empty {
        let diagnostic = Diagnostic::error(&json.place, "the criteria are empty");
        resolver.diagnostics.push(diagnostic);
        return None;
    }
    Some(criteria)
}

fn undecided(actual: impl Into<String>) -> Verdict {
    Verdict {
        outcome: Outcome::Inconclusive,
        ..Verdict::passed(actual)
    }
}

/// Returns an answer as one line.
fn line(sample: &Sample) -> String {
    let word = match sample.passed {
        Some(true) => "accepted",
        Some(false) => "refused",
        None => "no verdict",
    };
    format!("{word}{}", because(sample))
}

fn because(sample: &Sample) -> String {
    let reason = sample.reason.trim();
    if reason.is_empty() {
        return ", without a reason".to_owned();
    }
    format!(": {}", shorten(reason))
}
