//! Compares a value with its description, and says what is wrong where.

use serde_json::{Map, Value};

use super::catalogue::{EMPTY, ENUM, MEMBER_TYPE, NULL, REQUIRED, RETIRED, TYPE, UNKNOWN_MEMBER};
use super::described::{Kind, Member, Object, Presence, Union, Variant, When, either};
use super::events::EVENT;
use super::spelling::{quoted, same_word};
use crate::rule::{Profile, Rule};

/// What is told of one event or request; one that is wrong throughout need not be told in full.
const MAX_FOUND: usize = 100;

/// What was found so far.
#[derive(Debug)]
pub(super) struct Walk {
    pub(super) profile: Profile,
    /// Whether this goes to a server. Servers before 1.0 want members in which anything can be; clients do without.
    is_request: bool,
    /// Where we are, as a JSON pointer.
    path: String,
    /// Rules that are broken, and how.
    pub(super) found: Vec<(&'static Rule, String)>,
    /// Rules that had something to be judged by.
    pub(super) seen: Vec<&'static Rule>,
}

impl Walk {
    /// Begins.
    pub(super) fn new(profile: Profile) -> Self {
        Self {
            profile,
            is_request: false,
            path: String::new(),
            found: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// Begins a request.
    pub(super) fn of_request(profile: Profile) -> Self {
        Self {
            is_request: true,
            ..Self::new(profile)
        }
    }

    /// Returns what is wrong, in words.
    pub(super) fn into_messages(self) -> Vec<String> {
        self.found.into_iter().map(|(_, message)| message).collect()
    }

    /// Looks at an event, which is an object.
    pub(super) fn event(&mut self, event: &Map<String, Value>) {
        let Some(kind) = self.tag(&EVENT, event) else {
            return;
        };
        self.saw(&TYPE);
        self.saw(&RETIRED);
        match EVENT.variants.iter().find(|variant| variant.tag == kind) {
            Some(Variant {
                when: When::Before1,
                ..
            }) if self.profile == Profile::V1 => {
                let twin = kind.replacen("THINKING_TEXT", "REASONING", 1);
                let twin = twin.replacen("THINKING", "REASONING", 1);
                let message = format!("`{kind}` was retired with 1.0: expected `{twin}`");
                self.found.push((&RETIRED, message));
            }
            Some(variant) => self.members(variant.object, EVENT.by, event),
            None => {
                let mut known = EVENT.variants(self.profile).map(|variant| variant.tag);
                let hint = known.find(|tag| same_word(tag, kind));
                let hint = hint
                    .map(|tag| format!(": is `{tag}` meant?"))
                    .unwrap_or_default();
                let message = format!("{} is no event type of the protocol{hint}", quoted(kind));
                self.found.push((&TYPE, message));
            }
        }
    }

    /// Looks at a value.
    pub(super) fn kind(&mut self, kind: &'static Kind, value: &Value) {
        let kind = kind.of(self.profile);
        match (kind, value) {
            (Kind::Anything, _) => {}
            (Kind::Value, value) if self.profile == Profile::Old || !value.is_null() => {}
            (Kind::Text | Kind::TextOrList(_), Value::String(_))
            | (Kind::Truth, Value::Bool(_))
            | (Kind::Number, Value::Number(_))
            | (Kind::Data, Value::Object(_)) => {}
            (Kind::OneOf(words), Value::String(text)) => self.word(words, text),
            (Kind::Integer { min, max }, Value::Number(_)) => self.integer(*min, *max, value),
            (Kind::Pointer, Value::String(text)) => self.pointer(text),
            (Kind::Object(object), Value::Object(members)) => self.members(object, "", members),
            (Kind::Union(union), Value::Object(members)) => self.union(union, members),
            (Kind::List(item) | Kind::TextOrList(item), Value::Array(items)) => {
                self.items(item, items);
            }
            (Kind::NotEmpty(item), Value::Array(items)) => {
                self.saw(&EMPTY);
                if items.is_empty() {
                    self.report(&EMPTY, "expected at least one entry, saw none");
                }
                self.items(item, items);
            }
            (kind, value) => {
                let expected = kind.called(self.profile);
                let message = format!("expected {expected}, saw {}", seen(value));
                self.report(&MEMBER_TYPE, &message);
            }
        }
    }

    fn items(&mut self, item: &'static Kind, items: &[Value]) {
        for (index, value) in items.iter().enumerate() {
            if self.found.len() >= MAX_FOUND {
                return;
            }
            self.at(&index.to_string(), |walk| walk.kind(item, value));
        }
    }

    fn union(&mut self, union: &'static Union, members: &Map<String, Value>) {
        let Some(tag) = self.tag(union, members) else {
            return;
        };
        self.saw(&ENUM);
        let profile = self.profile;
        let variant = union.variants(profile).find(|variant| variant.tag == tag);
        if let Some(variant) = variant {
            self.members(variant.object, union.by, members);
            return;
        }
        let expected = either(union.variants(profile).map(|variant| variant.tag));
        let message = format!("expected {expected}, saw {}", quoted(tag));
        self.at(union.by, |walk| walk.report(&ENUM, &message));
    }

    /// Returns the member that tells an object from its siblings.
    fn tag<'a>(&mut self, union: &Union, members: &'a Map<String, Value>) -> Option<&'a str> {
        self.saw(&REQUIRED);
        let Some(value) = members.get(union.by) else {
            let message = "expected a string, but it is missing";
            self.at(union.by, |walk| walk.report(&REQUIRED, message));
            return None;
        };
        self.saw(&MEMBER_TYPE);
        if value.as_str().is_none() {
            let message = format!("expected a string, saw {}", seen(value));
            self.at(union.by, |walk| walk.report(&MEMBER_TYPE, &message));
        }
        value.as_str()
    }

