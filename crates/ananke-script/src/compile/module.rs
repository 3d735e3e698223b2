//! Compiles a file to a module of the engine. Every name of its top level is exported once more under a hidden name, so that
//! functions can be called and shared whether the user exported them or not. Other scripts import a second module, which hands
//! out nothing but what the user exported.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ananke_model::coverage::FileCoverage;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use ananke_model::script::digest;
use oxc::allocator::Allocator;
use oxc::ast::ast::{ImportDeclarationSpecifier, Program, Statement};
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc::semantic::Scoping;
use oxc::transformer::{TransformOptions, Transformer};
use serde_json::Value;

use super::coverage::Counted;
use super::export_names::{Exports, Names, exports, names};
use super::marks::{mark, vain_assignments};
use super::mistakes::mistakes;
use super::positions::{Mapped, Positions};
use super::sites::sites;
use super::source::{Language, Lines, Source};
use super::syntax::{Parsed, parse};
use super::{coverage, json, nesting};

/// How a module is compiled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How<'a> {
    /// The module under test and the names of its top level: what a test file uses and does not declare is imported from there.
    pub shares: Option<(&'a str, &'a [String])>,
    /// Whether lines and functions are counted.
    pub coverage: bool,
}

/// A module for the engine, and the way back to the user's file.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// An ES module.
    pub code: String,
    /// A digest of the file's text.
    pub digest: String,
    /// Whether the user throws `null`, so that one that is thrown need not come of a lack of memory.
    pub throws_null: bool,
    /// What the file imports from and then does not name again: modules, as written. They are left out with the types.
    pub unused: Vec<(String, Place)>,
    names: Vec<String>,
    exports: Exports,
    positions: Positions,
    counted: Counted,
}

/// Names that mean the same in every file, whatever the module under test calls its own.
const GLOBALS: &str = "AggregateError Array ArrayBuffer BigInt Boolean DataView Date Error EvalError Function Infinity \
Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set \
String Symbol SyntaxError TypeError URIError Uint8Array WeakMap WeakRef WeakSet arguments console \
eval globalThis isFinite isNaN parseFloat parseInt undefined";

/// What stands before a name of the top level where it is exported once more.
pub(crate) const HIDDEN: &str = "__ananke$";

/// What stands before the path of a file where all of it is imported, hidden names included.
pub(crate) const WHOLE: &str = "ananke:whole:";

/// Returns the name under which a name of the top level is exported once more.
pub(crate) fn exported_name(name: &str) -> String {
    format!("{HIDDEN}{name}")
}

/// Compiles a file. All mistakes are told at once.
pub(crate) fn compile(source: Source<'_>, how: How<'_>) -> Result<Compiled, Vec<Diagnostic>> {
    let lines = Lines::new(source).map_err(|mistake| vec![mistake])?;
    if Language::of(source.shown) == Language::Json {
        let code = json::module(&lines)?;
        return Ok(Compiled {
            code,
            digest: digest(source.text),
            throws_null: false,
            unused: Vec::new(),
            names: Vec::new(),
            exports: Exports {
                names: vec!["default".to_owned()],
                ..Exports::default()
            },
            counted: Counted::nothing(source.shown),
            positions: Positions {
                lines: lines.into_owned(),
                mapped: Vec::new(),
                n_lines_before: 0,
                sites: Vec::new(),
            },
        });
    }
    let mut compiled = nesting::with_stack(&lines, || compile_script(&lines, how))?;
    compiled.digest = digest(source.text);
    Ok(compiled)
}

fn compile_script(lines: &Lines<'_>, how: How<'_>) -> Result<Compiled, Vec<Diagnostic>> {
    let allocator = Allocator::default();
    let Parsed {
        mut program,
        scoping,
    } = parse(lines, &allocator)?;
    let imported = how
        .shares
        .map(|(module, names)| import(module, names, &scoping))
        .unwrap_or_default();
    let (sites, throws_null) = sites(&program);
    let shared = how.shares.map_or(&[][..], |(_, names)| names);
    let unused = unused(lines, &program, &scoping);
    let vain = vain_assignments(&program, &scoping, shared);
    let functions = coverage::functions_of(&program, how.coverage);

    // The engine reads a first line of `#!` only where nothing is put before it.
    program.hashbang = None;
    // Only types are taken out: the engine knows the language of today.
    let transformed = Transformer::new(
        &allocator,
        Path::new(&*lines.shown),
        &TransformOptions::default(),
    )
    .build_with_scoping(scoping, &mut program);
    if !transformed.diagnostics.is_empty() {
        return Err(mistakes(lines, transformed.diagnostics.into_vec()));
    }
    let names = names(&program);
    let exports = exports(&program);
    let (counted, counters) = match how.coverage {
        true => coverage::count(
            &allocator,
            &mut program,
            transformed.scoping,
            lines,
            &functions,
        )?,
        false => (Counted::nothing(&lines.shown), String::new()),
    };

    mark(&allocator, &mut program, &vain);
    let printed = Codegen::new()
        .with_options(CodegenOptions {
            comments: CommentOptions::disabled(),
            source_map_path: Some(PathBuf::from(&*lines.shown)),
            ..CodegenOptions::default()
        })
        .build(&program);
    let mapped = printed.map.iter().flat_map(|map| map.get_tokens());
    let mapped = mapped
        .map(|token| Mapped {
            generated: (token.get_dst_line(), token.get_dst_col()),
            original: (token.get_src_line(), token.get_src_col()),
        })
        .collect();
    let before = [imported.as_str(), &counters].concat();
    Ok(Compiled {
        code: [before.as_str(), &printed.code, &export(&names)].concat(),
        digest: String::new(),
        throws_null,
        unused,
        names: names.declared,
        exports,
        counted,
        positions: Positions {
            lines: lines.clone().into_owned(),
            mapped,
            n_lines_before: u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX),
            sites,
        },
    })
}

