// The methods of `t.assert` that are read when the first of them is called. They judge as those in `assert` do.
(own) => {
  "use strict";
  const { native, apply, equal, hasOwn, is, isArray, isHeld, isNaNumber, isAwaitable, isNil, keys, ownerOf, part, text } = own;
  const { DateOf, ErrorOf, MapOf, NumberOf, RegExpOf, SetOf, StringOf, eachOfSet, execute, includes, mapSize, objectToString, setHas, setSize, trim } = own;
  const TYPES = ["string", "number", "boolean", "array", "function", "object", "null", "undefined", "bigint", "symbol"];

  // The last ones are options of agents, which a judge is one of.
  const JUDGE_OPTIONS = ["criteria", "metadata", "connector", "mode", "search", "skip"];

  const refused = (why) => ({ __proto__: null, refused: why });
  const holding = (value) => ({ __proto__: null, holds: true, value });
  const differs = (text, expected, actual) => ({ __proto__: null, text, expected, actual });
  const fails = (text, actual) => ({ __proto__: null, text, actual });

  const show = (value) => part("display").show(value);
  const quoted = (value) => `'${part("display").short(value)}'`;

  // Tells whether `where` contains `what`; a text says why nobody can tell.
  const contains = (where, what) => {
    if (isNil(where)) return `cannot look into ${where}`;
    if (isArray(where) || is(where, SetOf)) {
      let has = false;
      if (isArray(where)) {
        for (let i = 0; i < where.length && !has; i++) has = where[i] === what;
        for (let i = 0; i < where.length && !has; i++) has = equal(where[i], what);
      } else {
        has = apply(setHas, where, [what]);
        if (!has) apply(eachOfSet, where, [(one) => (has ||= equal(one, what))]);
      }
      if (has || typeof what !== "string" || !isArray(where)) return has;
      let joined = "";
      for (let i = 0; i < where.length; i++) {
        const one = where[i];
        joined += (i > 0 ? "," : "") + (isNil(one) ? "" : isHeld(one) ? show(one) : StringOf(one));
      }
      return apply(includes, joined, [what]);
    }
    if (isHeld(where) && (typeof where === "function" || where.toString === objectToString || where.toString === undefined)) {
      return `looks into texts, lists and sets, not into ${kindOf(where) === "function" ? "a function" : "an object"}`;
    }
    if (isNil(what)) return `cannot look for ${what} in a text`;
    return apply(includes, StringOf(where), [StringOf(what)]);
  };
  const containment = (wanted) => (args) => {
    const found = contains(args[0], args[1]);
    if (typeof found === "string") return refused(found);
    if (found === wanted) return undefined;
    const shown = isHeld(args[0]) ? show(args[0]) : StringOf(args[0]);
    const member = isHeld(args[1]) ? show(args[1]) : StringOf(args[1]);
    return differs(`expected ${quoted(shown)} to ${wanted ? "" : "not "}contain ${quoted(member)}`, args[1], args[0]);
  };

  const lengthOf = (value) => {
    if (typeof value === "string") {
      // Characters, not the halves that some of them are stored in.
      let n = 0;
      for (let i = 0; i < value.length; i++, n++) {
        const high = value[i];
        const low = value[i + 1];
        if (high >= "\ud800" && high <= "\udbff" && low >= "\udc00" && low <= "\udfff") i++;
      }
      return n;
    }
    if (!isHeld(value) || typeof value === "function") return undefined;
    if (isArray(value)) return value.length;
    if (is(value, MapOf)) return apply(mapSize, value, []);
    if (is(value, SetOf)) return apply(setSize, value, []);
    if (is(value, StringOf)) return lengthOf(StringOf(value));
    if (is(value, DateOf) || is(value, own.DataViewOf) || is(value, RegExpOf) || is(value, ErrorOf) || is(value, NumberOf) || is(value, own.BooleanOf)) return undefined;
    return keys(value).length;
  };

  // Returns a number to compare, or nothing.
  const comparable = (value) => {
    if (typeof value === "number" || typeof value === "bigint") return isNaNumber(value) ? undefined : value;
    if (typeof value === "boolean") return NumberOf(value);
    if (typeof value === "string" && apply(trim, value, []) === "") return undefined;
    const isOf = typeof value === "string" || is(value, DateOf) || is(value, NumberOf) || is(value, StringOf);
    const number = isOf ? NumberOf(value) : undefined;
    return number === undefined || isNaNumber(number) ? undefined : number;
  };
  const comparison = (sign, holds) => (args) => {
    const a = comparable(args[0]);
    const b = comparable(args[1]);
    if (a !== undefined && b !== undefined && holds(a, b)) return undefined;
    const shown = `${show(args[0])} ${sign} ${show(args[1])}`;
    if (a !== undefined && b !== undefined) return differs(`expected ${shown}`, args[1], args[0]);
    return differs(`cannot compare ${shown}: ${show(a === undefined ? args[0] : args[1])} is no number`, args[1], args[0]);
  };

  const thrownOf = (error) => (is(error, ErrorOf) ? part("display").short(part("display").errorText(error)) : show(error));
  // What was thrown by us to stop the function stops it.
  const rethrown = (error) => {
    // An engine without memory cannot tell anything apart.
    if (ownerOf(error) !== undefined || native.isMemory(error)) throw error;
    return error;
  };
  const didThrow = (error) => holding(rethrown(error));
  const didNot = () => ({ __proto__: null, text: "expected function to panic, but it didn't" });
  const threw = (error) => fails(`expected function not to panic, but got: ${thrownOf(rethrown(error))}`, error);
  const panic = (onThrow, onReturn) => (args) => {
    const called = args[0];
    if (typeof called !== "function") return refused(`takes a function, not ${show(called)}`);
    let returned;
    try {
      returned = called();
    } catch (error) {
      return onThrow(error);
    }
    return isAwaitable(returned) ? { __proto__: null, later: awaited(returned, onThrow, onReturn) } : onReturn(returned);
  };
  const awaited = async (promise, onThrow, onReturn) => {
    let value;
    try {
      value = await promise;
    } catch (error) {
      return onThrow(error);
    }
    return onReturn(value);
  };

  const matching = (wanted) => (args) => {
    const value = args[0];
    const pattern = args[1];
    if (isNil(value)) return refused(`cannot look into ${value}`);
    const subject = isHeld(value) && !is(value, StringOf) ? undefined : StringOf(value);
    if (subject === undefined) return refused(`takes a text, not ${kindOf(value) === "array" ? "a list" : "an object"}`);
    let found;
    if (isHeld(pattern) && is(pattern, RegExpOf)) {
      // A copy: a pattern with `g` remembers where it was.
      found = apply(execute, new RegExpOf(pattern), [subject]) !== null;
    } else if (typeof pattern === "string") {
      found = native.matches(text(pattern), text(subject));
      if (typeof found === "string") return refused(`has no valid pattern '${pattern}': ${found}`);
    } else {
      return refused(`takes a pattern that is a text or a RegExp, not ${show(pattern)}`);
    }
    if (found === wanted) return undefined;
    const written = isHeld(pattern) ? part("display").plain(pattern) : pattern;
    return differs(`expected ${quoted(subject)} to ${wanted ? "" : "not "}match pattern '${written}'`, written, subject);
  };

  // Says what is wrong with the options of a judge.
  const unfit = (options) => {
    const example = '{criteria: "is polite"}';
    if (isNil(options)) return `needs criteria: pass ${example}`;
    if (!isHeld(options) || typeof options === "function" || isArray(options)) return `takes options such as ${example}, not ${show(options)}`;
    const names = keys(options);
    for (let i = 0; i < names.length; i++) {
      let isKnown = false;
      for (let n = 0; n < JUDGE_OPTIONS.length; n++) isKnown ||= JUDGE_OPTIONS[n] === names[i];
      if (!isKnown) return `knows no option \`${part("display").short(names[i])}\`${native.meant(text(names[i]), JUDGE_OPTIONS)}`;
    }
    const metadata = memberOf(options, "metadata");
    if (!isNil(metadata) && (!isHeld(metadata) || typeof metadata === "function" || isArray(metadata))) {
      return `takes metadata that is an object, not ${show(metadata)}`;
    }
    const connector = memberOf(options, "connector");
    if (!isNil(connector) && (typeof connector !== "string" || connector === "")) return `takes the name of a connector, not ${show(connector)}`;
    const criteria = memberOf(options, "criteria") ?? (isNil(metadata) ? undefined : memberOf(metadata, "criteria"));
    if (isNil(criteria)) return `needs criteria: pass ${example}`;
    const isEmpty = typeof criteria === "string" ? apply(trim, criteria, []) === "" : !isHeld(criteria) || keys(criteria).length === 0;
    return isEmpty ? `takes criteria that say something, not ${show(criteria)}` : undefined;
  };
  const memberOf = (object, name) => (hasOwn(object, name) ? object[name] : undefined);

  const kindOf = (value) => (value === null ? "null" : isArray(value) ? "array" : typeof value);

  return {
    __proto__: null,
    Contains: containment(true),
    NotContains: containment(false),
    Len: (args) => {
      const wanted = args[1];
      if (typeof wanted !== "number" || wanted !== wanted) return refused(`takes a length that is a number, not ${show(wanted)}`);
      const length = lengthOf(args[0]);
      if (length === undefined) return differs(`${show(args[0])} has no length`, wanted, null);
      return length === wanted ? undefined : differs(`expected length ${wanted}, got ${length}`, wanted, length);
    },
    Greater: comparison(">", (a, b) => a > b),
    GreaterOrEqual: comparison(">=", (a, b) => a >= b),
    Less: comparison("<", (a, b) => a < b),
    LessOrEqual: comparison("<=", (a, b) => a <= b),
    Error: (args) => (isNil(args[0]) ? fails("expected an error, got nil", null) : undefined),
    NoError: (args) => (isNil(args[0]) ? undefined : differs(`expected no error, got ${thrownOf(args[0])}`, null, args[0])),
    Panic: panic(didThrow, didNot),
    NoPanic: panic(threw, holding),
    Match: matching(true),
    NotMatch: matching(false),
    JSONPath: (args) => {
      const path = args[1];
      if (typeof path !== "string") return refused(`takes a path that is a text, not ${show(path)}`);
      if (isNil(args[0])) return refused(`cannot look into ${args[0]}`);
      const found = native.jsonPath(args[0], text(path));
      if (found.error !== undefined) return refused(`has no valid path '${path}': ${found.error}`);
      if (found.isMissing && args[2] === undefined) return fails(`path '${path}': nothing there`, null);
      if (equal(found.value, args[2])) return undefined;
      const got = found.isMissing ? "nothing" : show(found.value);
      return differs(`path '${path}': expected ${show(args[2])}, got ${got}`, args[2], found.value);
    },
    Type: (args) => {
      const wanted = args[1];
      let isKnown = false;
      for (let i = 0; i < TYPES.length; i++) isKnown ||= TYPES[i] === wanted;
      if (!isKnown) return refused(`knows no type ${show(wanted)}${typeof wanted === "string" ? native.meant(text(wanted), TYPES) : ""}`);
      const got = kindOf(args[0]);
      return got === wanted ? undefined : differs(`expected type '${wanted}', got '${got}'`, wanted, got);
    },
    Agent: (args) => {
      const agent = args[1];
      if (typeof agent !== "string" || agent === "") return refused(`takes the id of an agent, not ${show(agent)}`);
      const response = args[0];
      if (isNil(response) || typeof response === "function" || typeof response === "symbol") {
        return refused(`takes a response, not ${show(response)}`);
      }
      const why = unfit(args[2]);
      if (why !== undefined) return refused(why);
      const said = native.judge(response, text(agent), args[2]);
      if (said.error !== undefined) return { __proto__: null, kind: "undecided", text: said.error, actual: args[0] };
      return said.passed ? undefined : fails(said.reason === "" ? "agent assertion failed" : said.reason, args[0]);
    },
  };
}
