// What holds for every report: it opens, every test can be looked at, and the browser has nothing to complain about.
import assert from "node:assert/strict";
import { close, open, openAll } from "./browser.mjs";

export const anyChecks = {
  async "every test opens without a complaint"(browser, address) {
    const session = await open(browser, address);
    const { page } = session;
    const n_tests = await page.evaluate(() => JSON.parse(document.getElementById("index").textContent).id.length);
    const n_opened = Math.min(n_tests, 50);
    for (let number = 0; number < n_opened; number += 1) {
      await page.keyboard.press("j");
      if (number === 0) await page.keyboard.press("Enter");
      await openAll(page);
      assert.equal(await page.locator(".detail h2").count(), 1);
    }
    assert.deepEqual(await close(session), []);
    return `${n_opened} of ${n_tests}`;
  },
};
