//! What a rule is, and where what it finds goes.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level, RuleFacts};

/// A version of the protocol that a server is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// `ag-ui@0.x`: what the packages before 1.0 did.
    Old,
    /// `ag-ui@1.0`.
    V1,
    /// `a2a@0.3`.
    A2aOld,
    /// `a2a@1.0`.
    A2a,
    /// `mcp`, all its versions: a server says which of them it speaks.
    Mcp,
}

/// The protocol that a profile is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoken {
    /// AG-UI.
    AgUi,
    /// A2A.
    A2a,
    /// MCP.
    Mcp,
}

impl Profile {
    /// Returns the name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Old => "ag-ui@0.x",
            Self::V1 => "ag-ui@1.0",
            Self::A2aOld => "a2a@0.3",
            Self::A2a => "a2a@1.0",
            Self::Mcp => "mcp",
        }
    }

    /// Returns the protocol that it is about.
    pub fn spoken(self) -> Spoken {
        match self {
            Self::Old | Self::V1 => Spoken::AgUi,
            Self::A2aOld | Self::A2a => Spoken::A2a,
            Self::Mcp => Spoken::Mcp,
        }
    }
}

/// A rule. Its file in `rules/` says what it looks at; all texts are for users.
#[derive(Debug)]
pub struct Rule {
    /// Stable: `layer.what` for AG-UI, `protocol.what` for the others.
    pub id: &'static str,
    /// What it looks at.
    pub layer: Layer,
    /// How binding it is for servers before 1.0 (AG-UI 0.x, A2A 0.3); `None` if it means nothing there.
    pub old: Option<Level>,
    /// How binding it is in 1.0, and in MCP.
    pub v1: Option<Level>,
    /// What must hold, in one line, without a full stop.
    pub title: &'static str,
    /// Why, in one sentence.
    pub reason: &'static str,
    /// Where the specification says so, such as `Events, run lifecycle`.
    pub section: &'static str,
    /// What a server's author does about it, in one or two sentences.
    pub advice: &'static str,
    /// What must be seen for a verdict, as in `no <needs> was seen`: `tool call`, `STATE_DELTA`, `answer to a minimal request`.
    pub needs: &'static str,
}

impl Rule {
    /// Returns the protocol that it belongs to.
    pub fn spoken(&self) -> Spoken {
        match self.id.split_once('.') {
            Some(("a2a", _)) => Spoken::A2a,
            Some(("mcp", _)) => Spoken::Mcp,
            _ => Spoken::AgUi,
        }
    }

    /// Returns how binding it is; `None` if the profile does not have it.
    pub fn level(&self, profile: Profile) -> Option<Level> {
        if self.spoken() != profile.spoken() {
            return None;
        }
        match profile {
            Profile::Old | Profile::A2aOld => self.old,
            Profile::V1 | Profile::A2a | Profile::Mcp => self.v1,
        }
    }

    /// Returns what is told to the user.
    pub fn facts(&self, level: Level) -> RuleFacts {
        RuleFacts {
            id: self.id.to_owned(),
            level,
            layer: self.layer,
            title: self.title.to_owned(),
            reason: self.reason.to_owned(),
            section: self.section.to_owned(),
            advice: self.advice.to_owned(),
        }
    }
}

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The rule's id.
    pub rule: &'static str,
    /// The rule's layer.
    pub layer: Layer,
    /// Number of the exchange.
    pub exchange: usize,
    /// Number of the event.
    pub event: Option<usize>,
    /// What is wrong.
    pub message: String,
}

/// What rules found, and what they had to look at.
#[derive(Debug)]
pub struct Findings {
    /// What the server is held to.
    pub profile: Profile,
    /// The exchange that is being looked at.
    exchange: usize,
    found: Vec<Found>,
    seen: BTreeSet<(&'static str, usize)>,
}

impl Findings {
    /// Begins.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            exchange: 0,
            found: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Goes on to an exchange.
    pub fn enter(&mut self, exchange: usize) {
        self.exchange = exchange;
    }

    /// Notes that the rule had something to be judged by. Without this, and without a finding, it is inconclusive.
    pub fn saw(&mut self, rule: &'static Rule) {
        self.seen.insert((rule.id, self.exchange));
    }

    /// Notes that an event breaks a rule. Rules that the profile does not have find nothing.
    pub fn at(&mut self, rule: &'static Rule, event: usize, message: impl Into<String>) {
        self.add(rule, Some(event), message.into());
    }

    /// Notes that an answer as a whole breaks a rule.
    pub fn whole(&mut self, rule: &'static Rule, message: impl Into<String>) {
        self.add(rule, None, message.into());
    }

    /// Notes that an event breaks a rule, or an answer as a whole if it is no stream.
    pub fn told(&mut self, rule: &'static Rule, event: Option<usize>, message: impl Into<String>) {
        self.add(rule, event, message.into());
    }

    fn add(&mut self, rule: &'static Rule, event: Option<usize>, message: String) {
        self.saw(rule);
        if rule.level(self.profile).is_some() {
            self.found.push(Found {
                rule: rule.id,
                layer: rule.layer,
                exchange: self.exchange,
                event,
                message,
            });
        }
    }

    /// Tells whether a rule had something to be judged by anywhere.
    pub fn has_seen(&self, id: &'static str) -> bool {
        self.seen_in(id).next().is_some()
    }

    /// Returns the exchanges in which a rule had something to be judged by.
    pub fn seen_in(&self, id: &'static str) -> impl Iterator<Item = usize> {
        let all = self.seen.range((id, 0)..=(id, usize::MAX));
        all.map(|(_, exchange)| *exchange)
    }

    /// Returns what was found, in the order in which a reader meets it: by exchange, by event, the whole of an answer
    /// last, and for one event by layer.
    pub fn in_order(&self) -> Vec<&Found> {
        let mut found: Vec<&Found> = self.found.iter().collect();
        found.sort_by_key(|found| {
            (
                found.exchange,
                found.event.unwrap_or(usize::MAX),
                found.layer,
            )
        });
        found
    }
}
