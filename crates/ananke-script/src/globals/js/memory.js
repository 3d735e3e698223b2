// `ctx.memory`: spaces that live as long as the engine, or the conversation. What is kept, and what is handed out, are copies.
({ part, remembered, stringify }) => {
  const clone = part("clone").structuredClone;
  const spaces = new Map();
  const none = null;
  for (const [name, entries] of remembered ?? []) {
    spaces.set(name, new Map(entries.map(([key, value, until]) => [key, { value, until: until ?? Infinity }])));
  }

  const named = (key) => {
    if (key === undefined || key === null) throw new TypeError(`memory: a key is a text, not ${key}`);
    return String(key);
  };

  class Space {
    #entries;
    constructor(entries) {
      this.#entries = entries;
    }
    #entry(key) {
      const name = named(key);
      const entry = this.#entries.get(name);
      if (entry && entry.until <= Date.now()) {
        this.#entries.delete(name);
        return undefined;
      }
      return entry;
    }
    #list(key, name) {
      const value = this.#entry(key)?.value;
      if (value !== undefined && value !== null && !Array.isArray(value)) {
        throw new TypeError(`memory ${name}: \`${key}\` holds no list`);
      }
      return value ?? [];
    }
    #change(key, value) {
      const entry = this.#entry(key);
      if (entry) entry.value = value;
      else this.Set(key, value);
    }
    Get(key) {
      const entry = this.#entry(key);
      return entry ? clone(entry.value) : none;
    }
    Set(key, value, ttl) {
      if (ttl !== undefined && ttl !== null && !(typeof ttl === "number" && ttl >= 0)) {
        throw new TypeError(`memory: the time to live is a number of seconds, not ${typeof ttl === "number" ? ttl : stringify(ttl)}`);
      }
      const until = ttl > 0 ? Date.now() + ttl * 1000 : Infinity;
      this.#entries.set(named(key), { value: clone(value), until });
    }
    Has(key) {
      return this.#entry(key) !== undefined;
    }
    Del(key) {
      const name = named(key);
      if (!name.endsWith("*")) {
        this.#entries.delete(name);
        return;
      }
      for (const one of this.Keys()) if (one.startsWith(name.slice(0, -1))) this.#entries.delete(one);
    }
    Keys() {
      return [...this.#entries.keys()].filter((key) => this.Has(key));
    }
    Values() {
      return this.Keys().map((key) => this.Get(key));
    }
    Len() {
      return this.Keys().length;
    }
    Clear() {
      this.#entries.clear();
    }
    GetDel(key) {
      const value = this.Get(key);
      this.#entries.delete(named(key));
      return value;
    }
    GetSet(key, value, ttl) {
      const old = this.Get(key);
      this.Set(key, value, ttl);
      return old;
    }
    Incr(key, delta = 1) {
      const old = this.#entry(key)?.value ?? 0;
      if (typeof old !== "number") throw new TypeError(`memory Incr: \`${key}\` holds no number`);
      this.#change(key, old + delta);
      return old + delta;
    }
    Decr(key, delta = 1) {
      return this.Incr(key, -delta);
    }
    MGet(names) {
      return Object.fromEntries(names.map((key) => [key, this.Get(key)]));
    }
    MSet(values, ttl) {
      for (const [key, value] of Object.entries(values)) this.Set(key, value, ttl);
    }
    MDel(names) {
      for (const key of names) this.Del(key);
    }
    GetMulti(names) {
      return this.MGet(names);
    }
    SetMulti(values, ttl) {
      this.MSet(values, ttl);
    }
    DelMulti(names) {
      this.MDel(names);
    }
    Push(key, ...values) {
      const added = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
      const list = [...this.#list(key, "Push"), ...clone(added)];
      this.#change(key, list);
      return list.length;
    }
    Pop(key, position = 1) {
      const list = [...this.#list(key, "Pop")];
      if (list.length === 0) return none;
      const value = position < 0 ? list.shift() : list.pop();
      this.#change(key, list);
      return value === undefined ? none : value;
    }
    Pull(key, value) {
      this.PullAll(key, [value]);
    }
    PullAll(key, values) {
      const gone = values.map((value) => JSON.stringify(value));
      const list = this.#list(key, "Pull");
      if (list.length > 0) this.#change(key, list.filter((one) => !gone.includes(JSON.stringify(one))));
    }
    AddToSet(key, ...values) {
      const added = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
      const list = [...this.#list(key, "AddToSet")];
      for (const value of clone(added)) {
        if (!list.some((one) => JSON.stringify(one) === JSON.stringify(value))) list.push(value);
      }
      this.#change(key, list);
    }
    ArrayLen(key) {
      return this.#list(key, "ArrayLen").length;
    }
    ArrayGet(key, index) {
      const value = this.#list(key, "ArrayGet").at(index);
      return value === undefined ? none : clone(value);
    }
    ArraySet(key, index, value) {
      const list = [...this.#list(key, "ArraySet")];
      const at = index < 0 ? list.length + index : index;
      if (!(at in list)) throw new RangeError(`memory ArraySet: \`${key}\` has no item ${index}`);
      list[at] = clone(value);
      this.#change(key, list);
    }
    ArraySlice(key, skip, limit) {
      return clone(this.#list(key, "ArraySlice").slice(skip, limit === undefined ? undefined : skip + limit));
    }
    ArrayPage(key, page, size) {
      return this.ArraySlice(key, (page - 1) * size, size);
    }
    ArrayAll(key) {
      return clone(this.#list(key, "ArrayAll"));
    }
  }

  const space = (name) => {
    if (!spaces.has(name)) spaces.set(name, new Map());
    return new Space(spaces.get(name));
  };

  const memory = (context) => {
    const ids = {
      user: () => context.authorized?.user_id,
      team: () => context.authorized?.team_id ?? context.authorized?.tenant_id,
      chat: () => context.chat_id,
    };
    // A conversation has one context, however many engines its hooks have.
    const made = { context: remembered ? space(`context:${context.chat_id ?? ""}`) : new Space(new Map()) };
    for (const [name, id] of Object.entries(ids)) {
      let known;
      Object.defineProperty(made, name, {
        enumerable: true,
        configurable: true,
        get() {
          const key = `${name}:${id() ?? ""}`;
          if (known?.key !== key) known = { key, space: space(key) };
          return known.space;
        },
      });
    }
    return made;
  };

  const kept = () => {
    const entries = (space) => [...space].map(([key, { value, until }]) => [key, value, until === Infinity ? null : until]);
    return stringify([...spaces].map(([name, space]) => [name, entries(space)]));
  };
  return { memory, kept };
}
