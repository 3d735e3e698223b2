// Values for people: what a failure shows of what was expected and what was seen.
(own) => {
  "use strict";
  const { native, add, apply, codeAt, getPrototypeOf, is, isArray, isView, isWellFormed, keys, normalize, numberText, padStart } = own;
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
  const show = (value) => short(typeof value === "string" && !apply(isWellFormed, value, []) ? `"${escaped(value)}"` : native.shown(value));

  // Writes everything that is not ASCII as its number.
  const escaped = (text) => {
    let written = "";
    for (let i = 0; i < text.length; i++) {
      const code = apply(codeAt, text, [i]);
      written += code >= 32 && code < 127 ? text[i] : `\\u${apply(padStart, apply(numberText, code, [16]), [4, "0"])}`;
    }
    return written;
  };
  // Returns what people see of a text: without marks that have no width, and in one of the forms that look the same.
  const seen = (text) => {
    let left = "";
    for (let i = 0; i < text.length; i++) {
      const code = apply(codeAt, text, [i]);
      if (code !== 0xad && code !== 0xfeff && !(code >= 0x200b && code <= 0x200f)) left += text[i];
    }
    return apply(normalize, left, ["NFKC"]);
  };
  const different = (actual, expected) => {
    const wanted = show(expected);
    const got = show(actual);
    if (wanted === got) return `expected ${wanted}, got ${got}, which looks the same but ${apart(actual, expected)}`;
    const isSeen = seen(wanted) !== seen(got);
    return isSeen ? `expected ${wanted}, got ${got}` : `expected ${escaped(wanted)}, got ${escaped(got)}`;
  };
  const apart = (a, b) => {
    if (typeof a !== typeof b) return "is of another kind";
    if (typeof a === "function" || typeof a === "symbol") return `is another ${typeof a}`;
    if (typeof a !== "object" || a === null || b === null) return "is not, beyond what is shown";
    if (isArray(a) !== isArray(b) || getPrototypeOf(a) !== getPrototypeOf(b)) return "is of another class";
    return (is(a, ErrorOf) ? member(a, b) ?? member(b, a, true) : undefined) ?? "holds something that is not";
  };
  // Returns how a member of an error differs, which its text does not show.
  const member = (a, b, isTurned) => {
    const names = keys(a);
    for (let i = 0; i < names.length; i++) {
      const got = show(isTurned ? b[names[i]] : a[names[i]]);
      const wanted = show(isTurned ? a[names[i]] : b[names[i]]);
      if (got !== wanted) return `its \`${short(names[i])}\` is ${got}, not ${wanted}`;
    }
    return undefined;
  };
  return { __proto__: null, different, plain, show, short, errorText };
}
