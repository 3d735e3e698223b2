//! Prompts: templates in which `{{name}}` stands for what the call says, and in those of an assistant folder `$CTX.`,
//! `$ENV.` and `$SYS.` for what is known. Values are put in once and never looked at again, so what an agent or a case
//! says cannot pull in another value.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ananke_model::plan::Prompt;
use ananke_model::variables::{Variables, text_form};
use serde_json::{Map, Value};

use super::Call;
use super::time::Moment;
use crate::session::Resolver;

/// A prompt with its `${…}` references resolved.
#[derive(Clone, Debug)]
pub(super) struct Template {
    role: String,
    name: Option<String>,
    content: String,
    has_dollars: bool,
}

/// What templates can name.
#[derive(Clone, Debug)]
pub(super) struct Known {
    call: Call,
    /// Whether it is known who asks; it is not when a test that is no case is judged again.
    has_identity: bool,
    facts: BTreeMap<String, String>,
    environment: BTreeMap<String, String>,
    /// The thread, if it is known.
    thread_id: Option<String>,
}

/// What differs from turn to turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now<'a> {
    /// The user's words.
    pub(super) input: &'a str,
    /// When the turn is, if that is known.
    pub(super) unix_ms: Option<i64>,
}

/// What stands in a template beside text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot<'a> {
    /// `{{name}}`.
    Given(&'a str),
    /// `$CTX.NAME`.
    Context(&'a str),
    /// `$ENV.NAME`.
    Environment(&'a str),
    /// `$SYS.NAME`.
    System(&'a str),
}

/// What a part of a template comes to.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(Cow<'a, str>),
    /// Only known when it is said.
    Unknown,
}

impl Template {
    /// Resolves a prompt. In those of an assistant folder `${…}` means nothing.
    pub(super) fn new(prompt: &Prompt, resolver: &mut Resolver<'_>) -> Self {
        Self {
            role: prompt.role.clone(),
            name: prompt.name.clone(),
            content: if prompt.has_dollars {
                prompt.content.text.clone()
            } else {
                resolver.text(&prompt.content)
            },
            has_dollars: prompt.has_dollars,
        }
    }

    /// Returns the message that is sent.
    pub(super) fn message(&self, known: &Known, now: Now<'_>) -> Value {
        self.with_content(self.shown(known, now, ""))
    }

    /// Returns a message that can be shown; what is not known is left open.
    pub(super) fn sketch(&self, known: &Known, now: Now<'_>) -> Value {
        self.with_content(self.shown(known, now, "…"))
    }

    /// Tells whether a message may have been made of this template.
    pub(super) fn may_be(&self, message: &Value, known: &Known, now: Now<'_>) -> bool {
        let mut other = message.clone();
        let content = other["content"].take();
        let own = self.with_content(String::new());
        other["content"] = "".into();
        own == other
            && content
                .as_str()
                .is_some_and(|text| fits(&self.parts(known, now), text))
    }

    fn with_content(&self, content: String) -> Value {
        let mut message = Map::from_iter([
            ("role".to_owned(), self.role.as_str().into()),
            ("content".to_owned(), content.into()),
        ]);
        if let Some(name) = &self.name {
            message.insert("name".to_owned(), name.as_str().into());
        }
        Value::Object(message)
    }

    fn shown(&self, known: &Known, now: Now<'_>, unknown: &str) -> String {
        let parts = self.parts(known, now);
        let texts = parts.iter().map(|part| match part {
            Part::Text(text) => text,
            Part::Unknown => unknown,
        });
        texts.collect()
    }

    fn parts<'t>(&'t self, known: &'t Known, now: Now<'t>) -> Vec<Part<'t>> {
        let mut parts = Vec::new();
        let mut rest = self.content.as_str();
        let mut at = 0;
        // The next place where a slot can begin.
        while let Some(found) = rest
            .get(at..)
            .and_then(|text| text.find(['{', '$']))
            .map(|found| found + at)
        {
            let from = rest.get(found..).unwrap_or_default();
            let slot =
                slot(from).filter(|(slot, _)| self.has_dollars || matches!(slot, Slot::Given(_)));
            let value = slot.and_then(|(slot, length)| Some((known.value(slot, now)?, length)));
            let Some((value, length)) = value else {
                at = found + 1;
                continue;
            };
            parts.push(Part::Text(rest.get(..found).unwrap_or_default().into()));
            parts.push(value);
            rest = from.get(length..).unwrap_or_default();
            at = 0;
        }
        parts.push(Part::Text(rest.into()));
        parts
    }
}

