//! Text in, text out: what files are compiled to, what is said about mistakes, what is found.

mod counting;
mod generated;
mod hostile;
mod looking;
mod refused;
mod way_back;

use std::fmt::Write as _;

use ananke_model::diagnostic::Diagnostic;

use super::{Compiled, How, Source, compile};

fn compiled(shown: &str, text: &str) -> Compiled {
    let source = Source { shown, text };
    compile(source, How::default()).unwrap_or_else(|mistakes| panic!("{}", told(&mistakes)))
}

/// Returns the code of a TypeScript file.
fn code(text: &str) -> String {
    compiled("a.ts", text).code
}

/// Returns the code of a test file that shares the names of a module.
fn sharing(text: &str, names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let how = How {
        shares: Some(("./a.ts", &names)),
        coverage: false,
    };
    let source = Source {
        shown: "a_test.ts",
        text,
    };
    match compile(source, how) {
        Ok(compiled) => compiled.code,
        Err(mistakes) => told(&mistakes),
    }
}

/// Returns what is said about a file.
fn mistakes(shown: &str, text: &str) -> String {
    match compile(Source { shown, text }, How::default()) {
        Ok(compiled) => format!("no mistake: {}", compiled.code),
        Err(mistakes) => told(&mistakes),
    }
}

fn told(mistakes: &[Diagnostic]) -> String {
    let mut told = String::new();
    for one in mistakes {
        let at = one.place.as_ref().map_or(String::new(), |at| {
            format!(
                "{}:{}:{} [{}..{}] ",
                at.file, at.line, at.column, at.start, at.end
            )
        });
        writeln!(told, "{at}{}\n  ^ {}", one.message, one.label).unwrap();
        if let Some(hint) = &one.hint {
            writeln!(told, "  hint: {hint}").unwrap();
        }
    }
    told
}
