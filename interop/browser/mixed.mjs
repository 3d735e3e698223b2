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
    assert.equal(await page.locator("#verdict span").textContent(), "7 of 46 tests failed");
    assert.equal(await page.locator("#verdict small").first().textContent(), "46 tests, 54 results, in 48.31 s");
    const counts = await page.locator(".count").allTextContents();
    assert.deepEqual(counts, ["46all", "37passed", "5failed", "1error", "1timeout", "1inconclusive", "1skipped", "1flaky"]);
    const facts = await page.locator("#facts").textContent();
    for (const fact of ["20261115-115353-7f3a2b1c", "shop (http://127.0.0.1:8000/agui)", "ananke.config.yaml", "2026-11-15 11:53:53 UTC", "linux x86_64"]) assert.ok(facts.includes(fact), fact);
  }),

  "status, tag, agent and order filter": (browser, address) => inPage(browser, address, async (page) => {
    await page.click('.count[data-status="t"]');
    assert.equal(await shown(page), "1 of 46 tests");
    assert.deepEqual(await names(page), ["a long summary comes in time"]);
    await page.click('.count[data-status="y"]');
    assert.deepEqual(await names(page), ["the answer names the article"]);
    assert.equal(await page.getAttribute('.count[data-status="y"]', "aria-pressed"), "true");
    await page.click('.count[data-status=""]');
    await page.selectOption("#tag", "refunds");
    assert.deepEqual(await names(page), ["a refund above the limit needs an approval"]);
    await page.selectOption("#tag", "");
    await page.selectOption("#target", "support");
    assert.equal(await shown(page), "18 of 46 tests");
    await page.selectOption("#target", "");
    await page.selectOption("#order", "slowest");
    assert.deepEqual((await names(page)).slice(0, 2), ["all mugs are counted", "a long summary comes in time"]);
  }),

  "the search finds words in any order": (browser, address) => inPage(browser, address, async (page) => {
    await page.fill("#search", "staging CATALOG");
    await page.waitForFunction(() => document.getElementById("shown").textContent === "1 of 46 tests");
    await page.fill("#search", "no such thing");
    await page.waitForFunction(() => document.getElementById("shown").textContent === "0 of 46 tests");
    assert.ok((await page.locator("#rows").textContent()).includes("No test matches"));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.getElementById("shown").textContent === "46 tests");
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
    await inPage(browser, `${address}#test=gone%E2%80%AE`, async (page) => {
      assert.ok(await page.locator("#detail").isHidden());
      assert.ok((await page.locator("#missing").innerText()).startsWith("This report has no test gone\\u{202e}."));
      await page.locator(".row").first().click();
      assert.ok(await page.locator("#missing").isHidden());
      await page.evaluate(() => { location.hash = "#test=gone"; });
      await page.waitForFunction(() => !document.getElementById("missing").hidden);
      assert.ok(await page.locator("#detail").isHidden());
    });
  },

  "Back closes a test": (browser, address) => inPage(browser, address, async (page) => {
    const isOpen = () => page.locator("#detail").isVisible();
    const n_steps = await page.evaluate(() => history.length);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    assert.ok(await isOpen());
    await page.goBack();
    assert.ok(!(await isOpen()), "the test is closed and the page is still there");
    await page.goForward();
    assert.ok(await isOpen());
    for (const key of ["Escape", "Enter", "Escape", "Enter", "Escape"]) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => location.hash), "");
    assert.equal(await page.evaluate(() => history.length), n_steps + 1, "many tests are one step");
  }),

  "exports hold what is shown": (browser, address) => inPage(browser, address, async (page) => {
    await page.click('.count[data-status="f"]');
    const json = await download(page, "#export-json");
    assert.equal(json.name, "ananke-20261115-115353-7f3a2b1c.json");
    const { schema, run, results } = JSON.parse(json.text);
    assert.deepEqual([schema, run.run_id], ["ananke.export/1", "20261115-115353-7f3a2b1c"]);
    assert.equal(results.length, 13, "every result of the five tests");
    const refund = results.find((result) => result.id === "tests/refund.test.yaml");
    const forbid = refund.assertions.find((assertion) => assertion.event === 5);
    assert.deepEqual([forbid.check, forbid.turn, forbid.file, forbid.line], ["tools.forbid", 2, "tests/refund.test.yaml", 14]);
    const [first, second] = refund.turns;
    assert.equal(second.tool_calls[1].name, "issue_refund");
    assert.deepEqual(second.tool_calls[0].args, { order_id: 42, kind: "refund" });
    assert.ok(first.tool_calls[0].result.includes("9007199254740993"), "what JSON would change stays text");
    assert.deepEqual([second.turn, second.kind, second.user, second.status, second.timing.first_event_ms], [2, "user", "Yes, and be quick about it!", "finished", 4.5]);
    assert.deepEqual(second.findings[0], { rule: "V8", event: 9, message: "the call `send_mail` has no result" });
    const csv = await download(page, "#export-csv");
    assert.equal(csv.text.split("\r\n").length, 15);
    assert.ok(csv.text.includes(`"'=HYPERLINK(""http`), "a formula is text");
    assert.equal(csv.text.split("\r\n").filter((line) => line.startsWith("tests/stock.test.yaml,")).map((line) => line.split(",").at(-1)).join(""), "123456789");
    const md = await download(page, "#export-md");
    assert.ok(md.text.includes("| failed | a refund above the limit needs an approval |"));
    assert.ok(md.text.includes("| failed, passed 7 of 9 runs | the blue mug is in stock |"));
    assert.ok(md.text.includes("46 tests, 54 results: 37 passed, 5 failed"));
    assert.ok(!md.text.includes("<script>") && !md.text.includes("<img"));
    const hidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
    for (const [name, { text }] of Object.entries({ json, csv, md })) assert.ok(!hidden.test(text.replaceAll("می\u200cخواهم", "").replaceAll("👩\u200d🚀", "")), `${name} holds ${JSON.stringify(hidden.exec(text)?.[0])}`);
    assert.ok(csv.text.includes(String.raw`"\u{7}\u{1b}[31m\u{8}"`.replaceAll('"', '""')), "as a terminal shows it");
    assert.ok(csv.text.includes(String.raw`\u{202e}gnp.ecioviot \u{2066}x\u{0}\u{7f}`));
    assert.ok(md.text.includes(String.raw`\\u\{202e\}gnp`));
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
    assert.equal(await page.locator(".row").count(), 46);
    assert.ok(await page.locator("#print-note").isHidden());
    assert.ok(await page.locator(".tools").isHidden());
    assert.ok(await page.locator("#verdict").isVisible());
    const [last, list] = await Promise.all([page.locator(".row").last().boundingBox(), page.locator("#list").boundingBox()]);
    assert.ok(last.y + last.height <= list.y + list.height + 1, "no row is cut off");
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.keyboard.press("Escape");
    assert.ok((await page.locator(".row").count()) < 46, "back on the screen only rows in sight are elements");
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

  "a very small window cuts nothing off": async (browser, address, { shots }) => {
    const viewport = { width: 375, height: 800 };
    await inPage(browser, address, async (page) => {
      assert.ok(await page.locator("#facts").isHidden());
      await page.click("#about > summary");
      const [last, tools] = await Promise.all([page.locator(".fact").last().boundingBox(), page.locator(".tools").boundingBox()]);
      assert.ok(last.y + last.height <= tools.y, "every fact is there");
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!isWide, "nothing sticks out");
      if (shots) await page.screenshot({ path: join(shots, "html-small.png") });
    }, { viewport });
    for (const id of ["refund", "quick", "busy"]) {
      await inPage(browser, `${address}#test=tests%2F${id}.test.yaml`, async (page) => {
        await page.waitForSelector(".timeline");
        const trouble = await page.evaluate(() => {
          const found = [];
          for (const timeline of document.querySelectorAll(".timeline")) {
            const card = timeline.getBoundingClientRect();
            for (const element of timeline.querySelectorAll(".tl-flag, .tl-axis span, .tl-after")) {
              const { left, right, width } = element.getBoundingClientRect();
              if (width && (left < card.left || right > card.right)) found.push(`${element.textContent} is outside of the card`);
            }
            const labels = [...timeline.querySelectorAll(".tl-axis span")].map((element) => [element.textContent, element.getBoundingClientRect()]).filter(([, box]) => box.width);
            labels.slice(1).forEach(([text, box], index) => { if (box.left < labels[index][1].right) found.push(`${text} covers ${labels[index][0]}`); });
          }
          return found;
        });
        assert.deepEqual(trouble, [], id);
        if (shots) {
          await page.evaluate(() => document.querySelector(".timeline").scrollIntoView({ block: "center" }));
          await page.screenshot({ path: join(shots, `html-small-${id}.png`) });
        }
      }, { viewport });
    }
  },
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