impl Known {
    /// Returns what the turns of a test, or a question, can name.
    pub(super) fn new(
        call: &Call,
        facts: &BTreeMap<String, String>,
        variables: &Variables,
        templates: &[Template],
    ) -> Self {
        let named = |name: &str| {
            let mention = format!("$ENV.{name}");
            templates
                .iter()
                .any(|template| template.has_dollars && template.content.contains(&mention))
        };
        let environment = variables.environment.iter();
        Self {
            call: call.clone(),
            has_identity: true,
            facts: facts.clone(),
            environment: environment
                .filter(|(name, _)| named(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            thread_id: None,
        }
    }

    /// Says which thread it is.
    pub(super) fn on_thread(mut self, thread_id: &str) -> Self {
        self.thread_id = Some(thread_id.to_owned());
        self
    }

    /// Says that it is not known who asks.
    pub(super) fn by_anybody(mut self) -> Self {
        self.has_identity = false;
        self
    }

    /// Returns a member of the question to a helper, such as the `output` that a judge judges.
    fn asked(&self, name: &str, question: &str) -> Option<String> {
        if !self.call.is_question {
            return None;
        }
        let question: Value = serde_json::from_str(question).ok()?;
        Some(given(question.get(name)?).into_owned())
    }

    /// Returns what a slot stands for; nothing if it stays as it is written.
    fn value<'t>(&'t self, slot: Slot<'t>, now: Now<'t>) -> Option<Part<'t>> {
        let text = match slot {
            Slot::Given(name) => match self.call.metadata.get(name) {
                Some(value) if name == "conversation" => conversation(value),
                Some(value) => given(value),
                None => match self.asked(name, now.input) {
                    Some(member) => member.into(),
                    None if name == "input" => now.input.into(),
                    None => return None,
                },
            },
            Slot::Environment(name) => {
                let value = self.environment.get(name);
                value.map_or(Cow::from(""), |value| value.as_str().into())
            }
            Slot::System(name) => match now.unix_ms {
                Some(unix_ms) => Moment::new(unix_ms).named(name)?.into(),
                // Of names that are not known nothing is made at any time.
                None => return Moment::new(0).named(name).map(|_| Part::Unknown),
            },
            Slot::Context(name) => return Some(self.context(name)),
        };
        Some(Part::Text(text))
    }

    fn context(&self, name: &str) -> Part<'_> {
        let identity = &self.call.identity;
        let own = match name {
            "USER_ID" => Some(identity.user_id.as_str()),
            "TEAM_ID" => Some(identity.team_id.as_str()),
            "LOCALE" => Some(identity.locale.as_str()),
            "REFERER" => Some(identity.referer.as_str()),
            "CLIENT_TYPE" => Some(identity.client_type.as_str()),
            "CHAT_ID" => identity.chat_id.as_deref(),
            "TENANT_ID" => {
                let tenant = identity.authorized.get("tenant_id");
                Some(tenant.and_then(Value::as_str).unwrap_or_default())
            }
            _ => None,
        };
        let text = match (name, own) {
            (_, Some(_)) if !self.has_identity => return Part::Unknown,
            (_, Some(own)) => own.into(),
            ("CHAT_ID", None) => match &self.thread_id {
                Some(thread_id) => thread_id.as_str().into(),
                None => return Part::Unknown,
            },
            (name, None) => match (self.facts.get(name), self.call.metadata.get(name)) {
                (Some(fact), _) => fact.as_str().into(),
                (None, Some(value)) => given(value),
                (None, None) => "".into(),
            },
        };
        Part::Text(text)
    }
}

