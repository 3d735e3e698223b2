//! Tells the agent who asks: fields into `forwardedProps`, context entries and headers, as `identity` of the target says.

use std::collections::HashSet;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};
use ananke_model::variables::text_form;
use serde_json::{Map, Value};

use crate::parse::{Found, Mapping};

/// What the agent can be told.
#[derive(Debug)]
pub(super) struct Telling<'a> {
    /// Where each field goes.
    pub(super) mapping: &'a Mapping,
    /// The fields.
    pub(super) fields: Map<String, Value>,
    /// What the fields are if nobody says anything: such values may be hidden without a word.
    pub(super) defaults: &'a Map<String, Value>,
    /// Where the values come from.
    pub(super) place: &'a Place,
}

/// The parts of a target into which the fields go.
#[derive(Debug)]
pub(super) struct Told<'t> {
    /// Context entries, if it has them.
    pub(super) context: Option<&'t mut Vec<(Text, Text)>>,
    /// Headers, if it has them.
    pub(super) headers: Option<&'t mut Vec<(String, Text)>>,
    /// Properties.
    pub(super) forwarded_props: &'t mut Option<Json>,
}

/// What a target hides was told once.
pub(super) type Hidden = HashSet<(Place, String)>;

/// Puts the fields into a target. What the target says itself stays.
pub(super) fn tell(
    target: Told<'_>,
    mut telling: Telling<'_>,
    hidden: &mut Hidden,
    found: &mut Found,
) {
    let mut hides = |place: &Place, what: String| {
        if hidden.insert((place.clone(), what.clone())) {
            found.push(
                Diagnostic::warning(
                    place,
                    format!(
                        "{what} of the target hides what a flag, a context file or a case says"
                    ),
                )
                .label("the agent gets this instead")
                .hint("leave it out here, or send the other under another name with `identity`"),
            );
        }
    };
    if let Some(context) = target.context {
        for (description, field) in &telling.mapping.context {
            let Some(value) = telling.value(field) else {
                continue;
            };
            let own = context.iter().find(|(own, _)| own.text == description.text);
            match own {
                Some((_, own)) => {
                    if own.text != value && telling.is_said(field) {
                        hides(
                            &own.place,
                            format!("the context entry `{}`", description.text),
                        );
                    }
                }
                None => context.push((description.clone(), telling.text(value))),
            }
        }
    }
    if let Some(headers) = target.headers {
        for (name, field) in &telling.mapping.headers {
            let Some(value) = telling.value(field) else {
                continue;
            };
            let own = headers
                .iter()
                .find(|(own, _)| own.eq_ignore_ascii_case(&name.text));
            match own {
                Some((_, own)) => {
                    if own.text != value && telling.is_said(field) {
                        hides(&own.place, format!("the header `{}`", name.text));
                    }
                }
                None => headers.push((name.text.clone(), telling.text(value))),
            }
        }
    }
    let mut props = telling.take_props();
    if props.is_empty() {
        return;
    }
    let Some(own) = target.forwarded_props.take() else {
        *target.forwarded_props = Some(Json {
            value: Value::Object(props),
            place: telling.place.clone(),
        });
        return;
    };
    let place = match props.values().any(has_reference) {
        true => telling.place.clone(),
        false => own.place.clone(),
    };
    match own.value {
        Value::Object(members) => {
            let defaults = telling.default_props();
            let mut path = Vec::new();
            overlay(
                &mut props,
                members,
                Some(&defaults),
                &mut path,
                &mut |key| {
                    hides(&own.place, format!("`forwardedProps.{key}`"));
                },
            );
            *target.forwarded_props = Some(Json {
                value: Value::Object(props),
                place,
            });
        }
        value => {
            if props != telling.default_props() {
                hides(&own.place, "`forwardedProps`, which is no map,".to_owned());
            }
            *target.forwarded_props = Some(Json { value, ..own });
        }
    }
}

impl Telling<'_> {
    /// Returns the text of a field, if it has a value.
    fn value(&self, field: &Text) -> Option<String> {
        at(&self.fields, &field.text).map(text_form)
    }

    fn text(&self, text: String) -> Text {
        Text {
            text,
            place: self.place.clone(),
        }
    }

    /// Tells whether somebody said what stands in a field.
    fn is_said(&self, field: &Text) -> bool {
        at(&self.fields, &field.text) != at(self.defaults, &field.text)
    }

    /// Returns what `forwardedProps` gets, and leaves the fields empty.
    fn take_props(&mut self) -> Map<String, Value> {
        let fields = std::mem::take(&mut self.fields);
        match &self.mapping.forwarded_props {
            Some(entries) => mapped(entries, &fields),
            None => fields,
        }
    }

    /// Returns what `forwardedProps` would get if nobody said anything.
    fn default_props(&self) -> Map<String, Value> {
        match &self.mapping.forwarded_props {
            Some(entries) => mapped(entries, self.defaults),
            None => self.defaults.clone(),
        }
    }
}

fn mapped(entries: &[(Text, Text)], fields: &Map<String, Value>) -> Map<String, Value> {
    let mut props = Map::new();
    for (key, field) in entries {
        if let Some(value) = at(fields, &field.text) {
            insert(&mut props, &key.text, value.clone());
        }
    }
    props
}

/// Returns the value at a path of names with dots.
fn at<'v>(fields: &'v Map<String, Value>, path: &str) -> Option<&'v Value> {
    match path.split_once('.') {
        Some((name, rest)) => at(fields.get(name)?.as_object()?, rest),
        None => fields.get(path),
    }
}

/// Puts a value at a path of names with dots. Parsing refuses a path that leads through another's value.
fn insert(props: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((name, rest)) = path.split_once('.') else {
        props.insert(path.to_owned(), value);
        return;
    };
    let inner = props
        .entry(name)
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(inner) = inner {
        insert(inner, rest, value);
    }
}

/// Lays the members that a target has on what is told, map by map, and reports what is hidden by them.
fn overlay(
    props: &mut Map<String, Value>,
    members: Map<String, Value>,
    defaults: Option<&Map<String, Value>>,
    path: &mut Vec<String>,
    hides: &mut dyn FnMut(String),
) {
    for (key, value) in members {
        let default = defaults.and_then(|defaults| defaults.get(&key));
        path.push(key.clone());
        match (props.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(members)) => {
                let defaults = default.and_then(Value::as_object);
                overlay(inner, members, defaults, path, hides);
            }
            (Some(told), value) => {
                if *told != value && Some(&*told) != default {
                    hides(path.join("."));
                }
                *told = value;
            }
            (None, value) => {
                props.insert(key, value);
            }
        }
        path.pop();
    }
}

fn has_reference(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("${"),
        Value::Array(items) => items.iter().any(has_reference),
        Value::Object(members) => members.values().any(has_reference),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
