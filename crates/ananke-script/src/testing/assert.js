// The methods of `t.assert`. Each judges its arguments: it returns nothing if they are as demanded, `{text, expected, actual}` if
// they are not, `{refused}` if the call makes no sense, `{later}` if it has to wait. All of these have no prototype, which scripts
// could put members into.
(own) => {
  "use strict";
  const { isHeld, isNil, part } = own;

  const differs = (text, expected, actual) => ({ __proto__: null, text, expected, actual });
  const show = (value) => part("display").show(value);
  const equal = (a, b) => a === b || (a !== a && b !== b) || (isNil(a) && isNil(b)) || ((isHeld(a) || isHeld(b)) && part("equal")(a, b));
  const different = (actual, expected) => part("display").different(actual, expected);
  own.equal = equal;

  const judge = (names, takes, of, more) => ({ __proto__: null, names, takes, message: takes, of, ...more });
  // Most tests get along without the rest, which is read when it is needed.
  const rest = (names, takes, name, more) => judge(names, takes, (args) => part("assert_more")[name](args), more);
  return {
    __proto__: null,
    True: judge("(value, message?)", 1, (args) => (args[0] ? undefined : differs(`expected true, got ${show(args[0])}`, true, args[0]))),
    False: judge("(value, message?)", 1, (args) => (args[0] ? differs(`expected false, got ${show(args[0])}`, false, args[0]) : undefined)),
    Equal: judge("(actual, expected, message?)", 2, (args) =>
      equal(args[0], args[1]) ? undefined : differs(different(args[0], args[1]), args[1], args[0])),
    NotEqual: judge("(actual, expected, message?)", 2, (args) =>
      equal(args[0], args[1]) ? differs(`expected values to be different, both are ${show(args[0])}`, args[1], args[0]) : undefined),
    Nil: judge("(value, message?)", 1, (args) => (isNil(args[0]) ? undefined : differs(`expected nil, got ${show(args[0])}`, null, args[0]))),
    NotNil: judge("(value, message?)", 1, (args) => (isNil(args[0]) ? ({ __proto__: null, text: "expected non-nil value, got nil", actual: null }) : undefined)),
    Contains: rest("(value, part, message?)", 2, "Contains"),
    NotContains: rest("(value, part, message?)", 2, "NotContains"),
    Len: rest("(value, length, message?)", 2, "Len"),
    Greater: rest("(a, b, message?)", 2, "Greater"),
    GreaterOrEqual: rest("(a, b, message?)", 2, "GreaterOrEqual"),
    Less: rest("(a, b, message?)", 2, "Less"),
    LessOrEqual: rest("(a, b, message?)", 2, "LessOrEqual"),
    Error: rest("(error, message?)", 1, "Error"),
    NoError: rest("(error, message?)", 1, "NoError"),
    Panic: rest("(function, message?)", 1, "Panic", { takesPromises: true }),
    NoPanic: rest("(function, message?)", 1, "NoPanic", { takesPromises: true }),
    Match: rest("(value, pattern, message?)", 2, "Match"),
    NotMatch: rest("(value, pattern, message?)", 2, "NotMatch"),
    JSONPath: rest("(object, path, expected, message?)", 3, "JSONPath"),
    Type: rest("(value, type, message?)", 2, "Type", { takesPromises: true }),
    Agent: rest("(response, agent, options, message?)", 2, "Agent", { message: 3 }),
  };
}
