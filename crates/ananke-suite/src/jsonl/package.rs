//! Files of an assistant folder: one JSON object, with comments and with commas behind the last entries.

use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;

use super::chunks::Chunk;
use super::cursor::{Cursor, Syntax};
use super::mistakes;
use super::value::Reader;
use crate::yaml::Node;

/// Reads the one object in `text`. `None` if there is none that can be read, which is then reported.
pub(crate) fn package(file: &Arc<str>, text: &str, found: &mut Vec<Diagnostic>) -> Option<Node> {
    let cursor = Cursor::new(file, Syntax::Package, Chunk::whole(text));
    let mut reader = Reader::new(cursor, found);
    reader.cursor.skip_blank();
    if reader.cursor.peek() != b'{' {
        let diagnostic = mistakes::no_package(&mut reader.cursor);
        found.push(diagnostic);
        return None;
    }
    match reader.object(0) {
        Ok(object) => {
            reader.cursor.skip_blank();
            if !reader.cursor.is_at_end() {
                let diagnostic = mistakes::more_behind(&mut reader.cursor);
                found.push(diagnostic);
                return None;
            }
            Some(object)
        }
        Err(diagnostic) => {
            found.push(diagnostic);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;
    use crate::testing::line;
    use crate::yaml::json;

    /// Returns the object with the place of its value under `at`, and the diagnostics.
    fn read(texts: &[&str]) -> String {
        let mut out = String::new();
        for text in texts {
            let mut found = Vec::new();
            if let Some(node) = package(&Arc::from("a.yao"), text, &mut found) {
                let value = json(&node, &mut found).unwrap();
                let at = node.get("at").map(|node| &node.place);
                let at = at.map_or_else(String::new, |at| format!(" at {}:{}", at.line, at.column));
                writeln!(out, "{value}{at}").unwrap();
            }
            for diagnostic in &found {
                writeln!(out, "{}", line(diagnostic)).unwrap();
            }
        }
        out
    }

    #[test]
    fn comments_and_trailing_commas_are_fine() {
        assert_snapshot!(read(&[
            "// head\n/* two\r\n lines */ {\n  \"a\": [1, 2, /* no more */], // why\n  \"at\": {\"b\": \"/* // # */\",},\n}\n/**/ // end",
            "{\"mcp\":\n{\n\"at\": 1\n}\n,\n/* ** /* */\"at\": true}",
        ]), @r#"
        {"a":[1,2],"at":{"b":"/* // # */"}} at 5:9
        {"mcp":{"at":1},"at":true} at 6:18
        "#);
    }

    #[test]
    fn everything_else_is_refused_at_its_place() {
        assert_snapshot!(read(&[
            "",
            "// only a comment",
            "[]",
            "{\"a\": 1",
            "{\"a\": 1}\n{\"b\": 2}",
            "{\n  \"a\": 1 /* open\n}",
            "{# no\n}",
            "{,}",
            "{\"a\": [1,,]}",
            "{\"a\" 1}",
            "{\"a\": 1 \"b\": 2}",
            "{a: 1}",
            "{\"a\": 'x'}",
            "{\"a\": 1, \"a\": 2}",
            "{\"a\": \"x\ny\"}",
        ]), @r#"
        a.yao:1:1 error expected an object in braces, found the end of the file
        a.yao:1:18 error expected an object in braces, found the end of the file
        a.yao:1:1 error expected an object in braces, found `[`
        a.yao:1:8 error the file ends before the object is closed | the open one begins at line 1 | count its braces and brackets
        a.yao:2:1 error expected nothing more behind the object, found `{`
        a.yao:2:10 error expected `,` or `}`, found `/` |  | the comment is not closed: end it with `*/`
        a.yao:1:2 error expected a key in double quotes, found `#` |  | a comment begins with `//`, or stands between `/*` and `*/`
        a.yao:1:2 error expected a key in double quotes, found `,`
        a.yao:1:10 error expected a value, found `,`
        a.yao:1:6 error expected `:` behind the key `a` | found `1`
        a.yao:1:9 error expected `,` or `}`, found text |  | put a comma between the two
        a.yao:1:2 error expected a key in double quotes, found `a` |  | write `"a"`
        a.yao:1:7 error expected a value, found `'` |  | text stands in double quotes: `"…"`
        {"a":1}
        a.yao:1:10 error the key `a` is written twice | first written at a.yao:1:2
        a.yao:1:7 error the text is not closed on its line |  | end it with `"`; a line break inside a text is written `\n`
        "#);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[{}\\[\\]\",:/*# \n\r\tanx1]{0,40}") {
            let mut found = Vec::new();
            let node = package(&Arc::from("a.yao"), &text, &mut found);
            prop_assert!(node.is_some() || !found.is_empty());
            for place in found.iter().filter_map(|diagnostic| diagnostic.place.as_ref()) {
                prop_assert!(text.get(place.start as usize..place.end as usize).is_some());
            }
        }
    }
}
