//! No file can crash the process.

use proptest::prelude::*;

use super::told;
use crate::compile::{How, Source, compile, find_functions, find_tests};

/// Everything that is done with a file.
fn everything(shown: &str, text: &str) {
    let names = ["a".to_owned(), "Ready".to_owned()];
    for coverage in [false, true] {
        let how = How {
            shares: Some(("./a.ts", &names)),
            coverage,
        };
        match compile(Source { shown, text }, how) {
            Ok(compiled) => {
                compiled.original(1, 1, Some("a"));
                compiled.original(3, 7, None);
                compiled.excerpt(2);
                compiled.coverage(&serde_json::Value::Null);
            }
            Err(mistakes) => {
                let told = told(&mistakes);
                assert!(
                    !mistakes.is_empty() && !told.contains("broke down"),
                    "{told}"
                );
            }
        }
    }
    find_tests(shown, text).ok();
    find_functions(shown, text).ok();
}

#[test]
fn deep_files_are_compiled_or_refused() {
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("[", "", "]"),
        ("{a:", "1", "}"),
        ("f(", "1", ")"),
        ("(x) => {", "", "}"),
        ("function f() {", "", "}"),
        ("`${", "1", "}`"),
        ("if (a) {", "", "}"),
        ("class A { m() {", "", "}}"),
        ("(class extends ", "A", "{})"),
        ("a[", "1", "]"),
        ("a ? (", "1", ") : 2"),
        ("try {", "", "} catch {}"),
        ("switch (a) { case 1: ", "", "}"),
        ("@((", "a", ")) class A {}"),
        ("let a: {a: ", "1", "}"),
        ("namespace A { ", "", "}"),
        ("enum A { B = ", "1", "}"),
        ("/(", "", ")/"),
    ] {
        for n in [30, 900, 100_000] {
            let before = if open.starts_with('{') { "a = " } else { "" };
            everything(
                "a.ts",
                &format!("{before}{}{middle}{};", open.repeat(n), close.repeat(n)),
            );
        }
    }
}

#[test]
fn long_chains_are_compiled_or_refused() {
    for part in [
        "!",
        "- ",
        "a ? b : ",
        "x => ",
        "a = ",
        "if (a) ",
        "if (a) b; else ",
        "typeof ",
        "a + ",
        "a.",
        "a?.",
        "await ",
        "a: ",
        "do ",
        "new ",
        "a && ",
        "a ?? ",
        "a ** ",
        "{} + ",
        "a`x`.",
        "f().",
        "while (a) ",
        "for (;;) ",
        "void ",
        "if (a) {} else ",
        "(x/y)/",
        "x as ",
        "a! + ",
        "...",
        "a<b<",
        "let x: A<",
        "type A<T> = T extends 1 ? 2 : ",
        "a satisfies ",
        "@a ",
        "a.b[0]().",
        "'x' + ",
        "import('a').",
    ] {
        for n in [50, 500] {
            everything("a.ts", &format!("{}a;", part.repeat(n)));
            everything("a.js", &format!("{}a;", part.repeat(n)));
        }
    }
}

const VALID: &str = "
import { a, type B } from './a';
enum Color { Red = 1, Green = 'g' }
namespace N { export const x = 1; }
export async function TestA(t: any, { b, c = [1] }: B = {}) {
  const { fatal } = t; fatal(`x ${a!.b?.[c] ?? 'é'}`);
  for await (const x of a) try { throw new Error(/[(]/.source) } catch { continue }
  switch (b) { case 1: { break } default: t.run('x', (t) => t.assert.Equal(1, 2)) }
}
@dec class A<T> extends N.B { #p = 1; constructor(private q: T) { super(); } static { } get x() { return this.#p } }
export { TestA as TestB };
export default (x: number) => x satisfies number;
";

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_a_crash(text in "\\PC{0,60}", kind in 0usize..4) {
        everything(["a.ts", "a.js", "a.tsx", "a.json"][kind], &text);
    }

    #[test]
    fn broken_scripts_are_read_without_a_crash(
        cuts in prop::collection::vec((0usize..900, 0usize..12, "[(){}\\[\\]<>=/`'\"$;:,.?!@#*&|a-c0 \n\u{e9}\u{1f600}]{0,6}"), 1..6),
        kind in 0usize..3,
    ) {
        let mut text = VALID.to_owned();
        for (at, n, put) in cuts {
            let start = text.floor_char_boundary(at.min(text.len()));
            let end = text.floor_char_boundary((start + n).min(text.len())).max(start);
            text.replace_range(start..end, &put);
        }
        everything(["a.ts", "a.js", "a.tsx"][kind], &text);
    }
}
