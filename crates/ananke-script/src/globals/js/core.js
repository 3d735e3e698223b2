// What every script needs, and no more: the engine reads this for each file. The rest is read when it is first named. Nothing
// here looks a method up on a prototype when it runs: scripts may have changed it.
(native) => {
  const { apply, defineProperty } = Reflect;
  const { defineProperties, freeze, keys } = Object;
  const global = globalThis;

  const put = (object, name, value, enumerable = false) =>
    defineProperty(object, name, { __proto__: null, value, enumerable, writable: true, configurable: true });
  const accessor = (object, name, get, set) => defineProperty(object, name, { __proto__: null, configurable: true, get, set });
  const each = (names, body) => {
    for (let n = 0; n < names.length; n++) body(names[n]);
  };

  const parts = { __proto__: null };
  const part = (name) => (parts[name] ??= native.part(name, shared));
  let lastId = 0;
  const shared = {
    __proto__: null, apply, defineProperty, keys, part, put,
    Failure: Error, WrongType: TypeError, stringify: JSON.stringify, getOwnPropertyDescriptor: Object.getOwnPropertyDescriptor,
    nextId: () => (lastId = (lastId + 1) >>> 0),
    findMock: () => undefined,
    isTold: () => false,
    current: null,
    remembered: undefined,
  };

  // The context of an agent: both spellings of a member are one thing.
  const TWINS = { __proto__: null };
  class Context {
    #kept = { __proto__: null };
    constructor(members) {
      const names = keys(members);
      for (let n = 0; n < names.length; n++) put(this, names[n], members[names[n]], true);
      defineProperties(this, TWINS);
    }
    toJSON() {
      const json = {};
      each(keys(this), (name) => name in TWINS || put(json, name, this[name], true));
      return json;
    }
    static is(value) {
      return typeof value === "object" && value !== null && #kept in value;
    }
    static kept(context, name, make) {
      return #kept in context ? (context.#kept[name] ??= make(context)) : make(context);
    }
  }
  const { is, kept } = Context;
  delete Context.is;
  delete Context.kept;
  const twin = (name, get, set) => {
    TWINS[name] = { __proto__: null, enumerable: true, configurable: true, get, set };
  };
  const MEMBERS = {
    Locale: "locale", Metadata: "metadata", ChatID: "chat_id", AssistantID: "assistant_id", Authorized: "authorized",
    Referer: "referer", Theme: "theme", Accept: "accept", Route: "route",
  };
  each(keys(MEMBERS), (name) => {
    const other = MEMBERS[name];
    twin(name, function () { return this[other]; }, function (value) { this[other] = value; });
  });
  each(["User", "Team", "Client"], (name) => {
    twin(name, function () { return part("views").get(this, name); }, function (value) { part("views").set(this, name, value); });
  });
  const own = (name, make) =>
    accessor(Context.prototype, name, function () { return kept(this, name, make); }, function (value) { put(this, name, value); });
  own("memory", (context) => part("memory").memory(context));
  own("output", (context) => part("services").output(context));
  accessor(Context.prototype, "sent", function () { return this.output.sent; });
  each(["mcp", "agent", "llm", "search", "db", "kb", "trace"], (name) => own(name, (context) => part("services").service(context, name)));
  each(["Send", "SendStream", "Append", "Replace", "Merge", "Set", "End", "MessageID", "BlockID", "ThreadID"], (name) => {
    put(Context.prototype, name, { [name](...args) { return apply(this.output[name], this.output, args); } }[name]);
  });
  const makeContext = (members) => new Context(members ?? {});
  shared.kept = kept;
  shared.isContext = is;
  shared.makeContext = makeContext;
  shared.TWINS = TWINS;

  // Functions are there as functions, so that a test can replace them as it replaces any other.
  const FUNCTIONS = {
    Process: "process", Authorized: "process",
    setTimeout: "timers", setInterval: "timers", setImmediate: "timers",
    clearTimeout: "timers", clearInterval: "timers", clearImmediate: "timers",
    fetch: "fetch", structuredClone: "clone",
  };
  each(keys(FUNCTIONS), (name) => {
    const from = FUNCTIONS[name];
    put(global, name, { [name](...args) { return apply(part(from)[name], undefined, args); } }[name]);
  });
  const OBJECTS = {
    console: "console", log: "console", Exception: "process",
    URL: "url", URLSearchParams: "url", TextEncoder: "text", TextDecoder: "text",
    Headers: "fetch", Response: "fetch", AbortController: "abort", AbortSignal: "abort", Event: "abort", EventTarget: "abort",
    http: "http", fs: "files", env: "environment", crypto: "random",
    Studio: "absent", Query: "absent", FS: "absent", Store: "absent",
  };
  each(keys(OBJECTS), (name) => {
    const from = OBJECTS[name];
    accessor(global, name, () => {
      const value = part(from)[name];
      put(global, name, value);
      return value;
    }, (value) => put(global, name, value));
  });

  return freeze({
    context: (members) => (shared.current = makeContext(members)),
    fire: (id) => part("timers").fire(id),
    settle: (id, fetched, why) => part("fetch").settle(id, fetched, why),
    setProcessMocks: (find) => { shared.findMock = find; },
    setTold: (isTold) => { shared.isTold = isTold; },
    remember: (spaces) => { shared.remembered = spaces; },
    kept: () => parts.memory && part("memory").kept(),
  });
}