/// Finds the slot that `text` begins with, and its length.
fn slot(text: &str) -> Option<(Slot<'_>, usize)> {
    if let Some(inner) = text.strip_prefix("{{") {
        let (name, _) = inner.split_once("}}")?;
        let length = name.len() + 4;
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let is_slot = !name.is_empty() && name.chars().all(is_name);
        return is_slot.then_some((Slot::Given(name), length));
    }
    let (kind, inner) = ["$CTX.", "$ENV.", "$SYS."]
        .into_iter()
        .find_map(|kind| Some((kind, text.strip_prefix(kind)?)))?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = inner.split(|c| !is_name(c)).next().unwrap_or_default();
    let slot = match kind {
        _ if name.is_empty() => return None,
        "$CTX." => Slot::Context(name),
        "$ENV." => Slot::Environment(name),
        _ => Slot::System(name),
    };
    Some((slot, kind.len() + name.len()))
}

/// Returns a value as text: strings as they are, others as JSON.
fn given(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        Value::Null => "".into(),
        other => text_form(other).into(),
    }
}

/// Returns a conversation in lines: who speaks, and what is said.
fn conversation(value: &Value) -> Cow<'_, str> {
    let Value::Array(messages) = value else {
        return given(value);
    };
    let lines = messages.iter().map(|message| {
        let role = message["role"].as_str().unwrap_or_default();
        let content = given(&message["content"]);
        format!("{role}: {content}")
    });
    lines.collect::<Vec<_>>().join("\n").into()
}

/// Tells whether a text can be put together of these parts.
fn fits(parts: &[Part<'_>], text: &str) -> bool {
    // Runs of known text between what is not known.
    let mut runs = vec![String::new()];
    for part in parts {
        match part {
            Part::Text(known) => runs.last_mut().expect("there is one").push_str(known),
            Part::Unknown => runs.push(String::new()),
        }
    }
    let (first, rest) = runs.split_first().expect("there is one");
    let Some(mut left) = text.strip_prefix(first.as_str()) else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return left.is_empty();
    };
    for run in middle {
        match left.split_once(run.as_str()) {
            Some((_, behind)) => left = behind,
            None => return false,
        }
    }
    left.ends_with(last.as_str())
}

#[cfg(test)]
mod tests {
    use ananke_model::case::Identity;
    use ananke_model::place::{Place, Text};
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn template(content: &str, has_dollars: bool) -> Template {
        let prompt = Prompt {
            role: "system".to_owned(),
            content: Text {
                text: content.to_owned(),
                place: Place::file("prompts.yml"),
            },
            name: None,
            has_dollars,
        };
        let variables = Variables {
            variables: json!({"SHOP": "Corner"}).as_object().unwrap().clone(),
            ..Variables::default()
        };
        Template::new(&prompt, &mut Resolver::new(&variables))
    }

    fn known(template: &Template) -> Known {
        let metadata = json!({
            "persona": "a $SYS.DATE {{goal}} person",
            "goal": {"buy": 2},
            "n": 3,
            "nothing": null,
            "conversation": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
        });
        let mut identity = Identity {
            user_id: "u-1".to_owned(),
            ..Identity::default()
        };
        identity
            .authorized
            .insert("tenant_id".to_owned(), "t-1".into());
        let call = Call {
            metadata: metadata.as_object().unwrap().clone(),
            identity,
            is_question: true,
            depth: 0,
            thread_id: None,
            file: None,
        };
        let facts = BTreeMap::from([("ASSISTANT_NAME".to_owned(), "Refund".to_owned())]);
        let variables = Variables {
            environment: BTreeMap::from([("REGION".to_owned(), "eu".to_owned())]),
            ..Variables::default()
        };
        Known::new(&call, &facts, &variables, std::slice::from_ref(template)).on_thread("th-1")
    }

