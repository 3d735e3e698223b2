//! Counts how often the lines and functions of a script are run.

use std::collections::{BTreeMap, HashSet};

use ananke_model::coverage::{FileCoverage, FunctionCoverage};
use ananke_model::diagnostic::Diagnostic;
use oxc::allocator::Allocator;
use oxc::ast::ast::{ArrowFunctionExpression, Function, Program};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::Scoping;
use oxc::span::GetSpan as _;
use oxc::syntax::scope::ScopeFlags;
use oxc_coverage_instrument::{FnEntry, InstrumentOptions, Location, instrument_program};
use serde_json::Value;

use super::source::Lines;

/// What is counted in a file, by the keys of its counters.
#[derive(Debug)]
pub(super) struct Counted {
    file: String,
    /// The line at which a statement begins.
    statements: BTreeMap<String, u32>,
    /// Key, name and line, in the order of the file.
    functions: Vec<(String, String, u32)>,
}

/// Where the functions that the user wrote begin, and where their bodies do.
#[derive(Debug, Default)]
pub(super) struct Functions(HashSet<u32>);

/// Collects the functions of a program as the user wrote it: enums and namespaces become functions too, which nobody wrote.
pub(super) fn functions_of(program: &Program<'_>, is_wanted: bool) -> Functions {
    let mut functions = Functions::default();
    if is_wanted {
        functions.visit_program(program);
    }
    functions
}

impl<'a> Visit<'a> for Functions {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.0.insert(function.span.start);
        self.0
            .extend(function.body.as_ref().map(|body| body.span.start));
        walk::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.0.insert(arrow.span.start);
        self.0.insert(arrow.body.span().start);
        walk::walk_arrow_function_expression(self, arrow);
    }
}

/// Puts counters into a program. Returns what they count, and the code that sets them up.
pub(super) fn count<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: Scoping,
    lines: &Lines<'_>,
    functions: &Functions,
) -> Result<(Counted, String), Vec<Diagnostic>> {
    // Branches of `?.` are reported nowhere; counting them would call a function in every chain.
    let options = InstrumentOptions::default().with_track_optional_chain(false);
    let counters = instrument_program(
        allocator,
        program,
        scoping,
        &lines.text,
        &lines.shown,
        &options,
    )
    .map_err(|error| {
        vec![Diagnostic::error_anywhere(format!(
            "{}: {error}",
            lines.shown
        ))]
    })?;
    let map = counters.coverage_map;
    let begin = |location: &Location| {
        let offset = lines.offset(location.start.line.saturating_sub(1), location.start.column);
        u32::try_from(offset).unwrap_or(u32::MAX)
    };
    let is_written = |one: &FnEntry| {
        [&one.loc, &one.decl]
            .iter()
            .any(|at| functions.0.contains(&begin(at)))
    };
    let mut written: Vec<_> = map
        .fn_map
        .iter()
        .filter(|(_, one)| is_written(one))
        .collect();
    written.sort_by_key(|(_, one)| (one.decl.start.line, one.decl.start.column));
    let counted = Counted {
        file: lines.shown.clone().into_owned(),
        statements: map
            .statement_map
            .iter()
            .filter(|(_, one)| (one.start.line, one.start.column) != (one.end.line, one.end.column))
            .map(|(key, one)| (key.clone(), one.start.line))
            .collect(),
        functions: written
            .into_iter()
            .map(|(key, one)| (key.clone(), name(&one.name), one.decl.start.line))
            .collect(),
    };
    Ok((counted, counters.preamble.unwrap_or_default()))
}

fn name(name: &str) -> String {
    match name.starts_with("(anonymous") {
        true => "(anonymous)".to_owned(),
        false => name.to_owned(),
    }
}

impl Counted {
    /// Returns that nothing is counted.
    pub(super) fn nothing(shown: &str) -> Self {
        Self {
            file: shown.to_owned(),
            statements: BTreeMap::new(),
            functions: Vec::new(),
        }
    }

    /// Reads the counters. What they do not hold was not run.
    pub(super) fn coverage(&self, counters: &Value) -> FileCoverage {
        let hits = |kind: &str, key: &str| {
            let counter = &counters[kind][key];
            counter.as_u64().unwrap_or_default()
        };
        let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
        for (key, line) in &self.statements {
            let most = lines.entry(*line).or_default();
            *most = hits("s", key).max(*most);
        }
        let functions = self
            .functions
            .iter()
            .map(|(key, name, line)| FunctionCoverage {
                name: name.clone(),
                line: *line,
                hits: hits("f", key),
            });
        FileCoverage {
            file: self.file.clone(),
            lines: lines.into_iter().collect(),
            functions: functions.collect(),
        }
    }
}
