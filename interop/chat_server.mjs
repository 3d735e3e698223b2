// An OpenAI-compatible endpoint that we did not write: aimock, with a few answers.
//
//     node chat_server.mjs --port 0
//
// It streams, calls tools, and plays the model behind a simulator, a judge and a generator.

import process from "node:process";
import { LLMock } from "@copilotkit/aimock";
import { options } from "./lifecycle.mjs";

const { port } = options({ port: "0" });
const mock = new LLMock({ port: Number(port), host: "127.0.0.1" });

const json = (value) => ({ content: JSON.stringify(value) });

// A judge is told so by its prompt.
mock.addFixture({
  match: { systemMessage: "You judge answers", userMessage: "pydantic" },
  response: json({ passed: true, reason: "it names the framework" }),
});
mock.addFixture({
  match: { systemMessage: "You judge answers" },
  response: { content: 'My verdict:\n```json\n{"passed": false, "reason": "it names no framework"}\n```' },
});

// A simulated user: the turn decides.
const says = (turn, reply) =>
  mock.addFixture({ match: { systemMessage: "You play a user", userMessage: `"turn_number":${turn}` }, response: json(reply) });
says(1, { input: "remember 42", goal_achieved: false });
says(2, { input: "What is the weather in Rome?", goal_achieved: false });
says(3, { input: "What did I say?", goal_achieved: false });
says(4, { message: "", goal_achieved: true, reasoning: "everything was seen" });

mock.addFixture({
  match: { systemMessage: "You write test cases" },
  response: {
    content: JSON.stringify({
      cases: [
        { id: "g1", input: "hello", assert: { type: "contains", value: "Hello" } },
        { id: "g2", input: "hello", asserts: [] },
        { id: "g3", input: "hello", assertions: [{ type: "contains", value: "pydantic" }] },
      ],
    }),
  },
});
mock.addFixture({
  match: { systemMessage: "You write reports" },
  response: { content: "# What happened\n\nEverything passed.\n" },
});

mock.addFixture({
  match: { userMessage: "weather", hasToolResult: false },
  response: { toolCalls: [{ name: "get_weather", arguments: '{"city":"Rome"}' }] },
});
mock.addFixture({
  match: { userMessage: "weather", hasToolResult: true },
  response: { content: "It is sunny in Rome." },
});
mock.onMessage("refuse me", { error: { message: "the key is wrong", type: "invalid_request_error" }, status: 401 });
mock.onMessage("hello", { content: "Hello from the mock." });

const url = await mock.start();
process.stdout.write(`listening on ${url.replace(/\/$/, "")}/\n`);
const leave = () => process.exit(0);
for (const name of ["SIGTERM", "SIGINT"]) {
  process.on(name, leave);
}
for (const name of ["end", "close", "error"]) {
  process.stdin.on(name, leave);
}
process.stdin.resume();
