// `structuredClone`.
() => {
  const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const refused = (what) => new DOMException(`${what} could not be cloned`, "DataCloneError");
  const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);

  const copy = (value, seen) => {
    if (typeof value === "symbol") throw refused(String(value));
    if (typeof value === "function") throw refused(value.name ? `the function ${value.name}` : "a function");
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = (made) => {
      seen.set(value, made);
      return made;
    };
    if (Array.isArray(value)) {
      const list = keep(new Array(value.length));
      for (const key of Object.keys(value)) list[key] = copy(value[key], seen);
      return list;
    }
    if (ArrayBuffer.isView(value)) {
      const buffer = copy(value.buffer, seen);
      const { byteOffset } = value;
      return keep(value instanceof DataView
        ? new DataView(buffer, byteOffset, value.byteLength)
        : new value.constructor(buffer, byteOffset, value.length));
    }
    switch (tag(value)) {
      case "Date":
        return keep(new Date(value.getTime()));
      case "RegExp":
        return keep(new RegExp(value.source, value.flags));
      case "Boolean":
      case "Number":
      case "String":
      case "BigInt":
        return keep(Object(value.valueOf()));
      case "ArrayBuffer":
        return keep(value.slice(0));
      case "Map": {
        const map = keep(new Map());
        for (const [key, one] of [...value]) map.set(copy(key, seen), copy(one, seen));
        return map;
      }
      case "Set": {
        const set = keep(new Set());
        for (const one of [...value]) set.add(copy(one, seen));
        return set;
      }
      case "Promise":
      case "WeakMap":
      case "WeakSet":
      case "WeakRef":
        throw refused(`a ${tag(value)}`);
    }
    if (value instanceof Error) {
      const made = keep(new (ERRORS[value.name] ?? Error)(value.message));
      if ("stack" in value) Object.defineProperty(made, "stack", { value: value.stack, writable: true, configurable: true });
      if ("cause" in value) {
        Object.defineProperty(made, "cause", { value: copy(value.cause, seen), writable: true, configurable: true });
      }
      return made;
    }
    const object = keep({});
    for (const key of Object.keys(value)) {
      const one = copy(value[key], seen);
      Object.defineProperty(object, key, { value: one, enumerable: true, writable: true, configurable: true });
    }
    return object;
  };
  return {
    structuredClone(value) {
      if (arguments.length === 0) throw new TypeError("structuredClone needs a value");
      return copy(value, new Map());
    },
  };
}
