//! Cases: the objects of a JSONL file, and messages from the command line.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ananke_model::case::{CaseKind, Messages};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::TurnAction;
use serde_json::{Value, json};

use super::Found;
use super::case_assert::case_assert;
use super::case_options::{json_map, options};
use super::case_spec::CaseSpec;
use super::duration::duration;
use super::dynamic::{dynamic, is_dynamic};
use super::messages::{messages, prompt};
use super::object::Object;
use super::own_target::own_target;
use super::test::{TestFile, TestTarget, tags};
use super::turn::TurnSpec;
use super::values::text;
use crate::schema::CASE;
use crate::yaml::{self, Node, ScalarKind};

/// The folders that paths in a case are seen from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaseFolders<'a> {
    /// That of the case file.
    pub(crate) file: &'a Path,
    /// The working directory.
    pub(crate) cwd: &'a Path,
}

/// Cases in the order of their file.
pub(crate) type CaseList = Vec<Box<TestFile>>;

/// The cases of a file, read one by one. Those that cannot be planned are left out and reported.
#[derive(Debug)]
pub(crate) struct Cases<'a> {
    folders: CaseFolders<'a>,
    /// Where each id was written first.
    ids: HashMap<String, Place>,
    /// The cases so far.
    pub(crate) tests: CaseList,
}

impl<'a> Cases<'a> {
    /// Returns the cases of a file of which nothing is read yet.
    pub(crate) fn new(folders: CaseFolders<'a>) -> Self {
        Self {
            folders,
            ids: HashMap::new(),
            tests: Vec::new(),
        }
    }

    /// Reads the next case.
    pub(crate) fn read(&mut self, node: &Node, found: &mut Found) {
        if let Some(id) = node.get("id")
            && let Some(scalar) = id.scalar().filter(|id| id.kind == ScalarKind::Str)
        {
            if let Some(first) = self.ids.get(&scalar.text) {
                let message = format!("the id `{}` is there twice", scalar.text);
                found.push(
                    Diagnostic::error(&id.place, message)
                        .label(format!("the first is at {first}:{}", first.column))
                        .hint("give each case of a file an id of its own"),
                );
            } else {
                self.ids.insert(scalar.text.clone(), id.place.clone());
            }
        }
        self.tests
            .extend(case(node, self.folders, found).map(Box::new));
    }

    /// Adds the cases of the next piece of the file. `false`, and nothing is added, if an id is in both.
    pub(crate) fn join(&mut self, next: Self) -> bool {
        let is_new = next.ids.keys().all(|id| !self.ids.contains_key(id));
        if is_new {
            self.ids.extend(next.ids);
            self.tests.extend(next.tests);
        }
        is_new
    }
}

/// Returns the case that a message from the command line is.
pub(crate) fn message_case(id: &str, message: &str, file: &Arc<str>) -> TestFile {
    let place = Place {
        file: Arc::clone(file),
        line: 1,
        column: 1,
        start: 0,
        end: 0,
    };
    let id = Text {
        text: id.to_owned(),
        place: place.clone(),
    };
    // What is said on the command line is meant as it stands: `${` in it is no reference.
    let content = message.replace("${", "$${");
    let list = json!([{"role": "user", "content": content}]);
    let messages = Messages {
        list: Json {
            value: list,
            place: place.clone(),
        },
        attachments: Vec::new(),
    };
    let spec = CaseSpec {
        id: id.clone(),
        kind: CaseKind::Message,
        input: Value::from(message),
        n_messages: 1,
        expected: None,
        user: None,
        team: None,
        metadata: None,
        options: Vec::new(),
        timeout_ms: None,
        before: None,
        after: None,
        dynamic: None,
    };
    test_file(id, spec, Some(messages), place)
}

fn case(node: &Node, folders: CaseFolders<'_>, found: &mut Found) -> Option<TestFile> {
    let n_before = found.len();
    let object = Object::open_partial(node, &CASE, found)?;
    let id = match object.get("id") {
        Some(node) => id(node, found),
        None => {
            found.push(
                Diagnostic::error(&node.place, "`id` is missing in a case")
                    .hint("write `\"id\": \"…\"`: reports and `--run` need to call it something"),
            );
            None
        }
    };
    let name = object.get("name").and_then(|node| text(node, found));
    let dynamic = dynamic(&object, found);
    let sent = if is_dynamic(node) {
        // The simulator says what is sent.
        dynamic
            .as_ref()
            .map(|dynamic| Sent::by_simulator(dynamic.input.as_ref()))
    } else {
        sent(&object, folders, found)
    };
    let expected = object
        .get("expected")
        .and_then(|node| expected(node, found));
    let assert = case_assert(&object, expected.as_ref(), found);
    let user = object.get("user").and_then(|node| text(node, found));
    let team = object.get("team").and_then(|node| text(node, found));
    let metadata = object
        .get("metadata")
        .and_then(|node| json_map(node, found));
    let options = object.get("options").map(|node| options(node, found));
    let skip = object.get("skip").and_then(|node| skip(node, found));
    let timeout_ms = object.get("timeout").and_then(|node| duration(node, found));
    let tags = object.get("tags").map(|node| tags(node, found));
    let before = object.get("before").and_then(|node| text(node, found));
    let after = object.get("after").and_then(|node| text(node, found));
    let named = |node: &Node, found: &mut Found| text(node, found).map(TestTarget::Named);
    let target = own_target(&object, named, found);
    // A target that was written wrong is not the same as none: the case would run against another agent.
    if let Some(None) = target {
        return None;
    }
    let (id, sent) = (id?, sent?);
    let spec = CaseSpec {
        id: id.clone(),
        kind: sent.kind,
        input: sent.written,
        n_messages: sent.n_messages,
        expected: expected.map(|expected| expected.value),
        user,
        team,
        metadata,
        options: options.unwrap_or_default(),
        timeout_ms,
        before,
        after,
        dynamic: dynamic.map(Box::new),
    };
    Some(TestFile {
        tags: tags.unwrap_or_default(),
        skip,
        target: target.flatten(),
        assert,
        is_broken: found.iter().skip(n_before).any(Diagnostic::is_error),
        ..test_file(name.unwrap_or(id), spec, sent.messages, node.place.clone())
    })
}

