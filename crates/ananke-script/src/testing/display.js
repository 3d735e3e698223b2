// Values for people: what a failure shows of what was expected and what was seen.
(own) => {
  "use strict";
  const { native, add, apply, is, isArray, isView, keys } = own;
  const { ArrayBufferOf, BooleanOf, BytesOf, DateOf, ErrorOf, MapOf, NumberOf, PromiseOf, RegExpOf, SetOf, StringOf } = own;
  const { eachOfMap, eachOfSet, isoOf, patternText, slice, symbolText, timeOf, viewName, wellFormed } = own;
  const { valueOfBoolean, valueOfNumber, valueOfString } = own;
  const NODES = 10_000;
  const DEPTH = 32;
  const SHORT = 300;

  const tagged = (tag, value) => ({ __proto__: null, [`[${tag}]`]: value });

  const errorText = (error) => {
    try {
      const { name, message } = error;
      const words = StringOf(message);
      const kind = StringOf(name);
      return words === "" ? kind : kind === "Error" ? words : `${kind}: ${words}`;
    } catch {
      return "an error that cannot be read";
    }
  };

  // Returns a value that JSON has words for. `around` is the chain of what it stands in.
  const walk = (value, left, around, depth) => {
    if (typeof value === "symbol") return apply(symbolText, value, []);
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function") return value;
    if (typeof value !== "object" || value === null) return value;
    for (let it = around; it !== undefined; it = it.next) if (it.value === value) return "[itself]";
    if (--left.nodes < 0 || depth > DEPTH) return "[…]";
    const inside = { __proto__: null, value, next: around };
    const inner = (one) => walk(one, left, inside, depth + 1);
    try {
      return special(value, inner) ?? members(value, inner, left);
    } catch {
      return "[cannot be read]";
    }
  };
  const special = (value, inner) => {
    if (isArray(value)) {
      const list = [];
      for (let i = 0; i < value.length; i++) {
        if (i === NODES) {
          add(list, "[…]");
          break;
        }
        add(list, inner(value[i]));
      }
      return list;
    }
    if (is(value, ErrorOf)) return tagged("Error", errorText(value));
    if (is(value, DateOf)) return apply(timeOf, value, []) === apply(timeOf, value, []) ? apply(isoOf, value, []) : "Invalid Date";
    if (is(value, RegExpOf)) return apply(patternText, value, []);
    if (is(value, PromiseOf)) return "[Promise]";
    if (is(value, MapOf)) {
      const list = [];
      apply(eachOfMap, value, [(one, key) => {
        const pair = [];
        add(pair, inner(key));
        add(pair, inner(one));
        if (list.length < NODES) add(list, pair);
      }]);
      return tagged("Map", list);
    }
    if (is(value, SetOf)) {
      const list = [];
      apply(eachOfSet, value, [(one) => list.length < NODES && add(list, inner(one))]);
      return tagged("Set", list);
    }
    if (is(value, NumberOf)) return inner(apply(valueOfNumber, value, []));
    if (is(value, StringOf)) return apply(valueOfString, value, []);
    if (is(value, BooleanOf)) return apply(valueOfBoolean, value, []);
    const bytes = is(value, ArrayBufferOf) ? new BytesOf(value) : value;
    if (isView(bytes)) {
      const list = [];
      for (let i = 0; i < bytes.length && i < NODES; i++) add(list, inner(bytes[i]));
      return tagged(bytes === value ? (apply(viewName, value, []) ?? "DataView") : "ArrayBuffer", list);
    }
    return undefined;
  };
  const members = (value, inner, left) => {
    const members = { __proto__: null };
    const names = keys(value);
    for (let i = 0; i < names.length; i++) {
      if (left.nodes <= 0) {
        members["…"] = "[…]";
        break;
      }
      let member;
      try {
        member = value[names[i]];
      } catch {
        member = "[threw]";
      }
      if (member !== undefined) members[names[i]] = inner(member);
    }
    return members;
  };
  const plain = (value) => walk(value, { __proto__: null, nodes: NODES }, undefined, 0);

  // Cuts a text so that it fits into a line.
  const short = (text) => {
    const cut = text.length > SHORT ? `${apply(slice, text, [0, SHORT])}…` : text;
    return apply(wellFormed, cut, []);
  };
  const show = (value) => short(native.shown(value));
  return { __proto__: null, plain, show, short, errorText };
}
