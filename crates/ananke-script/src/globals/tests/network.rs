//! `fetch` and `http`.

use insta::assert_snapshot;

use super::support::{lines, run};

#[test]
fn a_granted_host_answers() {
    assert_snapshot!(run(r#"
        const answer = await fetch("https://api.example.com/json?x=1#part", {
            method: "post", headers: { "X-Key": "k" }, body: JSON.stringify({ a: "ü" }),
        });
        console.log(answer.ok, answer.redirected, answer.status, answer.statusText, answer.url, answer.headers.get("Content-Type"), [...answer.headers]);
        console.log(await answer.json(), answer.bodyUsed);
        const text = await fetch("http://localhost:8080/text");
        console.log(await text.clone().text(), (await text.arrayBuffer()).byteLength);
        const all = await Promise.all([1, 2, 3].map((n) => fetch(new URL(`http://localhost:8080/${n}`), { method: "PUT", body: new Uint8Array([65]) })));
        console.log(await Promise.all(all.map(async (one) => (await one.json()).body)));
        console.log((await (await fetch("http://localhost:8080/", { method: "POST", body: new URLSearchParams({ q: "a b" }) })).json()).headers);
    "#), @r#"
    info: true false 200 OK https://api.example.com/json?x=1 application/json [["content-type","application/json"]]
    info: {"method":"POST","url":"https://api.example.com/json?x=1","headers":[["x-key","k"],["content-type","text/plain;charset=UTF-8"]],"body":"{\"a\":\"ü\"}"} true
    info: grüezi 7
    info: ["A","A","A"]
    info: [["content-type","application/x-www-form-urlencoded;charset=UTF-8"]]
    "#);
}

#[test]
fn what_was_not_granted_is_not_sent() {
    assert_snapshot!(lines(&[
        "await fetch('https://evil.example.org/x')",
        "await fetch('http://localhost:9999/')",
        "await fetch('http://api.example.com@evil.example.org:81/')",
        "await fetch('file:///etc/passwd')",
        "await fetch('/relative')",
        "http.Get('https://evil.example.org/x')",
        "await fetch('https://api.example.com/away')",
        "http.Get('https://api.example.com/away').message",
    ]), @r#"
    await fetch('https://evil.example.org/x') ✗ TypeError: the host `evil.example.org` is not granted to scripts; grant it in the config: scripts: {net: [evil.example.org]}
    await fetch('http://localhost:9999/') ✗ TypeError: the host `localhost:9999` is not granted to scripts; grant it in the config: scripts: {net: ["localhost:9999"]}
    await fetch('http://api.example.com@evil.example.org:81/') ✗ TypeError: the host `evil.example.org:81` is not granted to scripts; grant it in the config: scripts: {net: ["evil.example.org:81"]}
    await fetch('file:///etc/passwd') ✗ TypeError: scripts reach http and https URLs only, not `file:///etc/passwd`
    await fetch('/relative') ✗ TypeError: Invalid URL: "/relative"
    http.Get('https://evil.example.org/x') ✗ Error: the host `evil.example.org` is not granted to scripts; grant it in the config: scripts: {net: [evil.example.org]}
    await fetch('https://api.example.com/away') ✗ TypeError: fetch failed: redirected, and the host `evil.example.org` is not granted to scripts; grant it in the config: scripts: {net: [evil.example.org]}
    http.Get('https://api.example.com/away').message → redirected, and the host `evil.example.org` is not granted to scripts; grant it in the config: scripts: {net: [evil.example.org]}
    "#);
}

#[test]
fn redirects_and_failures_are_told() {
    assert_snapshot!(lines(&[
        "await fetch('https://api.example.com/moved').then((it) => [it.status, it.redirected, it.url])",
        "await fetch('https://api.example.com/moved', { redirect: 'manual' }).then((it) => it.status)",
        "await fetch('https://api.example.com/moved', { redirect: 'error' })",
        "(await (await fetch('https://api.example.com/moved', { method: 'POST', body: 'x' })).json()).method",
        "await fetch('https://api.example.com/around')",
        "await fetch('https://api.example.com/down')",
        "await fetch('https://api.example.com/missing').then((it) => [it.ok, it.status, it.statusText])",
        "await fetch('https://api.example.com/silent')",
        "await fetch('https://api.example.com/', { body: 'x' })",
        "await fetch('https://api.example.com/', { headers: { 'a b': '1' } })",
        "await fetch('https://api.example.com/', { headers: { a: 'x\\ny' } })",
        "(async () => { const it = await fetch('https://api.example.com/text'); await it.text(); await it.text(); })().catch((error) => error.message) instanceof Promise",
    ]), @r#"
    await fetch('https://api.example.com/moved').then((it) => [it.status, it.redirected, it.url]) → [200,true,"https://api.example.com/json"]
    await fetch('https://api.example.com/moved', { redirect: 'manual' }).then((it) => it.status) → 302
    await fetch('https://api.example.com/moved', { redirect: 'error' }) ✗ TypeError: fetch failed: https://api.example.com/moved redirects, and redirect is "error"
    (await (await fetch('https://api.example.com/moved', { method: 'POST', body: 'x' })).json()).method → GET
    await fetch('https://api.example.com/around') ✗ TypeError: fetch failed: there are too many redirects
    await fetch('https://api.example.com/down') ✗ TypeError: fetch failed: connection refused
    await fetch('https://api.example.com/missing').then((it) => [it.ok, it.status, it.statusText]) → [false,404,"Not Found"]
    await fetch('https://api.example.com/silent') ✗ TypeError: fetch failed: there is no answer
    await fetch('https://api.example.com/', { body: 'x' }) ✗ TypeError: GET sends no body
    await fetch('https://api.example.com/', { headers: { 'a b': '1' } }) ✗ TypeError: "a b" is no name of a header
    await fetch('https://api.example.com/', { headers: { a: 'x\ny' } }) ✗ TypeError: the header "a" holds a line break
    (async () => { const it = await fetch('https://api.example.com/text'); await it.text(); await it.text(); })().catch((error) => error.message) instanceof Promise → true
    "#);
}

#[test]
fn what_follows_from_a_request_is_not_set_by_scripts() {
    assert_snapshot!(lines(&[
        "await fetch('https://api.example.com/', { headers: { Host: 'internal.example' } })",
        "http.Get('https://api.example.com/', null, { host: 'internal.example' })",
        "http.Get('https://api.example.com/', null, { Connection: 'close' })",
        "await fetch('https://api.example.com/', { headers: [['Content-Length', '5']] })",
        "http.Post('https://api.example.com/', 'x', null, null, { 'Transfer-Encoding': 'chunked' })",
        "(await (await fetch('https://api.example.com/', { headers: { Cookie: 'a=1' } })).json()).headers",
        "http.Get('https://api.example.com/', null, { Cookie: 'a=1' }).data.headers",
    ]), @r#"
    await fetch('https://api.example.com/', { headers: { Host: 'internal.example' } }) ✗ TypeError: the header "host" cannot be set by a script: it follows from the request
    http.Get('https://api.example.com/', null, { host: 'internal.example' }) ✗ TypeError: the header "host" cannot be set by a script: it follows from the request
    http.Get('https://api.example.com/', null, { Connection: 'close' }) ✗ TypeError: the header "connection" cannot be set by a script: it follows from the request
    await fetch('https://api.example.com/', { headers: [['Content-Length', '5']] }) ✗ TypeError: the header "content-length" cannot be set by a script: it follows from the request
    http.Post('https://api.example.com/', 'x', null, null, { 'Transfer-Encoding': 'chunked' }) ✗ TypeError: the header "transfer-encoding" cannot be set by a script: it follows from the request
    (await (await fetch('https://api.example.com/', { headers: { Cookie: 'a=1' } })).json()).headers → [["cookie","a=1"]]
    http.Get('https://api.example.com/', null, { Cookie: 'a=1' }).data.headers → [["cookie","a=1"]]
    "#);
}

#[test]
fn headers_of_http_are_objects() {
    assert_snapshot!(lines(&[
        "http.Get('https://api.example.com/', null, [{ 'X-Q': '1' }, { 'X-R': ['2', '3'] }]).data.headers",
        "http.Get('https://api.example.com/', null, new Headers({ 'X-Q': '1' })).data.headers",
        "http.Get('https://api.example.com/', [{ a: 1 }, { b: [2, 3], c: undefined }]).data.url",
        "http.Get('https://api.example.com/', [['a', 1]]).data.url",
        "http.Get('https://api.example.com/', null, [['X-Q', '1']])",
        "http.Get('https://api.example.com/', null, ['X-Q: 1'])",
        "http.Get('https://api.example.com/', null, 'X-Q: 1')",
        "http.Get('https://api.example.com/', null, { 'X-Q': 'a\\r\\nX-R: 1' })",
    ]), @r#"
    http.Get('https://api.example.com/', null, [{ 'X-Q': '1' }, { 'X-R': ['2', '3'] }]).data.headers → [["x-q","1"],["x-r","2"],["x-r","3"]]
    http.Get('https://api.example.com/', null, new Headers({ 'X-Q': '1' })).data.headers → [["x-q","1"]]
    http.Get('https://api.example.com/', [{ a: 1 }, { b: [2, 3], c: undefined }]).data.url → https://api.example.com/?a=1&b=2&b=3
    http.Get('https://api.example.com/', [['a', 1]]).data.url → https://api.example.com/?a=1
    http.Get('https://api.example.com/', null, [['X-Q', '1']]) ✗ TypeError: http.Get takes headers that are an object, or a list of objects
    http.Get('https://api.example.com/', null, ['X-Q: 1']) ✗ TypeError: http.Get takes headers that are an object, or a list of objects
    http.Get('https://api.example.com/', null, 'X-Q: 1') ✗ TypeError: http.Get takes headers that are an object, or a list of objects
    http.Get('https://api.example.com/', null, { 'X-Q': 'a\r\nX-R: 1' }) ✗ TypeError: the header "X-Q" holds a line break
    "#);
}

#[test]
fn headers_and_responses_refuse_what_node_refuses() {
    assert_snapshot!(lines(&[
        "new Headers([['a']])",
        "new Headers(['ab'])",
        "new Headers('a')",
        "new Headers({ a: '€' })",
        "new Headers({ a: 'ü' }).get('a')",
        "new Headers().append('a')",
        "[...new Headers([['Set-Cookie', 'a=1'], ['b', '1'], ['set-cookie', 'c=2'], ['b', '2']])]",
        "[...new Headers(new Headers([['set-cookie', 'a=1'], ['set-cookie', 'c=2']]))].length",
        "(() => { const it = new Headers({ a: '1' }); try { it.set('a', '€'); } catch {} return it.get('a'); })()",
        "new Response('x', { status: 204 })",
        "new Response('', { status: 304 })",
        "new Response(null, { status: 204 }).clone().status",
        "new Response('x', { status: 100 })",
        "await fetch('https://api.example.com/nothing').then(async (it) => [it.status, it.clone().status, await it.text(), it.headers.get('x-word')])",
    ]), @r#"
    new Headers([['a']]) ✗ TypeError: a header is a pair of a name and a value
    new Headers(['ab']) ✗ TypeError: a header is a pair of a name and a value
    new Headers('a') ✗ TypeError: headers are an object, or a list of pairs
    new Headers({ a: '€' }) ✗ TypeError: the header "a" holds a character beyond Latin-1
    new Headers({ a: 'ü' }).get('a') → ü
    new Headers().append('a') ✗ TypeError: a header needs a name and a value
    [...new Headers([['Set-Cookie', 'a=1'], ['b', '1'], ['set-cookie', 'c=2'], ['b', '2']])] → [["b","1, 2"],["set-cookie","a=1"],["set-cookie","c=2"]]
    [...new Headers(new Headers([['set-cookie', 'a=1'], ['set-cookie', 'c=2']]))].length → 2
    (() => { const it = new Headers({ a: '1' }); try { it.set('a', '€'); } catch {} return it.get('a'); })() → 1
    new Response('x', { status: 204 }) ✗ TypeError: a response with the status 204 has no body
    new Response('', { status: 304 }) ✗ TypeError: a response with the status 304 has no body
    new Response(null, { status: 204 }).clone().status → 204
    new Response('x', { status: 100 }) ✗ RangeError: 100 is no status of a response
    await fetch('https://api.example.com/nothing').then(async (it) => [it.status, it.clone().status, await it.text(), it.headers.get('x-word')]) → [204,204,"","€"]
    "#);
}

#[test]
fn hosts_are_told_as_they_can_be_granted() {
    assert_snapshot!(lines(&[
        "await fetch('http://localhost./')",
        "(await fetch('http://localhost.:8080/')).status",
        "await fetch('https://api.example.com/elsewhere')",
    ]), @r#"
    await fetch('http://localhost./') ✗ TypeError: the host `localhost` is not granted to scripts; grant it in the config: scripts: {net: [localhost]}
    (await fetch('http://localhost.:8080/')).status → 200
    await fetch('https://api.example.com/elsewhere') ✗ TypeError: fetch failed: redirected, and the host `localhost:9999` is not granted to scripts; grant it in the config: scripts: {net: ["localhost:9999"]}
    "#);
}

#[test]
fn requests_can_be_given_up() {
    assert_snapshot!(run(r#"
        const controller = new AbortController();
        const asked = fetch("https://api.example.com/json", { signal: controller.signal });
        controller.abort();
        try { await asked; } catch (error) { console.log(error.name, error.message, controller.signal.aborted); }
        try { await fetch("https://api.example.com/", { signal: AbortSignal.abort("why") }); } catch (error) { console.log(error); }
        const signal = AbortSignal.any([AbortSignal.timeout(1)]);
        await new Promise((done) => signal.addEventListener("abort", done));
        try { signal.throwIfAborted(); } catch (error) { console.log(error.name); }
    "#), @"
    info: AbortError This operation was aborted true
    info: why
    info: TimeoutError
    ");
}

#[test]
fn http_waits_for_its_answer() {
    assert_snapshot!(lines(&[
        "http.Get('https://api.example.com/a?b=1', { c: 'x y', d: [1, 2] }, { 'X-Key': 'k' })",
        "http.Post('https://api.example.com/', { a: 1 }).data",
        "http.Post('https://api.example.com/', { a: 1 }, null, null, { 'Content-Type': 'application/x-www-form-urlencoded' }).data.body",
        "http.Put('https://api.example.com/', 'text').data.headers",
        "http.Patch('https://api.example.com/').data.method",
        "http.Delete('https://api.example.com/').data.method",
        "http.Head('https://api.example.com/').data.method",
        "http.Send('options', 'https://api.example.com/').data.method",
        "http.Get('https://api.example.com/text').data",
        "http.Get('https://api.example.com/missing')",
        "http.Get('https://api.example.com/down')",
        "http.Get('nothing')",
        "http.Post('https://api.example.com/', {}, { file: 'x' })",
    ]), @r#"
    http.Get('https://api.example.com/a?b=1', { c: 'x y', d: [1, 2] }, { 'X-Key': 'k' }) → {"status":200,"code":200,"data":{"method":"GET","url":"https://api.example.com/a?b=1&c=x+y&d=1&d=2","headers":[["x-key","k"]],"body":""},"headers":{"Content-Type":["application/json"]},"message":""}
    http.Post('https://api.example.com/', { a: 1 }).data → {"method":"POST","url":"https://api.example.com/","headers":[["content-type","application/json"]],"body":"{\"a\":1}"}
    http.Post('https://api.example.com/', { a: 1 }, null, null, { 'Content-Type': 'application/x-www-form-urlencoded' }).data.body → a=1
    http.Put('https://api.example.com/', 'text').data.headers → [["content-type","text/plain;charset=UTF-8"]]
    http.Patch('https://api.example.com/').data.method → PATCH
    http.Delete('https://api.example.com/').data.method → DELETE
    http.Head('https://api.example.com/').data.method → HEAD
    http.Send('options', 'https://api.example.com/').data.method → OPTIONS
    http.Get('https://api.example.com/text').data → grüezi
    http.Get('https://api.example.com/missing') → {"status":404,"code":404,"data":{"error":"gone"},"headers":{"Content-Type":["application/json"]},"message":"404 Not Found"}
    http.Get('https://api.example.com/down') → {"status":0,"code":0,"data":null,"headers":{},"message":"connection refused"}
    http.Get('nothing') ✗ Error: `nothing` is no URL: relative URL without a base
    http.Post('https://api.example.com/', {}, { file: 'x' }) ✗ Error: http.Post sends no files in tests
    "#);
}

#[test]
fn responses_can_be_made_for_tests() {
    assert_snapshot!(run(r#"
        globalThis.fetch = async () => Response.json({ mocked: true }, { status: 201 });
        const answer = await fetch("anything");
        return [answer.status, await answer.json(), answer.headers.get("content-type"), await new Response("x").text()];
    "#), @r#"[201,{"mocked":true},"application/json","x"]"#);
}
