// Tests that stretch the page: very many calls, a turn within a millisecond, text that cannot be seen.
import assert from "node:assert/strict";
import { close, open, openAll } from "./browser.mjs";

async function inTest(browser, address, id, check) {
  const session = await open(browser, `${address}#test=${encodeURIComponent(`tests/${id}.test.yaml`)}`);
  await session.page.waitForSelector(".detail h2");
  await check(session.page);
  assert.deepEqual(await close(session), []);
}

// Returns the hidden characters that are on the page; one test of the sample brought every one there is.
const hiddenIn = (page) => page.evaluate(() => {
  const all = new Set(JSON.parse(document.getElementById("chunk-0").textContent).map((detail) => detail.turns?.[0].u).find((text) => text?.startsWith("\0")));
  if (all.size < 100) return ["the sample holds too few"];
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.nodeType === Node.ELEMENT_NODE) texts.push(node.title ?? "", node.ariaLabel ?? "");
    else if (node.parentElement.tagName !== "SCRIPT") texts.push(node.data);
  }
  const text = texts.join("\n").replaceAll("می\u200cخواهم", "").replaceAll("👩\u200d🚀", "");
  return [...new Set(text)].filter((c) => all.has(c)).map((c) => c.codePointAt(0).toString(16));
});

export const cornerChecks = {
  "calls that are not listed count": (browser, address) => inTest(browser, address, "busy", async (page) => {
    assert.ok((await page.locator(".turn > summary").innerText()).includes("130 calls"));
    assert.ok((await page.locator(".turn-body").innerText()).toLowerCase().includes("the first 100 of 130"));
    assert.equal(await page.locator(".call").count(), 100);
    const lanes = await page.locator(".tl-name").allTextContents();
    assert.deepEqual(lanes.filter(Boolean), ["100 calls", "30 more calls", "text"]);
    assert.equal(await page.locator(".tl-bar.more").count(), 30);
    assert.ok((await page.locator(".tl-legend").innerText()).includes("longest stretch without a call 4.12 s"));
  }),

  "a quick turn happens in order": (browser, address) => inTest(browser, address, "quick", async (page) => {
    assert.deepEqual(await page.locator(".tl-flag").allTextContents(), ["first event 305 µs", "first token 364 µs"]);
    const ticks = (await page.locator(".tl-text path").getAttribute("d")).split("M").filter(Boolean).map((part) => (Number.parseFloat(part) / 1000) * 490);
    assert.deepEqual(ticks.map(Math.round), [364, 454]);
    assert.deepEqual(await page.locator(".tl-axis span").allTextContents(), ["0", "100 µs", "200 µs", "300 µs", "400 µs"]);
    const [mark, tick] = await page.evaluate(() => [".tl-mark.token", ".tl-text path"].map((name) => document.querySelector(name).getBoundingClientRect().left));
    assert.ok(Math.abs(mark - tick) < 2.5, `the first tick stands at the first token: ${mark}, ${tick}`);
  }),

  "what is hidden is shown": (browser, address) => inTest(browser, address, "hidden", async (page) => {
    await openAll(page);
    for (const line of await page.locator(".event-line").all()) await line.click();
    assert.equal(await page.locator(".detail h2").textContent(), String.raw`\u{202e}gnp.ecioviot \u{2066}x\u{0}\u{7f}`);
    assert.equal(await page.locator(".row.active .row-name > span:first-child").textContent(), String.raw`\u{202e}gnp.ecioviot \u{2066}x\u{0}\u{7f}`);
    assert.equal(await page.locator(".meta .tag").textContent(), String.raw`hid\u{200b}den`);
    assert.ok((await page.locator(".check").first().textContent()).includes(String.raw`/invoice\u{202e}fdp/`));
    assert.deepEqual(await hiddenIn(page), []);
    await page.evaluate(() => [...document.querySelectorAll(".tiny")].filter((button) => button.textContent === "as sent").forEach((button) => button.click()));
    assert.deepEqual(await hiddenIn(page), [], "as sent");
    const said = await page.locator(".say.agent .foreign").innerText();
    assert.ok(said.includes("می\u200cخواهم 👩\u200d🚀"), "words and emoji that need a joiner stay whole");
    assert.ok(said.includes(String.raw`pass\u{200d}word a\rb`));
  }),

  "a failure of the whole test names the turn": (browser, address) => inTest(browser, address, "whole", async (page) => {
    const link = page.locator(".check .to-event").first();
    assert.equal(await link.textContent(), "turn 2, event #1");
    await link.click();
    assert.ok(await page.locator('[data-turn="1"] .event.pointed[data-event="1"]').isVisible());
  }),

  "failed rows show their file, tests their whole tags": (browser, address) => inTest(browser, address, "quick", async (page) => {
    const row = page.locator(".row", { hasText: "nothing is deleted twice" });
    assert.equal(await row.locator(".row-file").textContent(), "tests/whole.test.yaml");
    assert.ok((await row.locator(".row-why").textContent()).includes("tools.count"));
    const isCut = await page.locator(".meta .tag").evaluate((tag) => tag.scrollWidth > tag.clientWidth);
    assert.ok(!isCut);
    assert.ok((await page.locator(".meta .tag").innerText()).endsWith("but not for the test itself"));
  }),
};
