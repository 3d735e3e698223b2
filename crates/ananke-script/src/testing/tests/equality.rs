//! What `t.assert.Equal` takes to be the same.

use insta::assert_snapshot;

use crate::testing::test_support::run_one;

/// Runs a function in which `same` and `other` tell of pairs.
fn pairs(body: &str) -> String {
    run_one(&format!(
        "function TestA({{ assert }}) {{
  const same = (a, b) => {{ assert.Equal(a, b); assert.Equal(b, a) }}
  const other = (a, b) => {{ assert.NotEqual(a, b); assert.NotEqual(b, a) }}
{body}
}}"
    ))
}

#[test]
fn values_are_compared_by_what_they_hold() {
    assert_snapshot!(pairs(
        r#"
  same(NaN, NaN); same(0, -0); same(null, undefined); same({ a: 1, b: undefined }, { a: 1 }); same({ a: null }, {})
  same({ a: 1, b: 2 }, { b: 2, a: 1 }); other([], {}); other({ a: 1 }, { a: 1, b: 2 }); other("1", 1); other(1, 1n); other(true, 1)
  same([1, [2, [3]]], [1, [2, [3]]]); other([1, 2], [2, 1]); other([1], [1, 1]); same([undefined], [null]); same([NaN], [NaN])
  same(new Date(5), new Date(5)); other(new Date(5), new Date(6)); same(new Date(NaN), new Date(NaN)); other(new Date(5), 5)
  same(/a/gi, /a/ig); other(/a/, /a/i); other(/a/, "/a/")
  same(new Map([["a", [1]], ["b", 2]]), new Map([["b", 2], ["a", [1]]])); other(new Map([["a", 1]]), new Map([["a", 2]]))
  same(new Map([[{ k: 1 }, 1]]), new Map([[{ k: 1 }, 1]])); other(new Map([["a", undefined]]), new Map([["b", undefined]]))
  same(new Set([1, { a: 1 }, { a: 2 }]), new Set([{ a: 2 }, 1, { a: 1 }])); other(new Set([1]), new Set([2])); other(new Set([{ a: 1 }, { a: 1 }]), new Set([{ a: 1 }, { a: 2 }]))
  other(new Map(), new Set()); other(new Map(), {})
  same(new Uint8Array([1, 2]), new Uint8Array([1, 2])); other(new Uint8Array([1]), new Int8Array([1])); same(new Float64Array([NaN]), new Float64Array([NaN]))
  same(new Uint8Array([1]).buffer, new Uint8Array([1]).buffer); other(new Uint8Array([1]).buffer, new Uint8Array([2]).buffer)
  same(new DataView(new Uint8Array([1]).buffer), new DataView(new Uint8Array([1]).buffer))
  same(new TypeError("x"), new TypeError("x")); other(new TypeError("x"), new Error("x")); other(new Error("x"), new Error("y"))
  const f = () => 1; same(f, f); other(f, () => 1); const s = Symbol("x"); same(s, s); other(s, Symbol("x"))
  same(new Number(1), 1); same(new String("a"), new String("a")); other(new Boolean(true), new Boolean(false))
  class Point { constructor(x) { this.x = x } }
  same(new Point(1), new Point(1)); same(new Point(1), { x: 1 }); other({ toString: 1 }, {})
  other(Object.create(Date.prototype), new Date(0)); other({ constructor: 1 }, {}); other({ __proto__: null, a: 1 }, { a: 2 })
"#,
    ), @"TestA: passed");
}

#[test]
fn what_holds_itself_is_compared() {
    assert_snapshot!(pairs(
        r#"
  const ring = (n) => { const first = { n: 0 }; let last = first; for (let i = 1; i < n; i++) last = last.next = { n: 0 }; last.next = first; return first }
  same(ring(1), ring(1)); same(ring(2), ring(3)); same(ring(4), ring(4))
  const a = ring(2); a.next.n = 5; other(a, ring(2))
  const list = []; list.push(list); const twin = []; twin.push(twin); same(list, twin)
"#,
    ), @"TestA: passed");
}

#[test]
fn deep_and_large_values_are_compared() {
    assert_snapshot!(pairs(
        r#"
  const deep = (n, end) => { let it = end; for (let i = 0; i < n; i++) it = { it }; return it }
  same(deep(30_000, 1), deep(30_000, 1)); other(deep(30_000, 1), deep(30_000, 2))
  const large = () => Array.from({ length: 100_000 }, (_, i) => i); same(large(), large())
  let reads = 0; same({ get a() { reads++; return 1 } }, { a: 1 }); assert.Greater(reads, 0)
"#,
    ), @"TestA: passed");
}

