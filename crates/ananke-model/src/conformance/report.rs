//! What was found: a verdict for every rule, scenario and client.

use serde::Serialize;

/// How binding a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Level {
    /// The specification demands it.
    #[serde(rename = "MUST")]
    Must,
    /// The specification recommends it.
    #[serde(rename = "SHOULD")]
    Should,
    /// The specification is silent; implementations agree on it.
    #[serde(rename = "convention")]
    Convention,
}

/// What a rule looks at. Layers are kept apart: an event can be well formed at the wrong moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// Status, headers, framing, and what the server accepts.
    Http,
    /// Each event by itself.
    Shape,
    /// The order of events.
    Sequence,
    /// What events mean together with the request.
    Semantics,
    /// What the server does in a scenario.
    Behaviour,
}

/// What a finding of a rule does to the verdict of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The rule is not looked at.
    Off,
    /// It is told.
    Warn,
    /// The run fails.
    Error,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It was looked at, and nothing is wrong.
    Pass,
    /// Something is wrong that does not fail the run.
    Warn,
    /// Something is wrong.
    Fail,
    /// Nothing was seen that it could be judged by.
    Inconclusive,
    /// It was switched off.
    Off,
}

/// A rule as it is told to the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleFacts {
    /// Stable, such as `sequence.open-at-finish`.
    pub id: String,
    /// How binding it is in the profile.
    pub level: Level,
    /// What it looks at.
    pub layer: Layer,
    /// What must hold, in one line.
    pub title: String,
    /// Why, in one sentence.
    pub reason: String,
    /// Where the specification says so.
    pub section: String,
    /// What to do about it.
    pub advice: String,
}

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The scenario it was seen in.
    pub scenario: String,
    /// What the request was for, such as `run`, `resume: cancelled` or `probe: bad JSON`.
    pub step: String,
    /// Number of the request, counted from 0; see [`ConformanceReport::exchanges`].
    pub exchange: usize,
    /// Number of the event in the answer, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// The event's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_type: Option<String>,
    /// What is wrong: what was expected, what was seen.
    pub message: String,
    /// The beginning of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// Whether the baseline names it.
    pub known: bool,
}

/// What came of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleVerdict {
    /// The rule.
    #[serde(flatten)]
    pub rule: RuleFacts,
    /// What a finding does.
    pub severity: Severity,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is inconclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What is wrong, in the order in which it was seen.
    pub findings: Vec<Finding>,
    /// Findings over the limit, which are counted only.
    pub n_more: usize,
}

/// What came of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScenarioVerdict {
    /// Such as `frontend-tool`.
    pub name: String,
    /// `Pass`: the agent showed it and no rule failed in it. `Inconclusive`: the agent did not show it.
    pub verdict: Verdict,
    /// What was seen, or why nothing was.
    pub detail: String,
}

/// Whether a client gets through all that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClientVerdict {
    /// Such as `@ag-ui/client 1.0.0`.
    pub client: String,
    /// `Pass`, `Fail`, or `Inconclusive` if there was no stream.
    pub verdict: Verdict,
    /// The first stream that it refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks: Option<Finding>,
}

/// A request and what answered it, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExchangeSummary {
    /// The scenario.
    pub scenario: String,
    /// What the request was for.
    pub step: String,
    /// HTTP status, if there was an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How many events came.
    pub n_events: usize,
    /// How the answer ended.
    pub ending: String,
    /// How long it took.
    pub duration_ms: u64,
}

/// A failure that is known and accepted for now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownFailure {
    /// The rule.
    pub rule: String,
    /// In this scenario only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// Why it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where the baseline names it: `file:line`.
    pub place: String,
}

/// What came of the baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BaselineVerdict {
    /// Entries that were seen to fail, as they say.
    pub n_matched: usize,
    /// Entries that pass now: they fail the run until they are removed.
    pub stale: Vec<KnownFailure>,
    /// Entries that could not be judged this time.
    pub unseen: Vec<KnownFailure>,
}

/// All that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConformanceReport {
    /// Such as `ag-ui@1.0`.
    pub profile: String,
    /// The URL, or the file.
    pub subject: String,
    /// Every rule of the profile.
    pub checks: Vec<RuleVerdict>,
    /// Every scenario, unless a file was judged.
    pub scenarios: Vec<ScenarioVerdict>,
    /// Clients that would read these streams.
    pub clients: Vec<ClientVerdict>,
    /// Requests in order.
    pub exchanges: Vec<ExchangeSummary>,
    /// What came of `--baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineVerdict>,
    /// Why nothing could be found out at all: the harness itself is wrong, and no verdict counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harness_error: Option<String>,
    /// Facts that are no findings, such as what the profile does not look at.
    pub notes: Vec<String>,
    /// Whether what could not be judged counts against the server.
    pub strict: bool,
    /// How long all of it took.
    pub duration_ms: u64,
}

impl ConformanceReport {
    /// Counts the rules with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        let checks = self.checks.iter();
        checks.filter(|check| check.verdict == verdict).count()
    }

    /// Tells whether anything fails the run: a rule, or an entry of the baseline that passes now.
    pub fn fails(&self) -> bool {
        let stale = self.baseline.as_ref().map_or(0, |found| found.stale.len());
        self.count(Verdict::Fail) > 0 || stale > 0
    }

    /// Tells whether something could not be judged that the user wants judged.
    pub fn is_unclear(&self) -> bool {
        let scenarios = self.scenarios.iter();
        let is_open = |verdict| verdict == Verdict::Inconclusive;
        self.strict
            && (self.count(Verdict::Inconclusive) > 0
                || scenarios.map(|scenario| scenario.verdict).any(is_open))
    }

    /// Tells whether anything was judged that is more than a status and headers. Zero evidence is never a pass.
    pub fn has_evidence(&self) -> bool {
        let mut checks = self.checks.iter();
        checks.any(|check| match check.verdict {
            Verdict::Fail => true,
            Verdict::Pass | Verdict::Warn => check.rule.layer != Layer::Http,
            Verdict::Inconclusive | Verdict::Off => false,
        })
    }
}
