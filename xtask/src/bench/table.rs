//! The table of results, as Markdown.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

/// One promise and what was measured.
pub struct Row {
    what: String,
    of: String,
    limit: String,
    measured: String,
    detail: String,
    pub holds: bool,
}

impl Row {
    /// A promise not to pass `limit`.
    pub fn at_most(what: &str, of: &str, measured: f64, limit: f64, unit: &str) -> Self {
        Self::new(
            what,
            of,
            measured,
            ("at most", limit),
            unit,
            measured <= limit,
        )
    }

    /// A promise to reach `limit`.
    pub fn at_least(what: &str, of: &str, measured: f64, limit: f64, unit: &str) -> Self {
        Self::new(
            what,
            of,
            measured,
            ("at least", limit),
            unit,
            measured >= limit,
        )
    }

    /// A number that nobody promised.
    pub fn for_information(what: &str, of: &str, measured: f64, unit: &str) -> Self {
        let row = Self::new(what, of, measured, ("", 0.0), unit, true);
        Self {
            limit: "none".to_owned(),
            ..row
        }
    }

    fn new(
        what: &str,
        of: &str,
        measured: f64,
        (word, limit): (&str, f64),
        unit: &str,
        holds: bool,
    ) -> Self {
        let digits = if measured >= 100.0 { 0 } else { 1 };
        Self {
            what: what.to_owned(),
            of: of.to_owned(),
            limit: format!("{word} {limit}{unit}"),
            measured: format!("{measured:.digits$}{unit}"),
            detail: String::new(),
            holds,
        }
    }

    /// Adds the absolute numbers.
    pub fn detail(mut self, detail: String) -> Self {
        self.detail = detail;
        self
    }
}

/// Shows a time.
pub fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// Returns the whole document.
pub fn document(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Benchmarks\n\n\
         Written by `cargo xtask bench`. Everything is measured in one run on one machine: ananke, the yardstick and the\n\
         agent share its cores. Ratios carry over to other machines; absolute numbers do not.\n\n",
    );
    writeln!(text, "Machine: {}\n", machine()).expect("a string takes everything");
    text.push_str(
        "| what | measure | limit | measured | holds | absolute |\n|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let holds = if row.holds { "yes" } else { "**no**" };
        writeln!(
            text,
            "| {} | {} | {} | {} | {holds} | {} |",
            row.what, row.of, row.limit, row.measured, row.detail
        )
        .expect("a string takes everything");
    }
    text
}

fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| {
        line.strip_prefix("model name")?
            .split_once(':')
            .map(|(_, name)| name.trim().to_owned())
    });
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib: u64 = memory
        .lines()
        .find_map(|line| {
            line.strip_prefix("MemTotal:")?
                .trim()
                .trim_end_matches(" kB")
                .parse()
                .ok()
        })
        .unwrap_or(0);
    format!(
        "{} ({cores} cores, {} GiB), {}",
        model.unwrap_or_else(|| "unknown".to_owned()),
        kib / (1 << 20),
        std::env::consts::OS
    )
}
