//! The records of a bundle: how they are written and read. `testdata/` holds a file of each version.
//!
//! Version 1. A record is one line, `{"record":"run"|"source"|"plan"|"test"|"end",…}`. Members may be added without a new
//! version: readers skip members and kinds of records that they do not know.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use ananke_model::result::TestResult;
use ananke_model::run_event::{RunInfo, Summary};
use memchr::memmem;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that is written, and the last one that is read.
pub const FORMAT: u64 = 1;

/// What the beginning of a line looks like in the records that matter for speed.
const TEST_PREFIX: &[u8] = b"{\"record\":\"test\",";

/// How deep records may nest. Recorded trees end at 512 levels; the rest is what stands around them.
const MAX_DEPTH: usize = 640;

/// What is known when a run begins: the first record of a bundle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// The run. `run_id` is the name of the bundle's folder; `bundle` is where the bundle was read from.
    pub run: RunInfo,
    /// The values that tests were run with.
    pub variables: RecordedVariables,
}

/// The values that tests were run with, secrets as placeholders.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordedVariables {
    /// Values of `--var`.
    pub variables: BTreeMap<String, Value>,
    /// Values of the `${ENV.*}` that the tests refer to.
    pub environment: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct RunRecord<'a> {
    record: &'static str,
    format: u64,
    #[serde(flatten)]
    run: &'a RunInfo,
    #[serde(flatten)]
    variables: &'a RecordedVariables,
}

#[derive(Serialize, Deserialize)]
struct SourceRecord<'a> {
    #[serde(skip_deserializing)]
    record: &'static str,
    file: Cow<'a, str>,
    text: Cow<'a, str>,
}

#[derive(Serialize)]
struct PlanRecord<'a, P> {
    record: &'static str,
    plan: &'a P,
}

#[derive(Serialize)]
struct TestRecord<'a> {
    record: &'static str,
    #[serde(flatten)]
    result: &'a TestResult,
}

#[derive(Serialize)]
struct EndRecord<'a> {
    record: &'static str,
    n_tests: usize,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Writes the `run` record.
pub(super) fn write_run(out: &mut impl Write, head: &Head) -> serde_json::Result<()> {
    // Where a bundle is, is known to who reads it; what was written down may have moved.
    let run = RunInfo {
        bundle: None,
        ..head.run.clone()
    };
    let record = RunRecord {
        record: "run",
        format: FORMAT,
        run: &run,
        variables: &head.variables,
    };
    write_line(out, &record)
}

/// Writes a `source` record.
pub(super) fn write_source(out: &mut impl Write, file: &str, text: &str) -> serde_json::Result<()> {
    let record = SourceRecord {
        record: "source",
        file: file.into(),
        text: text.into(),
    };
    write_line(out, &record)
}

/// Writes a `plan` record: what was to be run, for people and other programs. Nothing here reads it.
pub(super) fn write_plan(out: &mut impl Write, plan: &impl Serialize) -> serde_json::Result<()> {
    let record = PlanRecord {
        record: "plan",
        plan,
    };
    write_line(out, &record)
}

/// Writes a `test` record.
pub(super) fn write_test(out: &mut impl Write, result: &TestResult) -> serde_json::Result<()> {
    let record = TestRecord {
        record: "test",
        result,
    };
    write_line(out, &record)
}

/// Writes the `end` record. `n_tests` lets a reader notice that frames are missing.
pub(super) fn write_end(
    out: &mut impl Write,
    n_tests: usize,
    summary: &Summary,
) -> serde_json::Result<()> {
    let record = EndRecord {
        record: "end",
        n_tests,
        summary,
    };
    write_line(out, &record)
}

fn write_line(out: &mut impl Write, record: &impl Serialize) -> serde_json::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// The first record, as far as any version must have it.
#[derive(Deserialize)]
pub(super) struct FirstRecord {
    /// Is `run` in a bundle.
    #[serde(default)]
    pub(super) record: String,
    /// The version of the format.
    #[serde(default)]
    pub(super) format: u64,
    /// The version of ananke.
    #[serde(default)]
    pub(super) version: String,
}

/// A record after the first.
#[derive(Debug)]
pub(super) enum Record {
    /// Another `run` record, which does not belong there.
    Run,
    /// The text of a file.
    Source(String, String),
    /// What came of a test.
    Test(Box<TestResult>),
    /// The run is over; how many tests were written, and the totals.
    End(usize, Summary),
    /// Something that this version does not know.
    Unknown,
}

/// Reads what any version has in its first line.
pub(super) fn read_first(line: &[u8]) -> Result<FirstRecord, String> {
    read_line(line)
}

/// Reads the `run` record of this version.
pub(super) fn read_run(line: &[u8]) -> Result<Head, String> {
    Ok(Head {
        run: read_line(line)?,
        variables: read_line(line)?,
    })
}

/// Reads a record after the first.
pub(super) fn read_record(line: &[u8]) -> Result<Record, String> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow)]
        record: Cow<'a, str>,
    }
    #[derive(Deserialize)]
    struct Counted {
        n_tests: usize,
    }

    if line.starts_with(TEST_PREFIX) {
        return read_line(line).map(Record::Test);
    }
    let kind: Kind<'_> = serde_json::from_slice(line).map_err(in_words)?;
    match &*kind.record {
        "run" => Ok(Record::Run),
        "source" => read_line::<SourceRecord<'_>>(line)
            .map(|source| Record::Source(source.file.into_owned(), source.text.into_owned())),
        "test" => read_line(line).map(Record::Test),
        "end" => {
            let Counted { n_tests } = read_line(line)?;
            Ok(Record::End(n_tests, read_line(line)?))
        }
        _ => Ok(Record::Unknown),
    }
}

/// Reads one value from one line; members that it does not have are skipped.
fn read_line<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let line = str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    let line = without_magic_keys(line);
    let error = match serde_json::from_str(&line) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    // The usual limit of 128 levels is less than what recordings may have.
    if !(128..=MAX_DEPTH).contains(&depth(&line)) {
        return Err(in_words(error));
    }
    let mut deserializer = serde_json::Deserializer::from_str(&line);
    deserializer.disable_recursion_limit(); // `depth` was checked above
    let value = T::deserialize(&mut deserializer).map_err(in_words)?;
    deserializer.end().map_err(in_words)?;
    Ok(value)
}

/// Renames the key by which `serde_json` marks unparsed JSON.
///
/// An agent can put it into its state with a JSON Patch. Read as it stands it would stand for another value, or make
/// the record unreadable.
fn without_magic_keys(line: &str) -> Cow<'_, str> {
    const MAGIC: &str = "$serde_json::private::";
    if memmem::find(line.as_bytes(), MAGIC.as_bytes()).is_none() {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.replace(MAGIC, "$serde_json:private::"))
}

/// Returns how deep arrays and objects nest.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Says what is wrong without the line number, which is always 1.
fn in_words(error: serde_json::Error) -> String {
    let column = error.column();
    let text = error.to_string();
    let what = text
        .split_once(" at line ")
        .map_or(text.as_str(), |(what, _)| what);
    format!("{what} (column {column})")
}
