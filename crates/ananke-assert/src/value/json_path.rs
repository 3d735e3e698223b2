//! Paths into the JSON of an output: JSONPath (RFC 9535), and the short form `field.sub`, `items[0].id`, `need-search`.

use serde_json::Value;

use super::path_stem::stem;

/// Longer paths are refused unread.
const MAX_CHARS: usize = 2000;
/// How deep parentheses and brackets may stand in one another; the parser tries every reading of each of them.
const MAX_NESTING: usize = 8;

const HINT: &str = "paths look like `status`, `items[0].id`, `[\"odd.key\"]` or `$.items[*].id`";

/// A way into a JSON value.
#[derive(Clone, Debug)]
pub(crate) enum JsonPath {
    /// As RFC 9535 says, one value at most.
    Singular(serde_json_path::JsonPath),
    /// As RFC 9535 says; may lead to any number of values.
    Query {
        /// The whole path.
        all: serde_json_path::JsonPath,
        /// What stands before the first wildcard, filter, slice, list or `..`.
        stem: Box<Self>,
        /// The same as text.
        stem_text: String,
    },
    /// The short form where it is not a query as well, such as `need-search` or `items.0`.
    Steps(Vec<Step>),
}

/// One step of the short form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// `name`: a member; on an array, an index if it is a number.
    Name(String),
    /// `["name"]`: a member, whatever its spelling.
    Key(String),
    /// `[0]`: an item of an array.
    Index(usize),
}

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonPathError {
    /// What is wrong, as a lower-case fragment.
    pub(crate) message: String,
    /// Number of the character, counted from 1, if it is one.
    pub(crate) position: Option<usize>,
    /// The next step.
    pub(crate) hint: &'static str,
}

impl JsonPath {
    /// Reads a path; a leading `$` may be left out.
    pub(crate) fn parse(text: &str) -> Result<Self, JsonPathError> {
        let whole = |message: &str| JsonPathError {
            message: message.to_owned(),
            position: None,
            hint: HINT,
        };
        if text.trim().is_empty() {
            return Err(whole("the path is empty"));
        }
        if text.chars().nth(MAX_CHARS).is_some() {
            return Err(whole(&format!("it is longer than {MAX_CHARS} characters")));
        }
        if nesting(text) > MAX_NESTING {
            let message = format!("brackets and parentheses stand more than {MAX_NESTING} deep");
            return Err(whole(&message));
        }
        let root = match text.chars().next() {
            Some('$') => "",
            Some('.' | '[') => "$",
            _ => "$.",
        };
        let rooted = format!("{root}{text}");
        let error = match serde_json_path::JsonPath::parse(&rooted) {
            Ok(query) => return Ok(Self::of_query(query, &rooted)),
            Err(error) => error,
        };
        match Reader::steps(text) {
            Ok(steps) => Ok(Self::Steps(steps)),
            // Only a query has these signs, so the query is what must be put right.
            Err(_) if text.contains(['*', '?', '(', ',', ':', '@']) || text.contains("..") => {
                Err(query_error(&error, &rooted, root.len()))
            }
            Err(error) => Err(error),
        }
    }

    fn of_query(query: serde_json_path::JsonPath, rooted: &str) -> Self {
        let stem = stem(rooted);
        let parsed = serde_json_path::JsonPath::parse(stem).ok();
        match parsed.filter(|_| stem.len() < rooted.trim_end().len()) {
            None => Self::Singular(query),
            Some(parsed) => Self::Query {
                all: query,
                stem: Box::new(Self::Singular(parsed)),
                stem_text: stem.to_owned(),
            },
        }
    }

    /// Tells whether the path leads to one value at most, whatever it is applied to.
    pub(crate) fn is_singular(&self) -> bool {
        !matches!(self, Self::Query { .. })
    }

    /// Returns the part of a path to several values that leads to one, with its text; nothing if all of it does.
    pub(crate) fn stem(&self) -> Option<(&Self, &str)> {
        match self {
            Self::Query {
                stem, stem_text, ..
            } => Some((stem, stem_text)),
            Self::Singular(_) | Self::Steps(_) => None,
        }
    }

    /// Returns every value that the path leads to, in the order of the document.
    pub(crate) fn query<'v>(&self, value: &'v Value) -> Vec<&'v Value> {
        match self {
            Self::Singular(query) | Self::Query { all: query, .. } => query.query(value).all(),
            Self::Steps(steps) => {
                let found = steps.iter().try_fold(value, |value, step| match step {
                    Step::Name(name) => match value {
                        Value::Array(items) => items.get(index(name)?),
                        _ => value.get(name),
                    },
                    Step::Key(key) => value.get(key),
                    Step::Index(index) => value.get(index),
                });
                found.into_iter().collect()
            }
        }
    }
}

