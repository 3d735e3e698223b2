// Cases that a simulator led: checkpoints with ways to their turns, who said what, and every answer of the judges.
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

const caseAt = (address, id) => `${address}#test=${encodeURIComponent(`tests/expense.jsonl#${id}`)}`;

export const dynamicChecks = {
  "rows say how far the conversation came": (browser, address) => inPage(browser, address, async (page) => {
    const row = page.locator(".row", { hasText: "Expense coverage" });
    assert.ok((await row.locator(".row-sub").textContent()).includes("dynamic, 3 turns, 3 checkpoints"));
    assert.ok((await page.locator(".row", { hasText: "Impatient" }).locator(".row-why").textContent()).includes("missing checkpoints: confirm"));
  }),

  "checkpoints lead to their turns and events": (browser, address) => inPage(browser, caseAt(address, "expense"), async (page) => {
    assert.deepEqual(await page.locator(".checkpoint b.mono").allTextContents(), ["ask_type", "call_create", "confirm"]);
    assert.deepEqual(await page.locator(".to-turn").allTextContents(), ["turn 1", "turn 2, event #1", "turn 3"]);
    await page.locator(".to-turn").nth(1).click();
    const event = page.locator('[data-turn="1"] [data-event="1"]');
    assert.ok(await event.isVisible(), "the event is open");
    assert.ok((await event.textContent()).includes("TOOL_CALL_START"));
    await page.locator(".to-turn").nth(0).click();
    assert.ok(await page.locator('[data-turn="0"] .turn-body').isVisible(), "the turn is open");
    assert.equal(await page.locator(".turn > summary .badge.s-p").count(), 3);
  }),

  "messages of the simulator are marked": (browser, address) => inPage(browser, caseAt(address, "expense"), async (page) => {
    await openAll(page);
    assert.deepEqual(await page.locator(".say.user .who").allTextContents(), ["user", "user, played by the simulator", "user, played by the simulator"]);
    assert.ok((await page.locator(".thought").first().textContent()).includes("The agent wants to know the type"));
  }),

  "judges show every answer": (browser, address) => inPage(browser, caseAt(address, "expense"), async (page) => {
    await openAll(page);
    const opinion = await page.locator(".opinion").innerText();
    for (const words of ["tone-judge accepted by 2 of 3", "The agent confirms politely", "It thanks the user", "A little short"]) assert.ok(opinion.includes(words), `${words} in ${opinion}`);
    assert.deepEqual(await page.locator(".opinion .sample b").allTextContents(), ["accepted", "accepted", "refused"]);
  }),

  "what a missing checkpoint waits for is told": (browser, address) => inPage(browser, caseAt(address, "impatient"), async (page) => {
    assert.ok((await page.locator(".banner").first().textContent()).includes("missing checkpoints: confirm"));
    const check = await page.locator(".check").first().innerText();
    for (const words of ["tone-judge", "refused by 2 of 3", "no verdict", "Nothing is confirmed", "checkpoint confirm"]) assert.ok(check.includes(words), `${words} in ${check}`);
    assert.deepEqual(await page.locator(".checkpoint .spread").allTextContents(), ["turn 1", "turn 2, event #1", "not reached", "not reached"]);
    assert.equal(await page.locator(".checkpoint .badge").textContent(), "optional");
  }),

  "simulators and judges stay text": (browser, address) => inPage(browser, caseAt(address, "<b>x</b>"), async (page) => {
    await openAll(page);
    assert.equal(await page.locator(".detail img, .detail b b, .row b").count(), 0);
    const text = await page.evaluate(() => document.body.innerText);
    assert.ok(!/[\u202a-\u202e]/.test(text));
    assert.ok(text.includes("onerror=alert(2)"));
  }),

  "exports hold checkpoints and answers": (browser, address) => inPage(browser, address, async (page) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#export-json")]);
    const { results } = JSON.parse(await readFile(await file.path(), "utf8"));
    const missed = results.find((result) => result.id === "impatient");
    assert.deepEqual(missed.checkpoints.map((one) => [one.id, one.required, one.reached_at_turn, one.passed]), [["ask_type", true, 1, true], ["call_create", true, 2, true], ["confirm", true, null, false], ["thanks", false, null, false]]);
    assert.deepEqual(missed.checkpoints[2].assertions[0].samples.map((sample) => sample.passed), [false, null, false]);
    assert.equal(missed.total_turns, 3);
    assert.equal(missed.turns[1].simulated.reasoning, "The agent wants to know the type");
  }),

  "dynamic cases in light, dark and small": async (browser, address, { shots }) => {
    const looks = [["light", {}], ["dark", {}], ["light", { viewport: { width: 420, height: 860 } }]];
    for (const [colorScheme, options] of looks) {
      for (const id of ["expense", "impatient"]) {
        await inPage(browser, caseAt(address, id), async (page) => {
          const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
          assert.ok(!isWide, "nothing sticks out");
          if (!shots) return;
          const name = options.viewport ? "small" : colorScheme;
          await page.screenshot({ path: join(shots, `html-dynamic-${id}-${name}.png`) });
          await openAll(page);
          await page.evaluate(() => document.querySelector('[data-turn="2"]').scrollIntoView());
          await page.screenshot({ path: join(shots, `html-dynamic-${id}-${name}-turn.png`) });
        }, { colorScheme, ...options });
      }
    }
  },
};
