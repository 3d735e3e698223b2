// Functions of scripts: code with a caret, differences, subtests, logs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { close, open, openAll } from "./browser.mjs";

async function inPage(browser, address, check, options) {
  const session = await open(browser, address, options);
  const note = await check(session.page);
  assert.deepEqual(await close(session), []);
  return note;
}

const functionAt = (address, name) => `${address}#test=${encodeURIComponent(`expense/src/setup_test.ts#${name}`)}`;

export const functionsChecks = {
  "a failed assertion has its code, difference, subtests and logs": (browser, address) => inPage(browser, functionAt(address, "TestTotals"), async (page) => {
    assert.equal(await page.locator(".banner").count(), 0, "it is told once");
    const failure = await page.locator(".check").first().innerText();
    for (const words of ["assertion failed: Totals should match", "Equal", "expense/src/setup_test.ts:12:2"]) assert.ok(failure.includes(words), `${words} in ${failure}`);
    assert.equal(await page.locator(".diff-minus").textContent(), "-  \"total\": 12");
    assert.equal(await page.locator(".diff-plus").textContent(), "+  \"total\": 13");
    assert.equal(await page.locator(".caret").textContent(), "\t^^^^^^^^^^^^");
    const columns = await page.evaluate(() => [".code-row.hit .foreign", ".caret"].map((name) => {
      const node = document.querySelector(name).firstChild;
      const range = document.createRange();
      range.setStart(node, 1);
      range.setEnd(node, 2);
      return Math.round(range.getBoundingClientRect().left);
    }));
    assert.equal(columns[0], columns[1], "the caret stands below the call");
    assert.deepEqual(await page.locator(".checkpoint .foreign").allTextContents(), ["TestTotals/cart", "tax", "TestTotals/empty"]);
    assert.deepEqual(await page.locator(".logs > div").allTextContents(), ["asked the shop", "warn it was slow", "error no discount"]);
    assert.ok((await page.locator(".detail").innerText()).includes("9 more logs"));
    await openAll(page);
    assert.ok((await page.locator(".check-details").first().textContent()).includes("at TestTotals expense/src/setup_test.ts:20:5"));
  }),

  "functions that passed or were skipped say little": (browser, address) => inPage(browser, functionAt(address, "TestSystemReady"), async (page) => {
    const text = await page.locator(".detail").innerText();
    assert.ok(text.includes("2 assertions evaluated.") && !text.includes("No turn was run"), text);
    await page.fill("#search", "database");
    await page.waitForFunction(() => document.querySelectorAll(".row").length === 1);
    assert.ok((await page.locator(".row").textContent()).includes("needs a database"));
  }),

  "scripts stay text": (browser, address) => inPage(browser, functionAt(address, "TestHostile"), async (page) => {
    await openAll(page);
    assert.equal(await page.locator(".detail img, .detail script").count(), 0);
    const text = await page.evaluate(() => document.body.innerText);
    assert.ok(!/[\u202a-\u202e]/.test(text));
    assert.ok(text.includes("onerror=alert(2)"));
  }),

  "exports hold what was recorded": (browser, address) => inPage(browser, address, async (page) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#export-json")]);
    const { results } = JSON.parse(await readFile(await file.path(), "utf8"));
    const failed = results.find((result) => result.name === "TestTotals");
    assert.equal(failed.assertion.expected.total, 12);
    assert.deepEqual(failed.logs, ["asked the shop", "warn: it was slow", "error: no discount"]);
    assert.deepEqual(failed.subtests.map((one) => one.status), ["failed", "passed", "skipped"]);
    assert.equal(failed.stack_trace[0].line, 12);
  }),

  "functions in light, dark and small": async (browser, address, { shots }) => {
    for (const [colorScheme, options] of [["light", {}], ["dark", {}], ["light", { viewport: { width: 420, height: 860 } }]]) {
      await inPage(browser, functionAt(address, "TestTotals"), async (page) => {
        assert.ok(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), "nothing sticks out");
        if (shots) await page.screenshot({ path: join(shots, `html-functions-${options.viewport ? "small" : colorScheme}.png`) });
      }, { colorScheme, ...options });
    }
  },
};
