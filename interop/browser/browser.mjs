// A browser that may open files and nothing else, and what it complains about.
import { chromium } from "playwright-core";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export async function launch(executablePath) {
  return chromium.launch({ executablePath, args: FLAGS, timeout: 30_000 });
}

// Opens a report; everything that should not happen is noted in `complaints`.
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 960 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(`console ${message.type()}: ${message.text()}`); });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("popup", () => complaints.push("a window was opened"));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`); });
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(() => { globalThis.openedAfter = performance.now(); })));
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(address);
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  return { context, page, complaints };
}

// Opens everything that folds in the test that is shown, and what is folded inside.
export async function openAll(page) {
  for (let depth = 0; depth < 4; depth += 1) {
    await page.evaluate(async () => {
      for (const fold of document.querySelectorAll(".detail details:not([open])")) fold.open = true;
      await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
    });
  }
}

export async function close({ context, page, complaints }) {
  const violations = await page.evaluate(() => globalThis.violations);
  await context.close();
  return [...complaints, ...violations.map((violation) => `policy: ${violation}`)];
}
