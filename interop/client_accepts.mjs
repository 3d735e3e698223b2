// Tells which of the official clients get through a stream. One JSON object per line on stdin, `{"id", "body", "breaks"}`:
// the body of an answer as it comes from the server, and whether the connection breaks behind it. One line per stream on
// stdout, in the same order:
// `{"id", "0.0.59": true | false, "1.0.0": true | false, "why": {"1.0.0": "…"}}`.

import { createInterface } from "node:readline";

// Clients warn on the console about all that they leave out or translate; it is nothing that a verdict rests on.
for (const name of ["debug", "error", "info", "log", "warn"]) console[name] = () => {};

const clients = {
  "0.0.59": (await import("ag-ui-client-0")).HttpAgent,
  "1.0.0": (await import("@ag-ui/client")).HttpAgent,
};

// rxjs reports an error that nobody listens to any more from a timer. The run that it belongs to has ended by then.
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});

// No run waits for anything but itself: this is for a client that neither accepts nor refuses.
const LIMIT_MS = 20_000;

function broken(body) {
  const pieces = [new TextEncoder().encode(body)];
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.error(new TypeError("terminated"));
      else controller.enqueue(piece);
    },
  });
}

async function refusal(HttpAgent, body) {
  const agent = new HttpAgent({
    url: "http://127.0.0.1:1/",
    threadId: "t1",
    fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  });
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("neither accepted nor refused")), LIMIT_MS);
  });
  try {
    await Promise.race([agent.runAgent({ runId: "r1" }), late]);
    return null;
  } catch (error) {
    return String(error?.message ?? error).replace(/\s+/g, " ").slice(0, 300);
  } finally {
    clearTimeout(timer);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, body, breaks } = JSON.parse(line);
  const told = { id, why: {} };
  for (const [version, HttpAgent] of Object.entries(clients)) {
    const why = await refusal(HttpAgent, breaks ? broken(body) : body);
    told[version] = why === null;
    if (why !== null) told.why[version] = why;
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
