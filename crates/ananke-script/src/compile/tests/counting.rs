//! Which lines and functions are counted.

use insta::assert_snapshot;
use serde_json::json;

use crate::compile::{Compiled, How, Source, compile};

fn counted(text: &str) -> Compiled {
    let how = How {
        shares: None,
        coverage: true,
    };
    compile(
        Source {
            shown: "a.ts",
            text,
        },
        how,
    )
    .unwrap()
}

const TEXT: &str = "enum Color { Red }
namespace N { export const x = 1; export function inner() { return x; } }
interface A { a: string }
export function add(a: number,
  b: number): number {
  const sum = a + b;
  return sum;
}
const twice = (x: number) => x * 2 as number;
class Shop { total() { return [1].map((x) => x); } }
";

#[test]
fn only_what_the_user_wrote_is_counted() {
    let coverage = counted(TEXT).coverage(&json!(null));
    let lines: Vec<u32> = coverage.lines.iter().map(|(line, _)| *line).collect();
    let functions: Vec<String> = coverage
        .functions
        .iter()
        .map(|one| format!("{}:{}", one.line, one.name))
        .collect();
    assert_snapshot!(format!("{lines:?}\n{}", functions.join("\n")), @"
    [1, 2, 6, 7, 9, 10]
    2:inner
    4:add
    9:twice
    10:total
    10:(anonymous)
    ");
}

#[test]
fn the_counters_tell_how_often() {
    let compiled = counted(TEXT);
    let all = |n: u64| {
        (0..50)
            .map(|key| (key.to_string(), json!(n)))
            .collect::<serde_json::Map<_, _>>()
    };
    let coverage = compiled.coverage(&json!({"s": all(3), "f": all(2)}));
    assert!(coverage.lines.iter().all(|(_, hits)| *hits == 3));
    assert!(coverage.functions.iter().all(|one| one.hits == 2));
    for odd in [
        json!([]),
        json!({"s": 1, "f": {"0": "x", "1": -1, "2": 1e300}}),
    ] {
        compiled.coverage(&odd);
    }
}

#[test]
fn counters_are_set_up_before_the_code() {
    let code = counted("export const f = (a?: any) => a?.b;\n").code;
    let (before, after) = code.split_once('\n').unwrap();
    assert!(before.contains("__coverage__") && before.contains("\"a.ts\""));
    assert_snapshot!(after.replace("cov_", "cov"), @"
    ++cov2cd32c.s[0];
    export const f = (a) => {
    	++cov2cd32c.f[0];
    	++cov2cd32c.s[1];
    	return a?.b;
    };
    export { f as __ananke$f };
    ");
}
