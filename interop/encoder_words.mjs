// What the encoder server says: words in the last user message choose a script of events.
// Ids come from the request and timestamps from a fixed clock, so the same request gets the same bytes.

import { MessageSchema } from "@ag-ui/core/schemas";

const PROTOCOL_VERSION = "1.0";
const FIRST_OF_JANUARY_2026 = Date.UTC(2026, 0, 1);

const SCRIPTS = [
  ["everything", everything],
  ["chunks", chunks],
  ["legacy", legacy],
  ["two cities", twoCities],
  ["weather", weather],
  ["pick color", pickColor],
  ["approve", approve],
  ["cancel", cancelled],
  ["slow", slow],
  ["boom", boom],
  ["what did i say", memory],
  ["hello", hello],
];

/** Returns `{events, raw, pause}`: raw events must not pass the encoder, pause is in milliseconds. */
export function eventsFor(input) {
  const turn = new Turn(input);
  const script = SCRIPTS.find(([words]) => turn.lastUserText.toLowerCase().includes(words))?.[1] ?? echo;
  const { raw = false, pause = 0 } = script(turn) ?? {};
  return { events: turn.events, raw, pause };
}

/** The request, and the events that answer it so far. */
class Turn {
  constructor(input) {
    this.input = input;
    this.runId = input.runId;
    this.userTexts = input.messages.filter((message) => message.role === "user").map(textOf);
    this.lastUserText = this.userTexts.at(-1) ?? "";
    this.lastMessage = input.messages.at(-1);
    this.events = [];
    this.clock = FIRST_OF_JANUARY_2026 + this.userTexts.length * 60_000;
  }

  id(name) {
    return `${this.runId}-${name}`;
  }

  say(type, fields = {}) {
    this.events.push({ type, timestamp: this.clock, ...fields });
    this.clock += 10;
  }

  start(fields = {}) {
    const { threadId } = this.input;
    this.say("RUN_STARTED", { threadId, runId: this.runId, protocolVersion: PROTOCOL_VERSION, ...fields });
  }

  finish(fields = { outcome: { type: "success" } }) {
    this.say("RUN_FINISHED", { threadId: this.input.threadId, runId: this.runId, ...fields });
  }

  text(name, ...deltas) {
    const messageId = this.id(name);
    this.say("TEXT_MESSAGE_START", { messageId, role: "assistant" });
    deltas.forEach((delta) => this.say("TEXT_MESSAGE_CONTENT", { messageId, delta }));
    this.say("TEXT_MESSAGE_END", { messageId });
  }

  call(name, toolCallName, ...deltas) {
    const toolCallId = this.id(name);
    this.say("TOOL_CALL_START", { toolCallId, toolCallName });
    deltas.forEach((delta) => this.say("TOOL_CALL_ARGS", { toolCallId, delta }));
    this.say("TOOL_CALL_END", { toolCallId });
  }

  result(toolCallId, content) {
    this.say("TOOL_CALL_RESULT", { messageId: `${toolCallId}-result`, toolCallId, content, role: "tool" });
  }
}

function textOf(message) {
  const parts = Array.isArray(message.content) ? message.content : [{ type: "text", text: message.content ?? "" }];
  return parts.filter((part) => part?.type === "text").map((part) => part.text).join("");
}

/** Leaves out what an input of a later version may carry, because the echo must be valid in 1.0. */
function knownFields({ threadId, runId, protocolVersion, parentRunId, state, tools, context, forwardedProps, resume }) {
  return { threadId, runId, protocolVersion, parentRunId, state, tools, context, forwardedProps, resume };
}

function hello(turn) {
  turn.start();
  turn.text("m1", "Hello", " from", " the encoder.");
  turn.finish();
}

function echo(turn) {
  turn.start();
  turn.text("m1", `User message ${turn.userTexts.length}: `, turn.lastUserText);
  turn.finish();
}

