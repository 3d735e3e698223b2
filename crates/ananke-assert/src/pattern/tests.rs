//! Patterns, row by row: what they match, and what is refused.

use insta::assert_snapshot;
use proptest::prelude::proptest;

use super::Pattern;
use super::slash::Flags;
use super::translate::{Translated, translate};

fn outcome(pattern: &str, text: &str) -> String {
    match Pattern::compile(pattern) {
        Err(error) => format!("refused: {error}"),
        Ok(pattern) => match pattern.find(text) {
            Ok(Some(found)) => {
                assert_eq!(pattern.is_match(text), Ok(true));
                text.get(found).unwrap().to_owned()
            }
            Ok(None) => {
                assert_eq!(pattern.is_match(text), Ok(false));
                "-".to_owned()
            }
            Err(error) => error.to_string(),
        },
    }
}

/// Pattern, text, and the first match or `-`.
const ROWS: &[(&str, &str, &str)] = &[
    // Plain and slash form.
    ("b", "abc", "b"),
    ("B", "abc", "-"),
    ("/B/i", "abc", "b"),
    ("/b/", "abc", "b"),
    ("/b/gu", "abc", "b"),
    ("/b/y", "abc", "-"),
    ("/a|b/y", "bc", "b"),
    ("/c|b/y", "abc", "-"),
    ("/^b$/m", "a\nb\nc", "b"),
    ("/^b$/m", "a\r\nb\r\nc", "b"),
    ("^b$", "a\nb\nc", "-"),
    ("^b$", "b\n", "-"),
    ("/a.b/s", "a\nb", "a\nb"),
    ("/api/v1", "GET /api/v1", "/api/v1"),
    ("https://x", "https://x", "https://x"),
    (r"/a\/b/", "a/b", "a/b"),
    (r"\/a/i", "x/a/i", "/a/i"),
    // ASCII classes.
    (r"\d+", "٣4", "4"),
    (r"\w+", "éa_1é", "a_1"),
    (r"\s", "\u{a0}x", "-"),
    (r"\s", "\u{b}", "\u{b}"),
    (r"\D", "1٣", "٣"),
    (r"\W", "aé", "é"),
    (r"\S+", " \u{a0}", "\u{a0}"),
    (r"[\d.]+", "٣1.5", "1.5"),
    (r"[^\w\s]", "a é", "é"),
    (r"[\W]", "aé", "é"),
    (r"[\s\S]", "\n", "\n"),
    (r"[^\D]", "x7", "7"),
    (r"/\w/i", "\u{212a}", "-"),
    (r"\bcat\b", "écaté cat", "cat"),
    (r"\bé", "aé", "é"),
    (r"a\Bb", "ab", "ab"),
    (r"\B", "é", ""),
    // Case.
    ("/straße/i", "STRAßE", "STRAßE"),
    ("/[a-f]+/i", "BEEF", "BEEF"),
    ("(?i)abc", "ABC", "ABC"),
    ("a(?i)b|c", "aB", "aB"),
    ("(?i:a)b", "AB", "-"),
    ("(?i:a)b", "Ab", "Ab"),
    ("(?i)a(?-i)b", "AB", "-"),
    // Dot, lines, flags inside.
    (".", "\u{2028}\r\nx", "x"),
    ("(?s).", "\n", "\n"),
    ("(?s:.)(.)", "\n\na", "\na"),
    ("(?m)^b", "a\nb", "b"),
    ("(?m:^b)", "a\nb", "b"),
    ("(?ms-i)^b.c", "a\nb\nc", "b\nc"),
    ("(?U)a+", "aaa", "a"),
    ("a$", "a\n", "-"),
    (r"a\z", "a", "a"),
    (r"\Ab", "ab", "-"),
    // Repetition.
    ("a{2}", "aaa", "aa"),
    ("a{2,}", "aaa", "aaa"),
    ("a{1,2}", "aaa", "aa"),
    ("a{1,2}?", "aaa", "a"),
    ("a+?", "aaa", "a"),
    ("a{,2}", "a{,2}", "a{,2}"),
    ("a{", "a{", "a{"),
    ("{}", "{}", "{}"),
    ("x{a}", "x{a}", "x{a}"),
    ("a{0}b", "ab", "b"),
    ("(?:ab){2}", "abab", "abab"),
    ("()*a", "a", "a"),
    // Escapes.
    (r"\<b\>", "<b>", "<b>"),
    (r"a\.b", "a.b", "a.b"),
    (r"\x41\u0042\u{43}\x{44}", "ABCD", "ABCD"),
    (r"\ud83d\ude00", "😀", "😀"),
    (r"\cJ", "\n", "\n"),
    (r"\t\n\r\f\v\0", "\t\n\r\u{c}\u{b}\0", "\t\n\r\u{c}\u{b}\0"),
    (r"\-\_\é\ \'", "-_é '", "-_é '"),
    (r"\Qa.b\E+", "a.bb", "a.bb"),
    (r"\Q(", "(", "("),
    (r"\pL+", "1é", "é"),
    (r"\p{Lu}", "aÉ", "É"),
    (r"\P{L}", "a1", "1"),
    (r"\p{Script=Greek}\p{Greek}\p{^Greek}", "αβc", "αβc"),
    // Classes.
    ("[a-c]+", "xabcd", "abc"),
    ("[^a-c]+", "abxyc", "xy"),
    ("[a&&b]+", "a&b", "a&b"),
    ("[+--]+", "+,-.", "+,-"),
    ("[~~]", "~", "~"),
    ("[[a]", "[", "["),
    ("[a[b]c]", "[c]", "[c]"),
    ("[-a]+", "a-", "a-"),
    ("[a-]+", "a-", "a-"),
    (r"[\w-]+", "a-b", "a-b"),
    (r"[\w-.]+", "a-.", "a-."),
    (r"[a\]b]+", "a]b", "a]b"),
    (r"[\b]", "\u{8}", "\u{8}"),
    ("[.*+?^$|(){}]+", ".*+?^$|(){}", ".*+?^$|(){}"),
    ("[a^]+", "^a", "^a"),
    ("[[:alpha:]]+", "1abé", "ab"),
    ("[[:^alpha:]]", "aé", "é"),
    ("[[:x]", ":", ":"),
    (r"[\x41-\x43]+", "ABCD", "ABC"),
    (r"[\p{Lu}\d]+", "aÉ1", "É1"),
    ("]", "]", "]"),
    ("}", "}", "}"),
    // Groups.
    ("(a|b)c", "bc", "bc"),
    ("(?<n>a)(?P<m>b)", "ab", "ab"),
    ("a|", "b", ""),
    // Look-around and back-references.
    ("a(?=b)", "acab", "a"),
    ("a(?!b)", "abac", "a"),
    ("(?<=€)[0-9]+", "$1 €23", "23"),
    ("(?<!a)b", "abcb", "b"),
    (r"(?<=\d{1,3})px", "12px", "px"),
    (r"(.)\1", "abccd", "cc"),
    (r"(?<q>['\x22])x\k<q>", "'x'", "'x'"),
    (r"(?:(a)|b)\1c", "bc", "bc"),
    (r"/(a)\1/i", "aA", "aA"),
    (r"(?=x)\w+", "éxy", "xy"),
    (r"\bcat\b(?!s)", "écaté cat", "cat"),
    (r"a\Bb(?=.)", "abc", "ab"),
    (r"(?!x)[\P{L}\P{N}]", "a", "a"),
    (r"(?!x)[[:alpha:]&&]+", "a&1", "a&"),
    (r"/^(?=.*b)a/m", "x\nacb", "a"),
    (r"/(?=\n)./s", "a\n", "\n"),
    (r"^(?!.*secret).*$", "all fine", "all fine"),
    (r"^(?!.*secret).*$", "a secret", "-"),
];

