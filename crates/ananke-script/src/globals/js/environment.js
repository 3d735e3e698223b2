// `env`: the environment variables that were granted.
(_, native) => {
  const target = {};
  const get = (name) => native.variable(String(name));
  return {
    env: new Proxy(target, {
      get(_, name) {
        if (name in target) return target[name];
        if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
        return name === "get" ? get : get(name);
      },
      has: (_, name) => name in target || (native.names().includes(name) && get(name) !== undefined),
      ownKeys: () => native.names().filter((name) => get(name) !== undefined),
      getOwnPropertyDescriptor(_, name) {
        if (!native.names().includes(name)) return undefined;
        return { value: get(name), enumerable: true, configurable: true, writable: true };
      },
    }),
  };
}
