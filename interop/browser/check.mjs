// Opens HTML reports in a real browser and checks what a person would do with them.
//
// node check.mjs --browser /usr/bin/chromium --mixed mixed.html --many many.html --cases cases.html --dynamic dynamic.html --functions functions.html --shots folder
// node check.mjs --browser /usr/bin/chromium --any report.html
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";
import { anyChecks } from "./any.mjs";
import { casesChecks } from "./cases.mjs";
import { cornerChecks } from "./corner.mjs";
import { dynamicChecks } from "./dynamic.mjs";
import { functionsChecks } from "./functions.mjs";
import { manyChecks } from "./many.mjs";
import { mixedChecks } from "./mixed.mjs";
import { mixedDetailChecks } from "./mixed_detail.mjs";

const { values } = parseArgs({ options: { browser: { type: "string" }, mixed: { type: "string" }, many: { type: "string" }, cases: { type: "string" }, dynamic: { type: "string" }, functions: { type: "string" }, any: { type: "string" }, shots: { type: "string" } } });
// A page that hangs fails here, not in whoever waits for this.
setTimeout(() => { console.log("FAIL deadline: the checks took longer than 240 s"); process.exit(1); }, 240_000).unref();
const browser = await launch(values.browser);
let failed = 0;

async function run(checks, path) {
  const address = pathToFileURL(path).href;
  for (const [name, check] of Object.entries(checks)) {
    try {
      const note = await check(browser, address, values);
      console.log(`ok   ${name}${note ? `: ${note}` : ""}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}: ${error.stack}`);
    }
  }
}

if (values.mixed) await run({ ...mixedChecks, ...mixedDetailChecks, ...cornerChecks }, values.mixed);
if (values.many) await run(manyChecks, values.many);
if (values.cases) await run(casesChecks, values.cases);
if (values.dynamic) await run(dynamicChecks, values.dynamic);
if (values.functions) await run(functionsChecks, values.functions);
if (values.any) await run(anyChecks, values.any);
await browser.close();
process.exit(failed ? 1 : 0);
