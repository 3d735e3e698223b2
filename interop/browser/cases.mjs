// Cases that were run five times each: what was asked, what came of each run, and what they say together.
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

const caseAt = (address, id) => `${address}#test=${encodeURIComponent(`tests/inputs.jsonl#${id}`)}`;
const shown = (page) => page.locator("#shown").textContent();

export const casesChecks = {
  "cases have their ids, the run its environment": (browser, address) => inPage(browser, address, async (page) => {
    const facts = await page.locator("#facts").textContent();
    for (const fact of ["Usertest-user", "Teamtest-team", "Localeen-us", "Connectordeepseek.v3", "5 of each test, 25 in all, 52.0 % passed: 1 Stable, 1 Mostly Stable, 1 Unstable, 2 Highly Unstable"]) assert.ok(facts.includes(fact), `${fact} in ${facts}`);
    const row = page.locator(".row", { hasText: "T001" });
    assert.equal(await row.locator(".row-name > span:first-child").textContent(), "T001");
    assert.ok((await row.locator(".row-sub").textContent()).includes("Extract keywords from: blue mugs on sale"));
    assert.equal(await row.locator(".strip i").count(), 5);
  }),

  "classes filter": (browser, address) => inPage(browser, address, async (page) => {
    await page.selectOption("#class", "mostly_stable");
    assert.equal(await shown(page), "1 of 6 tests");
    assert.equal(await page.locator(".row .badge").textContent(), "Mostly Stable");
    await page.selectOption("#class", "highly_unstable");
    assert.equal(await shown(page), "2 of 6 tests");
    await page.selectOption("#class", "");
    await page.fill("#search", "highly unstable");
    await page.waitForFunction(() => document.getElementById("shown").textContent === "2 of 6 tests");
  }),

  "a case shows its messages, never the content of files": (browser, address) => inPage(browser, caseAt(address, "expense-turn2"), async (page) => {
    assert.equal(await page.locator(".detail-id").textContent(), "expense-turn2 · tests/inputs.jsonl");
    assert.deepEqual(await page.locator(".turn .say .who").allTextContents(), ["system", "user", "assistant", "tool", "user", "agent"]);
    assert.deepEqual(await page.locator(".files .tag").allTextContents(), ["image file://receipts/lunch.png", "file (application/pdf)"]);
    await openAll(page);
    assert.ok(!(await page.content()).includes("U0VDUkVUCg==U0VDUkVUCg=="), "what a file holds is not in the page");
    const meta = await page.locator(".meta").innerText();
    assert.ok(meta.includes("deepseek.v3") && meta.includes("alice"), meta);
  }),

  "assertions show type, value and message": (browser, address) => inPage(browser, caseAt(address, "expense-turn2"), async (page) => {
    const check = await page.locator(".check").first().innerText();
    for (const words of ["tool_called", "an expense must be filed, not only read", "output with \"file_expense\"", "tests/inputs.jsonl:3", "case, test level"]) assert.ok(check.includes(words), `${words} in ${check}`);
    assert.ok((await page.locator(".passed-checks").innerText()).includes("regex"));
  }),

  "runs have their numbers, and each can be opened": (browser, address) => inPage(browser, caseAt(address, "expense-turn2"), async (page) => {
    assert.ok((await page.locator(".stability-line").innerText()).includes("passed 3 of 5 runs"));
    assert.equal(await page.locator(".stability-run").count(), 5);
    const metrics = (await page.locator(".metrics").innerText()).replace(/\s+/g, " ");
    for (const words of ["60.0 %", "Consistency 0.60", "23.0 – 88.3 %", "pass^2 0.3000", "pass^5 0.0000"]) assert.ok(metrics.includes(words), `${words} in ${metrics}`);
    assert.equal(await page.locator('.tab[aria-selected="true"]').innerText().then((text) => text.split("\n")[0]), "Run 2");
    assert.ok((await page.locator(".differed").innerText()).includes("file_expense"));
    await page.locator(".tab").first().click();
    assert.ok((await page.locator(".say.agent").last().innerText()).includes("Filed 12.50 as a meal."));
    assert.equal(await page.locator(".check").count(), 0);
    assert.ok((await page.evaluate(() => location.hash)).endsWith("&run=1"));
    await page.locator(".to-run").first().click();
    assert.ok((await page.locator(".say.agent").last().innerText()).includes("Your lunch cost 12.50."));
    assert.ok(await page.locator(".event").first().isVisible(), "its events are open");
  }),

  "an address opens a run": (browser, address) => inPage(browser, `${caseAt(address, "T004")}&run=3`, async (page) => {
    assert.equal(await page.locator('.tab[aria-selected="true"]').innerText().then((text) => text.split("\n")[0]), "Run 3");
    assert.ok((await page.locator(".say.agent").innerText()).includes("391"));
    assert.ok((await page.locator(".section", { hasText: "Expected" }).last().innerText()).includes("391"));
  }),

  "hostile cases stay text": (browser, address) => inPage(browser, caseAt(address, "<b>T005</b>\u202e"), async (page) => {
    await openAll(page);
    assert.equal(await page.locator(".detail img, .detail b b, .row b").count(), 0);
    assert.ok((await page.locator(".detail-id").textContent()).includes(String.raw`<b>T005</b>\u{202e}`));
    const text = await page.evaluate(() => document.body.innerText);
    assert.ok(!/[\u202a-\u202e]/.test(text));
  }),

  "exports hold the runs": (browser, address) => inPage(browser, address, async (page) => {
    const save = async (button) => {
      const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
      return readFile(await file.path(), "utf8");
    };
    const { results } = JSON.parse(await save("#export-json"));
    const receipt = results.find((result) => result.id === "expense-turn2");
    assert.deepEqual([receipt.file, receipt.pass_rate, receipt.stability_class, receipt.run_details.length], ["tests/inputs.jsonl", 60, "unstable", 5]);
    assert.deepEqual(receipt.input.at(-1).attachments, ["image file://receipts/lunch.png", "file (application/pdf)"]);
    assert.deepEqual(results.find((result) => result.id === "T001").expected, { keywords: ["blue", "mugs", "sale"] });
    assert.ok((await save("#export-csv")).includes("tests/inputs.jsonl#expense-turn2"));
    assert.ok((await save("#export-md")).includes("failed, passed 3 of 5 runs | expense-turn2: the receipt"));
  }),

  "cases in light, dark and small": async (browser, address, { shots }) => {
    const looks = [["light", {}], ["dark", {}], ["light", { viewport: { width: 420, height: 860 } }]];
    for (const [colorScheme, options] of looks) {
      await inPage(browser, caseAt(address, "expense-turn2"), async (page) => {
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.ok(!isWide, "nothing sticks out");
        const name = options.viewport ? "small" : colorScheme;
        if (!shots) return;
        await page.screenshot({ path: join(shots, `html-cases-${name}.png`) });
        await page.evaluate(() => document.querySelector(".turn").scrollIntoView());
        await page.screenshot({ path: join(shots, `html-cases-${name}-turn.png`) });
      }, { colorScheme, ...options });
    }
  },
};