/// Returns the import of the names that the file uses and does not declare. The module is loaded even if there are none: a test
/// of a module that is broken shows nothing.
fn import(module: &str, names: &[String], scoping: &Scoping) -> String {
    let unresolved = scoping.root_unresolved_references();
    let used: HashSet<&str> = unresolved
        .iter()
        .filter(|(_, references)| {
            let mut references = references.iter();
            references.any(|id| scoping.get_reference(*id).is_value())
        })
        .map(|(name, _)| name.as_str())
        .collect();
    let mut seen = HashSet::new();
    let shared: Vec<String> = names
        .iter()
        .filter(|name| {
            used.contains(name.as_str()) && !is_global(name) && seen.insert(name.as_str())
        })
        .map(|name| format!("{} as {name}", exported_name(name)))
        .collect();
    match shared.is_empty() {
        true => format!("import {};\n", Value::from(module)),
        false => format!(
            "import {{ {} }} from {};\n",
            shared.join(", "),
            Value::from(module)
        ),
    }
}

/// Returns the imports of which no name is used, neither as a value nor as a type.
fn unused(lines: &Lines<'_>, program: &Program<'_>, scoping: &Scoping) -> Vec<(String, Place)> {
    let imports = program.body.iter().filter_map(|statement| match statement {
        Statement::ImportDeclaration(import) if !import.import_kind.is_type() => Some(import),
        _ => None,
    });
    let unused = imports.filter(|import| {
        let names = import.specifiers.iter().flatten();
        names.clone().next().is_some()
            && names.clone().all(|one| {
                let is_type = matches!(one, ImportDeclarationSpecifier::ImportSpecifier(one) if one.import_kind.is_type());
                let id = one.local().symbol_id.get();
                !is_type && id.is_some_and(|id| scoping.get_resolved_reference_ids(id).is_empty())
            })
    });
    unused
        .map(|import| {
            (
                import.source.value.to_string(),
                lines.place(import.source.span),
            )
        })
        .collect()
}

fn is_global(name: &str) -> bool {
    GLOBALS.split(' ').any(|global| global == name)
}

fn export(names: &Names) -> String {
    let declared = names
        .declared
        .iter()
        .map(|name| (Cow::Borrowed(name), name));
    let renamed = names
        .renamed
        .iter()
        .map(|(local, other)| (Cow::Borrowed(local), other));
    let mut seen = HashSet::new();
    let all: Vec<String> = declared
        .chain(renamed)
        .filter(|(_, other)| seen.insert(other.as_str()))
        .map(|(local, other)| format!("{local} as {}", exported_name(other)))
        .collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("export {{ {} }};\n", all.join(", ")),
    }
}

impl Compiled {
    /// Returns the name of the file in positions, under which its counters are found.
    pub(crate) fn shown(&self) -> &str {
        &self.positions.lines.shown
    }

    /// Returns the user's text.
    pub(crate) fn text(&self) -> &str {
        &self.positions.lines.text
    }

    /// Returns the names of the top level: what a test file shares.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the module that other scripts import: what the user exported of the file at `path`, and no hidden names.
    pub(crate) fn exports(&self, path: &str) -> String {
        let file = Value::from(format!("{WHOLE}{path}"));
        let own = format!(
            "export {{ {} }} from {file};\n",
            self.exports.names.join(", ")
        );
        let others = self.exports.all_of.iter();
        let others =
            others.map(|module| format!("export * from {};\n", Value::from(module.as_str())));
        std::iter::once(own).chain(others).collect()
    }

    /// Returns what stands at a position of the code, snapped to the call that the engine meant. The line is counted from 1,
    /// the column from 1 in bytes; `callee` is the name of the next inner frame, if it is known. What is returned is counted
    /// from 1, the column in characters.
    pub(crate) fn original(&self, line: u32, column: u32, callee: Option<&str>) -> (u32, u32) {
        self.positions.original(&self.code, line, column, callee)
    }

    /// Returns the user's lines around `line`: two before, one after.
    pub(crate) fn excerpt(&self, line: u32) -> Vec<(u32, String)> {
        self.positions.excerpt(line)
    }

    /// Returns how often lines and functions were run, from what the code has counted for this file.
    pub(crate) fn coverage(&self, counters: &Value) -> FileCoverage {
        self.counted.coverage(counters)
    }
}