function memory(turn) {
  turn.start();
  turn.text("m1", `You sent ${turn.userTexts.length} messages. `, `The one before was: ${turn.userTexts.at(-2) ?? "nothing"}`);
  turn.finish();
}

function weather(turn) {
  const city = /weather in (\p{L}+)/iu.exec(turn.lastUserText)?.[1] ?? "Paris";
  turn.start();
  turn.call("c1", "get_weather", '{"city":', `${JSON.stringify(city)}}`);
  turn.result(turn.id("c1"), JSON.stringify({ city, sky: "sunny", celsius: 21 }));
  turn.text("m1", `It is sunny in ${city}, `, "21 degrees.");
  turn.finish();
}

/** Two calls that are open at the same time. */
function twoCities(turn) {
  const calls = [["c1", "Paris"], ["c2", "Oslo"]];
  turn.start();
  calls.forEach(([id]) => turn.say("TOOL_CALL_START", { toolCallId: turn.id(id), toolCallName: "get_weather" }));
  calls.forEach(([id, city]) => turn.say("TOOL_CALL_ARGS", { toolCallId: turn.id(id), delta: JSON.stringify({ city }) }));
  calls.forEach(([id]) => turn.say("TOOL_CALL_END", { toolCallId: turn.id(id) }));
  calls.reverse().forEach(([id, city]) => turn.result(turn.id(id), JSON.stringify({ city, sky: "sunny" })));
  turn.text("m1", "It is sunny in Paris and in Oslo.");
  turn.finish();
}

/** A frontend tool: the first run ends pending, the next one carries the answer. */
function pickColor(turn) {
  turn.start();
  if (turn.lastMessage?.role === "tool") {
    turn.text("m1", "You picked ", textOf(turn.lastMessage), ".");
    turn.finish();
  } else if (turn.input.tools?.some((tool) => tool.name === "pick_color")) {
    turn.call("c1", "pick_color", '{"choices":["red","green"]}');
    turn.finish({ outcome: { type: "success", pendingToolCallIds: [turn.id("c1")] } });
  } else {
    turn.text("m1", "The tool pick_color was not offered.");
    turn.finish();
  }
}

/** An approval: the first run ends interrupted, the next one carries the decision. */
function approve(turn) {
  turn.start();
  const answer = turn.input.resume?.[0];
  if (!answer) {
    const toolCallId = turn.id("c1");
    turn.call("c1", "delete_file", '{"path":"old.txt"}');
    turn.finish({
      outcome: {
        type: "interrupt",
        interrupts: [
          {
            id: `${toolCallId}-approval`,
            reason: "tool_call",
            message: "May I delete old.txt?",
            toolCallId,
            responseSchema: { type: "object", properties: { approved: { type: "boolean" } }, required: ["approved"] },
            expiresAt: "2099-12-31T23:59:59Z",
            metadata: { risk: "high" },
          },
        ],
      },
    });
    return;
  }
  const approved = answer.status === "resolved" && answer.payload?.approved === true;
  turn.result(answer.interruptId.replace(/-approval$/, ""), approved ? "deleted" : "refused by the user");
  turn.text("m1", approved ? "I deleted old.txt." : "I left old.txt alone.");
  turn.finish();
}

function cancelled(turn) {
  turn.start();
  turn.text("m1", "I was stopped.");
  turn.finish({ outcome: { type: "cancelled" } });
}

function slow(turn) {
  turn.start();
  turn.text("m1", ...Array.from({ length: 50 }, (_, i) => `${i + 1} `));
  turn.finish();
  return { pause: 100 };
}

function boom(turn) {
  turn.start();
  turn.say("TEXT_MESSAGE_START", { messageId: turn.id("m1"), role: "assistant" });
  turn.say("TEXT_MESSAGE_CONTENT", { messageId: turn.id("m1"), delta: "I will now" });
  turn.say("RUN_ERROR", { message: "boom", code: "BOOM" });
}

