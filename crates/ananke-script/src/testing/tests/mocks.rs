//! `t.mock` and `t.mockProcess`.

use insta::assert_snapshot;

use crate::testing::test_support::run_one;

#[test]
fn a_mock_stands_in_and_remembers() {
    assert_snapshot!(run_one(
        r#"class Shop { constructor(tax) { this.tax = tax } price(n) { return n * this.tax } static open() { return true } }
const shop = new Shop(2)
function TestA({ assert, mock }) {
  const price = mock(shop, "price", function (n) { if (n < 0) throw new Error("negative"); return n + this.tax })
  assert.Equal(shop.price(5), 7)
  const error = assert.Panic(() => shop.price(-1))
  assert.Equal(price.callCount, 2)
  assert.Equal(price.calls, [{ args: [5], result: 7 }, { args: [-1], error }])
  assert.Equal(shop.price.name, "price")
  price.restore(); price.restore()
  assert.Equal(shop.price(5), 10)
  assert.False(Object.hasOwn(shop, "price"))
  mock(Shop, "open", () => false)
  assert.False(Shop.open())
  mock(Math, "random", () => 0.5)
  assert.Equal(Math.random(), 0.5)
  mock(globalThis, "Date", class { year() { return 1999 } })
  assert.Equal(new Date().year(), 1999)
}
function TestB({ assert }) { assert.True(Shop.open()); assert.NotEqual(Math.random(), 0.5); assert.Type(new Date().getTime(), "number") }"#,
    ), @r#"
    TestA: passed
    TestB: passed
    "#);
}

#[test]
fn mocks_can_be_stacked_and_restored_in_any_order() {
    assert_snapshot!(run_one(
        r#"const it = { f: () => 0 }
function TestA({ assert, mock }) {
  const one = mock(it, "f", () => 1)
  const two = mock(it, "f", () => 2)
  one.restore()
  assert.Equal(it.f(), 2)
  two.restore()
  assert.Equal(it.f(), 0)
  const three = mock(it, "f", () => 3)
  const four = mock(it, "f", () => 4)
  four.restore()
  assert.Equal(it.f(), 3)
  it.f = () => 5
}
function TestB({ assert }) { assert.Equal(it.f(), 0) }
function TestC(t) { t.mock(it, "f", () => 1); throw new Error("x") }
function TestD({ assert }) { assert.Equal(it.f(), 0) }"#,
    ), @r#"
    TestA: passed
    TestB: passed
    TestC: error
      thrown: x [16:53]
    TestD: passed
    "#);
}

#[test]
fn what_cannot_be_mocked_is_said() {
    assert_snapshot!(run_one(
        r#"const it = { method() {}, text: "x", get now() { return 1 } }
function TestNull(t) { t.mock(null, "x", () => 1) }
function TestMissing(t) { t.mock(it, "metod", () => 1) }
function TestValue(t) { t.mock(it, "text", () => 1) }
function TestGetter(t) { t.mock(it, "now", () => 1) }
function TestFrozen(t) { t.mock(Object.freeze({ f() {} }), "f", () => 1) }
function TestNoFunction(t) { t.mock(it, "method", 5) }
function TestNoName(t) { t.mock(it, 5, () => 1) }
function TestProcess(t) { t.mockProcess("", () => 1) }
function TestProcessFunction(t) { t.mockProcess("models.user.Find") }
function TestAnyProcess(t) { t.mockProcess("*", () => 1) }
function TestOnlyDot(t) { t.mockProcess(".*", () => 1) }
function TestStarInside(t) { t.mockProcess("a.*.b", () => 1) }
function TestTwoStars(t) { t.mockProcess("a.*.*", () => 1) }
function TestStarInWord(t) { t.mockProcess("models.us*", () => 1) }"#,
    ), @r#"
    TestNull: error
      thrown: t.mock needs an object whose method it replaces, not null [2:26]
    TestMissing: error
      thrown: t.mock finds no method `metod`: did you mean `method`? [3:29]
    TestValue: error
      thrown: t.mock cannot replace `text`: it is "x", not a function [4:27]
    TestGetter: error
      thrown: t.mock cannot replace `now`: it is a getter or a setter, not a method [5:28]
    TestFrozen: error
      thrown: t.mock cannot replace `f`: the object is frozen, or it is a module, whose exports cannot be changed [6:28]
    TestNoFunction: error
      thrown: t.mock needs a function that stands in for `method`, not 5 [7:32]
    TestNoName: error
      thrown: t.mock needs the name of a method, not 5 [8:28]
    TestProcess: error
      thrown: t.mockProcess needs the name of a process, not "" [9:29]
    TestProcessFunction: error
      thrown: t.mockProcess needs a function that stands in for `models.user.Find`, not undefined [10:37]
    TestAnyProcess: error
      thrown: t.mockProcess takes the name of a process, or its beginning and `.*` such as `models.*`, not "*" [11:32]
    TestOnlyDot: error
      thrown: t.mockProcess takes the name of a process, or its beginning and `.*` such as `models.*`, not ".*" [12:29]
    TestStarInside: error
      thrown: t.mockProcess takes the name of a process, or its beginning and `.*` such as `models.*`, not "a.*.b" [13:32]
    TestTwoStars: error
      thrown: t.mockProcess takes the name of a process, or its beginning and `.*` such as `models.*`, not "a.*.*" [14:30]
    TestStarInWord: error
      thrown: t.mockProcess takes the name of a process, or its beginning and `.*` such as `models.*`, not "models.us*" [15:32]
    "#);
}

#[test]
fn processes_are_mocked_by_name_and_by_prefix() {
    assert_snapshot!(run_one(
        r#"function TestA({ assert, mockProcess }) {
  const find = mockProcess("models.user.Find", (id) => ({ id }))
  const models = mockProcess("models.*", () => "any model")
  assert.Equal(Process("models.user.Find", 5), "any model")
  models.restore()
  assert.Equal(Process("models.user.Find", 5), { id: 5 })
  assert.Equal(find.calls, [{ name: "models.user.Find", args: [5], result: { id: 5 } }])
  assert.Equal(models.callCount, 1)
  const agents = mockProcess("agents.*", (ctx, messages) => ({ content: messages[0] }))
  assert.Equal(Process("agents.shop.Stream", {}, ["hi"]).content, "hi")
  assert.Equal(agents.calls[0].name, "agents.shop.Stream")
}
function TestB({ assert }) { assert.Contains(Process("agents.shop.Stream", {}, "hi").content, "shop heard"); assert.Panic(() => Process("models.user.Find", 5)) }"#,
    ), @r#"
    TestA: passed
    TestB: passed
    "#);
}

#[test]
fn mocks_of_before_all_last() {
    assert_snapshot!(run_one(
        r#"const it = { f: () => 0 }
function BeforeAll(t) { t.mock(it, "f", () => 1); t.mockProcess("a.b", () => 2) }
function TestA({ assert, mock }) { assert.Equal(it.f(), 1); assert.Equal(Process("a.b"), 2); mock(it, "f", () => 3); assert.Equal(it.f(), 3) }
function TestB({ assert }) { assert.Equal(it.f(), 1) }"#,
    ), @r#"
    TestA: passed
    TestB: passed
    "#);
}

#[test]
fn services_of_the_context_are_mocked() {
    assert_snapshot!(run_one(
        r#"function TestA(t, ctx) {
  const stream = t.mock(ctx.llm, "Stream", () => "answer")
  t.assert.Equal(ctx.llm.Stream("x"), "answer")
  t.assert.Equal(stream.calls[0].args, ["x"])
}
function TestB(t, ctx) { t.assert.Panic(() => ctx.llm.Stream("x")) }"#,
    ), @r#"
    TestA: passed
    TestB: passed
    "#);
}
