// A plain Node server on @ag-ui/encoder: the encoder alone decides between SSE and protobuf.
//
//   node encoder_server.mjs --port 0

import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";

import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { EventEncoder } from "@ag-ui/encoder";

import { eventsFor } from "./encoder_words.mjs";
import { options, serve } from "./lifecycle.mjs";

const ROLES = ["developer", "system", "user", "assistant", "tool", "reasoning", "activity"];
const PARTS = ["text", "image", "audio", "video", "document"];

const { port } = options({ port: "0" });
serve(http.createServer((request, response) => answer(request, response).catch(console.error)), port);

async function answer(request, response) {
  if (request.method !== "POST") {
    return refuse(response, 405, "only POST", { allow: "POST" });
  }
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    return refuse(response, 415, "the body must be application/json");
  }
  let input;
  try {
    input = JSON.parse(await bodyOf(request));
  } catch {
    return refuse(response, 400, "the body is not JSON");
  }
  const mistake = mistakeIn(input);
  if (mistake) {
    return refuse(response, 400, mistake);
  }

  const { events, raw, pause } = eventsFor(input);
  // Retired event types have no protobuf form, so a raw script is always SSE.
  const encoder = new EventEncoder({ accept: raw ? undefined : request.headers.accept });
  response.writeHead(200, { "content-type": encoder.getContentType(), "cache-control": "no-cache" });
  for (const event of events) {
    if (response.destroyed) {
      return;
    }
    response.write(raw ? `data: ${JSON.stringify(event)}\n\n` : encoder.encodeBinary(event));
    if (pause) {
      await wait(pause);
    }
  }
  response.end();
}

/**
 * Returns what is malformed in the input. What this version does not know (properties, roles, parts)
 * is no mistake: it is left out before the schema sees the input.
 */
function mistakeIn(input) {
  if (!Array.isArray(input?.messages)) {
    return "messages: expected an array";
  }
  const checked = RunAgentInputSchema.safeParse({ ...input, messages: input.messages.filter(hasKnownRole).map(knownParts) });
  return checked.error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
}

function hasKnownRole(message) {
  return typeof message?.role !== "string" || ROLES.includes(message.role);
}

function knownParts(message) {
  const { content } = Object(message);
  const isKnown = (part) => typeof part?.type !== "string" || PARTS.includes(part.type);
  return Array.isArray(content) ? { ...message, content: content.filter(isKnown) } : message;
}

function refuse(response, status, message, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(`${JSON.stringify({ error: message })}\n`);
}

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