/** Chunk forms only: two texts, a call with RAW in between, reasoning, and two subagent lanes. */
function chunks(turn) {
  const [m1, m2, c1, r1, a1, b1] = ["m1", "m2", "c1", "r1", "a1", "b1"].map((name) => turn.id(name));
  const [left, right] = [turn.id("left"), turn.id("right")];
  turn.start();
  turn.say("REASONING_MESSAGE_CHUNK", { messageId: r1, delta: "First, " });
  turn.say("REASONING_MESSAGE_CHUNK", { delta: "think." });
  turn.say("TEXT_MESSAGE_CHUNK", { messageId: m1, role: "assistant", delta: "One " });
  turn.say("TEXT_MESSAGE_CHUNK", { messageId: m1, delta: "and " });
  turn.say("TEXT_MESSAGE_CHUNK", { delta: "two." });
  turn.say("TOOL_CALL_CHUNK", { toolCallId: c1, toolCallName: "get_weather", parentMessageId: m1, delta: '{"city":' });
  turn.say("RAW", { event: { note: "RAW closes no lane" }, source: "interop" });
  turn.say("TOOL_CALL_CHUNK", { delta: '"Paris"}' });
  turn.result(c1, "sunny");
  turn.say("SUBAGENT_STARTED", { subagentRunId: left, name: "left" });
  turn.say("SUBAGENT_STARTED", { subagentRunId: right, name: "right" });
  turn.say("TEXT_MESSAGE_CHUNK", { messageId: a1, delta: "left ", subagentRunId: left });
  turn.say("TEXT_MESSAGE_CHUNK", { messageId: b1, delta: "right ", subagentRunId: right });
  turn.say("TEXT_MESSAGE_CHUNK", { delta: "hand", subagentRunId: left });
  turn.say("TEXT_MESSAGE_CHUNK", { delta: "foot", subagentRunId: right });
  turn.say("SUBAGENT_FINISHED", { subagentRunId: left });
  turn.say("SUBAGENT_FINISHED", { subagentRunId: right, outcome: { type: "success" } });
  turn.say("TEXT_MESSAGE_CHUNK", { messageId: m2, name: "narrator", delta: "It is sunny." });
  turn.finish();
}

/** The retired thinking events, which carry no ids, from a producer that declares no version. */
function legacy(turn) {
  const { threadId } = turn.input;
  turn.say("RUN_STARTED", { threadId, runId: turn.runId });
  turn.say("THINKING_START", { title: "Old thoughts" });
  turn.say("THINKING_TEXT_MESSAGE_START");
  turn.say("THINKING_TEXT_MESSAGE_CONTENT", { delta: "Thinking " });
  turn.say("THINKING_TEXT_MESSAGE_CONTENT", { delta: "the old way." });
  turn.say("THINKING_TEXT_MESSAGE_END");
  turn.say("THINKING_END");
  turn.text("m1", "Hello from the past.");
  turn.say("RUN_FINISHED", { threadId, runId: turn.runId });
  return { raw: true };
}