    fn members(&mut self, object: &Object, tag: &str, members: &Map<String, Value>) {
        self.saw(&NULL);
        for member in object.members() {
            self.member(member, members.get(member.name));
        }
        self.one_of(object, members);
        let is_closed = match self.profile {
            Profile::Old => object.was_closed,
            _ => !object.is_open,
        };
        if !is_closed {
            return;
        }
        self.saw(&UNKNOWN_MEMBER);
        let profile = self.profile;
        let known = || {
            let members = object.members();
            members.filter(move |member| member.presence(profile) != Presence::Free)
        };
        for (name, value) in members {
            if name == tag || known().any(|member| member.name == name) {
                continue;
            }
            if self.found.len() >= MAX_FOUND {
                return;
            }
            let hint = match object.members().find(|member| member.name == name) {
                Some(_) => ": it came with 1.0".to_owned(),
                None => known()
                    .find(|member| same_word(member.name, name))
                    .map(|member| format!(": is `{}` meant?", member.name))
                    .unwrap_or_default(),
            };
            let message = format!(
                "{} has no such member, saw {}{hint}",
                object.called,
                seen(value),
            );
            self.at(name, |walk| walk.report(&UNKNOWN_MEMBER, &message));
        }
    }

    /// Looks whether one of several members says something. What is no text is told as such.
    fn one_of(&mut self, object: &Object, members: &Map<String, Value>) {
        let is_given = |name: &&str| members.get(*name).is_some_and(|value| value != "");
        if object.one_of.is_empty() || object.one_of.iter().any(is_given) {
            return;
        }
        let message = format!(
            "expected {} in {}, saw none",
            either(object.one_of.iter().copied()),
            object.called
        );
        self.report(&REQUIRED, &message);
    }

    fn member(&mut self, member: &'static Member, value: Option<&Value>) {
        let kind = member.kind.of(self.profile);
        let is_old = self.profile == Profile::Old;
        let presence = match member.presence(self.profile) {
            // Its readers cannot tell "absent" from "anything".
            _ if is_old && !self.is_request && matches!(kind, Kind::Anything) => Presence::Free,
            presence => presence,
        };
        if presence == Presence::Required {
            self.saw(&REQUIRED);
        }
        let expected = || member.kind.called(self.profile);
        match (presence, value) {
            (Presence::Free, _) | (Presence::Optional, None) => {}
            (Presence::Required, None) => {
                let message = format!("expected {}, but it is missing", expected());
                self.at(member.name, |walk| walk.report(&REQUIRED, &message));
            }
            (Presence::Optional, Some(Value::Null)) => {
                let takes_null = matches!(kind, Kind::Anything | Kind::Value);
                if !is_old || !(takes_null || member.was_nullable) {
                    let message = format!("expected {} or no such member, saw null", expected());
                    self.at(member.name, |walk| walk.report(&NULL, &message));
                }
            }
            (_, Some(value)) => {
                self.saw(&MEMBER_TYPE);
                self.at(member.name, |walk| walk.kind(&member.kind, value));
            }
        }
    }

    fn at(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push('/');
        self.path
            .push_str(&name.replace('~', "~0").replace('/', "~1"));
        look(self);
        self.path.truncate(length);
    }

    pub(super) fn report(&mut self, rule: &'static Rule, message: &str) {
        if self.found.len() < MAX_FOUND {
            let place = match self.path.as_str() {
                "" => String::new(),
                path => format!("{path}: "),
            };
            self.found.push((rule, format!("{place}{message}")));
        }
    }

    pub(super) fn saw(&mut self, rule: &'static Rule) {
        if self.seen.iter().all(|seen| seen.id != rule.id) {
            self.seen.push(rule);
        }
    }
}

/// Returns what users know a value as.
pub(crate) fn seen(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
