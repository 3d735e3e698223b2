// `AbortController`, `AbortSignal`, and the little of events that they need.
({ part }) => {
  const { later } = part("timers");
  class Event {
    constructor(type, init = {}) {
      Object.assign(this, { type: String(type), cancelable: !!init.cancelable, defaultPrevented: false, target: null });
    }
    preventDefault() {
      if (this.cancelable) this.defaultPrevented = true;
    }
  }
  class EventTarget {
    #listeners = [];
    addEventListener(type, callback, options) {
      if (!callback || this.#listeners.some((one) => one.type === type && one.callback === callback)) return;
      this.#listeners.push({ type, callback, once: !!options?.once });
    }
    removeEventListener(type, callback) {
      this.#listeners = this.#listeners.filter((one) => one.type !== type || one.callback !== callback);
    }
    dispatchEvent(event) {
      event.target = this;
      const own = this[`on${event.type}`];
      if (typeof own === "function") own.call(this, event);
      for (const one of this.#listeners.filter(({ type }) => type === event.type)) {
        if (one.once) this.removeEventListener(one.type, one.callback);
        if (typeof one.callback === "function") one.callback.call(this, event);
        else one.callback.handleEvent(event);
      }
      return !event.defaultPrevented;
    }
  }
  const KEY = Symbol("signal");
  const aborted = () => new DOMException("This operation was aborted", "AbortError");
  class AbortSignal extends EventTarget {
    #reason = undefined;
    onabort = null;
    constructor(key) {
      super();
      if (key !== KEY) throw new TypeError("an AbortSignal is made by an AbortController");
    }
    static abort(reason = aborted()) {
      const signal = new AbortSignal(KEY);
      signal.#reason = reason;
      return signal;
    }
    static timeout(after) {
      const signal = new AbortSignal(KEY);
      later(() => end(signal, new DOMException("The operation timed out", "TimeoutError")), after, [], false, true);
      return signal;
    }
    static any(signals) {
      const all = [...signals];
      const first = all.find((one) => one.aborted);
      if (first) return AbortSignal.abort(first.reason);
      const signal = new AbortSignal(KEY);
      for (const one of all) one.addEventListener("abort", () => end(signal, one.reason), { once: true });
      return signal;
    }
    get aborted() {
      return this.#reason !== undefined;
    }
    get reason() {
      return this.#reason;
    }
    throwIfAborted() {
      if (this.aborted) throw this.#reason;
    }
    static end(signal, reason) {
      if (signal.aborted) return;
      signal.#reason = reason;
      signal.dispatchEvent(new Event("abort"));
    }
  }
  const { end } = AbortSignal;
  delete AbortSignal.end;
  class AbortController {
    #signal = new AbortSignal(KEY);
    get signal() {
      return this.#signal;
    }
    abort(reason = aborted()) {
      end(this.#signal, reason);
    }
  }
  return { AbortController, AbortSignal, Event, EventTarget };
}
