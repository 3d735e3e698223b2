//! `console`, `log`, `structuredClone`, `crypto`, texts.

use insta::assert_snapshot;

use super::support::{lines, run};

#[test]
fn everything_that_is_said_is_kept_with_its_level() {
    assert_snapshot!(run(r#"
        console.log("a", 1, { b: [true, null] });
        console.info("info"); console.warn("warn"); console.error(new TypeError("bad")); console.debug("fine");
        console.group("outer"); console.log("inner"); console.groupEnd();
        console.assert(1 === 1, "never"); console.assert(false, "always");
        console.count(); console.count(); console.timeEnd("none");
        log.Info("%s has %d items: %v", "cart", "2", { id: 1 }); log.Warn("100%"); log.Error("no", "format"); log.Trace("%s");
    "#), @r#"
    info: a 1 {"b":[true,null]}
    info: info
    warn: warn
    error: TypeError: bad
    debug: fine
    info: outer
    info:   inner
    error: Assertion failed always
    info: default: 1
    info: default: 2
    info: there is no timer `none`
    info: cart has 2 items: {"id":1}
    warn: 100%
    error: no format
    debug: %s
    "#);
}

#[test]
fn values_are_shown_readably() {
    assert_snapshot!(run(r#"
        const loop = { name: "loop" }; loop.self = loop;
        class Point { constructor() { this.x = 1; } }
        console.log(loop);
        console.log([undefined, () => 1, function named() {}, Symbol("s"), 10n, NaN, -0]);
        console.log(new Map([["a", { b: 1 }]]), new Set([1, "x"]), /a+/g, new Date(0), new Point());
        console.log(new Error("outer", { cause: new RangeError("inner") }));
        console.log({ get bad() { throw new Error("getter"); }, toJSON: 1 });
        console.log(Promise.resolve(1), new Uint8Array([1, 2]), Object.create(null));
        console.log("%o %j %% %x", [1], "t", "rest");
        console.log(ctx.User, ctx);
        let deep = {}; for (let n = 0; n < 100; n++) deep = { deep }; console.log(deep);
    "#), @r#"
    info: {"name":"loop","self":[Circular]}
    info: [undefined,[Function],[Function: named],Symbol(s),10n,NaN,0]
    info: Map(1) {"a" => {"b":1}} Set(2) {1, "x"} /a+/g "1970-01-01T00:00:00.000Z" {"x":1}
    info: Error: outer (cause: RangeError: inner)
    info: {"bad":[threw],"toJSON":1}
    info: [Promise] Uint8Array(2) {1, 2} {}
    info: [1] t % %x rest
    info: {"ID":"test-user","Name":undefined} {"chat_id":"chat-1","assistant_id":"shop","locale":"en-us","referer":"test","accept":"standard","client":{"type":"test","user_agent":"ananke","ip":"127.0.0.1"},"metadata":{"request_id":"r1"},"authorized":{"user_id":"test-user","team_id":"test-team"}}
    info: {"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{"deep":[…]}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
    "#);
}

#[test]
fn a_console_that_is_replaced_or_tampered_with_breaks_nothing() {
    assert_snapshot!(run(r#"
        Array.prototype.join = Array.prototype.push = Array.prototype[Symbol.iterator] = () => { throw new Error("tampered"); };
        Object.prototype.toString = () => "x"; Map.prototype.get = () => 1; Reflect.apply = () => "forged";
        Object.prototype.get = () => "forged"; JSON.stringify = () => "forged";
        console.log([1, 2], { a: 1 }, new Date(0));
        setTimeout((word) => console.log(word), 1, "timer");
        await new Promise((done) => setTimeout(done, 5));
        console.log(Process("agents.shop.Stream", ctx, "hi").content, ctx.User.ID);
        console.log = () => {};
    "#), @r#"
    info: [1,2] {"a":1} "1970-01-01T00:00:00.000Z"
    info: timer
    info: hello from shop test-user
    "#);
}

#[test]
fn clones_share_nothing() {
    assert_snapshot!(lines(&[
        "structuredClone({ a: [1, { b: new Date(0) }], m: new Map([[1, new Set([2])]]) })",
        "(() => { const a = { n: 1 }; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b]; })()",
        "structuredClone(/x/gi).flags",
        "structuredClone(new Uint8Array([1, 2, 3])).join()",
        "structuredClone(new TypeError('bad', { cause: 1 })) instanceof TypeError",
        "structuredClone([, 1]).length",
        "structuredClone({ f() {} })",
        "structuredClone(Symbol('s'))",
        "structuredClone(Promise.resolve())",
        "structuredClone()",
    ]), @r#"
    structuredClone({ a: [1, { b: new Date(0) }], m: new Map([[1, new Set([2])]]) }) → {"a":[1,{"b":"1970-01-01T00:00:00.000Z"}],"m":Map(1) {1 => Set(1) {2}}}
    (() => { const a = { n: 1 }; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b]; })() → [true,true]
    structuredClone(/x/gi).flags → gi
    structuredClone(new Uint8Array([1, 2, 3])).join() → 1,2,3
    structuredClone(new TypeError('bad', { cause: 1 })) instanceof TypeError → true
    structuredClone([, 1]).length → 2
    structuredClone({ f() {} }) ✗ DataCloneError: the function f could not be cloned
    structuredClone(Symbol('s')) ✗ DataCloneError: Symbol(s) could not be cloned
    structuredClone(Promise.resolve()) ✗ DataCloneError: a Promise could not be cloned
    structuredClone() ✗ TypeError: structuredClone needs a value
    "#);
}

#[test]
fn texts_are_bytes_and_back() {
    assert_snapshot!(lines(&[
        "[...new TextEncoder().encode('é€')].join()",
        "new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 104, 105]))",
        "new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 104])).length",
        "new TextDecoder().decode(new Uint8Array([255, 65]).buffer)",
        "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))",
        "(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([226, 130]), { stream: true }) + d.decode(new Uint8Array([172])); })()",
        "new TextEncoder().encodeInto('é€', new Uint8Array(4))",
        "[...new TextEncoder().encode('\\ud800')].join()",
        "new TextDecoder('utf-16')",
        "atob(btoa('hi'))",
    ]), @r#"
    [...new TextEncoder().encode('é€')].join() → 195,169,226,130,172
    new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 104, 105])) → hi
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 104])).length → 2
    new TextDecoder().decode(new Uint8Array([255, 65]).buffer) → �A
    new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) ✗ TypeError: the bytes are not UTF-8
    (() => { const d = new TextDecoder(); return d.decode(new Uint8Array([226, 130]), { stream: true }) + d.decode(new Uint8Array([172])); })() → €
    new TextEncoder().encodeInto('é€', new Uint8Array(4)) → {"read":1,"written":2}
    [...new TextEncoder().encode('\ud800')].join() → 239,191,189
    new TextDecoder('utf-16') ✗ RangeError: the encoding "utf-16" is not known here: texts are UTF-8
    atob(btoa('hi')) → hi
    "#);
}

#[test]
fn random_values_have_their_shape() {
    assert_snapshot!(lines(&[
        "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())",
        "crypto.randomUUID() !== crypto.randomUUID()",
        "new Set(crypto.getRandomValues(new Uint8Array(1000))).size > 200",
        "crypto.getRandomValues(new Uint32Array(3)).length",
        "crypto.getRandomValues(new Float32Array(1))",
        "crypto.getRandomValues([1])",
        "crypto.getRandomValues(new Uint8Array(70000))",
        "typeof performance.now() + typeof queueMicrotask",
    ]), @"
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()) → true
    crypto.randomUUID() !== crypto.randomUUID() → true
    new Set(crypto.getRandomValues(new Uint8Array(1000))).size > 200 → true
    crypto.getRandomValues(new Uint32Array(3)).length → 3
    crypto.getRandomValues(new Float32Array(1)) ✗ TypeMismatchError: getRandomValues fills a typed array of whole numbers
    crypto.getRandomValues([1]) ✗ TypeMismatchError: getRandomValues fills a typed array of whole numbers
    crypto.getRandomValues(new Uint8Array(70000)) ✗ QuotaExceededError: more than 65536 bytes were asked for
    typeof performance.now() + typeof queueMicrotask → numberfunction
    ");
}

#[test]
fn what_is_not_there_is_as_the_guide_says() {
    assert_snapshot!(lines(&[
        "[typeof Intl, typeof Request, typeof FormData, typeof Blob, typeof File, typeof ReadableStream, new Response('x').body]",
        "[(1234567.5).toLocaleString('de'), 'ä'.localeCompare('z', 'de') > 0, 'a'.localeCompare('B') > 0]",
        "[new Date(0).toLocaleDateString('de') === new Date(0).toLocaleDateString('en')]",
    ]), @r#"
    [typeof Intl, typeof Request, typeof FormData, typeof Blob, typeof File, typeof ReadableStream, new Response('x').body] → ["undefined","undefined","undefined","undefined","undefined","undefined",undefined]
    [(1234567.5).toLocaleString('de'), 'ä'.localeCompare('z', 'de') > 0, 'a'.localeCompare('B') > 0] → ["1234567.5",true,true]
    [new Date(0).toLocaleDateString('de') === new Date(0).toLocaleDateString('en')] → [true]
    "#);
}
