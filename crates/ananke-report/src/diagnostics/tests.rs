use ananke_model::diagnostic::{Diagnostic, Severity};
use ananke_model::place::{Place, Sources};
use insta::assert_snapshot;
use proptest::prelude::{any, prop_assert, proptest};
use unicode_width::UnicodeWidthStr as _;

use super::{diagnostics_json, render_diagnostics};
use crate::style::Style;

const FILE: &str = "suites/refund.yaml";

fn style() -> Style {
    Style {
        color: false,
        unicode: true,
        width: 80,
    }
}

/// Returns the place of the first `needle` in `source`.
fn place(source: &str, needle: &str) -> Place {
    let start = source.find(needle).unwrap();
    let before = &source.as_bytes()[..start];
    let before = std::str::from_utf8(before).unwrap();
    Place {
        file: FILE.into(),
        line: u32::try_from(before.matches('\n').count() + 1).unwrap(),
        column: u32::try_from(before.rsplit('\n').next().unwrap().chars().count() + 1).unwrap(),
        start: u32::try_from(start).unwrap(),
        end: u32::try_from(start + needle.len()).unwrap(),
    }
}

/// Renders one error at `needle`.
fn at(source: &str, needle: &str) -> String {
    at_place(source, &place(source, needle), &style())
}

fn at_place(source: &str, place: &Place, style: &Style) -> String {
    let mut sources = Sources::default();
    sources.insert(FILE, source);
    let diagnostic = Diagnostic::error(place, "wrong").label("here");
    let rendered = render_diagnostics(&[diagnostic], &sources, style);
    let (frame, _count) = rendered.rsplit_once("\n\n").unwrap();
    frame.to_owned()
}