fn test_file(name: Text, case: CaseSpec, messages: Option<Messages>, place: Place) -> TestFile {
    let turn = messages.map(|messages| TurnSpec {
        action: TurnAction::Messages(messages),
        files: Vec::new(),
        timeout_ms: None,
        assert: None,
        place: place.clone(),
    });
    TestFile {
        name,
        tags: Vec::new(),
        skip: None,
        timeout_ms: None,
        target: None,
        hooks: Vec::new(),
        turns: turn.into_iter().collect(),
        assert: None,
        case: Some(case),
        place,
        is_broken: false,
    }
}

/// What a case sends.
struct Sent {
    kind: CaseKind,
    written: Value,
    n_messages: usize,
    /// Nothing if a simulator says what is sent.
    messages: Option<Messages>,
}

impl Sent {
    fn by_simulator(first: Option<&Text>) -> Self {
        Self {
            kind: CaseKind::Input,
            written: first.map_or(Value::Null, |first| Value::from(first.text.as_str())),
            n_messages: usize::from(first.is_some()),
            messages: None,
        }
    }
}

fn sent(object: &Object<'_>, folders: CaseFolders<'_>, found: &mut Found) -> Option<Sent> {
    let (input, history) = (object.get("input"), object.get("messages"));
    let (kind, node) = match (input, history) {
        (None, None) => {
            found.push(
                Diagnostic::error(object.place(), "the case sends nothing")
                    .label("neither `input` nor `messages` is there")
                    .hint("write `\"input\": \"Hello\"`"),
            );
            return None;
        }
        (Some(node), None) => (CaseKind::Input, node),
        (None, Some(node)) => (CaseKind::Messages, node),
        (Some(input), Some(node)) => {
            found.push(
                Diagnostic::warning(&input.place, "`input` is not sent: `messages` overrides it")
                    .hint("leave one of them out"),
            );
            (CaseKind::Messages, node)
        }
    };
    let messages = match kind {
        CaseKind::Messages => messages(node, folders, found),
        CaseKind::Input | CaseKind::Message => prompt(node, folders, found),
    }?;
    Some(Sent {
        kind,
        written: yaml::json(node, found)?,
        n_messages: messages.list.value.as_array().map_or(0, Vec::len),
        messages: Some(messages),
    })
}

fn id(node: &Node, found: &mut Found) -> Option<Text> {
    let id = text(node, found)?;
    let message = if id.text.contains(char::is_control) {
        "an id holds no control characters"
    } else if id.text.contains("${") {
        "an id holds no references"
    } else {
        return Some(id);
    };
    found.push(
        Diagnostic::error(&node.place, message)
            .hint("write a short word, and what the case is about under `name`"),
    );
    None
}

fn expected(node: &Node, found: &mut Found) -> Option<Json> {
    if node.is_null() {
        found.push(
            Diagnostic::error(&node.place, "`expected` is `null`, which demands nothing").hint(
                "leave it out, or write `\"assert\": {\"type\": \"equals\", \"value\": null}`",
            ),
        );
        return None;
    }
    super::values::json(node, found)
}

fn skip(node: &Node, found: &mut Found) -> Option<Text> {
    let reason = match node.scalar().map(|scalar| scalar.kind) {
        Some(ScalarKind::Bool(false)) => return None,
        Some(ScalarKind::Bool(true)) => "the case says `skip`",
        Some(ScalarKind::Str) if !is_switch(node) => return text(node, found),
        _ => {
            let message = format!(
                "expected `true`, `false` or a reason, found {}",
                described(node)
            );
            found.push(Diagnostic::error(&node.place, message).hint(
                "write `true` or `false` without quotes, or say why: `\"waits for the new cart\"`",
            ));
            return None;
        }
    };
    Some(Text {
        text: reason.to_owned(),
        place: node.place.clone(),
    })
}

/// Tells whether a text is a yes or no that was put in quotes.
fn is_switch(node: &Node) -> bool {
    const WORDS: [&str; 8] = ["true", "false", "yes", "no", "on", "off", "0", "1"];
    let text = node
        .scalar()
        .map(|scalar| scalar.text.trim().to_ascii_lowercase());
    text.is_some_and(|text| WORDS.contains(&text.as_str()))
}

fn described(node: &Node) -> String {
    let text = node
        .scalar()
        .filter(|scalar| scalar.kind == ScalarKind::Str);
    match text {
        Some(scalar) => format!("the text \"{}\"", scalar.text),
        None => node.described(),
    }
}
