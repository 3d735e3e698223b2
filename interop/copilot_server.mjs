// The CopilotKit runtime in front of another AG-UI server, as agent `shop`.
//
//   node copilot_server.mjs --port 0 --agent http://127.0.0.1:8001/ --mode single-route
//   node copilot_server.mjs --port 0 --agent http://127.0.0.1:8001/ --mode multi-route

import http from "node:http";
import process from "node:process";

import { HttpAgent } from "@ag-ui/client";

import { options, serve } from "./lifecycle.mjs";

const MODES = ["single-route", "multi-route"];
const { port, agent, mode } = options({ port: "0", agent: "http://127.0.0.1:8001/", mode: "single-route" });
if (!MODES.includes(mode)) {
  process.stderr.write(`expected --mode ${MODES.join(" or --mode ")}\n`);
  process.exit(2);
}

// The runtime reads this while it is loaded, so it cannot be an import at the top.
process.env.COPILOTKIT_TELEMETRY_DISABLED = "true";
const { CopilotRuntime, InMemoryAgentRunner } = await import("@copilotkit/runtime/v2");
const { createCopilotNodeListener } = await import("@copilotkit/runtime/v2/node");

const listener = createCopilotNodeListener({
  // The runner keeps every thread in memory, which is what `connect` replays.
  runtime: new CopilotRuntime({ agents: { shop: new HttpAgent({ url: agent }) }, runner: new InMemoryAgentRunner() }),
  basePath: "/",
  mode,
});
serve(http.createServer(listener), port);
