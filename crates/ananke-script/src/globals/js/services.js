// What hangs on a `ctx` beside its members: what was sent, the agent service, a trace that goes nowhere, and services that a test
// has to replace.
({ part, put, stringify, getOwnPropertyDescriptor }) => {
  const isNobodys = (name) => typeof name === "symbol" || name === "then" || name === "toJSON";

  // A service of which every method can be replaced, and none works before. What hangs on a method is refused as it is.
  const absent = (path, target, refuse) => {
    const members = { __proto__: null };
    const refusal = (name) => (members[name] ??= absent(`${path}.${name}`, () => {}, () => {
      throw new Error(`${path}.${name} is not available in tests; answer it with t.mock(${path}, "${name}", fn)`);
    }));
    return new Proxy(target, {
      apply: refuse,
      get(target, name, self) {
        return name in target || isNobodys(name) ? Reflect.get(target, name, self) : refusal(name);
      },
      getOwnPropertyDescriptor(target, name) {
        const own = Reflect.getOwnPropertyDescriptor(target, name);
        if (own || isNobodys(name)) return own;
        return { value: refusal(name), configurable: true, enumerable: false, writable: true };
      },
    });
  };

  const trace = () => {
    const get = (target, name, self) => (name in target || isNobodys(name) ? Reflect.get(target, name, self) : member);
    const member = new Proxy(() => {}, { get, apply: () => node });
    const node = new Proxy({}, { get });
    return node;
  };

  const service = (context, name) => {
    if (name === "trace") return trace();
    const made = absent(`ctx.${name}`, {});
    if (name === "agent") {
      made.Call = function Call(id, messages, options) {
        return part("process").Process(`agents.${id}.Stream`, context, messages, options);
      };
    }
    return made;
  };

  // Reads `props.items.0`.
  const place = (message, path) => {
    const names = path ? String(path).split(".") : ["props", "content"];
    const last = names.pop();
    let holder = message;
    for (const name of names) {
      if (typeof holder[name] !== "object" || holder[name] === null) put(holder, name, {}, true);
      holder = holder[name];
    }
    return [holder, last];
  };

  const output = () => {
    const sent = [];
    const counts = { message: 0, block: 0, thread: 0 };
    const made = (kind, letter) => `${letter}${++counts[kind]}`;
    const message = (given) =>
      typeof given === "object" && given !== null ? { ...given } : { type: "text", props: { content: String(given) } };
    const known = (id, name) => {
      const found = sent.find((one) => one.message_id === id);
      if (!found) throw new Error(`ctx.${name}: no message \`${id}\` was sent`);
      return found;
    };
    const send = (given, block) => {
      const one = message(given);
      one.message_id ??= made("message", "M");
      if (block !== undefined) one.block_id = block;
      sent.push(one);
      return one.message_id;
    };
    return {
      sent,
      Send: (given, block) => send(given, block),
      SendStream: (given, block) => send(given, block),
      Append(id, text, path) {
        const [holder, name] = place(known(id, "Append"), path);
        holder[name] = (holder[name] ?? "") + (typeof text === "string" ? text : text?.props?.content ?? stringify(text));
        return id;
      },
      Replace(id, given) {
        const one = known(id, "Replace");
        const kept = { message_id: id, ...(one.block_id === undefined ? {} : { block_id: one.block_id }) };
        for (const name of Object.keys(one)) delete one[name];
        Object.assign(one, message(given), kept);
        return id;
      },
      Merge(id, data, path) {
        const [holder, name] = place(known(id, "Merge"), path ?? "props");
        holder[name] = { ...holder[name], ...(data?.props ?? data) };
        return id;
      },
      Set(id, value, path) {
        const [holder, name] = place(known(id, "Set"), path);
        holder[name] = value;
        return id;
      },
      End(id, text) {
        const one = known(id, "End");
        if (text !== undefined) this.Append(id, text);
        one.ended = true;
        return id;
      },
      MessageID: () => made("message", "M"),
      BlockID: () => made("block", "B"),
      ThreadID: () => made("thread", "T"),
    };
  };

  // A copy of a context, `{...ctx, User: {ID: "x"}}`, has both spellings side by side: the one that was changed is meant.
  const merged = (given, current, make, twins) => {
    if (typeof given !== "object") return given;
    const members = {};
    for (const name of Object.keys(given)) if (!(name in twins)) put(members, name, given[name], true);
    if (members.authorized) members.authorized = { ...members.authorized };
    if (members.client) members.client = { ...members.client };
    const context = make(members);
    for (const name of Object.keys(given)) {
      if (!(name in twins) || !("value" in getOwnPropertyDescriptor(given, name))) continue;
      const isChanged = !current || stringify(given[name]) !== stringify(current[name]);
      if (isChanged) context[name] = given[name];
    }
    return context;
  };

  return { merged, output, service };
}
