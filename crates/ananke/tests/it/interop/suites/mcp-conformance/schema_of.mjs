// Prints the input schema of a tool, as a report of ananke holds it: {"SCHEMA": …}.
//
//   node schema_of.mjs ANANKE VERSION URL TOOL

import { execFileSync } from "node:child_process";
import process from "node:process";

const [ananke, version, url, tool] = process.argv.slice(2);
const args = ["run", "seen/tools.test.yaml", "--json", "--allow-unchecked", "--target", version, "--var", `URL=${url}`];
const report = JSON.parse(execFileSync(ananke, args, { encoding: "utf8" }));
const [turn] = report.results[0].turns;
const found = turn.data.tools.find(({ name }) => name === tool);
process.stdout.write(JSON.stringify({ SCHEMA: found.inputSchema }));
