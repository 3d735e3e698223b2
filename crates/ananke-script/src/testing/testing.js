// `t`: what functions are given, and what is recorded of what they do with it.
(own, globals) => {
  "use strict";
  const { native, apply, freeze, defineProperty, isAwaitable, isHeld, is, text, part, parts, add } = own;
  const { ErrorOf, ProxyOf, StringOf, TypeErrorOf, stackOf, weakGet, weakSet, now } = own;
  const objectMembers = { __proto__: null, toString: own.objectToString, valueOf: own.objectValueOf, hasOwnProperty: own.objectHasOwn };
  const owners = new own.WeakMapOf();

  const show = (value) => part("display").show(value);
  const stackFrom = (error) => {
    const stack = apply(stackOf, error, []);
    return typeof stack === "string" ? text(stack) : "";
  };
  const here = () => stackFrom(new ErrorOf());

  // Returns an error that was told already: whoever sees it at the end of a function need not tell it again.
  const told = (t, name, message) => {
    const error = new ErrorOf(message);
    defineProperty(error, "name", { __proto__: null, value: name });
    defineProperty(error, "ananke:told", { __proto__: null, value: true });
    apply(weakSet, owners, [error, t]);
    return error;
  };
  const ownerOf = (error) => (isHeld(error) ? apply(weakGet, owners, [error]) : undefined);

  const makeT = (name, parent, context) => {
    const t = {
      __proto__: null, name, parent, context, root: undefined, hook: undefined, failed: false, first: undefined, isDecided: false,
      skipped: false, stopped: undefined, ended: false, isAbandoned: false, hold: undefined, waits: undefined, assertions: 0, subs: undefined, pending: undefined, cleanups: undefined, face: undefined, assert: undefined,
    };
    t.root = parent === undefined ? t : parent.root;
    return t;
  };

  const mark = (t, kind) => {
    for (let it = t; it !== undefined; it = it.parent) {
      it.failed = true;
      it.first ??= kind;
      if (kind !== "undecided") it.isDecided = true;
    }
  };
  const hookOf = (t) => {
    let it = t;
    while (it.hook === undefined && it.parent !== undefined) it = it.parent;
    return it.hook;
  };
  const subtest = (t) => (t.parent === undefined ? undefined : t.name);

  const fail = (t, kind, message, stack, type, fault) => {
    mark(t, kind);
    const hook = hookOf(t);
    const words = hook === undefined ? message : `${hook} failed: ${message}`;
    const of = hook === undefined || kind === "undecided" ? kind : "hook";
    if (type === undefined) return native.fail(of, text(words), stack, subtest(t), undefined);
    const detail = { __proto__: null, type, message: text(message), hasExpected: "expected" in fault, hasActual: "actual" in fault };
    try {
      const { plain } = part("display");
      detail.expected = plain(fault.expected);
      detail.actual = plain(fault.actual);
    } catch {
      // There is no room left to show them.
      detail.hasExpected = detail.hasActual = false;
    }
    native.fail(of, text(words), stack, subtest(t), detail);
  };

  // Refuses a call that makes no sense: it must not be taken for one that went well.
  const refuse = (t, message) => {
    fail(t, "thrown", message, here());
    throw told(t, "TypeError", message);
  };

  // Records what was thrown. Returns it if it stops a function around this one.
  const caught = (t, error) => {
    const owner = ownerOf(error);
    if (owner === undefined || owner.root !== t.root) {
      mark(t, "thrown");
      const isError = isHeld(error) && is(error, ErrorOf);
      let stack = "";
      try {
        if (isError) stack = stackFrom(error);
      } catch {}
      native.thrown(error, stack, hookOf(t), subtest(t));
      return undefined;
    }
    for (let it = t.parent; it !== undefined; it = it.parent) if (it === owner) return error;
    return undefined;
  };

  const alive = (t, called) => {
    if (!t.ended && !t.root.ended) return;
    const now = own.current;
    if (now === t.root || now === undefined) {
      const message = `${called} was called after ${t.name} had ended: is an \`await\` missing?`;
      fail(t, "thrown", message, here());
      throw told(t, "TypeError", message);
    }
    // It is somebody else's turn: what happens now is theirs, and must not be lost.
    const message = `${called} of ${t.name} was used after ${t.name} had ended: is an \`await\` missing there?`;
    fail(now, "thrown", message, here());
    throw told(now, "TypeError", message);
  };

  const line = (args) => {
    let line = "";
    for (let i = 0; i < args.length; i++) {
      const it = args[i];
      line += (i > 0 ? " " : "") + (typeof it === "string" ? it : native.line(it));
    }
    return text(line);
  };
  const reason = (args, otherwise) => (args.length === 0 || args[0] === undefined ? otherwise : line([args[0]]));

  const methods = {
    __proto__: null,
    log(t, args) {
      native.log(false, line(args));
    },
    error(t, args) {
      const words = line(args);
      native.log(true, words);
      fail(t, "failed", words === "" ? "test failed" : words, here());
    },
    skip(t, args) {
      const where = t.root.isHook ? t.root.name : t.hook === "AfterEach" || t.hook === "cleanup" ? t.hook : undefined;
      if (where !== undefined) refuse(t, `t.skip does nothing in ${where}: call it in BeforeEach, or in the test`);
      const why = reason(args, "");
      t.skipped = true;
      native.log(false, why === "" ? "SKIP" : `SKIP: ${why}`);
      if (t.parent === undefined) native.skip(why);
      throw told(t, "Skip", why === "" ? "skipped" : why);
    },
    fail(t, args) {
      fail(t, "failed", reason(args, "test failed"), here());
    },
    fatal(t, args) {
      const why = reason(args, "fatal error");
      fail(t, "fatal", why, here());
      throw told(t, "Fatal", why);
    },
    run(t, args) {
      const name = args[0];
      const body = args[1];
      if (typeof name !== "string" || typeof body !== "function") refuse(t, "t.run takes a name and a function");
      const sub = makeT(`${t.name}/${text(name)}`, t, t.context);
      t.subs = { __proto__: null, sub, next: t.subs };
      const lived = own.live(sub, { __proto__: null, body, hook: undefined, next: undefined }, native.enter(sub.name));
      if (!sub.ended) {
        t.pending = { __proto__: null, promise: lived, next: t.pending, what: `of the subtest ${sub.name}` };
        return lived;
      }
      t.subs = t.subs.next;
      if (sub.stopped !== undefined) throw sub.stopped;
      return !sub.failed;
    },
    cleanup(t, args) {
      const body = args[0];
      if (typeof body !== "function") refuse(t, "t.cleanup takes a function");
      t.cleanups = { __proto__: null, body, next: t.cleanups };
    },
    mock(t, args) {
      const made = part("mock").method(t, args[0], args[1], args[2]);
      return typeof made === "string" ? refuse(t, `t.mock ${made}`) : made;
    },
    mockProcess(t, args) {
      const made = part("mock").process(t, args[0], args[1]);
      return typeof made === "string" ? refuse(t, `t.mockProcess ${made}`) : made;
    },
    timeLeft: () => native.remaining(),
  };
  const getters = {
    __proto__: null,
    name: (t) => t.name,
    failed: (t) => t.failed,
    skipped: (t) => t.skipped,
    context: (t) => t.context,
    deadline: () => now() + native.remaining(),
    assert: (t) => (t.assert ??= new ProxyOf({ __proto__: null }, { __proto__: traps, t, label: "t.assert", known: judges, make: assertion })),
  };
  const face = (t) => (t.face ??= new ProxyOf({ __proto__: null }, { __proto__: traps, t, label: "t", known: methods, make: method, getters }));

  const method = (t, name) => {
    const body = methods[name];
    const called = `t.${name}`;
    return { [name](...args) {
      alive(t, called);
      return body(t, args);
    } }[name];
  };

  // What users hold is made when it is asked for, cannot be changed, and says so when it has no such member.
  const traps = {
    __proto__: null,
    getters: { __proto__: null },
    get(made, key) {
      const known = made[key];
      if (known !== undefined) return known;
      const getter = this.getters[key];
      if (getter !== undefined) return getter(this.t);
      if (this.known[key] !== undefined) return (made[key] = freeze(this.make(this.t, key)));
      if (typeof key === "symbol" || key === "then" || key === "toJSON" || key === "constructor") return undefined;
      if (objectMembers[key] !== undefined) return objectMembers[key];
      throw new TypeErrorOf(`there is no ${this.label}.${key}${native.meant(key, names(this))}`);
    },
    has(made, key) {
      return this.known[key] !== undefined || this.getters[key] !== undefined;
    },
    ownKeys() {
      return names(this);
    },
    getOwnPropertyDescriptor(made, key) {
      if (!this.has(made, key)) return undefined;
      return { __proto__: null, value: this.get(made, key), enumerable: true, configurable: true, writable: false };
    },
    set(made, key) {
      throw new TypeErrorOf(`${this.label} cannot be changed (${StringOf(key)})`);
    },
    defineProperty(made, key) {
      throw new TypeErrorOf(`${this.label} cannot be changed (${StringOf(key)})`);
    },
    deleteProperty(made, key) {
      throw new TypeErrorOf(`${this.label} cannot be changed (${StringOf(key)})`);
    },
    setPrototypeOf() {
      throw new TypeErrorOf(`${this.label} cannot be changed`);
    },
    preventExtensions() {
      return false;
    },
  };
  const names = ({ known, getters }) => {
    const names = [];
    for (const name in known) add(names, name);
    for (const name in getters) add(names, name);
    return names;
  };

  own.ownerOf = ownerOf;
  own.makeT = makeT;
  own.face = face;
  own.caught = caught;
  own.mark = mark;
  own.line = line;
  const judges = part("assert");

  const assertion = (t, name) => {
    const judge = judges[name];
    const called = `t.assert.${name}`;
    return { [name](...args) {
      alive(t, called);
      if (args.length < judge.takes) {
        refuse(t, `${called} takes ${judge.names}: it was given ${args.length} argument${args.length === 1 ? "" : "s"}`);
      }
      if (!judge.takesPromises && (isAwaitable(args[0]) || isAwaitable(args[1]))) {
        refuse(t, `${called} was given a promise: is an \`await\` missing?`);
      }
      let found;
      try {
        found = judge.of(args);
      } catch (error) {
        const why = isHeld(error) ? apply(weakGet, own.refusals, [error]) : undefined;
        if (why === undefined) throw error;
        found = { __proto__: null, refused: why };
      }
      if (found === undefined) return counted(t);
      if (found.later === undefined) return conclude(t, name, args[judge.message], found);
      const lived = later(t, name, args[judge.message], found.later, here());
      t.pending = { __proto__: null, promise: lived, next: t.pending, what: `that ${called} was given` };
      return lived;
    } }[name];
  };
  const counted = (t) => {
    for (let it = t; it !== undefined; it = it.parent) it.assertions++;
    native.assertion();
  };
  const later = async (t, name, message, found, stack) => {
    found = await found;
    alive(t, `t.assert.${name}`);
    return conclude(t, name, message, found, stack);
  };
  // Counts an assertion that was evaluated, and stops the function if it does not hold.
  const conclude = (t, name, said, fault, stack = here()) => {
    if (fault.refused !== undefined) {
      fail(t, "thrown", `t.assert.${name} ${fault.refused}`, stack);
      throw told(t, "TypeError", fault.refused);
    }
    counted(t);
    if (fault.holds) return fault.value;
    const message = typeof said === "string" && said !== "" ? said : fault.text;
    fail(t, fault.kind ?? "assertion", message, stack, name, fault);
    throw told(t, "AssertionError", message);
  };

  globals.setProcessMocks((name) => (parts.mock === undefined ? undefined : parts.mock.find(name)));
  globals.setTold((error) => ownerOf(error) !== undefined);
  own.makeContext = globals.context;
  return part("harness");
}
