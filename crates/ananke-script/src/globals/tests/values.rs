//! `URL` and `URLSearchParams`.

use insta::assert_snapshot;

use super::support::{lines, run};

#[test]
fn urls_are_read_as_browsers_read_them() {
    assert_snapshot!(lines(&[
        "new URL('https://user:pw@Example.com:443/a/../b?x=1#h').href",
        "new URL('../c?y', 'http://h:81/a/b/').href",
        "new URL('http://[::1]:8080/x').host",
        "new URL('file:///tmp/x').protocol",
        "new URL('app:thing').pathname",
        "new URL('https://münchen.de').hostname",
        "URL.canParse('nothing')",
        "URL.parse('nothing')",
        "JSON.stringify({ url: new URL('http://h') })",
        "new URL('nothing')",
        "new URL('x', 'also nothing')",
    ]), @r#"
    new URL('https://user:pw@Example.com:443/a/../b?x=1#h').href → https://user:pw@example.com/b?x=1#h
    new URL('../c?y', 'http://h:81/a/b/').href → http://h:81/a/c?y
    new URL('http://[::1]:8080/x').host → [::1]:8080
    new URL('file:///tmp/x').protocol → file:
    new URL('app:thing').pathname → thing
    new URL('https://münchen.de').hostname → xn--mnchen-3ya.de
    URL.canParse('nothing') → false
    URL.parse('nothing') → null
    JSON.stringify({ url: new URL('http://h') }) → {"url":"http://h/"}
    new URL('nothing') ✗ TypeError: Invalid URL: "nothing"
    new URL('x', 'also nothing') ✗ TypeError: Invalid URL: "x" with the base "also nothing"
    "#);
}

#[test]
fn parts_of_urls_can_be_changed() {
    assert_snapshot!(run(r#"
        const url = new URL("http://h/p?a=1&a=2");
        url.port = "8080"; url.hash = "top"; url.pathname = "/q r"; url.protocol = "https"; url.port = "nonsense";
        url.searchParams.append("b", "x y&z");
        console.log(url.href);
        url.searchParams.delete("a", "1"); console.log(url.search);
        url.search = "?c=3"; console.log(url.searchParams.get("c"), [...url.searchParams.keys()]);
        url.searchParams.set("c", "4"); url.searchParams.delete("c"); console.log(String(url));
        try { url.href = "nothing"; } catch (error) { console.log(error); }
    "#), @r#"
    info: https://h:8080/q%20r?a=1&a=2&b=x+y%26z#top
    info: ?a=2&b=x+y%26z
    info: 3 ["c"]
    info: https://h:8080/q%20r#top
    info: TypeError: Invalid URL: "nothing"
    "#);
}

#[test]
fn parameters_are_pairs() {
    assert_snapshot!(lines(&[
        "String(new URLSearchParams({ a: 1, b: 'x y' }))",
        "String(new URLSearchParams([['a', '1'], ['a', '2']]))",
        "new URLSearchParams('?a=1&b=%20&a=2').getAll('a')",
        "[...new URLSearchParams('b=2&a=1')]",
        "(() => { const p = new URLSearchParams('b=2&a=1&b=3'); p.sort(); p.set('b', '9'); return [String(p), p.size, p.has('a', '2'), p.get('x')]; })()",
        "String(new URLSearchParams(new URLSearchParams('a=ü')))",
        "new URLSearchParams([['a']])",
        "new URLSearchParams(['ab'])",
        "new URLSearchParams([['a', 'b', 'c']])",
        "String(new URLSearchParams({ a: undefined, b: null }))",
        "new URLSearchParams().append('a')",
        "new URLSearchParams().set('a')",
        "new URLSearchParams().get()",
        "new URLSearchParams().has()",
        "new URLSearchParams().delete()",
    ]), @r#"
    String(new URLSearchParams({ a: 1, b: 'x y' })) → a=1&b=x+y
    String(new URLSearchParams([['a', '1'], ['a', '2']])) → a=1&a=2
    new URLSearchParams('?a=1&b=%20&a=2').getAll('a') → ["1","2"]
    [...new URLSearchParams('b=2&a=1')] → [["b","2"],["a","1"]]
    (() => { const p = new URLSearchParams('b=2&a=1&b=3'); p.sort(); p.set('b', '9'); return [String(p), p.size, p.has('a', '2'), p.get('x')]; })() → ["a=1&b=9",2,false,null]
    String(new URLSearchParams(new URLSearchParams('a=ü'))) → a=%C3%BC
    new URLSearchParams([['a']]) ✗ TypeError: a parameter is a pair of a name and a value
    new URLSearchParams(['ab']) ✗ TypeError: a parameter is a pair of a name and a value
    new URLSearchParams([['a', 'b', 'c']]) ✗ TypeError: a parameter is a pair of a name and a value
    String(new URLSearchParams({ a: undefined, b: null })) → a=undefined&b=null
    new URLSearchParams().append('a') ✗ TypeError: a parameter needs a name and a value
    new URLSearchParams().set('a') ✗ TypeError: a parameter needs a name and a value
    new URLSearchParams().get() ✗ TypeError: the name of a parameter is missing
    new URLSearchParams().has() ✗ TypeError: the name of a parameter is missing
    new URLSearchParams().delete() ✗ TypeError: the name of a parameter is missing
    "#);
}
