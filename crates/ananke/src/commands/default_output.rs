//! `output-<time>.jsonl` beside the cases: the report of a run of JSONL files for which no other was asked.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::run::RunArgs;
use crate::settings::{Environment, unix_ms};

/// How many runs may begin in one second.
const MOST_IN_A_SECOND: usize = 100;

/// Returns where the report of a run goes that asked for none: beside the first input, if all of them are JSONL files. An
/// empty file keeps the name.
pub(crate) fn default_output(args: &RunArgs, environment: &Environment) -> Option<PathBuf> {
    let outputs = &args.outputs;
    let has_other = args.how.json || !outputs.outputs.is_empty() || !outputs.reporters.is_empty();
    if has_other || outputs.no_output {
        return None;
    }
    let listed = environment.list("ANANKE_INPUT");
    let mut inputs = args.load.inputs.iter().chain(&args.load.more_inputs);
    let inputs: Vec<&String> = match inputs.next() {
        Some(first) => std::iter::once(first).chain(inputs).collect(),
        None => listed.iter().collect(),
    };
    let is_case_file = |input: &&String| {
        let path = Path::new(input);
        let is_jsonl = path.extension().is_some_and(|word| word == "jsonl");
        is_jsonl && environment.cwd.join(path).is_file()
    };
    if !inputs.iter().all(is_case_file) {
        return None;
    }
    let folder = Path::new(inputs.first()?).parent()?;
    let stamp: String = ananke_store::new_run_id(unix_ms(), 0)
        .chars()
        .filter(char::is_ascii_digit)
        .take(14)
        .collect();
    let names = std::iter::once(format!("output-{stamp}.jsonl"))
        .chain((2..MOST_IN_A_SECOND).map(|number| format!("output-{stamp}-{number}.jsonl")));
    names.map(|name| folder.join(name)).find(|path| {
        // Another run may want the same name at this moment: whoever makes the file has it.
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(environment.cwd.join(path));
        !made.is_err_and(|error| error.kind() == ErrorKind::AlreadyExists)
    })
}
