// `http`: requests that wait for their answer.
({ part, stringify }, native) => {
  const isPlain = (value) => typeof value === "object" && value !== null && typeof value[Symbol.iterator] !== "function";
  const isListOfObjects = (value) => Array.isArray(value) && value.every(isPlain);
  const withQuery = (url, query) => {
    if (query === undefined || query === null || query === "") return String(url);
    const { URL, URLSearchParams } = part("url");
    const made = new URL(url);
    if (isListOfObjects(query)) query = Object.assign({}, ...query);
    if (isPlain(query)) query = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
    const pairs = new URLSearchParams(query);
    if (isPlain(query)) {
      // A list is a parameter that comes several times.
      for (const [name, value] of Object.entries(query)) {
        if (!Array.isArray(value)) continue;
        pairs.delete(name);
        for (const one of value) pairs.append(name, one);
      }
    }
    for (const [name, value] of pairs) made.searchParams.append(name, value);
    return made.href;
  };
  const lines = (name, headers) => {
    const { Headers, raw } = part("fetch");
    if (headers === undefined || headers === null || headers instanceof Headers) return [...raw(new Headers(headers))];
    if (!isPlain(headers) && !isListOfObjects(headers)) {
      throw new TypeError(`${name} takes headers that are an object, or a list of objects`);
    }
    const made = new Headers();
    for (const some of Array.isArray(headers) ? headers : [headers]) {
      for (const [key, value] of Object.entries(some)) {
        for (const one of Array.isArray(value) ? value : [value]) made.append(key, one);
      }
    }
    return [...raw(made)];
  };
  const send = (name, method, url, query, payload, files, headers) => {
    if (files && Object.keys(files).length > 0) throw new Error(`${name} sends no files in tests`);
    const list = lines(name, headers);
    let body;
    if (payload !== undefined && payload !== null) {
      const { TextEncoder, bytesOf } = part("text");
      const type = list.find(([one]) => one === "content-type")?.[1] ?? "";
      let words;
      if (payload instanceof ArrayBuffer || ArrayBuffer.isView(payload)) body = bytesOf(payload);
      else if (typeof payload === "string") words = payload;
      else if (type.startsWith("application/x-www-form-urlencoded")) words = String(new (part("url").URLSearchParams)(payload));
      else words = stringify(payload);
      if (words !== undefined) body = new TextEncoder().encode(words);
      if (!type) list.push(["content-type", typeof payload === "string" ? "text/plain;charset=UTF-8" : "application/json"]);
    }
    const answer = native.ask(method, withQuery(url, query), list, body && Array.from(body));
    if (answer.why !== undefined) return { status: 0, code: 0, data: null, headers: {}, message: answer.why };
    const { status } = answer;
    const named = {};
    for (const [key, value] of answer.headers) {
      const shown = key.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
      (named[shown] ??= []).push(value);
    }
    const text = new (part("text").TextDecoder)().decode(answer.body);
    const type = named["Content-Type"]?.[0] ?? "";
    let data = text === "" ? null : text;
    if (/[/+]json\b/.test(type)) {
      try {
        data = text === "" ? null : JSON.parse(text);
      } catch {
        // It says that it is JSON, and is not: the text is what there is.
      }
    }
    const message = status >= 400 ? `${status} ${native.reason(status)}`.trim() : "";
    return { status, code: status, data, headers: named, message };
  };
  const http = {
    Get: (url, query, headers) => send("http.Get", "GET", url, query, undefined, undefined, headers),
    Head: (url, payload, query, headers) => send("http.Head", "HEAD", url, query, payload, undefined, headers),
    Post: (url, payload, files, query, headers) => send("http.Post", "POST", url, query, payload, files, headers),
    Put: (url, payload, query, headers) => send("http.Put", "PUT", url, query, payload, undefined, headers),
    Patch: (url, payload, query, headers) => send("http.Patch", "PATCH", url, query, payload, undefined, headers),
    Delete: (url, payload, query, headers) => send("http.Delete", "DELETE", url, query, payload, undefined, headers),
    Send: (method, url, payload, query, headers, files) =>
      send("http.Send", String(method).toUpperCase(), url, query, payload, files, headers),
  };
  return { http };
}