fn query_error(error: &serde_json_path::ParseError, rooted: &str, n_added: usize) -> JsonPathError {
    let before = rooted.get(n_added..error.position()).unwrap_or("");
    // Which of its functions was at work says nothing to the user.
    let terse = error.message();
    let terse = match terse
        .strip_prefix("in ")
        .and_then(|rest| rest.split_once(", "))
    {
        Some((_, rest)) => rest,
        None => terse,
    };
    // The parser often says no more than that it did not go on.
    let message = match terse.contains("parser error") {
        true => "this is not JSONPath".to_owned(),
        false => terse.to_lowercase(),
    };
    JsonPathError {
        message,
        position: Some(before.chars().count() + 1),
        hint: "JSONPath looks like `$.items[0].id`, `$.items[*].id`, `$..id` or `$.items[?@.id == 7].name`",
    }
}

/// Returns how deep brackets and parentheses stand in one another, quoted ones left out.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    let mut quote = None;
    let mut is_escaped = false;
    for c in text.chars() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '(') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    deepest
}

/// Reads a number spelled without sign and leading zeros.
fn index(text: &str) -> Option<usize> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = canonical && text.chars().all(|c| c.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn steps(text: &str) -> Result<Vec<Step>, JsonPathError> {
        let mut reader = Self {
            chars: text.chars().collect(),
            at: 0,
        };
        let mut steps = Vec::new();
        if reader.peek() == Some('$') {
            reader.at = 1;
            match reader.peek() {
                Some('.') => reader.at = 2,
                Some('[') => {}
                _ => return Err(reader.refuse("expected a dot or a bracket")),
            }
        }
        loop {
            steps.push(match reader.peek() {
                Some('[') => reader.bracket()?,
                _ => reader.name()?,
            });
            match reader.peek() {
                None => return Ok(steps),
                Some('.') => reader.at += 1,
                Some('[') => {}
                Some(_) => return Err(reader.refuse("expected a dot or a bracket")),
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn refuse(&self, message: &str) -> JsonPathError {
        JsonPathError {
            message: message.to_owned(),
            position: Some(self.at + 1),
            hint: HINT,
        }
    }

    fn name(&mut self) -> Result<Step, JsonPathError> {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| !['.', '['].contains(c)) {
            if "]*?()'\"$".contains(c) || c.is_control() {
                return Err(self.refuse("a name with this character stands in brackets and quotes"));
            }
            name.push(c);
            self.at += 1;
        }
        if name.trim().is_empty() {
            return Err(self.refuse("a name is missing"));
        }
        if name.trim().len() < name.len() || name == "@" {
            return Err(self.refuse("expected a name without white space at its ends"));
        }
        Ok(Step::Name(name))
    }

    fn bracket(&mut self) -> Result<Step, JsonPathError> {
        self.at += 1;
        let step = match self.peek() {
            Some(quote @ ('"' | '\'')) => {
                self.at += 1;
                Step::Key(self.quoted(quote)?)
            }
            _ => {
                let mut digits = String::new();
                while let Some(c) = self.peek().filter(char::is_ascii_digit) {
                    digits.push(c);
                    self.at += 1;
                }
                match index(&digits) {
                    Some(index) => Step::Index(index),
                    None => return Err(self.refuse("expected a number or a quoted key")),
                }
            }
        };
        if self.peek() != Some(']') {
            return Err(self.refuse("the bracket is not closed"));
        }
        self.at += 1;
        Ok(step)
    }

    fn quoted(&mut self, quote: char) -> Result<String, JsonPathError> {
        let mut key = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            if c == quote {
                return Ok(key);
            }
            match self.peek().filter(|_| c == '\\') {
                Some(escaped) => {
                    key.push(escaped);
                    self.at += 1;
                }
                None => key.push(c),
            }
        }
        Err(self.refuse("the quote is not closed"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, prop_assert_eq, prop_oneof, proptest};
    use proptest::strategy::Strategy as _;
    use serde_json::json;

    use super::*;

    fn look(path: &str) -> String {
        let value = json!({
            "a": {"b": [{"c": 1}, {"c": 2}], "need-search": true, "0": "zero", "x y": 3, "@type": "T"},
            "length": 5, "": "empty", "a.b": "dotted", "café": 4,
        });
        match JsonPath::parse(path) {
            Ok(path) => {
                let nodes = path.query(&value).into_iter().map(Value::to_string);
                nodes.collect::<Vec<_>>().join(" ")
            }
            Err(error) => {
                let at = error
                    .position
                    .map_or_else(String::new, |at| format!(" at {at}"));
                format!("refused: {}{at}", error.message)
            }
        }
    }

    #[test]
    fn short_and_standard_forms_lead_to_the_same() {
        for (path, expected) in [
            ("a.b[0].c", "1"),
            ("$.a.b[0].c", "1"),
            ("$['a']['b'][0]['c']", "1"),
            ("['a'].b[1].c", "2"),
            (".a.b[1].c", "2"),
            ("a.b.1.c", "2"),
            ("a.b[-1].c", "2"),
            ("a.0", "\"zero\""),
            ("$.a.need-search", "true"),
            ("a.need-search", "true"),
            ("a.x y", "3"),
            ("a.@type", "\"T\""),
            ("café", "4"),
            ("[\"a.b\"]", "\"dotted\""),
            ("$[\"\"]", "\"empty\""),
            ("a.b[*].c", "1 2"),
            ("$..c", "1 2"),
            ("$.a.b[?@.c == 2].c", "2"),
            ("$.a.b[?search(@.c, '1')].c", ""),
            ("length", "5"),
            ("$.missing", ""),
            ("a.b[7]", ""),
            ("length.x", ""),
        ] {
            assert_eq!(look(path), expected, "{path}");
        }
        assert!(look("$").starts_with("{\"a\":"));
    }

    #[test]
    fn texts_that_are_no_paths_are_refused_with_their_place() {
        let paths = [
            "",
            "a.",
            "a[",
            "a[0",
            "a[\"x]",
            "$a",
            "a]",
            "$.items[?(@.a = 1)]",
            "$.items.length()",
            "items[?@.a ==]",
            "$[?foo(@)]",
            "$[?length(@.a) && 1]",
        ];
        let lines = paths.map(|path| format!("{path}  {}", look(path)));
        insta::assert_snapshot!(lines.join("\n"), @r#"
          refused: the path is empty
        a.  refused: a name is missing at 3
        a[  refused: expected a number or a quoted key at 3
        a[0  refused: the bracket is not closed at 4
        a["x]  refused: the quote is not closed at 6
        $a  refused: expected a dot or a bracket at 2
        a]  refused: a name with this character stands in brackets and quotes at 2
        $.items[?(@.a = 1)]  refused: this is not JSONPath at 10
        $.items.length()  refused: this is not JSONPath at 15
        items[?@.a ==]  refused: expected closing ']' at 12
        $[?foo(@)]  refused: function name 'foo' is not defined at 4
        $[?length(@.a) && 1]  refused: function with incorrect return type used at 4
        "#);
    }

    #[test]
    fn paths_that_would_take_long_to_read_are_refused() {
        let nested = |n: usize| format!("$[?{}@.a{}]", "(".repeat(n), ")".repeat(n));
        assert_eq!(look(&nested(MAX_NESTING - 1)), "");
        assert!(look(&nested(MAX_NESTING)).contains("deep"));
        assert!(look(&"a.".repeat(MAX_CHARS)).contains("longer"));
        let quoted = format!("$['{}']", "(".repeat(50));
        assert_eq!(look(&quoted), "");
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(path in r#"[$.\[\]'"a0*?@()\\ =,:-]{0,40}"#) {
            drop(JsonPath::parse(&path).map(|path| path.query(&json!({"a": [1]})).len()));
        }

        #[test]
        fn short_paths_equal_their_standard_twins(
            steps in prop::collection::vec(prop_oneof!["[a-c]{1,2}", "[a-c]-[a-c]", "\\[[0-2]\\]"], 1..5)
                .prop_filter("begins with a name", |steps| !steps[0].starts_with('['))
        ) {
            let mut value = json!("leaf");
            let (mut short, mut standard) = (String::new(), "$".to_owned());
            for step in &steps {
                if step.starts_with('[') {
                    short.push_str(step);
                    standard.push_str(step);
                } else {
                    if !short.is_empty() { short.push('.'); }
                    short.push_str(step);
                    standard.extend(["['", step, "']"]);
                }
            }
            for step in steps.iter().rev() {
                value = match step.strip_prefix('[') {
                    Some(index) => {
                        let n: usize = index.trim_end_matches(']').parse().unwrap();
                        let mut items = vec![Value::Null; n];
                        items.push(value);
                        Value::from(items)
                    }
                    None => json!({step.as_str(): value}),
                };
            }
            let look = |path: &str| JsonPath::parse(path).unwrap().query(&value).into_iter().cloned().collect::<Vec<_>>();
            prop_assert_eq!(look(&short), look(&standard));
            prop_assert_eq!(look(&short), vec![json!("leaf")]);
            prop_assert_eq!(look(&format!("$.{short}")), look(&standard));
        }
    }
}
