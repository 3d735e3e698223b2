// How the Node servers of this folder start and stop.

import process from "node:process";

/** Reads `--name value` pairs; every option that is not given keeps its default. */
export function options(defaults) {
  const given = { ...defaults };
  const words = process.argv.slice(2);
  for (let i = 0; i < words.length; i += 2) {
    const name = words[i].replace(/^--/, "");
    if (!words[i].startsWith("--") || !(name in defaults) || words[i + 1] === undefined) {
      process.stderr.write(`expected ${Object.keys(defaults).map((n) => `--${n} VALUE`).join(" ")}\n`);
      process.exit(2);
    }
    given[name] = words[i + 1];
  }
  return given;
}

/**
 * Listens on 127.0.0.1, says so in one line, and lives until SIGTERM, SIGINT or the end of stdin.
 * The end of stdin is how a test that dies takes its servers along.
 */
export function serve(server, port) {
  server.listen(Number(port), "127.0.0.1", () => {
    process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/\n`);
  });
  const leave = () => process.exit(0);
  process.on("SIGTERM", leave);
  process.on("SIGINT", leave);
  process.stdin.on("end", leave);
  process.stdin.on("close", leave);
  process.stdin.on("error", leave);
  process.stdin.resume();
}
