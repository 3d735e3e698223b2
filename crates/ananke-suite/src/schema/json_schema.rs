//! The shapes as JSON Schema 2020-12, for editors. The parser does not use it.

use serde_json::{Map, Value, json};

use super::case_shapes::CASE;
use super::config_shapes::CONFIG;
use super::conform_shapes::{BASELINE, CONFORM};
use super::context_shapes::CONTEXT_FILE;
use super::script_shapes::{SCRIPT, STEP_WORDS};
use super::shape::{Field, FieldKind, Shape};
use super::test_shapes::TEST;

/// The files that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaKind {
    /// `ananke.config.yaml`.
    Config,
    /// `*.test.yaml`.
    Test,
    /// One object of a `*.jsonl`.
    Case,
    /// `*.script.yaml`.
    Script,
    /// What `--ctx` names.
    Context,
    /// The setup of `ananke conform`.
    Conform,
    /// What `--baseline` of `ananke conform` names.
    ConformBaseline,
}

/// Returns the JSON Schema of a kind of file.
pub fn schema(kind: SchemaKind) -> Value {
    let root = match kind {
        SchemaKind::Config => &CONFIG,
        SchemaKind::Test => &TEST,
        SchemaKind::Case => &CASE,
        SchemaKind::Script => &SCRIPT,
        SchemaKind::Context => &CONTEXT_FILE,
        SchemaKind::Conform => &CONFORM,
        SchemaKind::ConformBaseline => &BASELINE,
    };
    let mut definitions = Definitions::default();
    let body = definitions.shape(root, Completeness::Whole);
    let mut schema = Map::new();
    schema.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    schema.insert("title".to_owned(), json!(format!("ananke: {}", root.title)));
    schema.extend(body);
    if kind == SchemaKind::Config {
        let any_of = json!([
            {"required": ["target"]},
            {"required": ["targets"]},
            {"required": ["agents"]},
            {"required": ["connectors"]},
            {"required": ["scripts"]},
        ]);
        schema.insert("anyOf".to_owned(), any_of);
        let both = json!({"required": ["target", "targets"]});
        schema.insert("not".to_owned(), both);
    }
    if kind == SchemaKind::Case {
        let any_of = json!([{"required": ["input"]}, {"required": ["messages"]}, {"required": ["checkpoints"]}]);
        schema.insert("anyOf".to_owned(), any_of);
    }
    definitions
        .0
        .sort_by(|(left, _), (right, _)| left.cmp(right));
    let definitions: Map<_, _> = definitions.0.into_iter().collect();
    schema.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(schema)
}

/// Whether required keys are required.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Completeness {
    Whole,
    Partial,
}

#[derive(Default)]
struct Definitions(Vec<(String, Value)>);

impl Definitions {
    fn shape(&mut self, shape: &'static Shape, completeness: Completeness) -> Map<String, Value> {
        let mut properties = Map::new();
        for field in shape.fields {
            properties.insert(field.name.to_owned(), self.field(field));
        }
        let mut object = Map::new();
        object.insert("description".to_owned(), json!(shape.doc));
        object.insert("type".to_owned(), json!("object"));
        object.insert("properties".to_owned(), Value::Object(properties));
        object.insert("additionalProperties".to_owned(), json!(false));
        let required: Vec<_> = shape
            .fields
            .iter()
            .filter(|field| field.required && completeness == Completeness::Whole)
            .map(|field| field.name)
            .collect();
        if !required.is_empty() {
            object.insert("required".to_owned(), json!(required));
        }
        object
    }

    fn field(&mut self, field: &'static Field) -> Value {
        let mut value = self.kind(&field.kind);
        value["description"] = json!(field.doc);
        if let Some(example) = plain_example(field) {
            value["examples"] = json!([example]);
        }
        value
    }

