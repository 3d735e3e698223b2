// `fetch`, `Headers` and `Response`. Whether a host may be reached is decided on the other side, before anything is sent.
({ nextId, part }, native) => {
  // Requests under way.
  const requests = { __proto__: null };
  const settle = (id, fetched, why) => {
    const request = requests[id];
    delete requests[id];
    if (request) request(fetched, why);
  };
  const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
  class Headers {
    #list = [];
    constructor(init) {
      if (init === undefined || init === null) return;
      if (typeof init !== "object") throw new TypeError("headers are an object, or a list of pairs");
      if (init instanceof Headers) {
        this.#list = [...init.#list];
        return;
      }
      if (typeof init[Symbol.iterator] !== "function") {
        for (const [name, value] of Object.entries(init)) this.append(name, value);
        return;
      }
      for (const one of init) {
        const pair = typeof one === "object" && one !== null ? [...one] : [];
        if (pair.length !== 2) throw new TypeError("a header is a pair of a name and a value");
        this.append(pair[0], pair[1]);
      }
    }
    static raw(headers) {
      return headers.#list;
    }
    // What a server says is taken as it is.
    static received(pairs) {
      const headers = new Headers();
      headers.#list = pairs.map(([name, value]) => [name.toLowerCase(), value]);
      return headers;
    }
    #name(name) {
      if (!NAME.test(name)) throw new TypeError(`"${name}" is no name of a header`);
      return String(name).toLowerCase();
    }
    append(name, value) {
      if (arguments.length < 2) throw new TypeError("a header needs a name and a value");
      const line = String(value).trim();
      if (/[\0\r\n]/.test(line)) throw new TypeError(`the header "${name}" holds a line break`);
      if (/[^\0-\xff]/.test(line)) throw new TypeError(`the header "${name}" holds a character beyond Latin-1`);
      this.#list.push([this.#name(name), line]);
    }
    delete(name) {
      const key = this.#name(name);
      this.#list = this.#list.filter(([one]) => one !== key);
    }
    get(name) {
      const key = this.#name(name);
      const values = this.#list.filter(([one]) => one === key).map(([, value]) => value);
      return values.length > 0 ? values.join(", ") : null;
    }
    getSetCookie() {
      return this.#list.filter(([name]) => name === "set-cookie").map(([, value]) => value);
    }
    has(name) {
      return this.get(name) !== null;
    }
    set(name, value) {
      const made = new Headers();
      made.append(...arguments);
      this.delete(name);
      this.#list.push(...made.#list);
    }
    forEach(callback, self) {
      for (const [name, value] of this) callback.call(self, value, name, this);
    }
    *entries() {
      for (const name of [...new Set(this.#list.map(([name]) => name))].sort()) {
        // Cookies hold commas: they cannot be one line.
        if (name === "set-cookie") for (const value of this.getSetCookie()) yield [name, value];
        else yield [name, this.get(name)];
      }
    }
    *keys() {
      for (const [name] of this.entries()) yield name;
    }
    *values() {
      for (const [, value] of this.entries()) yield value;
    }
    get [Symbol.toStringTag]() {
      return "Headers";
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  }
  const { raw, received } = Headers;
  delete Headers.raw;
  delete Headers.received;
  const RECEIVED = Symbol("received");

  // Returns the bytes of a body, and what they are.
  const bodyOf = (body) => {
    if (body === undefined || body === null) return [undefined, undefined];
    const { TextEncoder, bytesOf } = part("text");
    if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return [bytesOf(body), undefined];
    const isQuery = body instanceof part("url").URLSearchParams;
    const type = isQuery ? "application/x-www-form-urlencoded;charset=UTF-8" : "text/plain;charset=UTF-8";
    return [new TextEncoder().encode(String(body)), type];
  };

  class Response {
    #bytes;
    #isUsed = false;
    constructor(body, init = {}, from = undefined) {
      const [bytes, type] = bodyOf(body);
      this.#bytes = bytes ?? new Uint8Array(0);
      const status = init.status ?? 200;
      if (from !== RECEIVED) {
        if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError(`${status} is no status of a response`);
        if (bytes && [204, 205, 304].includes(status)) throw new TypeError(`a response with the status ${status} has no body`);
      }
      const headers = new Headers(init.headers);
      if (type && !headers.has("content-type")) headers.set("content-type", type);
      const about = { status, headers, statusText: init.statusText ?? "", url: init.url ?? "", redirected: !!init.redirected };
      for (const [name, value] of Object.entries(about)) Object.defineProperty(this, name, { value, enumerable: true });
    }
    static json(value, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      return new Response(JSON.stringify(value), { ...init, headers });
    }
    get ok() {
      return this.status >= 200 && this.status < 300;
    }
    get type() {
      return "basic";
    }
    get bodyUsed() {
      return this.#isUsed;
    }
    #take() {
      if (this.#isUsed) throw new TypeError("the body was read already");
      this.#isUsed = true;
      return this.#bytes;
    }
    clone() {
      if (this.#isUsed) throw new TypeError("the body was read already");
      return new Response(this.#bytes.slice(), this, RECEIVED);
    }
    async bytes() {
      return this.#take().slice();
    }
    async arrayBuffer() {
      return this.#take().slice().buffer;
    }
    async text() {
      return new (part("text").TextDecoder)().decode(this.#take());
    }
    async json() {
      return JSON.parse(await this.text());
    }
  }

  const fetch = async (input, init = {}) => {
    const { signal } = init;
    signal?.throwIfAborted();
    const [url] = new (part("url").URL)(typeof input === "object" && input !== null && "url" in input ? input.url : input).href.split("#");
    const [bytes, type] = bodyOf(init.body);
    const headers = new Headers(init.headers);
    if (type && !headers.has("content-type")) headers.set("content-type", type);
    const method = String(init.method ?? "GET");
    const upper = method.toUpperCase();
    const known = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"].includes(upper) ? upper : method;
    if (bytes && (known === "GET" || known === "HEAD")) throw new TypeError(`${known} sends no body`);
    const redirect = init.redirect ?? "follow";
    if (!["follow", "manual", "error"].includes(redirect)) throw new TypeError(`"${redirect}" is no way to treat redirects`);
    const id = nextId();
    const answer = new Promise((resolve, reject) => {
      requests[id] = (fetched, why) => {
        if (why !== undefined) return reject(new TypeError(`fetch failed: ${why}`));
        const { status, headers: names, body, url: from } = fetched;
        const redirected = from !== url;
        if (redirect === "error" && (redirected || (status >= 300 && status < 400))) {
          return reject(new TypeError(`fetch failed: ${url} redirects, and redirect is "error"`));
        }
        const about = { status, statusText: native.reason(status), headers: received(names), url: from, redirected };
        resolve(new Response(body, about, RECEIVED));
      };
      signal?.addEventListener("abort", () => {
        delete requests[id];
        native.giveUp(id);
        reject(signal.reason);
      }, { once: true });
    });
    native.send(id, known, url, raw(headers), bytes && Array.from(bytes), redirect === "follow");
    return answer;
  };
  return { fetch, settle, raw, Headers, Response };
}
