// What our own scripts need of the language, taken before the user's files can change it. Parts that are read later get it from
// here. Nobody may use iterators after this: lists are chains of objects, and arguments are read by number.
(native) => {
  "use strict";
  const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const getter = (of, name) => getOwnPropertyDescriptor(of, name).get;
  const { apply } = Reflect;
  const hasInstance = Function.prototype[Symbol.hasInstance];
  const own = {
    __proto__: null,
    native, apply, getOwnPropertyDescriptor, getPrototypeOf,
    construct: Reflect.construct, tryToDefine: Reflect.defineProperty, tryToDelete: Reflect.deleteProperty,
    freeze: Object.freeze, defineProperty: Object.defineProperty, keys: Object.keys, hasOwn: Object.hasOwn,
    symbolsOf: Object.getOwnPropertySymbols, isEnumerable: Object.prototype.propertyIsEnumerable,
    isArray: Array.isArray, isNaNumber: Number.isNaN, isView: ArrayBuffer.isView, now: Date.now,
    ArrayBufferOf: ArrayBuffer, BooleanOf: Boolean, BytesOf: Uint8Array, DataViewOf: DataView, DateOf: Date, ErrorOf: Error, MapOf: Map,
    NumberOf: Number, PromiseOf: Promise, ProxyOf: Proxy, RangeErrorOf: RangeError, RegExpOf: RegExp, SetOf: Set, StringOf: String,
    TypeErrorOf: TypeError, WeakMapOf: WeakMap,
    objectPrototype: Object.prototype, objectToString: Object.prototype.toString, objectValueOf: Object.prototype.valueOf,
    objectHasOwn: Object.prototype.hasOwnProperty, functionText: Function.prototype.toString,
    iteratorPrototype: Iterator.prototype, asyncIteratorPrototype: getPrototypeOf(getPrototypeOf((async function* () {}).prototype)),
    stackOf: getter(Error.prototype, "stack"),
    mapGet: Map.prototype.get, mapSet: Map.prototype.set, mapHas: Map.prototype.has, eachOfMap: Map.prototype.forEach, mapSize: getter(Map.prototype, "size"),
    setHas: Set.prototype.has, eachOfSet: Set.prototype.forEach, setSize: getter(Set.prototype, "size"),
    weakGet: WeakMap.prototype.get, weakSet: WeakMap.prototype.set,
    timeOf: Date.prototype.getTime, isoOf: Date.prototype.toISOString,
    execute: RegExp.prototype.exec, patternText: RegExp.prototype.toString, source: getter(RegExp.prototype, "source"), flags: getter(RegExp.prototype, "flags"),
    valueOfNumber: Number.prototype.valueOf, valueOfString: String.prototype.valueOf, valueOfBoolean: Boolean.prototype.valueOf,
    symbolText: Symbol.prototype.toString, tag: Symbol.toStringTag,
    includes: String.prototype.includes, trim: String.prototype.trim, slice: String.prototype.slice, startsWith: String.prototype.startsWith,
    endsWith: String.prototype.endsWith, wellFormed: String.prototype.toWellFormed, isWellFormed: String.prototype.isWellFormed,
    normalize: String.prototype.normalize, codeAt: String.prototype.charCodeAt, padStart: String.prototype.padStart, numberText: Number.prototype.toString,
    viewName: getter(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag),
    viewBuffer: getter(DataView.prototype, "buffer"), viewStart: getter(DataView.prototype, "byteOffset"), viewLength: getter(DataView.prototype, "byteLength"),
    // `instanceof` asks the class, which scripts can teach to lie.
    is: (value, of) => apply(hasInstance, of, [value]),
    isHeld: (value) => (typeof value === "object" && value !== null) || typeof value === "function",
    isNil: (value) => value === null || value === undefined,
    text: (value) => apply(own.wellFormed, value, []),
    // Tells whether something was to be awaited: promises, and what only looks like them.
    isAwaitable(value) {
      if (!own.isHeld(value)) return false;
      if (own.isPromise(value)) return true;
      try {
        return typeof value.then === "function";
      } catch {
        return false;
      }
    },
    isPromise: (value) => typeof value === "object" && own.is(value, own.PromiseOf),
    add: (list, value) => own.defineProperty(list, list.length, { __proto__: null, value, enumerable: true, configurable: true, writable: true }),
  };
  // Why values cannot be compared, by what is thrown then.
  own.refusals = new WeakMap();
  own.refusal = (why) => {
    const refusal = { __proto__: null };
    apply(own.weakSet, own.refusals, [refusal, why]);
    return refusal;
  };
  // Parts that few tests need are read when they are needed.
  const parts = (own.parts = { __proto__: null });
  own.part = (name) => (parts[name] ??= native.part(name)(own));
  return own;
}
