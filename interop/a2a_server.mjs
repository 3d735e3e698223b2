// An A2A 1.0 agent on @a2a-js/sdk: JSON-RPC at `/`, HTTP+JSON at `/rest`, and 0.3 beside both if asked.
//
//   node a2a_server.mjs --port 0 --compat on --streaming on

import { randomUUID } from "node:crypto";
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";

import { AGENT_CARD_PATH, Role, TaskState } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

import { stepsFor } from "./a2a_words.mjs";
import { options, serve } from "./lifecycle.mjs";

const { port, compat, streaming } = options({ port: "0", compat: "on", streaming: "on" });

/** Plays the steps that the first word of a message chooses. */
class ScriptedAgent {
  #messagesByContext = new Map();
  #canceled = new Set();

  cancelTask = async (taskId) => {
    this.#canceled.add(taskId);
  };

  async execute(request, bus) {
    const number = (this.#messagesByContext.get(request.contextId) ?? 0) + 1;
    this.#messagesByContext.set(request.contextId, number);
    const steps = stepsFor(textOf(request.userMessage), number, request.task !== undefined);
    if (!steps[0].message) {
      // Also a task that goes on has to be shown first: the SDK refuses any other beginning.
      bus.publish(AgentEvent.task(request.task ?? submitted(request)));
    }
    for (const step of steps) {
      if (this.#canceled.delete(request.taskId)) {
        bus.publish(eventOf({ status: "canceled" }, request));
        break;
      }
      if (step.wait) {
        await wait(step.wait * 1000);
      } else if (step.raise) {
        throw new Error(step.raise);
      } else {
        bus.publish(eventOf(step, request));
      }
    }
    bus.finished();
  }
}

function textOf(message) {
  return message.parts.map((part) => (part.content?.$case === "text" ? part.content.value : "")).join("\n");
}

function submitted({ taskId, contextId, userMessage }) {
  const status = { state: TaskState.TASK_STATE_SUBMITTED, timestamp: new Date().toISOString(), message: undefined };
  return { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined };
}

function eventOf(step, { taskId, contextId }) {
  if (step.message) {
    return AgentEvent.message(messageOf(step.message, contextId, ""));
  }
  if (step.artifact) {
    const artifact = {
      artifactId: step.artifact,
      name: step.artifact,
      description: "",
      parts: step.parts.map(partOf),
      metadata: undefined,
      extensions: [],
    };
    const { append, last: lastChunk } = step;
    return AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk, metadata: undefined });
  }
  const state = TaskState[`TASK_STATE_${step.status.toUpperCase().replace("-", "_")}`];
  const message = step.parts && messageOf(step.parts, contextId, taskId);
  const status = { state, timestamp: new Date().toISOString(), message };
  return AgentEvent.statusUpdate({ taskId, contextId, status, metadata: step.metadata });
}

function messageOf(parts, contextId, taskId) {
  return {
    messageId: randomUUID(),
    role: Role.ROLE_AGENT,
    parts: parts.map(partOf),
    contextId,
    taskId,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function partOf(part) {
  const [$case, value] = [
    ["text", part.text],
    ["data", part.data],
    ["raw", part.bytes],
    ["url", part.url],
  ].find(([, content]) => content !== undefined);
  const { metadata, mediaType = "", filename = "" } = part;
  return { content: { $case, value }, metadata, mediaType, filename };
}

function card(address) {
  const bindings = [
    ["JSONRPC", address],
    ["HTTP+JSON", `${address}rest`],
  ];
  const versions = compat === "on" ? ["1.0", "0.3"] : ["1.0"];
  return {
    name: "Scripted agent",
    description: "Does what the first word of a message says.",
    version: "1.2.3",
    provider: undefined,
    documentationUrl: "",
    capabilities: { streaming: streaming === "on", pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [
      {
        id: "weather",
        name: "Weather",
        description: "Tells the weather.",
        tags: ["weather", "tools"],
        examples: ["tool Paris"],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    supportedInterfaces: versions.flatMap((protocolVersion) =>
      bindings.map(([protocolBinding, url]) => ({ url, protocolBinding, protocolVersion, tenant: "" })),
    ),
  };
}

// The card names the port, which is known only once the server listens: the routes are added then.
const app = express();
const server = http.createServer(app);
server.once("listening", () => {
  const described = card(`http://127.0.0.1:${server.address().port}/`);
  const requestHandler = new DefaultRequestHandler(described, new InMemoryTaskStore(), new ScriptedAgent());
  const common = { userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: compat === "on" } };
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler, ...common }));
  app.use("/rest", restHandler({ requestHandler, ...common }));
  app.use("/", jsonRpcHandler({ requestHandler, ...common }));
});
serve(server, port);