#[test]
fn a_mistake_is_shown_with_carets_label_and_hint() {
    let source = format!("{}    - conatins: \"refund\"\n", "#\n".repeat(11));
    let mut sources = Sources::default();
    sources.insert(FILE, &source);
    let diagnostic = Diagnostic::error(&place(&source, "conatins"), "unknown check `conatins`")
        .label("expected `contains`, `equals` or `matches`")
        .hint("did you mean `contains`?");
    assert_snapshot!(render_diagnostics(&[diagnostic], &sources, &style()), @r#"
    error: unknown check `conatins`
     --> suites/refund.yaml:12:7
       |
    12 |     - conatins: "refund"
       |       ^^^^^^^^ expected `contains`, `equals` or `matches`
    hint: did you mean `contains`?

    error: 1 error in 1 file
    "#);
}

#[test]
fn all_are_sorted_and_counted() {
    let place = |file: &str, line| Place {
        file: file.into(),
        line,
        column: 3,
        start: line * 10,
        end: line * 10,
    };
    let diagnostics = [
        Diagnostic::error(&place("b.yaml", 2), "fourth"),
        Diagnostic::warning(&place("a.yaml", 10), "third").hint("look"),
        Diagnostic::error(&place("a.yaml", 9), "second").label("expected a number"),
        Diagnostic::error_anywhere("first").label("anywhere"),
    ];
    assert_snapshot!(render_diagnostics(&diagnostics, &Sources::default(), &style()), @"
    error: first
      = anywhere

    error: second
     --> a.yaml:9:3
      = expected a number

    warning: third
     --> a.yaml:10:3
    hint: look

    error: fourth
     --> b.yaml:2:3

    error: 3 errors, 1 warning in 2 files
    ");
    assert_snapshot!(diagnostics_json(&diagnostics, &Sources::default()), @r#"[{"severity":"error","message":"first","label":"anywhere"},{"severity":"error","message":"second","file":"a.yaml","line":9,"column":3,"label":"expected a number"},{"severity":"warning","message":"third","file":"a.yaml","line":10,"column":3,"hint":"look"},{"severity":"error","message":"fourth","file":"b.yaml","line":2,"column":3}]"#);
    assert_eq!(render_diagnostics(&[], &Sources::default(), &style()), "");
}

#[test]
fn tabs_and_wide_characters_keep_the_carets_in_place() {
    assert_snapshot!(at("\tname:\t世界 wrong x\n", "wrong"), @"
    error: wrong
     --> suites/refund.yaml:1:11
      |
    1 |     name:    世界 wrong x
      |                   ^^^^^ here
    ");
    assert_snapshot!(at("a: 世界\n", "世界"), @"
    error: wrong
     --> suites/refund.yaml:1:4
      |
    1 | a: 世界
      |    ^^^^ here
    ");
}

#[test]
fn hidden_characters_are_shown_and_commands_broken_up() {
    assert_snapshot!(at("\u{feff}a: \u{1b}[2J##[error]x bad\u{202e}\r\nb", "bad"), @r"
    error: wrong
     --> suites/refund.yaml:1:20
      |
    1 | a: \u{1b}[2J\u{23}#[error]x bad\u{202e}
      |                             ^^^ here
    ");
}

#[test]
fn long_lines_are_cut_to_a_window() {
    let source = format!(
        "{}wrong{}\n",
        "abcdefghi ".repeat(30),
        " jklmnopqr".repeat(30)
    );
    assert_snapshot!(at(&source, "wrong"), @"
    error: wrong
     --> suites/refund.yaml:1:301
      |
    1 | …efghi abcdefghi abcdefghi abcdefghi wrong jklmnopqr jklmnopqr jklmnopq…
      |                                      ^^^^^ here
    ");
    let whole = place(&source, source.trim());
    assert_snapshot!(at_place(&source, &whole, &style()), @"
    error: wrong
     --> suites/refund.yaml:1:1
      |
    1 | abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi a…
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ here
    ");
    let narrow = Style {
        color: false,
        unicode: false,
        width: 0,
    };
    assert_snapshot!(at_place(&source, &place(&source, "wrong"), &narrow), @"
    error: wrong
     --> suites/refund.yaml:1:301
      |
    1 | ...efghi abcdefghi wrong jklm...
      |                    ^^^^^ here
    ");
}

#[test]
fn spans_of_several_lines_show_the_first() {
    assert_snapshot!(at("a:\n  b: 1\n  c: 2\n", "b: 1\n  c: 2"), @"
    error: wrong
     --> suites/refund.yaml:2:3
      |
    2 |   b: 1
      |   ^^^^ here
    ");
}

#[test]
fn empty_spans_have_one_caret() {
    let source = "a:\nb: 1\n";
    let end = Place {
        file: FILE.into(),
        line: 3,
        column: 1,
        start: 8,
        end: 8,
    };
    assert_snapshot!(at_place(source, &end, &style()), @"
    error: wrong
     --> suites/refund.yaml:3:1
      |
    3 |
      | ^ here
    ");
    let line_only = Place {
        file: FILE.into(),
        line: 2,
        column: 4,
        start: 0,
        end: 0,
    };
    assert_snapshot!(at_place(source, &line_only, &style()), @"
    error: wrong
     --> suites/refund.yaml:2:4
      |
    2 | b: 1
      |    ^ here
    ");
}

#[test]
fn colors_repeat_what_words_say() {
    let source = "a: 1\n";
    let color = Style {
        color: true,
        ..style()
    };
    let shown = at_place(source, &place(source, "a"), &color).replace('\x1b', "<ESC>");
    assert_snapshot!(shown, @"
    <ESC>[31merror<ESC>[0m: wrong
     <ESC>[2m--><ESC>[0m suites/refund.yaml:1:1
      <ESC>[2m|<ESC>[0m
    <ESC>[2m1<ESC>[0m <ESC>[2m|<ESC>[0m a: 1
      <ESC>[2m|<ESC>[0m <ESC>[31m^<ESC>[0m here
    ");
}

proptest! {
    #[test]
    fn any_place_in_any_text_is_rendered(
        source in "([a-z世\t\u{1b}#\\[\n\r]|\u{feff}){0,200}",
        (line, column) in (any::<u8>(), any::<u8>()),
        (start, end) in (0u32..700, 0u32..700),
        width in 0usize..120,
    ) {
        let place = Place {
            file: FILE.into(),
            line: u32::from(line),
            column: u32::from(column),
            start,
            end,
        };
        let style = Style { color: false, unicode: true, width };
        let mut sources = Sources::default();
        sources.insert(FILE, &source);
        let diagnostic = Diagnostic { severity: Severity::Warning, ..Diagnostic::error(&place, "x") };
        let rendered = render_diagnostics(&[diagnostic], &sources, &style);
        let raw = rendered.contains(|c: char| c != '\n' && c.is_control());
        prop_assert!(!raw);
        for line in rendered.lines().skip(2) {
            prop_assert!(line.width() <= width.max(40) + 3, "{line}");
        }
    }
}

/// Renders an error at `needle` that names `words`, as text and as JSON.
fn named(source: &str, needle: &str, words: &str) -> String {
    let mut sources = Sources::default();
    sources.insert(FILE, source);
    let diagnostic = Diagnostic::error(&place(source, needle), format!("`{words}` is wrong"));
    let rendered = render_diagnostics(std::slice::from_ref(&diagnostic), &sources, &style());
    let (frame, _count) = rendered.rsplit_once("\n\n").unwrap();
    let json = diagnostics_json(&[diagnostic], &sources);
    format!("{frame}\n{}", json[0]["message"])
}

#[test]
fn credentials_are_not_shown() {
    let shown = |line: &str| {
        let text = at(line, line.lines().last().unwrap().trim());
        text.lines().nth(3).unwrap().to_owned()
    };
    assert_snapshot!(shown("key: sk-live-1 # mine"), @"1 | key: ******** # mine");
    assert_snapshot!(shown(r#"  "key": "sk-\"live-1","#), @r#"1 |   "key": "********","#);
    assert_snapshot!(shown("  - {type: openai, key: sk-live-1, host: 'http://h'}"), @"1 |   - {type: openai, key: ********, host: 'http://h'}");
    assert_snapshot!(shown("  Authorization: Bearer sk-live-1"), @"1 |   Authorization: ********");
    assert_snapshot!(shown("  X-Api-Key: 'sk-live-1'"), @"1 |   X-Api-Key: '********'");
    assert_snapshot!(shown("env: {OPENAI_API_KEY: sk-live-1, PLACE: here}"), @"1 | env: {OPENAI_API_KEY: ********, PLACE: here}");
    assert_snapshot!(shown("key: ${ENV.KEY:-sk-live-1}"), @"1 | key: ********");
    assert_snapshot!(shown("key: [sk-live-1]"), @"1 | key: ********");
    assert_snapshot!(shown("key: sk-é-${ENV.KEY}"), @"1 | key: ********");
    assert_snapshot!(shown("key: >-\n  sk-live-1"), @"2 |   ********");
    assert_snapshot!(shown("export OPENAI_API_KEY='sk-live-1"), @"1 | export OPENAI_API_KEY=********");
    assert_snapshot!(shown("host: https://me:hush@h/v1?api_key=hush&page=2"), @"1 | host: https://me:********@h/v1?api_key=********&page=2");
}

#[test]
fn what_is_no_credential_is_shown() {
    let shown = |line: &str| at(line, line).lines().nth(3).unwrap().to_owned();
    assert_snapshot!(shown("key: ${ENV.KEY}"), @"1 | key: ${ENV.KEY}");
    assert_snapshot!(shown("key: $ENV.KEY"), @"1 | key: $ENV.KEY");
    assert_snapshot!(shown("Authorization: Bearer ${ENV.KEY}"), @"1 | Authorization: Bearer ${ENV.KEY}");
    assert_snapshot!(shown("key_header: bearer"), @"1 | key_header: bearer");
    assert_snapshot!(shown("max_tokens: 100"), @"1 | max_tokens: 100");
    assert_snapshot!(shown("total_tokens: {max: 100}"), @"1 | total_tokens: {max: 100}");
    assert_snapshot!(shown("key: {type: string}"), @"1 | key: {type: string}");
    assert_snapshot!(shown("key: *shared"), @"1 | key: *shared");
    assert_snapshot!(shown("host: https://h:80/v1?page=2"), @"1 | host: https://h:80/v1?page=2");
    assert_snapshot!(shown("host: https://${ENV.USER}@h"), @"1 | host: https://${ENV.USER}@h");
}

#[test]
fn carets_stand_right_beside_what_is_not_shown() {
    assert_snapshot!(named("{key: sk-live-1, hots: x}", "hots", "hots"), @r#"
    error: `hots` is wrong
     --> suites/refund.yaml:1:18
      |
    1 | {key: ********, hots: x}
      |                 ^^^^
    "`hots` is wrong"
    "#);
    assert_snapshot!(named("key: sk-live-1", "sk-live-1", "sk-live-1"), @r#"
    error: `********` is wrong
     --> suites/refund.yaml:1:6
      |
    1 | key: ********
      |      ^^^^^^^^
    "`********` is wrong"
    "#);
    assert_snapshot!(named("key: sk-live-1", "live", "live"), @r#"
    error: `live` is wrong
     --> suites/refund.yaml:1:9
      |
    1 | key: ********
      |              ^
    "`live` is wrong"
    "#);
    assert_snapshot!(named("key: sk-live-1", "key", "key"), @r#"
    error: `key` is wrong
     --> suites/refund.yaml:1:1
      |
    1 | key: ********
      | ^^^
    "`key` is wrong"
    "#);
    assert_snapshot!(named("host: 'htp://me:hush@h'", "htp://me:hush@h", "htp://me:hush@h"), @r#"
    error: `htp://me:********@h` is wrong
     --> suites/refund.yaml:1:8
      |
    1 | host: 'htp://me:********@h'
      |        ^^^^^^^^^^^^^^^^^^^
    "`htp://me:********@h` is wrong"
    "#);
    assert_snapshot!(named("Authorization: Bearer sk-live-1", "Bearer sk-live-1", "sk-live-1"), @r#"
    error: `********` is wrong
     --> suites/refund.yaml:1:16
      |
    1 | Authorization: ********
      |                ^^^^^^^^
    "`********` is wrong"
    "#);
}

proptest! {
    #[test]
    fn no_line_breaks_the_masks(source in any::<String>(), text in any::<String>(), start in 0_u32..40, end in 0_u32..40) {
        let source = format!("key: {source} token: \"{source}\" http://{source}@h?key={source}");
        let place = Place { file: FILE.into(), line: 1, column: 1, start, end };
        let mut sources = Sources::default();
        sources.insert(FILE, &source);
        let rendered = render_diagnostics(&[Diagnostic::error(&place, text)], &sources, &style());
        prop_assert!(rendered.contains("error: "));
    }
}
