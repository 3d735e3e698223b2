// How functions are run with a `t`: a test with what stands around it, a hook, `TestMain`.
(own) => {
  "use strict";
  const { native, ErrorOf, caught, face, freeze, isHeld, line, makeContext, makeT, ownerOf, parts } = own;
  // The function that runs.
  own.current = undefined;

  // Lives the life of a `t`: its steps, what was not awaited, what it wants cleaned up. Nothing is waited for that is no promise,
  // so that what is not asynchronous has ended when this returns.
  const live = async (t, steps, number) => {
    for (let step = steps; step !== undefined; step = step.next) {
      if (step.needsBefore && (t.failed || t.skipped)) continue;
      t.hook = step.hook;
      t.waits = step.hook === undefined ? undefined : `that ${step.hook} returned`;
      try {
        const { body } = step;
        const returned = body(face(t), t.context);
        if (isHeld(returned)) await returned;
      } catch (error) {
        if (!t.isAbandoned) t.stopped = caught(t, error) ?? t.stopped;
      }
      // What did not end in time is ended by others.
      if (t.isAbandoned) return undefined;
      while (t.pending !== undefined) {
        const { promise, next, what } = t.pending;
        t.pending = next;
        t.waits = what;
        try {
          await promise;
        } catch (error) {
          if (!t.isAbandoned) t.stopped = caught(t, error) ?? t.stopped;
        }
        if (t.isAbandoned) return undefined;
      }
    }
    if (t.keeps) {
      kept = t.cleanups;
      native.keep(kept !== undefined);
    } else {
      const cleaned = cleanUp(t);
      if (cleaned !== undefined) await cleaned;
      if (t.isAbandoned) return undefined;
    }
    t.hook = undefined;
    t.ended = true;
    if (number === undefined) {
      // A script that used up the stack may have caught what kept a failure from being recorded.
      if (t.failed && native.failures() === 0) native.fail(t.first, "it failed, and how could not be recorded", "", undefined, undefined);
      return undefined;
    }
    native.leave(number, statusOf(t), t.assertions > 0);
    if (t.stopped !== undefined) throw t.stopped;
    return !t.failed;
  };
  // Calls what a `t` wants cleaned up, the last first. Returns nothing, or a promise if something has to be waited for.
  const cleanUp = (t) => {
    t.hook = "cleanup";
    t.waits = "that a cleanup returned";
    while (t.cleanups !== undefined) {
      const { body, next } = t.cleanups;
      t.cleanups = next;
      try {
        const returned = body();
        if (isHeld(returned)) return cleanUpAfter(t, returned);
      } catch (error) {
        t.stopped = caught(t, error) ?? t.stopped;
      }
    }
    if (parts.mock !== undefined) parts.mock.restore(t);
    return undefined;
  };
  const cleanUpAfter = async (t, returned) => {
    const { hold } = t;
    try {
      await returned;
    } catch (error) {
      if (t.hold === hold) t.stopped = caught(t, error) ?? t.stopped;
    }
    // Others may have taken over in the meantime.
    if (t.hold !== hold) return;
    const rest = cleanUp(t);
    if (rest !== undefined) await rest;
  };
  // Ends a `t` that did not end by itself: its subtests, the last first, what stands after it, what it wants cleaned up.
  const abandon = async (t, after) => {
    const wasAfter = t.hook === "AfterEach" || t.hook === "cleanup";
    t.isAbandoned = true;
    t.hold = {};
    t.pending = undefined;
    for (let it = t.subs; it !== undefined; it = it.next) if (!it.sub.ended) await abandon(it.sub, undefined);
    if (after !== undefined && !wasAfter) {
      t.hook = "AfterEach";
      t.waits = "that AfterEach returned";
      try {
        const returned = after(face(t), t.context);
        if (isHeld(returned)) await returned;
      } catch (error) {
        caught(t, error);
      }
    }
    const cleaned = cleanUp(t);
    if (cleaned !== undefined) await cleaned;
    t.hook = undefined;
    t.ended = true;
  };
  const statusOf = (t) => {
    if (t.first === "assertion" || t.first === "failed" || t.first === "fatal") return "failed";
    if (t.first === "undecided") return t.isDecided ? "failed" : "inconclusive";
    if (t.first !== undefined) return "error";
    if (t.stopped !== undefined) return ownerOf(t.stopped).failed ? "failed" : "skipped";
    return t.skipped ? "skipped" : "passed";
  };

  // What `BeforeAll` wants cleaned up when all is done.
  let kept;
  const begin = (name, context) => {
    // A function that was interrupted could not end by itself.
    const last = own.current;
    if (last !== undefined && !last.ended) {
      last.ended = true;
      if (parts.mock !== undefined) parts.mock.restore(last, true);
    }
    return (own.current = makeT(name, undefined, makeContext(context)));
  };
  own.live = live;

  return {
    __proto__: null,
    // Returns what the function that runs waits for, if that is not its own promise.
    waits() {
      const t = own.current;
      return t === undefined || t.ended ? undefined : t.waits;
    },
    // Does what stands after a function that did not end in time.
    finish(after) {
      const t = own.current;
      if (t === undefined || t.ended) return undefined;
      own.mark(t, "timeout");
      return abandon(t, after);
    },
    test(body, name, context, before, after) {
      const t = begin(name, context);
      let steps = after === undefined ? undefined : { __proto__: null, body: after, hook: "AfterEach", next: undefined };
      steps = { __proto__: null, body, hook: undefined, needsBefore: true, next: steps };
      if (before !== undefined) steps = { __proto__: null, body: before, hook: "BeforeEach", next: steps };
      return live(t, steps, undefined);
    },
    hook(body, name, context) {
      const t = begin(name, context);
      t.isHook = true;
      t.keeps = name === "BeforeAll";
      if (name === "AfterAll") {
        t.cleanups = kept;
        kept = undefined;
      }
      const steps = body === undefined ? undefined : { __proto__: null, body, hook: undefined, next: undefined };
      return live(t, steps, undefined);
    },
    async main(body, context, run) {
      const t = begin("TestMain", context);
      let code;
      const main = {
        __proto__: null,
        ctx: t.context,
        log: (...args) => native.log(false, line(args)),
        run() {
          if (code === undefined) {
            code = run();
            own.current = t;
          }
          return code;
        },
      };
      main.Run = main.run;
      const returned = await body(freeze(main), t.context);
      t.ended = true;
      if (typeof returned === "number" && returned !== 0 && returned !== code) {
        throw new ErrorOf(`it returned ${returned}`);
      }
    },
  };
}