    fn kind(&mut self, kind: &'static FieldKind) -> Value {
        match kind {
            FieldKind::Version => json!({"enum": ["1.0", "1", 1, "1.1", 1.1, "1.2", 1.2]}),
            FieldKind::Text => text(),
            FieldKind::AnyText => scalar(),
            FieldKind::Texts => json!({"anyOf": [text(), {"type": "array", "items": text()}]}),
            FieldKind::TextList => json!({"type": "array", "items": text()}),
            FieldKind::AnyTextList => json!({"type": "array", "items": scalar()}),
            FieldKind::Command => json!({"type": "array", "items": scalar(), "minItems": 1}),
            FieldKind::Pattern => scalar(),
            FieldKind::Patterns => {
                json!({"anyOf": [scalar(), {"type": "array", "items": scalar()}]})
            }
            FieldKind::PatternMap | FieldKind::ScalarMap => {
                json!({"type": "object", "additionalProperties": scalar()})
            }
            FieldKind::BoolMap => {
                json!({"type": "object", "additionalProperties": {"type": "boolean"}})
            }
            FieldKind::Millis => json!({"type": "integer", "minimum": 1, "maximum": i32::MAX}),
            FieldKind::Bytes | FieldKind::Positive => json!({"type": "integer", "minimum": 1}),
            FieldKind::Count => json!({"type": "integer", "minimum": 0}),
            FieldKind::Whole(min, max) => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            FieldKind::Bool => json!({"type": "boolean"}),
            FieldKind::Duration => {
                json!({"type": "string", "pattern": "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"})
            }
            FieldKind::Json => json!({}),
            FieldKind::JsonMap => json!({"type": "object"}),
            FieldKind::JsonList => json!({"type": "array"}),
            FieldKind::Choice(words) => json!({"enum": words}),
            FieldKind::Choices(words) => json!({
                "anyOf": [{"enum": words}, {"type": "array", "items": {"enum": words}, "minItems": 1}]
            }),
            FieldKind::ChoiceMap(words) => {
                json!({"type": "object", "additionalProperties": {"enum": words}})
            }
            FieldKind::Object(shape) => self.reference(shape, Completeness::Whole),
            FieldKind::Objects(shape) => {
                json!({"type": "array", "items": self.reference(shape, Completeness::Whole)})
            }
            FieldKind::OneOrMore(shape) => {
                let one = self.reference(shape, Completeness::Whole);
                json!({"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]})
            }
            FieldKind::ObjectMap(shape) => {
                let items = self.reference(shape, Completeness::Whole);
                json!({"type": "object", "additionalProperties": items})
            }
            FieldKind::OverrideMap(shape) => {
                let items = self.reference(shape, Completeness::Partial);
                json!({"type": "object", "additionalProperties": items})
            }
            FieldKind::NameOr(shape) => {
                json!({"anyOf": [text(), self.reference(shape, Completeness::Whole)]})
            }
            FieldKind::NamesOr(shape) => {
                let one = json!([text(), self.reference(shape, Completeness::Whole)]);
                let list = json!({"type": "array", "items": {"anyOf": one}, "minItems": 1});
                json!({"anyOf": [text(), self.reference(shape, Completeness::Whole), list]})
            }
            FieldKind::TargetPick(shapes) => {
                let partial = |shape: &&'static Shape| self.reference(shape, Completeness::Partial);
                let mut any: Vec<_> = shapes.iter().map(partial).collect();
                any.insert(0, text());
                json!({"anyOf": any})
            }
            FieldKind::Typed(shapes) => json!({"anyOf": self.references(shapes)}),
            FieldKind::TypedMap(shapes) => {
                let any = self.references(shapes);
                json!({"type": "object", "additionalProperties": {"anyOf": any}})
            }
            FieldKind::TextOr(inner) => json!({"anyOf": [text(), self.kind(inner)]}),
            FieldKind::Turns(shapes) => {
                let any: Vec<_> = shapes
                    .iter()
                    .map(|shape| self.reference(shape, Completeness::Whole))
                    .collect();
                json!({"type": "array", "items": {"anyOf": any}, "minItems": 1})
            }
            FieldKind::Checks(shapes) => {
                let any: Vec<_> = shapes
                    .iter()
                    .map(|shape| self.reference(shape, Completeness::Whole))
                    .collect();
                json!({"type": "array", "items": {"anyOf": any}})
            }
            FieldKind::Prompt(shape) => {
                let message = self.reference(shape, Completeness::Whole);
                let messages = json!({"type": "array", "items": message, "minItems": 1});
                json!({"anyOf": [text(), message, messages]})
            }
            FieldKind::Content(shapes) => {
                let any = self.references(shapes);
                let parts = json!({"type": "array", "items": {"anyOf": any}, "minItems": 1});
                json!({"anyOf": [{"type": ["string", "null"]}, parts]})
            }
            FieldKind::Demands(block, shapes) => {
                let mut any = self.references(shapes);
                any.push(self.reference(block, Completeness::Whole));
                let list = json!({"type": "array", "items": {"anyOf": any}});
                any.push(list);
                json!({"anyOf": any})
            }
            FieldKind::Steps(shape) => {
                let mut step = self.reference(shape, Completeness::Whole);
                step["minProperties"] = json!(1);
                step["maxProperties"] = json!(1);
                json!({"type": "array", "items": {"anyOf": [{"enum": STEP_WORDS}, step]}})
            }
            FieldKind::OrBool(inner) => json!({"anyOf": [self.kind(inner), {"type": "boolean"}]}),
            FieldKind::OrFalse(inner) => json!({"anyOf": [self.kind(inner), {"const": false}]}),
            FieldKind::OrOff(inner) => {
                json!({"anyOf": [self.kind(inner), {"enum": ["off", false]}]})
            }
        }
    }

    fn references(&mut self, shapes: &[&'static Shape]) -> Vec<Value> {
        let whole = |shape: &&'static Shape| self.reference(shape, Completeness::Whole);
        shapes.iter().map(whole).collect()
    }

    fn reference(&mut self, shape: &'static Shape, completeness: Completeness) -> Value {
        let name = match completeness {
            Completeness::Whole => shape.name.to_owned(),
            Completeness::Partial => format!("{}Overrides", shape.name),
        };
        if !self.0.iter().any(|(known, _)| *known == name) {
            // Taken before it is filled, so that shapes may hold themselves.
            let index = self.0.len();
            self.0.push((name.clone(), Value::Null));
            self.0[index].1 = Value::Object(self.shape(shape, completeness));
        }
        json!({"$ref": format!("#/$defs/{name}")})
    }
}

fn text() -> Value {
    json!({"type": "string", "minLength": 1})
}

fn scalar() -> Value {
    json!({"type": ["string", "number", "boolean"]})
}

/// Returns the example of a field whose example reads the same in YAML and JSON, or is a plain word.
fn plain_example(field: &Field) -> Option<Value> {
    match field.kind {
        FieldKind::Version
        | FieldKind::Millis
        | FieldKind::Bytes
        | FieldKind::Positive
        | FieldKind::Count
        | FieldKind::Whole(_, _) => serde_json::from_str(field.example).ok(),
        FieldKind::Text | FieldKind::AnyText | FieldKind::Pattern => {
            let word = field.example.trim_matches('"');
            Some(json!(word))
        }
        _ => None,
    }
}
