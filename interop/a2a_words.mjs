// What the Node A2A agent does: the first word of a message chooses a list of steps.
// The words and the texts are those of a2a_words.py; the forms of a step are described there.

const ANSWER = "answer";

/** Returns the steps for a message; `number` counts the messages of its conversation, from 1. */
export function stepsFor(text, number, isAnswer) {
  if (isAnswer) {
    return task(artifact(`You answered: ${text}`));
  }
  const [, word, rest] = /^(\S*)\s*(.*)$/su.exec(text.trim());
  if (word === "message") {
    return [{ message: [{ text: `Message: ${rest}` }] }];
  }
  if (word === "raise") {
    return [{ status: "working" }, { raise: rest || "raised on purpose" }];
  }
  if (word === "count") {
    return task(artifact(`This is message ${number} of the conversation.`));
  }
  if (Object.hasOwn(ENDINGS, word)) {
    const [state, said] = ENDINGS[word];
    return [{ status: "working" }, { status: state, parts: [{ text: said }] }];
  }
  if (Object.hasOwn(SCRIPTS, word)) {
    return task(...SCRIPTS[word](rest));
  }
  return task(artifact(`You said: ${text}`));
}

const ENDINGS = {
  status: ["completed", "Done, without an artifact."],
  ask: ["input-required", "Which city?"],
  auth: ["auth-required", "Please sign in first."],
  fail: ["failed", "It failed on purpose."],
  reject: ["rejected", "I do not do that."],
};

const SCRIPTS = {
  echo: (rest) => [artifact(rest)],
  chunks: (rest) => pieces(Number(rest || 3), 0),
  slow: (rest) => pieces(Number(rest || 20), 0.1),
  replace: () => [
    artifact("Half a ", { last: false }),
    artifact("sentence", { append: true, last: false }),
    artifact("The whole sentence."),
  ],
  two: () => [
    artifact("First ", { name: "first", last: false }),
    artifact("Second ", { name: "second", last: false }),
    artifact("artifact.", { name: "first", append: true }),
    artifact("artifact.", { name: "second", append: true }),
  ],
  tool: (rest) => {
    const city = rest || "Paris";
    const call = { id: "call-1", name: "get_weather", args: { city, days: 3 } };
    const result = { id: "call-1", name: "get_weather", response: { sky: "sunny", degrees: 21.5 } };
    return [
      { status: "working", parts: [{ data: call, metadata: { adk_type: "function_call" } }] },
      { status: "working", parts: [{ data: result, metadata: { adk_type: "function_response" } }] },
      artifact(`It is sunny in ${city}.`),
    ];
  },
  bridge: (rest) => {
    const city = rest || "Paris";
    const call = { type: "tool-call", id: "call-1", name: "get_weather", arguments: { city } };
    const result = { type: "tool-result", toolCallId: "call-1", payload: "sunny" };
    return [
      { status: "working", parts: [{ data: call }] },
      { status: "working", parts: [{ data: result }] },
      artifact(`It is sunny in ${city}.`),
    ];
  },
  think: () => {
    const thought = { text: "The user wants a thought. ", metadata: { adk_thought: true } };
    return [{ artifact: ANSWER, parts: [thought, { text: "I thought about it." }], append: false, last: true }];
  },
  data: () => {
    const data = { total: 3, price: 9.5, items: [{ name: "tea", count: 2 }], note: null, paid: true };
    return [{ artifact: "order", parts: [{ text: "Your order." }, { data }], append: false, last: true }];
  },
  file: () => {
    const parts = [
      { bytes: Buffer.from("hello file\n"), mediaType: "text/plain", filename: "hello.txt" },
      { url: "https://example.com/picture.png", mediaType: "image/png", filename: "picture.png" },
    ];
    return [{ artifact: "files", parts, append: false, last: true }];
  },
};

function task(...steps) {
  return [{ status: "working" }, ...steps, { status: "completed" }];
}

function artifact(text, { name = ANSWER, append = false, last = true } = {}) {
  return { artifact: name, parts: [{ text }], append, last };
}

function pieces(count, seconds) {
  const steps = [];
  for (let piece = 1; piece <= count; piece += 1) {
    steps.push(artifact(`${piece} `, { append: piece > 1, last: piece === count }));
    if (seconds) {
      steps.push({ wait: seconds });
    }
  }
  return steps;
}
