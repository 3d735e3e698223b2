// The sample with everything in it: one test opened, and text that wants to be more than text.
import assert from "node:assert/strict";
import { close, open, openAll } from "./browser.mjs";

async function inTest(browser, address, id, check) {
  const session = await open(browser, `${address}#test=${encodeURIComponent(`tests/${id}.test.yaml`)}`);
  await session.page.waitForSelector(".detail h2");
  await check(session.page);
  assert.deepEqual(await close(session), []);
}

const text = (page, selector) => page.locator(selector).first().innerText();

export const mixedDetailChecks = {
  "a failure says what was demanded, seen, and where": (browser, address) => inTest(browser, address, "refund", async (page) => {
    const check = await text(page, ".check");
    for (const words of ["tools.forbid", "issue_refund", "tests/refund.test.yaml:14", "no call of \"issue_refund\"", "1 call", "the policy was checked first", "event #5"]) assert.ok(check.includes(words), words);
    assert.ok((await page.locator(".check").nth(1).innerText()).includes("target level, through limits"));
  }),

  "the failing assertion stands next to its event": (browser, address) => inTest(browser, address, "refund", async (page) => {
    await page.locator(".check .to-event").first().click();
    const event = page.locator('.event.pointed[data-event="5"]');
    assert.ok(await event.isVisible());
    const words = await event.innerText();
    assert.ok(words.includes("TOOL_CALL_START") && words.includes("tools.forbid") && words.includes("got 1 call"), words);
    assert.ok((await page.locator(".event-gap").first().textContent()).includes("14 events left out, from #14"));
    await event.locator(".event-line").click();
    assert.ok((await event.innerText()).includes('"toolCallName": "issue_refund"'));
  }),

  "the timeline shows calls, text, silence and the first token": (browser, address) => inTest(browser, address, "refund", async (page) => {
    const turn = page.locator('[data-turn="1"]');
    assert.equal(await turn.locator(".tl-bar").count(), 3);
    assert.ok((await turn.locator(".tl-ticks path").getAttribute("d")).split("M").length > 10);
    assert.match(await turn.locator(".tl-gap").first().getAttribute("title"), /nothing came for 1\.40 s/);
    assert.deepEqual(await turn.locator(".tl-flag").allTextContents(), ["first event 4.5 ms", "first token 3.16 s"]);
    assert.ok((await turn.locator(".tl-axis span").count()) >= 3);
    const [first, second] = await Promise.all([0, 1].map((number) => turn.locator(".tl-bar").nth(number).boundingBox()));
    assert.ok(second.x > first.x + first.width && second.width > 2 * first.width, "bars stand where they happened");
    await turn.locator(".tl-bar").nth(1).click();
    // A call is filled when it is opened for the first time, which the browser tells a moment later.
    await turn.locator('.call[open][data-call="1"] .json').first().waitFor();
    assert.ok((await turn.locator('.call[open][data-call="1"]').innerText()).includes("rf_8812"));
  }),

  "the JSON viewer opens, closes and keeps digits": (browser, address) => inTest(browser, address, "refund", async (page) => {
    await page.locator('[data-turn="0"] > summary').click();
    const call = page.locator('[data-turn="0"] .call').first();
    await call.locator("summary").click();
    const result = call.locator(".json").nth(1);
    assert.ok((await result.innerText()).includes('"status": "shipped"'));
    assert.ok((await result.innerText()).includes("9007199254740993"), "a large number keeps its digits");
    assert.ok((await result.innerText()).includes("59.90"), "a number is spelled as it was sent");
    const lines = result.locator('.json-toggle:has-text("lines")');
    await lines.click();
    assert.equal(await lines.getAttribute("aria-expanded"), "false");
    await result.locator(".tiny", { hasText: "as sent" }).click();
    assert.ok((await result.locator("pre").innerText()).startsWith('{"id":42,"status"'));
  }),

  "state, interrupts, usage, findings, reasoning and variables are there": (browser, address) => inTest(browser, address, "refund", async (page) => {
    await page.locator('[data-turn="0"] > summary').click();
    // What is folded is filled in when it is opened, which may take a moment.
    await page.waitForFunction(() => /look the order up/i.test(document.querySelector(".detail").innerText));
    const words = (await page.locator(".detail").innerText()).toLowerCase();
    for (const word of ["state", "interrupts", "usage", "protocol findings", "v8", "the call `send_mail` has no result", "reasoning", "look the order up", "variables", "1 request sent", "1 assertion passed"]) assert.ok(words.includes(word), word);
  }),

  "attempts and runs": async (browser, address) => {
    await inTest(browser, address, "flaky", async (page) => {
      assert.equal(await page.locator(".tab").count(), 3);
      assert.ok((await text(page, ".stability")).includes("passed 1 of 3 runs"));
      assert.ok((await text(page, '.tab[aria-selected="true"]')).startsWith("Attempt 3"));
      await page.locator(".tab").first().click();
      assert.ok((await text(page, ".check")).includes('"There is one."'));
    });
    await inTest(browser, address, "stock", async (page) => {
      assert.equal(await page.locator(".row", { hasText: "the blue mug is in stock" }).count(), 1, "one test is one row");
      assert.equal(await page.locator(".detail-head .badge").first().textContent(), "failed", "the run that failed is shown first");
      assert.equal(await page.locator(".stability-run").count(), 9);
      assert.ok((await text(page, ".stability")).includes("78 %"));
      const options = await page.locator(".run-pick option").allTextContents();
      assert.deepEqual([options.length, options[3]], [9, "Run 4: failed in 482 ms"]);
      assert.equal(await page.locator(".run-pick select").inputValue(), "3");
      await page.locator(".run-pick select").selectOption("4");
      assert.equal(await page.locator(".detail-head .badge").first().textContent(), "passed");
      assert.ok((await page.evaluate(() => location.hash)).endsWith("&run=5"));
      await page.locator(".stability-run.s-f").last().click();
      assert.equal(await page.locator(".detail-head .badge").first().textContent(), "failed");
      assert.ok((await page.evaluate(() => location.hash)).endsWith("&run=7"));
    });
  },

  "trouble, timeouts and skips say why": async (browser, address) => {
    await inTest(browser, address, "truncated", async (page) => {
      assert.ok((await text(page, ".banner")).includes("the stream ended before RUN_FINISHED"));
      assert.ok((await text(page, ".detail")).includes("2 of 3 turns not run"));
    });
    await inTest(browser, address, "slow", async (page) => assert.ok((await text(page, ".banner")).includes("still working")));
    await inTest(browser, address, "skipped", async (page) => assert.ok((await text(page, ".banner")).includes("needs the staging catalog")));
    await inTest(browser, address, "undecided", async (page) => assert.ok((await text(page, ".detail")).includes("the pattern took too many steps")));
  },

  "hostile text stays text": (browser, address) => inTest(browser, address, "hostile</script>&test=\"x'", async (page) => {
    await openAll(page);
    for (const line of await page.locator(".event-line").all()) await line.click();
    await page.keyboard.press("?");
    await page.keyboard.press("Escape");
    const made = await page.evaluate(() => ({
      images: document.images.length, bold: document.querySelectorAll(".detail b:not(.foreign):not(.tl-legend b), .row b").length,
      scripts: [...document.scripts].filter((script) => script.type !== "application/json").length, frames: frames.length,
      handlers: [...document.querySelectorAll("*")].filter((element) => [...element.attributes].some((attribute) => /^on/i.test(attribute.name))).length,
      links: [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")), polluted: {}.polluted === undefined,
    }));
    assert.deepEqual(made, { images: 0, bold: 0, scripts: 1, frames: 0, handlers: 0, links: ["#list"], polluted: true });
    const words = await page.locator(".detail").innerText();
    for (const word of ["</script><script>alert(1)</script>", "<b>tool</b>", "not json at all <b>", "{{script}}"]) assert.ok(words.includes(word), word);
  }),

  async "markup made from text is refused by the policy"(browser, address) {
    const session = await open(browser, address);
    const isRefused = await session.page.evaluate(() => { try { document.body.innerHTML = "<b>x</b>"; return false; } catch { return true; } });
    assert.ok(isRefused);
    const isLoaded = await session.page.evaluate(() => new Promise((resume) => {
      const image = new Image();
      image.onload = () => resume(true);
      image.onerror = () => resume(false);
      image.src = "https://example.invalid/x.png";
    }));
    assert.ok(!isLoaded);
    const complaints = await close(session);
    assert.ok(complaints.some((line) => line.includes("img-src")), "the policy forbids requests");
  },
};
