// `Process`, `Authorized` and `Exception`.
(shared, native) => {
  const { Failure, WrongType, apply, isContext, makeContext, part, put, TWINS } = shared;
  const scripts = { __proto__: null };
  const asked = (context) => {
    if (context === undefined || context === null) return shared.current;
    return isContext(context) ? context : part("services").merged(context, shared.current, makeContext, TWINS);
  };
  class Exception extends Failure {
    constructor(message, code = 500) {
      super(message);
      put(this, "code", code, true);
    }
  }
  put(Exception.prototype, "name", "Exception");
  // It can be called with `new`, and without.
  const callable = new Proxy(Exception, { __proto__: null, apply: (_, self, args) => new Exception(args[0], args[1]) });
  put(Exception.prototype, "constructor", callable);
  return {
    __proto__: null,
    Exception: callable,
    Authorized: () => (shared.current ? shared.current.authorized : null),
    Process(name, ...args) {
      if (typeof name !== "string") {
        throw new WrongType('Process needs the name of a process, such as Process("agents.shop.Stream", ctx, messages)');
      }
      const mock = shared.findMock(name);
      if (mock) return apply(mock, undefined, args);
      const agent = native.agentOf(name);
      if (agent === undefined) return apply((scripts[name] ??= native.script(name)), undefined, args);
      if (args[1] === undefined || args[1] === null) {
        throw new WrongType(`${name} needs messages: Process("${name}", ctx, messages)`);
      }
      return native.stream(agent, asked(args[0]), args[1], args[2]);
    },
  };
}
