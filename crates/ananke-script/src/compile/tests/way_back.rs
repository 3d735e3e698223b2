//! From positions of the engine to the lines that the user wrote.

use insta::assert_snapshot;

use super::compiled;
use crate::compile::{How, Source, compile};

/// Compiles `text`, takes the position of `at` in the generated code, and shows what it leads back to.
fn back(text: &str, at: &str, callee: Option<&str>) -> String {
    [false, true]
        .map(|coverage| {
            let names = ["Shared".to_owned()];
            let how = How {
                shares: Some(("./a.ts", &names)),
                coverage,
            };
            let source = Source {
                shown: "a_test.ts",
                text,
            };
            let compiled = compile(source, how).unwrap();
            let (line, rest) = compiled
                .code
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.starts_with("var cov_"))
                .find(|(_, line)| line.contains(at))
                .unwrap_or_else(|| panic!("{}", compiled.code));
            let column = rest.find(at).unwrap();
            let (line, column) = compiled.original(number(line + 1), number(column + 1), callee);
            let rest: String = text
                .lines()
                .nth(line as usize - 1)
                .unwrap()
                .chars()
                .skip(column as usize - 1)
                .collect();
            format!("{line}:{column} {rest}")
        })
        .join("\n")
}

const TEXT: &str = "enum A { B }
interface Long { a: string }
function TestA(t: any) {
  const é: string = 'ü'; t.assert.Equal(
    Shared(é as string),
    wanted,
    'ß',
  );
  t.run('x', async () => { await (t.helper<string>(deep)); });
  throw new Error(
    `no ${missing}`,
  );
  new Shop(
    first);
  alias(
    second);
}
";

#[test]
fn a_call_over_several_lines_is_where_its_name_is() {
    assert_snapshot!(back(TEXT, "wanted", Some("Equal")), @"
    4:35 Equal(
    4:35 Equal(
    ");
    assert_snapshot!(back(TEXT, "Shared(", Some("Shared")), @"
    5:5 Shared(é as string),
    5:5 Shared(é as string),
    ");
    assert_snapshot!(back(TEXT, "deep", Some("helper")), @"
    9:37 helper<string>(deep)); });
    9:37 helper<string>(deep)); });
    ");
    assert_snapshot!(back(TEXT, "deep", Some("run")), @"
    9:5 run('x', async () => { await (t.helper<string>(deep)); });
    9:5 run('x', async () => { await (t.helper<string>(deep)); });
    ");
    assert_snapshot!(back(TEXT, "first", Some("Shop")), @"
    13:7 Shop(
    13:7 Shop(
    ");
}

#[test]
fn a_name_that_no_call_has_means_the_innermost_call() {
    assert_snapshot!(back(TEXT, "second", Some("original")), @"
    15:3 alias(
    15:3 alias(
    ");
}

#[test]
fn what_is_thrown_is_where_it_is_made() {
    assert_snapshot!(back(TEXT, "missing", None), @"
    10:9 new Error(
    10:9 new Error(
    ");
    assert_snapshot!(back(TEXT, "second", None), @"
    16:5 second);
    16:5 second);
    ");
}

#[test]
fn positions_that_do_not_exist_lead_somewhere() {
    let compiled = compiled("a.ts", TEXT);
    let ends = [(0, 0), (1, 1), (1, 9_999), (9_999, 1), (u32::MAX, u32::MAX)];
    assert_eq!(
        ends.map(|(line, column)| compiled.original(line, column, None).0),
        [1, 1, 1, 17, 17]
    );
}

#[test]
fn lines_around_are_shown_as_written() {
    let compiled = compiled("a.ts", "a;\r\nb;\r\nc;\r\nd;\r\ne;");
    assert_eq!(
        compiled.excerpt(3),
        [(1, "a;"), (2, "b;"), (3, "c;"), (4, "d;")].map(|(line, text)| (line, text.to_owned()))
    );
    assert_eq!(compiled.excerpt(1).len(), 2);
    assert_eq!(compiled.excerpt(99), []);
    // The line that counts is kept for whoever shows the part around the column.
    let long = format!("'{}';\n'{}'", "x".repeat(99_999), "y".repeat(999));
    let shown = super::compiled("a.ts", &long).excerpt(1);
    let lengths: Vec<usize> = shown.iter().map(|(_, text)| text.chars().count()).collect();
    assert_eq!(lengths, [10_001, 241]);
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap()
}