#[test]
fn what_is_too_much_is_not_a_pass() {
    assert_snapshot!(run_one(
        "function TestA({ assert }) { const a = [], b = []; a.length = b.length = 2 ** 32 - 1; a[5] = {}; b[5] = { x: 1 }; assert.Equal(a, b) }
function TestB({ assert }) { const a = { get x() { throw new Error('unreadable') } }; assert.Equal(a, { x: 1 }) }",
    ), @r#"
    TestA: error
      thrown: RangeError: the values are too large to be compared [1:122]
    TestB: error
      thrown: unreadable [2:58]
    "#);
}

#[test]
fn what_keeps_its_state_to_itself_is_asked_or_refused() {
    assert_snapshot!(pairs(
        r#"
  same(new URL("http://a/x"), new URL("http://a/x")); other(new URL("http://a/x"), new URL("http://a/y")); other([new URL("http://a")], [new URL("http://b")])
  same(new URLSearchParams("a=1"), new URLSearchParams("a=1")); other(new URLSearchParams("a=1"), new URLSearchParams("a=2"))
  same(new Headers({ a: "1", b: "2" }), new Headers({ B: "2", A: "1" })); other(new Headers({ a: "1" }), new Headers({ a: "2" }))
  class Money { #n; constructor(n) { this.#n = n } toJSON() { return { n: this.#n } } }
  same(new Money(1), new Money(1)); other(new Money(1), new Money(2))
  class A { constructor() { this.x = 1 } } class B { constructor() { this.x = 1 } } class C extends A {}
  other(new A(), new B()); other(new A(), new C()); same(new A(), { x: 1 }); same(Object.assign(Object.create(null), { x: 1 }), { x: 1 })
  const mark = Symbol("mark"); same({ [mark]: 1 }, { [mark]: 1 }); other({ [mark]: 1 }, { [mark]: 2 }); other({ [mark]: 1 }, {}); same({ [mark]: undefined }, {})
  const it = [1][Symbol.iterator](); same(it, it); assert.Contains([[2][Symbol.iterator](), it], it)
"#,
    ), @"TestA: passed");
    assert_snapshot!(run_one(
        r#"class Box { #n; constructor(n) { this.#n = n } }
function* numbers() { yield 1 }
function TestPrivate({ assert }) { assert.Equal(new Box(1), new Box(2)) }
function TestNot({ assert }) { assert.NotEqual(new Box(1), new Box(2)) }
function TestDeep({ assert }) { assert.Equal({ a: [new Box(1)] }, { a: [new Box(1)] }) }
function TestIterators({ assert }) { assert.Equal([1].values(), [2].values()) }
function TestGenerators({ assert }) { assert.Equal(numbers(), numbers()) }
function TestWeak({ assert }) { assert.Equal(new WeakMap(), new WeakMap()) }
function TestPlain({ assert }) { assert.Equal(new Box(1), {}) }
function TestList({ assert }) { assert.Contains([new Box(1)], new Box(1)) }"#,
    ), @"
    TestPrivate: error
      thrown: t.assert.Equal cannot compare: Box keeps its state to itself; compare what it gives, such as toJSON() [3:43]
    TestNot: error
      thrown: t.assert.NotEqual cannot compare: Box keeps its state to itself; compare what it gives, such as toJSON() [4:39]
    TestDeep: error
      thrown: t.assert.Equal cannot compare: Box keeps its state to itself; compare what it gives, such as toJSON() [5:40]
    TestIterators: error
      thrown: t.assert.Equal cannot compare: Array Iterator keeps its state to itself; compare what it gives, such as toJSON() [6:45]
    TestGenerators: error
      thrown: t.assert.Equal cannot compare: Generator keeps its state to itself; compare what it gives, such as toJSON() [7:46]
    TestWeak: error
      thrown: t.assert.Equal cannot compare: WeakMap keeps its state to itself; compare what it gives, such as toJSON() [8:40]
    TestPlain: error
      thrown: t.assert.Equal cannot compare: Box keeps its state to itself; compare what it gives, such as toJSON() [9:41]
    TestList: error
      thrown: t.assert.Contains cannot compare: Box keeps its state to itself; compare what it gives, such as toJSON() [10:40]
    ");
}

#[test]
fn classes_without_fields_hide_nothing() {
    assert_snapshot!(pairs(
        r##"
  class Flat { cost() { return 1 } } class Em {} class Hex { color() { return "#fff" } } class Sum { items = [1]; #sum() { return 1 } static #made = 0 }
  function Old() {}
  same(new Flat(), new Flat()); same(new Em(), {}); same(new Hex(), new Hex()); same(new Sum(), new Sum()); same(new Old(), new Old())
  same({ rates: [new Flat()] }, { rates: [new Flat()] }); other(new Flat(), new Em()); assert.Contains([new Flat()], new Flat())
  same(Object.create({ cost() {} }), {}); class Pricey extends Flat {} same(new Pricey(), new Pricey()); other(new Pricey(), new Flat())
  class Outer { #p = 1; static Inner = class { read(it) { return it.#p } } } same(new Outer.Inner(), new Outer.Inner())
  class Around { make() { return class { #q = 1 } } test() { return /#r;/.test(`#${1}`) /* #s = 1 */ } } same(new Around(), new Around())
  Function.prototype.toString = () => "class { #x }"; class Later {} same(new Later(), new Later())
"##,
    ), @"TestA: passed");
}

#[test]
fn private_fields_beside_public_ones_are_not_passed_over() {
    assert_snapshot!(run_one(
        r#"class PP { #a; constructor(a, b) { this.#a = a; this.b = b } }
class Sub extends PP {}
class Bag extends Map { #owner; constructor(owner) { super(); this.#owner = owner } }
class Told extends PP { toJSON() { return this.b } }
class Spoken extends Error { #code; constructor(code) { super("x"); this.#code = code } toJSON() { return this.#code } }
class Silent extends Error { #code; constructor(code) { super("x"); this.#code = code } }
function TestError({ assert }) { assert.Equal(new Silent(1), new Silent(2)) }
function TestTold({ assert }) { assert.Equal(new Spoken(1), new Spoken(1)); assert.NotEqual(new Spoken(1), new Spoken(2)) }
function TestCode({ assert }) { assert.Equal(Object.assign(new Error("x"), { code: 1 }), Object.assign(new Error("x"), { code: 2 })) }
function TestCause({ assert }) { assert.Equal(new Error("x", { cause: "a" }), new Error("x", { cause: "b" })) }
function TestObject({ assert }) { assert.Equal(new Error("x"), { name: "Error", message: "x" }) }
function TestPublic({ assert }) { assert.Equal(new PP(1, 2), new PP(9, 2)) }
function TestSub({ assert }) { assert.Equal([new Sub(1, 2)], [new Sub(9, 2)]) }
function TestPlain({ assert }) { assert.Equal(new PP(1, 2), { b: 2 }) }
function TestMap({ assert }) { assert.Equal(new Bag(1), new Bag(2)) }
function TestSignals({ assert }) { assert.Equal(AbortSignal.abort(), new AbortController().signal) }
function TestKnown({ assert }) { const one = new PP(1, 2); assert.Equal(one, one); assert.NotEqual(one, new PP(1, 3)); assert.Equal(new Told(1, 2), new Told(1, 2)) }"#,
    ), @r#"
    TestError: error
      thrown: t.assert.Equal cannot compare: Silent keeps its state to itself; compare what it gives, such as toJSON() [7:41]
    TestTold: passed
    TestCode: failed
      assertion: expected Error: x, got Error: x, which looks the same but its `code` is 1, not 2 [9:40]
    TestCause: failed
      assertion: expected Error: x (cause: "b"), got Error: x (cause: "a") [10:41]
    TestObject: failed
      assertion: expected {"name":"Error","message":"x"}, got Error: x [11:42]
    TestPublic: error
      thrown: t.assert.Equal cannot compare: PP keeps its state to itself; compare what it gives, such as toJSON() [12:42]
    TestSub: error
      thrown: t.assert.Equal cannot compare: Sub keeps its state to itself; compare what it gives, such as toJSON() [13:39]
    TestPlain: error
      thrown: t.assert.Equal cannot compare: PP keeps its state to itself; compare what it gives, such as toJSON() [14:41]
    TestMap: error
      thrown: t.assert.Equal cannot compare: Bag keeps its state to itself; compare what it gives, such as toJSON() [15:39]
    TestSignals: error
      thrown: t.assert.Equal cannot compare: AbortSignal keeps its state to itself; compare what it gives, such as toJSON() [16:43]
    TestKnown: passed
    "#);
}

#[test]
fn errors_are_compared_by_all_they_tell() {
    assert_snapshot!(pairs(
        r#"
  const error = (more, options) => Object.assign(new Error("x", options), more)
  same(error({ code: 1 }), error({ code: 1 })); other(error({ code: 1 }), error({ code: 2 })); other(error({ code: 1 }), error())
  same(error({}, { cause: { a: 1 } }), error({}, { cause: { a: 1 } })); other(error({}, { cause: "a" }), error({}, { cause: "b" })); other(error({}, { cause: "a" }), error())
  const many = (...all) => new AggregateError(all, "x"); same(many(error()), many(error())); other(many(error()), many(error(), error())); other(many(1), many(2))
  class Missing extends Error {} class Gone extends Error {}
  same(new Missing("x"), new Missing("x")); other(new Missing("x"), new Gone("x")); other(new Missing("x"), new Error("x"))
  other(error(), { name: "Error", message: "x" }); other(error(), {}); other(error({ a: 1 }), { a: 1 })
  const ring = () => { const it = error(); it.cause = it; return it }
  same(ring(), ring())
"#,
    ), @"TestA: passed");
}
