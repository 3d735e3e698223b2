// `URL` and `URLSearchParams`; what URLs mean is decided on the other side.
(_, native) => {
  const text = (value) => String(value).toWellFormed();
  const needs = (count, args) => {
    if (args.length < count) throw new TypeError(count === 1 ? "the name of a parameter is missing" : "a parameter needs a name and a value");
  };

  class URLSearchParams {
    #pairs = [];
    #changed = undefined;
    constructor(init = "") {
      if (init instanceof URLSearchParams) this.#pairs = init.#pairs.map(([name, value]) => [name, value]);
      else if (typeof init === "object" && init !== null) {
        const pairs = typeof init[Symbol.iterator] === "function" ? [...init] : Object.entries(init);
        this.#pairs = pairs.map((one) => {
          const pair = typeof one === "object" && typeof one?.[Symbol.iterator] === "function" ? [...one] : [];
          if (pair.length !== 2) throw new TypeError("a parameter is a pair of a name and a value");
          return [text(pair[0]), text(pair[1])];
        });
      } else this.#pairs = native.readQuery(text(init).replace(/^\?/, ""));
    }
    static linked(query, changed) {
      const made = new URLSearchParams(query);
      made.#changed = changed;
      return made;
    }
    static read(params, query) {
      params.#pairs = native.readQuery(query.replace(/^\?/, ""));
    }
    #set(pairs) {
      this.#pairs = pairs;
      this.#changed?.(this.toString());
    }
    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      needs(2, arguments);
      this.#set([...this.#pairs, [text(name), text(value)]]);
    }
    delete(name, value) {
      needs(1, arguments);
      const isGone = ([key, one]) => key === text(name) && (value === undefined || one === text(value));
      this.#set(this.#pairs.filter((pair) => !isGone(pair)));
    }
    get(name) {
      needs(1, arguments);
      return this.#pairs.find(([key]) => key === text(name))?.[1] ?? null;
    }
    getAll(name) {
      needs(1, arguments);
      return this.#pairs.filter(([key]) => key === text(name)).map(([, value]) => value);
    }
    has(name, value) {
      needs(1, arguments);
      return this.#pairs.some(([key, one]) => key === text(name) && (value === undefined || one === text(value)));
    }
    set(name, value) {
      needs(2, arguments);
      const first = this.#pairs.findIndex(([key]) => key === text(name));
      if (first < 0) return this.append(name, value);
      const pairs = this.#pairs.filter(([key], n) => key !== text(name) || n === first);
      this.#set(pairs.map(([key, one]) => [key, key === text(name) ? text(value) : one]));
    }
    sort() {
      this.#set([...this.#pairs].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
    }
    forEach(callback, self) {
      for (const [name, value] of this) callback.call(self, value, name, this);
    }
    *entries() {
      for (let n = 0; n < this.#pairs.length; n++) yield [...this.#pairs[n]];
    }
    *keys() {
      for (const [name] of this.entries()) yield name;
    }
    *values() {
      for (const [, value] of this.entries()) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return native.writeQuery(this.#pairs);
    }
    get [Symbol.toStringTag]() {
      return "URLSearchParams";
    }
  }
  const { linked, read } = URLSearchParams;
  delete URLSearchParams.linked;
  delete URLSearchParams.read;

  class URL {
    #parts;
    #params = undefined;
    constructor(url, base) {
      const parts = native.parse(text(url), base === undefined ? undefined : text(base));
      if (!parts) {
        const beside = base === undefined ? "" : ` with the base "${base}"`;
        throw new TypeError(`Invalid URL: "${url}"${beside}`);
      }
      this.#parts = parts;
    }
    static canParse(url, base) {
      return native.parse(text(url), base === undefined ? undefined : text(base)) !== undefined;
    }
    static parse(url, base) {
      return URL.canParse(url, base) ? new URL(url, base) : null;
    }
    get searchParams() {
      this.#params ??= linked(this.search, (query) => {
        this.#parts = native.change(this.#parts.href, "search", query) ?? this.#parts;
      });
      return this.#params;
    }
    get origin() {
      return this.#parts.origin;
    }
    toString() {
      return this.#parts.href;
    }
    toJSON() {
      return this.#parts.href;
    }
    get [Symbol.toStringTag]() {
      return "URL";
    }
    static {
      const NAMES = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
      for (const name of NAMES) {
        Object.defineProperty(URL.prototype, name, {
          configurable: true,
          enumerable: true,
          get() {
            return this.#parts[name];
          },
          set(value) {
            const parts = native.change(this.#parts.href, name, text(value));
            if (!parts && name === "href") throw new TypeError(`Invalid URL: "${value}"`);
            this.#parts = parts ?? this.#parts;
            if (this.#params) read(this.#params, this.search);
          },
        });
      }
    }
  }
  return { URL, URLSearchParams };
}
