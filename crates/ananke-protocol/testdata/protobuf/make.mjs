// Writes every-event.{pb,json} and edges.{pb,json}; see README.md.
import { writeFileSync } from "node:fs";
import { EventEncoder } from "@ag-ui/encoder";
import { decode } from "@ag-ui/proto";

const encoder = new EventEncoder({ accept: "application/vnd.ag-ui.event+proto" });
const sse = (event) => JSON.parse(encoder.encodeSSE(event).slice("data: ".length));

const parts = [
  { type: "text", text: "", id: "p-1", metadata: { a: [] } },
  { type: "image", source: { type: "data", value: "AA==", mimeType: "image/gif" }, metadata: null },
  { type: "audio", source: { type: "url", value: "https://a.example/1.ogg" }, id: "p-3" },
  { type: "video", source: { type: "url", value: "https://a.example/1.mp4", mimeType: "video/mp4" }, metadata: 7 },
  { type: "document", source: { type: "file", value: "f-1" } },
  { type: "document", source: { type: "file", value: "f-2", provider: "", mimeType: "text/csv" } },
];
const messages = [
  { id: "1", role: "developer", content: "d", name: "" },
  { id: "2", role: "system", content: "", metadata: {} },
  { id: "3", role: "user", content: "hé", name: "Zoë", encryptedValue: "x", subagentRunId: "s" },
  { id: "4", role: "user", content: parts },
  { id: "5", role: "user", content: [] },
  { id: "6", role: "assistant" },
  { id: "7", role: "assistant", content: "", toolCalls: [
    { id: "c", type: "function", function: { name: "f", arguments: "" }, encryptedValue: "", metadata: { n: 1.25 } },
    { id: "", type: "function", function: { name: "", arguments: "{" } },
  ] },
  { id: "8", role: "tool", content: parts.slice(0, 1), toolCallId: "c" },
  { id: "9", role: "tool", content: "", toolCallId: "", error: "" },
  { id: "10", role: "reasoning", content: "hm", encryptedValue: "y" },
  { id: "11", role: "activity", activityType: "A", content: {} },
];
const values = { z: null, t: true, f: false, s: "", n: [0, -1, 0.1, 1e20, 1e21, -2.5e-7, 2 ** 53, 2 ** 60], o: { "": [[], {}, [null]] } };
const usage = [{ provider: "p", model: "m", inputTokens: 1, outputTokens: 2, totalTokens: 3, reasoningTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 9007199254740991 }, {}];
const interrupt = { id: "i", reason: "r", message: "", toolCallId: "c", responseSchema: { type: "object" }, expiresAt: "2026-01-01", metadata: { k: [1] }, subagentRunId: "s" };
const input = { threadId: "t", runId: "r", parentRunId: "q", protocolVersion: "1.0", state: [], messages, tools: [{ name: "f", description: "", parameters: {}, metadata: {} }, { name: "g", description: "d" }],
  context: [{ description: "", value: "v" }], forwardedProps: false, resume: [{ interruptId: "i", status: "resolved", payload: 0, metadata: { m: null } }, { interruptId: "j", status: "cancelled" }] };
const patch = ["add", "replace", "test"].map((op) => ({ op, path: "/a", value: op === "test" ? null : values }))
  .concat([{ op: "remove", path: "" }, { op: "move", path: "/b", from: "/a" }, { op: "copy", path: "/c", from: "" }]);
const base = { timestamp: -5, rawEvent: values, metadata: { m: values } };
const s = { subagentRunId: "s" };

