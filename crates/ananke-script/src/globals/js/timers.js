// Timers: when they are due is known on the other side, what they call is kept here.
(shared, native) => {
  const { WrongType, apply, nextId } = shared;
  const timers = { __proto__: null };
  // A function need not wait for what is quiet before it ends.
  const later = (callback, after, args, repeats, isQuiet = false) => {
    if (typeof callback !== "function") throw new WrongType("a timer needs a function to call");
    const id = nextId();
    timers[id] = { __proto__: null, callback, args, repeats };
    native.setTimer(id, +after || 0, repeats, isQuiet);
    return id;
  };
  const clear = (id) => {
    if (typeof id === "number" && timers[id]) {
      delete timers[id];
      native.clearTimer(id);
    }
  };
  return {
    __proto__: null,
    later,
    setTimeout: (callback, after, ...args) => later(callback, after, args, false),
    setInterval: (callback, every, ...args) => later(callback, every, args, true),
    setImmediate: (callback, ...args) => later(callback, 0, args, false),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    fire(id) {
      const timer = timers[id];
      if (!timer) return;
      if (!timer.repeats) delete timers[id];
      try {
        apply(timer.callback, undefined, timer.args);
      } catch (error) {
        if (!shared.isTold(error)) native.thrown(error);
      }
    },
  };
}