#[test]
fn patterns_match_as_in_re2_and_javascript() {
    let wrong: Vec<String> = ROWS
        .iter()
        .filter(|(pattern, text, expected)| outcome(pattern, text) != *expected)
        .map(|(pattern, text, expected)| {
            format!(
                "{pattern} on {text:?}: expected {expected:?}, got {:?}",
                outcome(pattern, text)
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mistakes_are_refused_with_their_position() {
    let patterns = [
        "",
        "//",
        "//i",
        "/a/x",
        "/a/ii",
        "/api/users",
        "(",
        "a(b",
        "a)b",
        "[a",
        "[]",
        "[^]a]",
        "*a",
        "a|*",
        "a**",
        "a++",
        "a{2}{3}",
        "^*",
        r"\b+",
        "(?=a)*",
        "(*)",
        "a{3,2}",
        "a{100001}",
        "[z-a]",
        r"[a-\d]",
        "[[:nope:]]",
        r"[\B]",
        "\\",
        r"a\q",
        r"\Z",
        r"\x4",
        r"\u12",
        r"\u{110000}",
        r"\ud800",
        r"\ud800\u0041",
        r"\c1",
        r"\012",
        r"\1",
        r"(a)\2",
        r"\k<n>",
        r"\k",
        r"[\1]",
        r"\p{Nope}",
        r"\p",
        r"\p{",
        "(?x)a",
        "(?",
        "(?)",
        "(?-)",
        "(?i-)",
        "(?ii)",
        "(?>a)",
        "(?#a)",
        "(?P=n)",
        "(?<1a",
        "(?<>a)",
        "(?<n>a)(?<n>b)",
        "(a{1000}){1000}",
        "(?=x)(a{1000}){1000}",
        r"(?<=(a)\1)b",
        "(?:(?=a))*b",
        "é(é",
    ];
    let refusals: Vec<String> = patterns
        .iter()
        .map(|pattern| match Pattern::compile(pattern) {
            Ok(_) => format!("{pattern} is NOT REFUSED"),
            Err(error) => format!("{pattern}   {error}"),
        })
        .collect();
    assert_snapshot!(refusals.join("\n"), @r"
       the pattern is empty
    //   the pattern is empty
    //i   the pattern is empty
    /a/x   unknown flag `x` at character 4
    /a/ii   repeated flag `i` at character 5
    /api/users   unknown flag `e` at character 8
    (   the group is not closed at character 1
    a(b   the group is not closed at character 2
    a)b   there is no group to close at character 2
    [a   the bracket is not closed at character 1
    []   the brackets are empty at character 1
    [^]a]   the brackets are empty at character 1
    *a   there is nothing to repeat at character 1
    a|*   there is nothing to repeat at character 3
    a**   there is nothing to repeat at character 3
    a++   there is nothing to repeat at character 3
    a{2}{3}   there is nothing to repeat at character 5
    ^*   there is nothing to repeat at character 2
    \b+   there is nothing to repeat at character 3
    (?=a)*   there is nothing to repeat at character 6
    (*)   there is nothing to repeat at character 2
    a{3,2}   the repetition `{3,2}` runs backwards at character 2
    a{100001}   repeats more than 100000 times at character 2
    [z-a]   the range `z-a` runs backwards at character 2
    [a-\d]   the range does not end in a character at character 2
    [[:nope:]]   unknown class name `[:nope:]` at character 2
    [\B]   `\B` has no meaning inside brackets at character 2
    \   nothing follows the backslash at character 1
    a\q   unknown escape `\q` at character 2
    \Z   unknown escape `\Z` at character 1
    \x4   `\x` needs 2 hexadecimal digits, or some between braces at character 1
    \u12   `\u` needs 4 hexadecimal digits, or some between braces at character 1
    \u{110000}   U+110000 is not a character and never occurs in text at character 1
    \ud800   U+D800 is not a character and never occurs in text at character 1
    \ud800\u0041   U+D800 is not a character and never occurs in text at character 1
    \c1   `\c` needs a letter at character 1
    \012   octal escapes are not supported at character 1
    \1   there is no such group before this at character 1
    (a)\2   there is no such group before this at character 4
    \k<n>   there is no such group before this at character 1
    \k   `\k` needs a group's name, as in `\k<name>` at character 1
    [\1]   `\1` has no meaning inside brackets at character 2
    \p{Nope}   unknown Unicode property at character 1
    \p   unknown Unicode property at character 1
    \p{   `\p{` needs a property's name and a closing brace at character 1
    (?x)a   this kind of group is not supported at character 1
    (?   this kind of group is not supported at character 1
    (?)   this kind of group is not supported at character 1
    (?-)   this kind of group is not supported at character 1
    (?i-)   this kind of group is not supported at character 1
    (?ii)   this kind of group is not supported at character 1
    (?>a)   this kind of group is not supported at character 1
    (?#a)   this kind of group is not supported at character 1
    (?P=n)   this kind of group is not supported at character 1
    (?<1a   the group's name is not a word at character 1
    (?<>a)   the group's name is not a word at character 1
    (?<n>a)(?<n>b)   there are two groups named `n` at character 8
    (a{1000}){1000}   the pattern takes more than 10 MiB when compiled
    (?=x)(a{1000}){1000}   the pattern takes more than 10 MiB when compiled
    (?<=(a)\1)b   this use of look-around or back-references is not supported: regex uses currently unimplemented feature: variable length lookbehinds with fancy features
    (?:(?=a))*b   this use of look-around or back-references is not supported: target of repeat operator is invalid
    é(é   the group is not closed at character 2
    ");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(outcome(&deep(50), "a"), "a");
    assert_eq!(
        outcome(&deep(51), "a"),
        "refused: groups are nested more than 50 deep at character 51"
    );
    let looks = format!("{}a{}", "(?=".repeat(50), ")".repeat(50));
    assert_eq!(outcome(&looks, "a"), "");
}

#[test]
fn long_patterns_are_refused() {
    assert_eq!(
        outcome(&"a".repeat((256 << 10) + 1), "a"),
        "refused: the pattern is longer than 256 KiB"
    );
}

#[test]
fn backtracking_is_bounded() {
    let text = format!("{}!", "a".repeat(40));
    assert_eq!(outcome("(a+)+$", &text), "-");
    assert_eq!(
        outcome("^(?:a+|(?!x)a)+(?=b)", &text),
        "the pattern took too many steps"
    );
}

#[test]
fn long_text_is_no_reason_to_give_up() {
    let text = format!("{}error", "all is well. ".repeat(100_000));
    assert_eq!(outcome("error(?!s)", &text), "error");
}

#[test]
fn escaped_values_stand_for_themselves() {
    let value: String = (' '..='~').collect();
    let escaped = regex::escape(&value);
    assert_eq!(outcome(&format!("^{escaped}$"), &value), value);
    assert_eq!(outcome(&format!("^{escaped}(?=$)"), &value), value);
    assert_eq!(outcome(&format!("^[{escaped}]+$"), &value), value);
}

proptest! {
    #[test]
    fn compiling_never_panics(pattern in "\\PC*", text in "\\PC*") {
        outcome(&pattern, &text);
    }

    #[test]
    fn compiling_likely_patterns_never_panics(
        pattern in r"([a-c()\[\]{}|*+?^$.\\/:=!<>,\-&~]|\\[dwsbBDWSpPuxkQEcAz01]|\(\?[:=!<im]|\{[0-9],?\}|\[\^?){0,16}",
        text in "[a-c0 \n]{0,8}",
    ) {
        outcome(&pattern, &text);
    }

    /// What is accepted is never the engine's own complaint: mistakes are found before, with their position.
    #[test]
    fn linear_mistakes_have_a_position(
        pattern in r"([a-c()\[\]|*+?^$.\\\-&~]|\\[dwsbBDWSAz]|\(\?[:im]|\{[0-9],?\}|\[\^?){1,16}",
    ) {
        if let Err(error) = Pattern::compile(&pattern) {
            assert!(error.position.is_some(), "{pattern}: {error}");
        }
    }

    #[test]
    fn any_text_matches_itself_when_escaped(text in "\\PC{1,20}") {
        assert_eq!(outcome(&format!("^{}$", regex::escape(&text)), &text), text);
    }

    /// Where to begin is found in linear time; it must never be too late.
    #[test]
    fn starting_at_a_candidate_misses_nothing(
        pattern in r"(\(\?[=!]a|\(\?<[=!]b|\(|a|b|\.|[ab]\*|\)|\||\\1|\\b|\^|\[ab\]){2,10}",
        text in "[ab \n]{0,10}",
    ) {
        let translated = translate(&pattern, Flags::default());
        if let Ok(Translated::Backtracking { exact, .. }) = translated
            && let Ok(exact) = fancy_regex::Regex::new(&exact)
            && let Ok(found) = exact.find(&text)
        {
            let expected = found.map_or("-", |found| found.as_str());
            assert_eq!(outcome(&pattern, &text), expected);
        }
    }
}
