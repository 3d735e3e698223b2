// The sample with everything in it: summary, filters, keys, export, themes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { close, open } from "./browser.mjs";

async function inPage(browser, address, check, options) {
  const session = await open(browser, address, options);
  const note = await check(session.page);
  assert.deepEqual(await close(session), []);
  return note;
}

const names = (page) => page.locator(".row .row-name > span:first-child").allTextContents();
const shown = (page) => page.locator("#shown").textContent();

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

export const mixedChecks = {
  "the summary counts": (browser, address) => inPage(browser, address, async (page) => {
    assert.equal(await page.locator("#verdict span").textContent(), "6 of 50 tests failed");
    const counts = await page.locator(".count").allTextContents();
    assert.deepEqual(counts, ["50all", "42passed", "4failed", "1error", "1timeout", "1inconclusive", "1skipped", "1flaky"]);
    const facts = await page.locator("#facts").textContent();
    for (const fact of ["20261115-115353-7f3a2b1c", "shop (http://127.0.0.1:8000/agui)", "ananke.config.yaml", "2026-11-15 11:53:53 UTC", "linux x86_64"]) assert.ok(facts.includes(fact), fact);
  }),

  "status, tag, agent and order filter": (browser, address) => inPage(browser, address, async (page) => {
    await page.click('.count[data-status="t"]');
    assert.equal(await shown(page), "1 of 50 tests");
    assert.deepEqual(await names(page), ["a long summary comes in time"]);
    await page.click('.count[data-status="y"]');
    assert.deepEqual(await names(page), ["the answer names the article"]);
    assert.equal(await page.getAttribute('.count[data-status="y"]', "aria-pressed"), "true");
    await page.click('.count[data-status=""]');
    await page.selectOption("#tag", "refunds");
    assert.deepEqual(await names(page), ["a refund above the limit needs an approval"]);
    await page.selectOption("#tag", "");
    await page.selectOption("#target", "support");
    assert.equal(await shown(page), "18 of 50 tests");
    await page.selectOption("#target", "");
    await page.selectOption("#order", "slowest");
    assert.equal((await names(page))[0], "a long summary comes in time");
  }),

  "the search finds words in any order": (browser, address) => inPage(browser, address, async (page) => {
    await page.fill("#search", "staging CATALOG");
    await page.waitForFunction(() => document.getElementById("shown").textContent === "1 of 50 tests");
    await page.fill("#search", "no such thing");
    await page.waitForFunction(() => document.getElementById("shown").textContent === "0 of 50 tests");
    assert.ok((await page.locator("#rows").textContent()).includes("No test matches"));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.getElementById("shown").textContent === "50 tests");
  }),

  "keys move, open, close and help": (browser, address) => inPage(browser, address, async (page) => {
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    assert.equal(await page.locator(".row.active").count(), 1);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".detail h2").textContent(), "a refund above the limit needs an approval");
    await page.keyboard.press("f");
    assert.ok((await page.locator(".detail h2").textContent()).startsWith("=HYPERLINK"));
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#detail").isHidden());
    await page.keyboard.press("/");
    assert.ok(await page.evaluate(() => document.activeElement.id === "search"));
    await page.keyboard.type("j?");
    assert.equal(await page.inputValue("#search"), "j?");
    await page.keyboard.press("Escape");
    await page.locator("#list").focus();
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible());
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#help").isHidden());
    await page.locator("#search").focus();
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none", "focus can be seen");
  }),

  "an address opens a test": async (browser, address) => {
    await inPage(browser, `${address}#test=tests%2Fflaky.test.yaml`, async (page) => {
      assert.equal(await page.locator(".detail h2").textContent(), "the answer names the article");
      assert.ok(await page.locator(".row.active").isVisible());
      await page.evaluate(() => { location.hash = "#test=tests%2Fstock.test.yaml&run=4"; });
      await page.waitForFunction(() => document.querySelector(".detail h2")?.textContent === "the blue mug is in stock");
      assert.equal(await page.locator(".detail-head .badge").first().textContent(), "failed");
      await page.keyboard.press("Escape");
      assert.equal(await page.evaluate(() => location.hash), "");
    });
    await inPage(browser, `${address}#test=gone`, async (page) => assert.ok(await page.locator("#detail").isHidden()));
  },

  "exports hold what is shown": (browser, address) => inPage(browser, address, async (page) => {
    await page.click('.count[data-status="f"]');
    const json = await download(page, "#export-json");
    assert.equal(json.name, "ananke-20261115-115353-7f3a2b1c.json");
    const { results } = JSON.parse(json.text);
    assert.equal(results.length, 4);
    assert.equal(results[0].assertions.find((assertion) => assertion.event === 5).check, "tools.forbid");
    assert.equal(results[0].turns[1].tool_calls[1].name, "issue_refund");
    const csv = await download(page, "#export-csv");
    assert.equal(csv.text.split("\r\n").length, 6);
    assert.ok(csv.text.includes(`"'=HYPERLINK(""http`), "a formula is text");
    const md = await download(page, "#export-md");
    assert.ok(md.text.includes("| failed | a refund above the limit needs an approval |"));
    assert.ok(!md.text.includes("<script>") && !md.text.includes("<img"));
  }),

  "light and dark, by preference and by button": async (browser, address, { shots }) => {
    const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const seen = [];
    for (const colorScheme of ["light", "dark"]) {
      await inPage(browser, `${address}#test=tests%2Frefund.test.yaml`, async (page) => {
        seen.push(await ground(page));
        await contrasts(page, colorScheme);
        if (shots) {
          await page.screenshot({ path: join(shots, `html-${colorScheme}.png`) });
          await page.evaluate(() => document.querySelector('[data-turn="1"]').scrollIntoView());
          await page.screenshot({ path: join(shots, `html-${colorScheme}-turn.png`) });
        }
        await page.click("#theme");
        seen.push(await ground(page));
      }, { colorScheme });
    }
    assert.equal(seen[0], seen[3]);
    assert.equal(seen[1], seen[2]);
    assert.notEqual(seen[0], seen[1]);
  },

  "paper has every row": (browser, address) => inPage(browser, address, async (page) => {
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".row").count(), 50);
    assert.ok(await page.locator(".tools").isHidden());
    assert.ok(await page.locator("#verdict").isVisible());
    const [last, list] = await Promise.all([page.locator(".row").last().boundingBox(), page.locator("#list").boundingBox()]);
    assert.ok(last.y + last.height <= list.y + list.height + 1, "no row is cut off");
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.keyboard.press("Escape");
    assert.ok((await page.locator(".row").count()) < 50, "back on the screen only rows in sight are elements");
  }, { viewport: { width: 794, height: 1123 } }),

  "a small window shows one thing at a time": (browser, address) => inPage(browser, address, async (page) => {
    await page.locator(".row").first().click();
    assert.ok(await page.locator("#list").isHidden());
    assert.ok(await page.locator(".detail h2").isVisible());
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.ok(!isWide, "nothing sticks out");
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#list").isVisible());
  }, { viewport: { width: 420, height: 820 } }),
};

// Every visible text has a contrast of at least 4.5 to 1 with what is behind it.
async function contrasts(page, theme) {
  const weak = await page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map((part) => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = rgba(getComputedStyle(at).backgroundColor);
        if (color[3] === 255) return color;
      }
      return [255, 255, 255, 255];
    };
    const found = new Set();
    for (const element of document.querySelectorAll("body *")) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
      if (!hasText || !element.checkVisibility()) continue;
      const [a, b] = [light(rgba(getComputedStyle(element).color)), light(behind(element))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) found.add(`${element.className || element.tagName} ${contrast.toFixed(2)}`);
    }
    return [...found];
  });
  assert.deepEqual(weak, [], theme);
}
