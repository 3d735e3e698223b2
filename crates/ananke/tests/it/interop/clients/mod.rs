//! The official clients read thousands of streams, and so do we: do we know which of them they refuse?

mod agree;
mod mutate;
mod random;
mod reorder;
mod samples;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

use ananke_conform::clients::{Break, Client};
use ananke_conform::{Answer, BodyReader, Ending, Framing, Limits};
use samples::{Sample, samples};
use serde_json::{Value, json};

use super::{has_node, installed};

/// Explains to users where our table and a client disagree: one line of a table for each stream and client.
const EXPLAINED: &str = include_str!("../../../../../../docs/conformance/clients.md");

/// The fewest streams that are worth the name of a comparison, of all and of those that a client refuses or takes.
const N_ENOUGH: usize = 500;

#[test]
fn the_table_of_clients_says_what_they_do() {
    if !has_node("streams read by @ag-ui/client 0.0.59 and 1.0.0") {
        return;
    }
    let samples = samples();
    let told = told_by_clients(&samples);
    let mut disagreements = BTreeMap::new();
    let mut n_refused = BTreeMap::new();
    for (sample, told) in samples.iter().zip(&told) {
        assert_eq!(
            told["id"],
            json!(sample.id),
            "streams are answered in their order"
        );
        for client in Client::ALL {
            let version = version(client);
            let accepts = told[version].as_bool().expect("each client has a verdict");
            *n_refused.entry(version).or_insert(0) += usize::from(!accepts);
            let ours = client.breaks_at(&answer(sample));
            if ours.is_none() == accepts {
                continue;
            }
            let detail = format!("we say {}, it says {}", shown(ours), told["why"][version]);
            disagreements.insert((version.to_owned(), sample.id.clone()), detail);
        }
    }
    let explained = explained();
    let is_new = |which: &(String, String)| !explained.contains(which);
    let new: Vec<_> = disagreements
        .iter()
        .filter(|(which, _)| is_new(which))
        .collect();
    assert!(
        new.is_empty(),
        "{} of {} streams: {new:#?}",
        new.len(),
        samples.len()
    );
    let is_gone = |which: &&(String, String)| !disagreements.contains_key(*which);
    let gone: Vec<_> = explained.iter().filter(is_gone).collect();
    assert!(
        gone.is_empty(),
        "docs/conformance/clients.md explains what is no longer so: {gone:#?}"
    );
    for (version, n_refused) in n_refused {
        let n_accepted = samples.len() - n_refused;
        let is_enough = n_refused > N_ENOUGH && n_accepted > N_ENOUGH;
        assert!(
            is_enough,
            "{version}: {n_accepted} accepted, {n_refused} refused"
        );
    }
}

/// Returns what the real packages say, stream by stream.
fn told_by_clients(samples: &[Sample]) -> Vec<Value> {
    let script = installed().join("node/client_accepts.mjs");
    let mut node = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node is installed");
    let mut stdin = node.stdin.take().expect("stdin is piped");
    let lines: String = samples
        .iter()
        .map(|sample| {
            format!(
                "{}\n",
                json!({"id": sample.id, "body": sample.body, "breaks": sample.breaks})
            )
        })
        .collect();
    // Both pipes are small: nobody may wait for the other.
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = node
        .wait_with_output()
        .expect("node ends when its input does");
    writer
        .join()
        .expect("no panic")
        .expect("node reads all of it");
    assert!(output.status.success(), "{}", output.status);
    let told: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("it writes JSON"))
        .collect();
    assert_eq!(told.len(), samples.len(), "every stream is answered");
    told
}

fn answer(sample: &Sample) -> Answer {
    let mut reader = BodyReader::new(Framing::Sse, Limits::default());
    reader
        .push(sample.body.as_bytes(), 0)
        .expect("samples are small");
    let (events, wire, _) = reader.finish();
    Answer {
        status: Some(200),
        events,
        wire,
        ending: match sample.breaks {
            true => Ending::Broken("connection reset".to_owned()),
            false => Ending::Closed,
        },
        ..Answer::default()
    }
}

fn version(client: Client) -> &'static str {
    let (_, version) = client
        .name()
        .split_once(' ')
        .expect("a package and its version");
    version
}

fn shown(ours: Option<Break>) -> String {
    ours.map_or_else(
        || "it gets through".to_owned(),
        |found| format!("{:?}: {}", found.event, found.message),
    )
}

/// Returns the disagreements that users are told of: lines such as "| 1.0.0 | `bytes: a word` | … |".
fn explained() -> BTreeSet<(String, String)> {
    let rows = EXPLAINED.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let version = cells.next()?.to_owned();
        let id = cells
            .next()?
            .strip_prefix('`')?
            .strip_suffix('`')?
            .to_owned();
        Some((version, id))
    });
    rows.collect()
}