/** All 31 types. RUN_ERROR ends a first attempt, so that the requested run can still finish. */
function everything(turn) {
  const id = (name) => turn.id(name);
  const { threadId, parentRunId } = turn.input;
  const history = turn.input.messages.filter((message) => MessageSchema.safeParse(message).success);
  const usage = { provider: "interop", model: "script", inputTokens: 120, outputTokens: 45, totalTokens: 165 };

  turn.say("RUN_STARTED", { threadId, runId: id("attempt"), protocolVersion: PROTOCOL_VERSION });
  turn.say("RUN_ERROR", { message: "the first attempt fails on purpose", code: "FIRST_ATTEMPT", usage: [usage] });

  turn.start({
    ...(parentRunId === undefined ? {} : { parentRunId }),
    input: { ...knownFields(turn.input), messages: history },
    metadata: { "interop.server": "encoder", nested: { list: [1, 2.5, null, "é"], empty: {} } },
    rawEvent: { origin: "script", line: 1 },
  });
  turn.say("STEP_STARTED", { stepName: "plan" });

  turn.say("REASONING_START", { messageId: id("span") });
  turn.say("REASONING_MESSAGE_START", { messageId: id("r1"), role: "reasoning" });
  turn.say("REASONING_MESSAGE_CONTENT", { messageId: id("r1"), delta: "The user wants " });
  turn.say("REASONING_MESSAGE_CONTENT", { messageId: id("r1"), delta: "everything." });
  turn.say("REASONING_MESSAGE_END", { messageId: id("r1") });
  turn.say("REASONING_MESSAGE_CHUNK", { messageId: id("r2"), delta: "All " });
  turn.say("REASONING_MESSAGE_CHUNK", { delta: "of it." });
  turn.say("REASONING_END", { messageId: id("span") });
  turn.say("REASONING_ENCRYPTED_VALUE", { subtype: "message", entityId: id("r1"), encryptedValue: "c2VjcmV0" });

  const text = ["Grüße ", "", "aus \"Paris\" 🗼\n"];
  turn.say("TEXT_MESSAGE_START", { messageId: id("m1"), role: "assistant", name: "narrator", metadata: { tone: "kind" } });
  text.forEach((delta) => turn.say("TEXT_MESSAGE_CONTENT", { messageId: id("m1"), delta }));
  turn.say("TEXT_MESSAGE_END", { messageId: id("m1") });

  turn.say("TOOL_CALL_START", { toolCallId: id("c1"), toolCallName: "get_weather", parentMessageId: id("m1") });
  turn.say("TOOL_CALL_ARGS", { toolCallId: id("c1"), delta: '{"city":' });
  turn.say("TOOL_CALL_ARGS", { toolCallId: id("c1"), delta: '"Paris"}' });
  turn.say("TOOL_CALL_END", { toolCallId: id("c1") });
  turn.say("REASONING_ENCRYPTED_VALUE", { subtype: "tool-call", entityId: id("c1"), encryptedValue: "Y2FsbA==" });
  turn.say("TOOL_CALL_CHUNK", { toolCallId: id("c2"), toolCallName: "get_map", parentMessageId: id("m1"), delta: '{"zoom"' });
  turn.say("RAW", { event: { provider: "script", numbers: [0, -1, 1.5, 1e21], nothing: null }, source: "interop" });
  turn.say("TOOL_CALL_CHUNK", { delta: ":7}" });
  turn.result(id("c1"), "sunny");
  const parts = [
    { type: "text", text: "a map", id: "p1", metadata: { lang: "en" } },
    { type: "image", source: { type: "url", value: "https://example.org/map.png", mimeType: "image/png" } },
    { type: "audio", source: { type: "data", value: "AAEC", mimeType: "audio/wav" }, id: "p3" },
    { type: "video", source: { type: "url", value: "https://example.org/map.mp4" } },
    { type: "document", source: { type: "file", value: "file-1", provider: "interop", mimeType: "text/plain" }, metadata: "any" },
  ];
  turn.result(id("c2"), parts);

  turn.say("STATE_SNAPSHOT", {
    snapshot: {
      count: 1,
      ratio: 0.25,
      big: 9007199254740991,
      negative: -3,
      done: false,
      nothing: null,
      list: ["a", "b"],
      deep: { empty: {}, none: [] },
      "a/b~c": "ü",
    },
  });
  turn.say("STATE_DELTA", {
    delta: [
      { op: "test", path: "/count", value: 1 },
      { op: "replace", path: "/count", value: 2 },
      { op: "add", path: "/list/-", value: { name: "c", extra: null } },
      { op: "add", path: "/cleared", value: null },
      { op: "move", from: "/done", path: "/finished" },
      { op: "copy", from: "/a~1b~0c", path: "/copied" },
      { op: "remove", path: "/nothing" },
    ],
  });
  turn.say("ACTIVITY_SNAPSHOT", { messageId: id("act"), activityType: "PLAN", content: { steps: ["look", "say"], current: 0 } });
  turn.say("ACTIVITY_DELTA", { messageId: id("act"), activityType: "PLAN", patch: [{ op: "replace", path: "/current", value: 1 }] });
  turn.say("ACTIVITY_SNAPSHOT", { messageId: id("act2"), activityType: "SEARCH", content: { query: "Paris" }, replace: false });
  turn.say("STEP_FINISHED", { stepName: "plan" });

  const [scout, helper] = [id("scout"), id("helper")];
  turn.say("SUBAGENT_STARTED", {
    subagentRunId: scout,
    name: "scout",
    description: "looks around",
    parentToolCallId: id("c1"),
    parentMessageId: id("m1"),
  });
  turn.say("STEP_STARTED", { stepName: "plan", subagentRunId: scout });
  turn.say("SUBAGENT_STARTED", { subagentRunId: helper, name: "helper", parentSubagentRunId: scout });
  turn.say("SUBAGENT_ERROR", { subagentRunId: helper, message: "the helper gave up", code: "HELPER" });
  turn.say("TEXT_MESSAGE_START", { messageId: id("m2"), role: "assistant", subagentRunId: scout });
  turn.say("TEXT_MESSAGE_CONTENT", { messageId: id("m2"), delta: "Nothing there.", subagentRunId: scout });
  turn.say("TEXT_MESSAGE_END", { messageId: id("m2"), subagentRunId: scout });
  turn.say("STEP_FINISHED", { stepName: "plan", subagentRunId: scout });
  turn.say("SUBAGENT_FINISHED", { subagentRunId: scout, result: { found: 0 }, outcome: { type: "success" } });

  turn.say("CUSTOM", { name: "interop.progress", value: { percent: 100, tags: [] } });
  turn.say("CUSTOM", { name: "interop.nothing", value: null });
  turn.say("TEXT_MESSAGE_CHUNK", { messageId: id("m3"), role: "assistant", delta: "That was " });
  turn.say("TEXT_MESSAGE_CHUNK", { delta: "everything." });

  const call = (name, tool, args) => ({ id: id(name), type: "function", function: { name: tool, arguments: args } });
  turn.say("MESSAGES_SNAPSHOT", {
    messages: [
      ...history,
      { id: id("r1"), role: "reasoning", content: "The user wants everything.", encryptedValue: "c2VjcmV0" },
      { id: id("r2"), role: "reasoning", content: "All of it." },
      {
        id: id("m1"),
        role: "assistant",
        content: text.join(""),
        name: "narrator",
        toolCalls: [
          { ...call("c1", "get_weather", '{"city":"Paris"}'), encryptedValue: "Y2FsbA==" },
          call("c2", "get_map", '{"zoom":7}'),
        ],
        metadata: { tone: "kind" },
      },
      { id: id("c1-result"), role: "tool", toolCallId: id("c1"), content: "sunny" },
      { id: id("c2-result"), role: "tool", toolCallId: id("c2"), content: parts },
      { id: id("act"), role: "activity", activityType: "PLAN", content: { steps: ["look", "say"], current: 1 } },
      { id: id("act2"), role: "activity", activityType: "SEARCH", content: { query: "Paris" } },
      { id: id("m2"), role: "assistant", content: "Nothing there.", subagentRunId: scout },
      { id: id("m3"), role: "assistant", content: "That was everything." },
    ],
  });
  turn.finish({
    result: { ok: true, score: 0.5 },
    outcome: { type: "success" },
    usage: [
      { ...usage, reasoningTokens: 5, cachedInputTokens: 100, cacheWriteInputTokens: 0 },
      { model: "script", inputTokens: 3 },
    ],
  });
}
