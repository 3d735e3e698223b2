//! Which of the loaded tests run, and in which order: shards, what failed last, and chance with a seed.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use ananke_model::plan::{Plan, PlannedTest, TestId};
use clap::Args;

use crate::settings::parse_switch;

/// Which of them, and in which order.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Order")]
pub(crate) struct OrderArgs {
    /// Only this share of the tests, such as 2/5; a test's share depends on its id alone
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, env = "ANANKE_SHARD")]
    pub(crate) shard: Option<Shard>,
    /// A share without any test is fine
    #[arg(long, env = "ANANKE_ALLOW_EMPTY_SHARD", value_parser = parse_switch)]
    pub(crate) allow_empty_shard: bool,
    /// Only the tests that did not pass in the last run
    #[arg(long, env = "ANANKE_LAST_FAILED", value_parser = parse_switch)]
    pub(crate) last_failed: bool,
    /// First the tests that did not pass in the last run
    #[arg(long, env = "ANANKE_FAILED_FIRST", value_parser = parse_switch)]
    pub(crate) failed_first: bool,
    /// In an order of chance, which the seed repeats
    #[arg(long, env = "ANANKE_SHUFFLE", value_parser = parse_switch)]
    pub(crate) shuffle: bool,
    /// The seed of --shuffle; by default a new one, shown in the report
    #[arg(long, value_name = "N", env = "ANANKE_SEED", requires = "shuffle")]
    pub(crate) seed: Option<u64>,
}

/// One of several shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Counted from 1.
    pub(crate) number: u64,
    /// How many there are.
    pub(crate) of: u64,
}

impl Shard {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no share; write 2/5 for the second of five");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let number: u64 = number.trim().parse().map_err(|_| wrong())?;
        let of: u64 = of.trim().parse().map_err(|_| wrong())?;
        if number == 0 || number > of {
            return Err(wrong());
        }
        Ok(Self { number, of })
    }

    fn holds(self, id: &TestId) -> bool {
        fnv1a(id.0.as_bytes()) % self.of == self.number - 1
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// FNV-1a: simple, the same everywhere and forever, which is all that shares need.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Leaves in `plan` what is to be run, in the order in which it is to be run. `failed` are the tests that did not pass
/// in the last run.
pub(crate) fn arrange(
    plan: &mut Plan,
    args: &OrderArgs,
    failed: &BTreeSet<TestId>,
    seed: Option<u64>,
) {
    if let Some(shard) = args.shard {
        plan.tests.retain(|test| shard.holds(&test.id));
    }
    if args.last_failed {
        plan.tests.retain(|test| failed.contains(&test.id));
    }
    if let Some(seed) = seed {
        shuffle(&mut plan.tests, seed);
        together(&mut plan.tests);
    }
    if args.failed_first {
        // Stable: within the two halves the order stays.
        plan.tests.sort_by_key(|test| !failed.contains(&test.id));
    }
}

/// Puts the functions of each script behind the first of them: they run together and are told of together.
fn together(tests: &mut [PlannedTest]) {
    if tests.iter().all(|test| test.script.is_none()) {
        return;
    }
    let mut first: HashMap<Arc<str>, usize> = HashMap::new();
    let mut place = |index: usize, test: &PlannedTest| match &test.script {
        Some(script) => *first.entry(Arc::clone(&script.file.shown)).or_insert(index),
        None => index,
    };
    let places = tests.iter().enumerate();
    let places: HashMap<TestId, usize> = places
        .map(|(index, test)| (test.id.clone(), place(index, test)))
        .collect();
    // Stable: within a file the order stays.
    tests.sort_by_key(|test| places.get(&test.id).copied());
}

/// Fisher and Yates, with `SplitMix64` for chance.
fn shuffle(tests: &mut [PlannedTest], seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for last in (1..tests.len()).rev() {
        let bound = u64::try_from(last).unwrap_or(u64::MAX) + 1;
        let picked = usize::try_from(next() % bound).unwrap_or(last);
        tests.swap(last, picked);
    }
}
