// @modelcontextprotocol/server-everything, with the manners of the other servers of this folder.
//
//   node everything_server.mjs --transport stdio
//   node everything_server.mjs --transport http --port 0      # at /mcp
//   node everything_server.mjs --transport sse --port 0       # at /sse
//
// By itself it listens on every interface, writes its log to stdout and outlives its parent.

import net from "node:net";
import process from "node:process";

import { options } from "./lifecycle.mjs";

const { port, transport } = options({ port: "0", transport: "stdio" });
const script = { stdio: "stdio", http: "streamableHttp", sse: "sse" }[transport];
if (!script) {
  process.stderr.write("expected --transport stdio, http or sse\n");
  process.exit(2);
}

if (transport !== "stdio") {
  console.log = console.error;
  const listen = net.Server.prototype.listen;
  net.Server.prototype.listen = function listenHere(_port, ...rest) {
    this.once("listening", () => {
      process.stdout.write(`listening on http://127.0.0.1:${this.address().port}/\n`);
    });
    return listen.call(this, Number(port), "127.0.0.1", ...rest.filter((given) => typeof given === "function"));
  };
  const leave = () => process.exit(0);
  process.on("SIGTERM", leave);
  process.stdin.on("end", leave);
  process.stdin.on("close", leave);
  process.stdin.on("error", leave);
  process.stdin.resume();
}

process.argv.splice(2, Infinity, script);
await import("@modelcontextprotocol/server-everything/dist/index.js");
