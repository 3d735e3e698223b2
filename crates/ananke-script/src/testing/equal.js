// Deep equality. `null` and `undefined` are the same, and so is a member that is missing; what holds itself is compared once.
(own) => {
  "use strict";
  const { apply, endsWith, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, is, isArray, isEnumerable, isNil, isView, keys, native } = own;
  const { asyncIteratorPrototype, functionText, iteratorPrototype, objectPrototype, refusal, startsWith, symbolsOf, tag, text, weakGet, weakSet } = own;
  const { ArrayBufferOf, BooleanOf, BytesOf, DataViewOf, DateOf, ErrorOf, MapOf, NumberOf, PromiseOf, RangeErrorOf, RegExpOf, SetOf, StringOf, WeakMapOf } = own;
  const { eachOfMap, eachOfSet, flags, mapGet, mapHas, mapSet, mapSize, setHas, setSize, source, timeOf, viewBuffer, viewLength, viewName, viewStart } = own;
  const { valueOfBoolean, valueOfNumber, valueOfString } = own;
  const STEPS = 5_000_000;
  // What holds itself is noticed from here on: most values are done before, and remembering takes time.
  const REMEMBERS = STEPS - 10_000;
  const DEPTH = 64;

  const isObject = (value) => typeof value === "object" && value !== null;

  // Returns what kind of object something is, by what only such an object can do.
  const kindOf = (value) => {
    if (isArray(value)) return "array";
    const prototype = getPrototypeOf(value);
    if (prototype === objectPrototype || prototype === null) return "object";
    const kind =
      is(value, DateOf) ? "date" : is(value, RegExpOf) ? "pattern" : is(value, MapOf) ? "map" : is(value, SetOf) ? "set"
      : is(value, ErrorOf) ? "error" : is(value, PromiseOf) ? "identity" : is(value, ArrayBufferOf) ? "buffer" : isView(value) ? "view" : "object";
    try {
      if (kind === "date") apply(timeOf, value, []);
      if (kind === "map") apply(mapSize, value, []);
      if (kind === "set") apply(setSize, value, []);
      if (kind === "pattern") apply(source, value, []);
      if (kind === "buffer") new BytesOf(value);
    } catch {
      return "object";
    }
    return kind;
  };
  const unboxed = (value) => {
    if (!isObject(value)) return value;
    try {
      if (is(value, NumberOf)) return apply(valueOfNumber, value, []);
      if (is(value, StringOf)) return apply(valueOfString, value, []);
      if (is(value, BooleanOf)) return apply(valueOfBoolean, value, []);
    } catch {}
    return value;
  };
  const bytesOf = (value) => {
    if (is(value, ArrayBufferOf)) return new BytesOf(value);
    if (is(value, DataViewOf)) return new BytesOf(apply(viewBuffer, value, []), apply(viewStart, value, []), apply(viewLength, value, []));
    return value;
  };

  const spend = (budget) => {
    if (--budget.steps < 0) throw new RangeErrorOf("the values are too large to be compared");
  };

  // One comparison: pairs that are left to compare, pairs that were compared, and how much may still be done.
  const compare = (first, second, budget, depth) => {
    if (depth > DEPTH) throw new RangeErrorOf("the values are nested too deep to be compared");
    let todo = { __proto__: null, a: first, b: second, next: undefined };
    const seen = new MapOf();
    let hider;
    const push = (a, b) => {
      todo = { __proto__: null, a, b, next: todo };
    };
    const inner = (a, b) => compare(a, b, budget, depth + 1);
    while (todo !== undefined) {
      spend(budget);
      const a = unboxed(todo.a);
      const b = unboxed(todo.b);
      todo = todo.next;
      if (a === b || (a !== a && b !== b) || (isNil(a) && isNil(b))) continue;
      if (!isObject(a) || !isObject(b)) return false;
      if (budget.steps < REMEMBERS && wasSeen(seen, a, b)) continue;
      const kind = kindOf(a);
      if (kind !== kindOf(b) || !parts[kind](a, b, push, inner, budget)) return false;
      const found = hiderOf(a, b, kind);
      if (found === undefined) continue;
      const said = kind === "object" ? undefined : spoken(a, b);
      if (said !== undefined && !inner(said.a, said.b)) return false;
      if (!speak(a, b)) hider ??= found;
    }
    // What differs does so whatever else is hidden.
    if (hider === undefined) return true;
    throw refusal(`cannot compare: ${nameOf(hider)} keeps its state to itself; compare what it gives, such as toJSON()`);
  };
  const wasSeen = (seen, a, b) => {
    const partners = apply(mapGet, seen, [a]);
    for (let it = partners; it !== undefined; it = it.next) if (it.b === b) return true;
    apply(mapSet, seen, [a, { __proto__: null, b, next: partners }]);
    return false;
  };

  // Looks for a partner for each of `list`, a chain, in `others`, each of which can be taken once.
  const paired = (list, others, isPartner) => {
    for (let it = list; it !== undefined; it = it.next) {
      let other = others;
      while (other !== undefined && (other.isTaken || !isPartner(it, other))) other = other.next;
      if (other === undefined) return false;
      other.isTaken = true;
    }
    return true;
  };

  const isPlainOf = (prototype) => prototype === objectPrototype || prototype === null;
  // Returns what each class of a prototype's chain may hide: "private" fields, or the state of what is "native".
  const hidings = new WeakMapOf();
  const hidingOf = (prototype) => {
    if (isPlainOf(prototype)) return "nothing";
    let hiding = apply(weakGet, hidings, [prototype]);
    if (hiding !== undefined) return hiding;
    hiding = ownHidingOf(prototype);
    if (hiding !== "private") {
      const above = hidingOf(getPrototypeOf(prototype));
      if (above !== "nothing") hiding = above;
    }
    apply(weakSet, hidings, [prototype, hiding]);
    return hiding;
  };
  const ownHidingOf = (prototype) => {
    if (prototype === iteratorPrototype || prototype === asyncIteratorPrototype) return "native";
    const made = getOwnPropertyDescriptor(prototype, "constructor")?.value;
    if (typeof made !== "function" || made.prototype !== prototype) return "nothing";
    const code = apply(functionText, made, []);
    if (apply(endsWith, code, ["[native code]\n}"])) return "native";
    return apply(startsWith, code, ["class"]) && native.hasPrivateFields(text(code)) ? "private" : "nothing";
  };
  // Returns the prototype of one of two objects whose state may be hidden.
  const hiderOf = (a, b, kind) => {
    const first = getPrototypeOf(a);
    const second = getPrototypeOf(b);
    const isHiding = (prototype) => {
      const hiding = hidingOf(prototype);
      return hiding === "private" || (hiding === "native" && kind === "object");
    };
    return isHiding(first) ? first : isHiding(second) ? second : undefined;
  };
  const nameOf = (prototype) => {
    try {
      const isNamed = hasOwn(prototype, "constructor") && !hasOwn(prototype, tag);
      const name = (isNamed ? undefined : prototype[tag]) ?? prototype.constructor?.name;
      if (typeof name === "string" && name !== "") return name;
    } catch {}
    return "the object";
  };
  // Tells whether two objects say something of themselves: what they give as JSON, or the text of those whose text is all.
  const giveJson = (a, b) => typeof a.toJSON === "function" && typeof b.toJSON === "function";
  const speak = (a, b) => giveJson(a, b) || (a[tag] === b[tag] && (a[tag] === "URLSearchParams" || a[tag] === "Headers"));
  const spoken = (a, b) => {
    if (!speak(a, b)) return undefined;
    if (giveJson(a, b)) return { __proto__: null, a: a.toJSON(), b: b.toJSON() };
    return a[tag] === "Headers" ? { __proto__: null, a: headersOf(a), b: headersOf(b) } : { __proto__: null, a: a.toString(), b: b.toString() };
  };
  const headersOf = (headers) => {
    let lines = "";
    headers.forEach((value, name) => (lines += `${name}: ${value}\n`));
    return lines;
  };
  // Compares the members of `a` that have symbols for names; without `push` only looks for those that `b` lacks.
  const symbols = (a, b, push) => {
    const marks = symbolsOf(a);
    for (let i = 0; i < marks.length; i++) {
      if (!apply(isEnumerable, a, [marks[i]])) continue;
      const other = apply(isEnumerable, b, [marks[i]]) ? b[marks[i]] : undefined;
      if (push !== undefined) push(a[marks[i]], other);
      else if (isNil(other) && !isNil(a[marks[i]])) return false;
    }
    return true;
  };

  const members = (a, b, push) => {
    if (!symbols(a, b, push) || !symbols(b, a)) return false;
    const names = keys(a);
    for (let i = names.length - 1; i >= 0; i--) push(a[names[i]], hasOwn(b, names[i]) ? b[names[i]] : undefined);
    const others = keys(b);
    for (let i = 0; i < others.length; i++) if (!hasOwn(a, others[i]) && !isNil(b[others[i]])) return false;
    return true;
  };
  // Compares a member that does not count among the others.
  const apart = (name, a, b, push) => push(hasOwn(a, name) ? a[name] : undefined, hasOwn(b, name) ? b[name] : undefined);

  // What each kind compares; members go to `push`, and what has to be known at once to `inner`.
  const parts = {
    __proto__: null,
    identity: () => false,
    date: (a, b) => apply(timeOf, a, []) === apply(timeOf, b, []) || (apply(timeOf, a, []) !== apply(timeOf, a, []) && apply(timeOf, b, []) !== apply(timeOf, b, [])),
    pattern: (a, b) => apply(source, a, []) === apply(source, b, []) && apply(flags, a, []) === apply(flags, b, []),
    error(a, b, push) {
      if (getPrototypeOf(a) !== getPrototypeOf(b) || a.name !== b.name || a.message !== b.message) return false;
      apart("cause", a, b, push);
      apart("errors", a, b, push);
      return members(a, b, push);
    },
    array(a, b, push, inner, budget) {
      if (a.length !== b.length) return false;
      for (let i = a.length - 1; i >= 0; i--) {
        spend(budget);
        const one = a[i];
        const other = b[i];
        // Most lists differ early, or hold plain values.
        if (one === other) continue;
        if (!isObject(one) && !isObject(other) && !(one !== one && other !== other) && !(isNil(one) && isNil(other))) return false;
        push(one, other);
      }
      return true;
    },
    object(a, b, push, inner) {
      const first = getPrototypeOf(a);
      const second = getPrototypeOf(b);
      const isPlain = isPlainOf(first) && isPlainOf(second);
      if (!isPlain) {
        if (first !== second && !isPlainOf(first) && !isPlainOf(second)) return false;
        const said = spoken(a, b);
        if (said !== undefined && !inner(said.a, said.b)) return false;
      }
      return members(a, b, push);
    },
    map(a, b, push, inner) {
      if (apply(mapSize, a, []) !== apply(mapSize, b, [])) return false;
      let left;
      apply(eachOfMap, a, [(value, key) => {
        if (apply(mapHas, b, [key])) push(value, apply(mapGet, b, [key]));
        else left = { __proto__: null, key, value, next: left };
      }]);
      if (left === undefined) return true;
      let others;
      apply(eachOfMap, b, [(value, key) => {
        if (!apply(mapHas, a, [key])) others = { __proto__: null, key, value, isTaken: false, next: others };
      }]);
      return paired(left, others, (one, other) => isObject(one.key) && inner(one.key, other.key) && inner(one.value, other.value));
    },
    set(a, b, push, inner) {
      if (apply(setSize, a, []) !== apply(setSize, b, [])) return false;
      let left;
      apply(eachOfSet, a, [(key) => {
        if (!apply(setHas, b, [key])) left = { __proto__: null, key, next: left };
      }]);
      if (left === undefined) return true;
      let others;
      apply(eachOfSet, b, [(key) => {
        if (!apply(setHas, a, [key])) others = { __proto__: null, key, isTaken: false, next: others };
      }]);
      return paired(left, others, (one, other) => isObject(one.key) && inner(one.key, other.key));
    },
    buffer: (a, b) => parts.bytes(bytesOf(a), bytesOf(b)),
    view: (a, b) => apply(viewName, a, []) === apply(viewName, b, []) && parts.bytes(bytesOf(a), bytesOf(b)),
    bytes(a, b) {
      if (a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !(a[i] !== a[i] && b[i] !== b[i])) return false;
      return true;
    },
  };
  return (a, b) => compare(a, b, { __proto__: null, steps: STEPS }, 0);
}
