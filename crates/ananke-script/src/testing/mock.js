// `t.mock` and `t.mockProcess`: functions that stand in for others, and remember how they were called.
(own) => {
  "use strict";
  const { native, add, apply, construct, freeze, getOwnPropertyDescriptor, getPrototypeOf, isHeld, part } = own;
  const { endsWith, includes, slice, startsWith, tryToDefine, tryToDelete, weakGet, weakSet } = own;
  const wrappers = new own.WeakMapOf();

  // All that stand in for something, the last first.
  let mocks;

  const show = (value) => part("display").show(value);

  // Returns a function that does what `does` does and keeps what it was called with.
  const recorded = (name, does, calls) =>
    function (...args) {
      const call = { args, result: undefined, error: undefined };
      if (name !== undefined) call.name = name;
      add(calls, call);
      try {
        return (call.result = new.target === undefined ? apply(does, this, args) : construct(does, args));
      } catch (error) {
        call.error = error;
        throw error;
      }
    };
  const added = (owner, mock, calls) => {
    mocks = mock;
    mock.owner = owner;
    return freeze({
      calls,
      get callCount() {
        return calls.length;
      },
      restore() {
        mock.restore();
      },
    });
  };

  const found = (object, key) => {
    for (let it = object; it !== null; it = getPrototypeOf(it)) {
      const there = getOwnPropertyDescriptor(it, key);
      if (there !== undefined) return { __proto__: null, there, isOwn: it === object };
    }
    return undefined;
  };
  const similar = (object, key) => {
    const names = [];
    for (const name in object) add(names, name);
    return native.meant(key, names);
  };

  const method = (owner, object, key, does) => {
    if (!isHeld(object)) return `needs an object whose method it replaces, not ${show(object)}`;
    if (typeof key !== "string" && typeof key !== "symbol") return `needs the name of a method, not ${show(key)}`;
    if (typeof does !== "function") return `needs a function that stands in for \`${shownKey(key)}\`, not ${show(does)}`;
    const before = found(object, key);
    if (before === undefined) return `finds no method \`${shownKey(key)}\`${typeof key === "string" ? similar(object, key) : ""}`;
    if (!("value" in before.there)) return `cannot replace \`${shownKey(key)}\`: it is a getter or a setter, not a method`;
    if (typeof before.there.value !== "function") return `cannot replace \`${shownKey(key)}\`: it is ${show(before.there.value)}, not a function`;
    const calls = [];
    const wrapper = recorded(undefined, does, calls);
    tryToDefine(wrapper, "name", { __proto__: null, value: typeof key === "string" ? key : "", configurable: true });
    const there = { __proto__: null, value: wrapper, configurable: true, writable: true, enumerable: before.isOwn && before.there.enumerable };
    if (!replaced(object, key, there)) {
      return `cannot replace \`${shownKey(key)}\`: the object is frozen, or it is a module, whose exports cannot be changed`;
    }
    const mock = { __proto__: null, next: mocks, isRestored: false, name: undefined, original: before };
    mock.restore = () => {
      if (mock.isRestored) return;
      mock.isRestored = true;
      const now = getOwnPropertyDescriptor(object, key);
      const above = now === undefined ? undefined : apply(weakGet, wrappers, [now.value ?? object]);
      // Another one that was put above it is still wanted.
      if (above !== undefined && !above.isRestored) return;
      let to = mock.original;
      for (let under; (under = apply(weakGet, wrappers, [to.there.value])) !== undefined && under.isRestored; ) to = under.original;
      if (to.isOwn) replaced(object, key, to.there);
      else tryToDelete(object, key);
    };
    apply(weakSet, wrappers, [wrapper, mock]);
    return added(owner, mock, calls);
  };
  const replaced = (object, key, there) => {
    // A property that cannot be redefined may still take another value.
    if (tryToDefine(object, key, there)) return true;
    const own = getOwnPropertyDescriptor(object, key);
    return own !== undefined && own.writable === true && tryToDefine(object, key, { __proto__: null, value: there.value });
  };
  const shownKey = (key) => (typeof key === "string" ? part("display").short(key) : show(key));

  const process = (owner, name, does) => {
    if (typeof name !== "string" || name === "") return `needs the name of a process, not ${show(name)}`;
    const prefix = apply(endsWith, name, [".*"]) ? apply(slice, name, [0, -2]) : name;
    if (prefix === "" || apply(includes, prefix, ["*"])) {
      return `takes the name of a process, or its beginning and \`.*\` such as \`models.*\`, not ${show(name)}`;
    }
    if (typeof does !== "function") return `needs a function that stands in for \`${shownKey(name)}\`, not ${show(does)}`;
    const calls = [];
    const mock = { __proto__: null, next: mocks, isRestored: false, name, does, calls };
    mock.restore = () => {
      mock.isRestored = true;
    };
    return added(owner, mock, calls);
  };
  const names = (pattern, name) =>
    pattern === name || (apply(endsWith, pattern, [".*"]) && apply(startsWith, name, [apply(slice, pattern, [0, -1])]));

  return {
    __proto__: null,
    method,
    process,
    // Returns what stands in for a process.
    find(name) {
      for (let it = mocks; it !== undefined; it = it.next) {
        if (it.name !== undefined && !it.isRestored && names(it.name, name)) return recorded(name, it.does, it.calls);
      }
      return undefined;
    },
    // Restores what a `t` replaced; with `all`, also what its subtests did.
    restore(owner, all) {
      let kept;
      let last;
      for (let it = mocks; it !== undefined; it = it.next) {
        if (it.owner === owner || (all && it.owner.root === owner)) {
          it.restore();
        } else {
          const one = it;
          if (last === undefined) kept = one;
          else last.next = one;
          last = one;
        }
      }
      if (last !== undefined) last.next = undefined;
      mocks = kept;
    },
  };
}
