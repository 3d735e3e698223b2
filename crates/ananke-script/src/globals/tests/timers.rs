//! Timers.

use insta::assert_snapshot;

use super::support::run;

#[test]
fn timers_fire_in_order_and_can_be_cleared() {
    assert_snapshot!(run(r#"
        const seen = [];
        setTimeout((word) => seen.push(word), 10, "late");
        setTimeout(() => seen.push("soon"), 1);
        clearTimeout(setTimeout(() => seen.push("never"), 2));
        let n = 0;
        await new Promise((done) => { const every = setInterval(() => { if (++n === 3) { clearInterval(every); done(); } }, 1); });
        await new Promise((done) => setImmediate(done));
        await new Promise((done) => setTimeout(done, 15));
        queueMicrotask(() => seen.push("micro"));
        await null;
        clearTimeout(undefined); clearTimeout("x");
        return [n, ...seen];
    "#), @r#"[3,"soon","late","micro"]"#);
}

#[test]
fn a_timer_needs_a_function() {
    assert_snapshot!(run("setTimeout('code', 1)"), @"Thrown: TypeError: a timer needs a function to call (main.ts:2:1)");
}