    const NOW: Now<'_> = Now {
        input: "my order",
        unix_ms: Some(1_794_743_633_000),
    };

    fn shown(content: &str, has_dollars: bool) -> String {
        let template = template(content, has_dollars);
        let message = template.message(&known(&template), NOW);
        message["content"].as_str().unwrap().to_owned()
    }

    #[test]
    fn braces_stand_for_what_the_call_says() {
        assert_snapshot!(shown("You are {{persona}}; {{ goal }}/{{n}}.{{nothing}}", false), @r#"You are a $SYS.DATE {{goal}} person; {"buy":2}/3."#);
        assert_snapshot!(shown("{{conversation}}\n- {{input}}", false), @"
        user: Hi
        assistant: Hello
        - my order
        ");
        assert_snapshot!(shown("{{unknown}} {{}} {{a b}} {{open {x} {{{n}}} ${SHOP}", false), @"{{unknown}} {{}} {{a b}} {{open {x} {3} Corner");
        assert_snapshot!(shown("é{{n}}é$é", false), @"é3é$é");
    }

    #[test]
    fn braces_stand_for_members_of_a_question() {
        let template = template("{{output}}|{{input}}|{{n}}|{{other}}", false);
        let mut known = known(&template);
        let now = Now {
            input: r#"{"output": "a {{n}}", "input": "Hi", "n": 9}"#,
            ..NOW
        };
        let shown = |known: &Known| template.message(known, now)["content"].clone();
        assert_eq!(shown(&known), "a {{n}}|Hi|3|{{other}}");
        // What a user says to the agent under test is no question of ours.
        known.call.is_question = false;
        let asked = format!("{{{{output}}}}|{}|3|{{{{other}}}}", now.input);
        assert_eq!(shown(&known), asked);
    }

    #[test]
    fn dollars_stand_for_what_is_known_in_assistant_folders() {
        assert_snapshot!(shown("Team $CTX.TEAM_ID. User $CTX.USER_ID/$CTX.TENANT_ID ($CTX.LOCALE) in $CTX.CHAT_ID: $CTX.ASSISTANT_NAME, $CTX.n, [$CTX.MISSING].", true), @"Team test-team. User u-1/t-1 (en-us) in th-1: Refund, 3, [].");
        assert_snapshot!(shown("$ENV.REGION [$ENV.NONE] $CTX. $X ${SHOP} {{n}}", true), @"eu [] $CTX. $X ${SHOP} 3");
        assert_snapshot!(shown("$SYS.DATETIME $SYS.WEEKDAY $SYS.YEAR-$SYS.MONTH-$SYS.DAY $SYS.HOUR:$SYS.MINUTE:$SYS.SECOND $SYS.TIMEZONE $SYS.UNIX", true), @"2026-11-15 11:53:53 Sunday 2026-11-15 11:53:53 UTC $SYS.UNIX");
        assert_snapshot!(shown("$SYS.DATE $CTX.USER_ID", false), @"$SYS.DATE $CTX.USER_ID");
    }

    #[test]
    fn a_message_of_another_day_may_be_of_the_same_template() {
        let template = template("Hi $CTX.USER_ID, today is $SYS.DATE, at $SYS.TIME.", true);
        let known = known(&template);
        let now = Now {
            unix_ms: None,
            ..NOW
        };
        let is_it =
            |text: &str| template.may_be(&json!({"role": "system", "content": text}), &known, now);
        assert!(is_it("Hi u-1, today is 2020-02-02, at 10:00:00."));
        assert!(!is_it("Hi u-2, today is 2020-02-02, at 10:00:00."));
        assert!(!is_it("Hi u-1, today is 2020-02-02"));
        assert!(!template.may_be(&json!({"role": "user", "content": ""}), &known, now));
        let anybody = known.by_anybody();
        let other = json!({"role": "system", "content": "Hi u-2, today is 1, at 2."});
        assert!(template.may_be(&other, &anybody, now));
        assert_snapshot!(template.sketch(&anybody, now), @r#"{"role":"system","content":"Hi …, today is …, at …."}"#);
    }
}
