//! `ctx.memory`.

use insta::assert_snapshot;

use super::support::{lines, run};

#[test]
fn spaces_keep_copies() {
    assert_snapshot!(lines(&[
        "(ctx.memory.user.Set('a', { n: 1 }), ctx.memory.user.Get('a').n++, ctx.memory.user.Get('a'))",
        "[ctx.memory.user.Get('none'), ctx.memory.user.Has('a'), ctx.memory.team.Has('a')]",
        "[ctx.memory.user.Incr('n'), ctx.memory.user.Incr('n', 5), ctx.memory.user.Decr('n')]",
        "[ctx.memory.user.Keys(), ctx.memory.user.Values(), ctx.memory.user.Len()]",
        "[ctx.memory.user.GetSet('a', 2), ctx.memory.user.GetDel('a'), ctx.memory.user.Has('a')]",
        "(ctx.memory.chat.MSet({ x1: 1, x2: 2, y: 3 }), ctx.memory.chat.MGet(['x1', 'y', 'z']))",
        "(ctx.memory.chat.Del('x*'), ctx.memory.chat.Keys())",
        "(ctx.memory.chat.Clear(), ctx.memory.chat.Len())",
        "ctx.memory.user.Incr('text', ctx.memory.user.Set('text', 'x'))",
        "ctx.memory.user.Set('f', () => 1)",
    ]), @r#"
    (ctx.memory.user.Set('a', { n: 1 }), ctx.memory.user.Get('a').n++, ctx.memory.user.Get('a')) → {"n":1}
    [ctx.memory.user.Get('none'), ctx.memory.user.Has('a'), ctx.memory.team.Has('a')] → [null,true,false]
    [ctx.memory.user.Incr('n'), ctx.memory.user.Incr('n', 5), ctx.memory.user.Decr('n')] → [1,6,5]
    [ctx.memory.user.Keys(), ctx.memory.user.Values(), ctx.memory.user.Len()] → [["a","n"],[{"n":1},5],2]
    [ctx.memory.user.GetSet('a', 2), ctx.memory.user.GetDel('a'), ctx.memory.user.Has('a')] → [{"n":1},2,false]
    (ctx.memory.chat.MSet({ x1: 1, x2: 2, y: 3 }), ctx.memory.chat.MGet(['x1', 'y', 'z'])) → {"x1":1,"y":3,"z":null}
    (ctx.memory.chat.Del('x*'), ctx.memory.chat.Keys()) → ["y"]
    (ctx.memory.chat.Clear(), ctx.memory.chat.Len()) → 0
    ctx.memory.user.Incr('text', ctx.memory.user.Set('text', 'x')) ✗ TypeError: memory Incr: `text` holds no number
    ctx.memory.user.Set('f', () => 1) ✗ DataCloneError: a function could not be cloned
    "#);
}

#[test]
fn lists_are_kept_too() {
    assert_snapshot!(lines(&[
        "[ctx.memory.context.Push('l', 1, 2), ctx.memory.context.Push('l', [3, 4]), ctx.memory.context.ArrayAll('l')]",
        "[ctx.memory.context.Pop('l'), ctx.memory.context.Pop('l', -1), ctx.memory.context.ArrayLen('l'), ctx.memory.context.Pop('none')]",
        "(ctx.memory.context.AddToSet('l', 2, 9), ctx.memory.context.Pull('l', 3), ctx.memory.context.Get('l'))",
        "(ctx.memory.context.ArraySet('l', -1, 7), [ctx.memory.context.ArrayGet('l', 1), ctx.memory.context.ArrayGet('l', 9)])",
        "[ctx.memory.context.ArraySlice('l', 1, 1), ctx.memory.context.ArrayPage('l', 2, 1)]",
        "ctx.memory.context.ArraySet('l', 5, 1)",
        "(ctx.memory.context.Set('n', 1), ctx.memory.context.Push('n', 1))",
    ]), @"
    [ctx.memory.context.Push('l', 1, 2), ctx.memory.context.Push('l', [3, 4]), ctx.memory.context.ArrayAll('l')] → [2,4,[1,2,3,4]]
    [ctx.memory.context.Pop('l'), ctx.memory.context.Pop('l', -1), ctx.memory.context.ArrayLen('l'), ctx.memory.context.Pop('none')] → [4,1,2,null]
    (ctx.memory.context.AddToSet('l', 2, 9), ctx.memory.context.Pull('l', 3), ctx.memory.context.Get('l')) → [2,9]
    (ctx.memory.context.ArraySet('l', -1, 7), [ctx.memory.context.ArrayGet('l', 1), ctx.memory.context.ArrayGet('l', 9)]) → [7,null]
    [ctx.memory.context.ArraySlice('l', 1, 1), ctx.memory.context.ArrayPage('l', 2, 1)] → [[7],[7]]
    ctx.memory.context.ArraySet('l', 5, 1) ✗ RangeError: memory ArraySet: `l` has no item 5
    (ctx.memory.context.Set('n', 1), ctx.memory.context.Push('n', 1)) ✗ TypeError: memory Push: `n` holds no list
    ");
}

#[test]
fn spaces_belong_to_whom_they_are_named_after_and_values_expire() {
    assert_snapshot!(run(r#"
        ctx.memory.user.Set("k", "mine"); ctx.memory.chat.Set("soon", 1, 60);
        const { user } = ctx.memory;
        ctx.User.ID = "other"; console.log(ctx.memory.user.Get("k"), user.Get("k"));
        ctx.User.ID = "test-user"; console.log(ctx.memory.user.Get("k"));
        console.log(ctx.memory.chat.Get("soon"));
        const now = Date.now() + 61_000; Date.now = () => now;
        console.log(ctx.memory.chat.Get("soon"), ctx.memory.chat.Keys());
    "#), @"
    info: null mine
    info: mine
    info: 1
    info: null []
    ");
}

#[test]
fn calls_of_one_conversation_remember() {
    let memory = crate::Memory::default();
    let call = |body: &str| super::support::run_with(body, &memory);
    assert_snapshot!(call("ctx.memory.chat.Set('a', [1]); ctx.memory.context.Set('b', 2); ctx.memory.user.Set('c', 3, 0.001);"), @"");
    assert_snapshot!(call("console.log(ctx.memory.chat.Get('a'), ctx.memory.context.Get('b'), ctx.memory.team.Get('a'));"), @"info: [1] 2 null");
    assert_snapshot!(call("ctx.memory.chat.Del('a'); console.log(ctx.memory.chat.Len());"), @"info: 0");
    assert_snapshot!(call("console.log('nothing is asked');"), @"info: nothing is asked");
    assert_snapshot!(call("console.log(ctx.memory.chat.Len(), ctx.memory.context.Len());"), @"info: 0 1");
}

#[test]
fn what_is_no_key_and_no_time_is_refused() {
    assert_snapshot!(lines(&[
        "[ctx.memory.user.Pop('none'), ctx.memory.user.Has('none'), ctx.memory.user.Len()]",
        "[ctx.memory.user.Pull('none', 1), ctx.memory.user.Has('none')]",
        "ctx.memory.user.Set('a', 1, -1)",
        "ctx.memory.user.Set('a', 1, '60')",
        "ctx.memory.user.Set('a', 1, NaN)",
        "ctx.memory.user.MSet({ a: 1 }, {})",
        "[ctx.memory.user.Set('a', 1, 60), ctx.memory.user.Set('b', 1, null), ctx.memory.user.Set('c', 1, 0), ctx.memory.user.Keys()]",
        "ctx.memory.user.Set(null, 1)",
        "ctx.memory.user.Get(undefined)",
        "ctx.memory.user.Has(null)",
        "ctx.memory.user.Del()",
        "ctx.memory.user.GetDel(null)",
        "ctx.memory.user.Push(null, 1)",
        "ctx.memory.user.Incr(null)",
    ]), @r#"
    [ctx.memory.user.Pop('none'), ctx.memory.user.Has('none'), ctx.memory.user.Len()] → [null,false,0]
    [ctx.memory.user.Pull('none', 1), ctx.memory.user.Has('none')] → [undefined,false]
    ctx.memory.user.Set('a', 1, -1) ✗ TypeError: memory: the time to live is a number of seconds, not -1
    ctx.memory.user.Set('a', 1, '60') ✗ TypeError: memory: the time to live is a number of seconds, not "60"
    ctx.memory.user.Set('a', 1, NaN) ✗ TypeError: memory: the time to live is a number of seconds, not NaN
    ctx.memory.user.MSet({ a: 1 }, {}) ✗ TypeError: memory: the time to live is a number of seconds, not {}
    [ctx.memory.user.Set('a', 1, 60), ctx.memory.user.Set('b', 1, null), ctx.memory.user.Set('c', 1, 0), ctx.memory.user.Keys()] → [undefined,undefined,undefined,["a","b","c"]]
    ctx.memory.user.Set(null, 1) ✗ TypeError: memory: a key is a text, not null
    ctx.memory.user.Get(undefined) ✗ TypeError: memory: a key is a text, not undefined
    ctx.memory.user.Has(null) ✗ TypeError: memory: a key is a text, not null
    ctx.memory.user.Del() ✗ TypeError: memory: a key is a text, not undefined
    ctx.memory.user.GetDel(null) ✗ TypeError: memory: a key is a text, not null
    ctx.memory.user.Push(null, 1) ✗ TypeError: memory: a key is a text, not null
    ctx.memory.user.Incr(null) ✗ TypeError: memory: a key is a text, not null
    "#);
}
