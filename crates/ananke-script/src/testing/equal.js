// Deep equality. `null` and `undefined` are the same, and so is a member that is missing; what holds itself is compared once.
(own) => {
  "use strict";
  const { apply, getPrototypeOf, hasOwn, is, isArray, isEnumerable, isNil, isView, keys, objectPrototype, refusal, symbolsOf, tag } = own;
  const { ArrayBufferOf, BooleanOf, BytesOf, DataViewOf, DateOf, ErrorOf, MapOf, NumberOf, PromiseOf, RangeErrorOf, RegExpOf, SetOf, StringOf } = own;
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
    }
    return true;
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
  const isEmpty = (value) => {
    if (keys(value).length > 0) return false;
    const marks = symbolsOf(value);
    for (let i = 0; i < marks.length; i++) if (apply(isEnumerable, value, [marks[i]])) return false;
    return true;
  };
  const nameOf = (prototype) => {
    try {
      const name = prototype[tag] ?? prototype.constructor?.name;
      if (typeof name === "string" && name !== "") return name;
    } catch {}
    return "the object";
  };
  // Returns what two objects say of themselves, if both do: what they give as JSON, or the text of those whose text is all.
  const spoken = (a, b) => {
    if (typeof a.toJSON === "function" && typeof b.toJSON === "function") return { __proto__: null, a: a.toJSON(), b: b.toJSON() };
    const kind = a[tag];
    if (kind !== b[tag]) return undefined;
    if (kind === "URLSearchParams") return { __proto__: null, a: a.toString(), b: b.toString() };
    if (kind === "Headers") return { __proto__: null, a: headersOf(a), b: headersOf(b) };
    return undefined;
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

  // What each kind compares; members go to `push`, and what has to be known at once to `inner`.
  const parts = {
    __proto__: null,
    identity: () => false,
    date: (a, b) => apply(timeOf, a, []) === apply(timeOf, b, []) || (apply(timeOf, a, []) !== apply(timeOf, a, []) && apply(timeOf, b, []) !== apply(timeOf, b, [])),
    pattern: (a, b) => apply(source, a, []) === apply(source, b, []) && apply(flags, a, []) === apply(flags, b, []),
    error: (a, b) => a.name === b.name && a.message === b.message,
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
        if (said === undefined && isEmpty(a) && isEmpty(b)) {
          throw refusal(`cannot compare: ${nameOf(isPlainOf(first) ? second : first)} keeps its state to itself; compare what it gives, such as toJSON()`);
        }
      }
      if (!symbols(a, b, push) || !symbols(b, a)) return false;
      const names = keys(a);
      for (let i = names.length - 1; i >= 0; i--) push(a[names[i]], hasOwn(b, names[i]) ? b[names[i]] : undefined);
      const others = keys(b);
      for (let i = 0; i < others.length; i++) if (!hasOwn(a, others[i]) && !isNil(b[others[i]])) return false;
      return true;
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