const every = [
  { type: "RUN_STARTED", threadId: "t", runId: "r", ...base },
  { type: "RUN_STARTED", threadId: "", runId: "r", parentRunId: "", protocolVersion: "1.0", input, timestamp: 0 },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", result: 0, outcome: { type: "success", pendingToolCallIds: ["c", ""] }, usage },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "success" }, metadata: {} },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "interrupt", interrupts: [interrupt, { id: "j", reason: "" }] } },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "cancelled" }, result: "" },
  { type: "RUN_ERROR", message: "" },
  { type: "RUN_ERROR", message: "m", code: "", usage, timestamp: 9007199254740991 },
  { type: "STEP_STARTED", stepName: "p" }, { type: "STEP_FINISHED", stepName: "", ...s },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "user", name: "n", ...s }, { type: "TEXT_MESSAGE_START", messageId: "", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "" }, { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "\u0000\u{1f5fc}\n", ...s },
  { type: "TEXT_MESSAGE_END", messageId: "m", ...s },
  { type: "TEXT_MESSAGE_CHUNK" }, { type: "TEXT_MESSAGE_CHUNK", messageId: "m", role: "system", delta: "", name: "n", ...s },
  { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "f" }, { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "f", parentMessageId: "m", ...s },
  { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}", ...s }, { type: "TOOL_CALL_END", toolCallId: "c", ...s },
  { type: "TOOL_CALL_CHUNK" }, { type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: "f", parentMessageId: "", delta: "{", ...s },
  { type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c", content: "", role: "tool" },
  { type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c", content: parts, ...s }, { type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c", content: [] },
  ...[null, values, [], "", 0, false].map((snapshot) => ({ type: "STATE_SNAPSHOT", snapshot })), { type: "STATE_SNAPSHOT", snapshot: {}, ...s },
  { type: "STATE_DELTA", delta: patch, ...s }, { type: "STATE_DELTA", delta: [] },
  { type: "MESSAGES_SNAPSHOT", messages }, { type: "MESSAGES_SNAPSHOT", messages: [] },
  { type: "ACTIVITY_SNAPSHOT", messageId: "m", activityType: "A", content: values, replace: false, ...s },
  { type: "ACTIVITY_SNAPSHOT", messageId: "m", activityType: "", content: {}, replace: true }, { type: "ACTIVITY_SNAPSHOT", messageId: "m", activityType: "A", content: {} },
  { type: "ACTIVITY_DELTA", messageId: "m", activityType: "A", patch, ...s },
  { type: "RAW", event: values, source: "x", ...s }, { type: "RAW", event: null },
  { type: "CUSTOM", name: "n", value: null, ...s }, { type: "CUSTOM", name: "", value: [values] },
  { type: "REASONING_START", messageId: "m", ...s }, { type: "REASONING_END", messageId: "m" },
  { type: "REASONING_MESSAGE_START", messageId: "m", role: "reasoning", ...s }, { type: "REASONING_MESSAGE_CONTENT", messageId: "m", delta: "", ...s },
  { type: "REASONING_MESSAGE_END", messageId: "m" }, { type: "REASONING_MESSAGE_CHUNK" }, { type: "REASONING_MESSAGE_CHUNK", messageId: "m", delta: "d", ...s },
  { type: "REASONING_ENCRYPTED_VALUE", subtype: "tool-call", entityId: "c", encryptedValue: "v", ...s },
  { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "n", description: "", parentSubagentRunId: "p", parentToolCallId: "c", parentMessageId: "m" }, { type: "SUBAGENT_STARTED", subagentRunId: "", name: "" },
  { type: "SUBAGENT_FINISHED", subagentRunId: "s" }, { type: "SUBAGENT_FINISHED", subagentRunId: "s", result: null, outcome: { type: "success" } },
  { type: "SUBAGENT_FINISHED", subagentRunId: "s", result: {}, outcome: { type: "suspended", interruptIds: ["i"] } }, { type: "SUBAGENT_FINISHED", subagentRunId: "s", outcome: { type: "suspended" } },
  { type: "SUBAGENT_ERROR", subagentRunId: "s", message: "" }, { type: "SUBAGENT_ERROR", subagentRunId: "s", message: "m", code: "c" },
];
const edges = [
  { type: "RUN_STARTED", threadId: "t", runId: "r", input: { threadId: "t", runId: "r", messages: [] } },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "interrupt", interrupts: [] } },
  { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "paused" }, usage: [] },
  { type: "SUBAGENT_FINISHED", subagentRunId: "s", outcome: { type: "lost", interruptIds: ["i"] } },
  { type: "MESSAGES_SNAPSHOT", messages: [{ id: "1", role: "critic", content: "c", toolCalls: [] }, { id: "2", role: "critic", content: parts }, { id: "", role: "user" }] },
  { type: "CUSTOM", name: "n" }, { type: "STATE_SNAPSHOT" }, { type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c" },
  { type: "STATE_DELTA", delta: [{ op: "add", path: "/a" }, { op: "move", path: "/a" }] },
];

console.warn = () => {};
const write = (name, events, json) => {
  writeFileSync(`${name}.pb`, Buffer.concat(events.map((event) => encoder.encodeProtobuf(event))));
  writeFileSync(`${name}.json`, `[\n${events.map((event) => JSON.stringify(json(event))).join(",\n")}\n]\n`);
};
write("every-event", every, sse);
write("edges", edges, (event) => decode(encoder.encodeProtobuf(event).slice(4)));
