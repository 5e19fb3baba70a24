// A page of the web console in a browser, which notes when its parts are shown and how long keys take.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { ADMINISTRATOR, root } from "./servers.mjs";

const PLACES = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** The shortest time that the browser reports. It rounds times to 8 ms. */
const SHORTEST_MS = 16;

/** @returns a page with the administrator's session; undefined without a browser */
export async function openConsole() {
  const executablePath = process.env.GATEHOUSE_CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) return undefined;
  const browser = await chromium.launch({ executablePath });
  const { origin } = new URL(root);
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 } });
  const answer = await context.request.post("/console/v1/session", { data: ADMINISTRATOR, headers: { origin } });
  if (!answer.ok()) throw new Error(`The administrator cannot sign in: ${answer.status()}.`);
  const page = await context.newPage();
  // Runs in the page: when the first row of a table or list stands in it, and how long each key took until the next frame.
  await page.addInitScript(() => {
    globalThis.keys = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") globalThis.keys.push(duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
    new MutationObserver((_, observer) => {
      if (document.querySelector("[role=rowheader], [role=grid] h3") === null) return;
      globalThis.rowsAt = performance.now();
      // The first moment when the page has drawn them and is ready for input.
      requestAnimationFrame(() => requestIdleCallback(() => (globalThis.readyAt = performance.now())));
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  return { page, close: () => browser.close() };
}

/** The times from a key to the frame that shows it, ms, in steps of 8 ms. Shorter ones than 16 ms count as 16 ms. */
export async function timesOfKeys(page, type) {
  await page.evaluate(() => globalThis.keys.splice(0));
  const pressed = (await type()) ?? 0;
  // The last typed text is reported after its frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const reported = await page.evaluate(() => globalThis.keys);
  return [...reported, ...Array.from({ length: Math.max(0, pressed - reported.length) }, () => SHORTEST_MS)];
}
