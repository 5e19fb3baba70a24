// The web console in a browser: how long a long list takes to show, and how long keys take in a search and in a gate with many rules.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { ADMINISTRATOR, call, root } from "./servers.mjs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const RULES = 100;
const CONDITIONS = 10;
const LOADS = 5;
const TEXT = "checkout for staff";

/** @param stored how many gates there are */
export async function measureConsole(print, stored) {
  const executablePath = process.env.GATEHOUSE_CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) return print("the web console", "not measured", "needs Chromium");
  await createManyRules();
  const browser = await chromium.launch({ executablePath });
  try {
    const page = await signedIn(browser);
    print(`list of ${stored} gates, from its data to its rows`, `${Math.round(await medianRows(page))} ms`, "≤ 500 ms");
    const search = await slowestKey(page, () => page.getByRole("searchbox").pressSequentially(TEXT));
    print("a key in the search of that list, the slowest", `${search} ms`, "≤ 50 ms");
    print(`a key in a gate of ${RULES} rules of ${CONDITIONS} conditions, the slowest`, `${await inManyRules(page)} ms`, "≤ 100 ms");
  } finally {
    await browser.close();
  }
}

async function createManyRules() {
  const condition = (index) => ({ type: "custom_field", field: `field_${index}`, operator: "any", targetValue: ["one", "two", "three"] });
  const conditions = Array.from({ length: CONDITIONS }, (_, index) => condition(index));
  const rules = Array.from({ length: RULES }, (_, index) => ({ name: `Rule ${index + 1}`, passPercentage: 50, conditions }));
  await call("POST", "/gates", { name: "many_rules", rules });
}

async function signedIn(browser) {
  const { origin } = new URL(root);
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 } });
  const answer = await context.request.post("/console/v1/session", { data: ADMINISTRATOR, headers: { origin } });
  if (!answer.ok()) throw new Error(`The administrator cannot sign in: ${answer.status()}.`);
  const page = await context.newPage();
  // Runs in the page: when the first row of a table stands in it, and how long each key took until the next frame.
  await page.addInitScript(() => {
    globalThis.keys = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") globalThis.keys.push(duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
    new MutationObserver((_, observer) => {
      if (document.querySelector("[role=rowheader]") === null) return;
      globalThis.rowsAt = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  return page;
}

/** Milliseconds from the end of the answer with the gates to the first row. The first load fills the browser's cache. */
async function medianRows(page) {
  const times = [];
  for (let load = 0; load <= LOADS; load++) {
    await page.goto("/projects/default/gates");
    await page.getByRole("rowheader").first().waitFor();
    const time = await page.evaluate(() => {
      const [data] = performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname === "/console/v1/gates");
      return globalThis.rowsAt - data.responseEnd;
    });
    if (load > 0) times.push(time);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(LOADS / 2)];
}

/** The longest time from a key to the frame that shows it. The browser tells it in steps of 8 ms. */
async function slowestKey(page, type) {
  await page.evaluate(() => globalThis.keys.splice(0));
  await type();
  // The last typed text is reported after its frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return page.evaluate(() => Math.max(0, ...globalThis.keys));
}

async function inManyRules(page) {
  await page.goto("/projects/default/gates/many_rules");
  await page.getByRole("button", { name: `Edit Rule ${RULES / 2}`, exact: true }).click();
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.click();
  return slowestKey(page, () => name.pressSequentially(TEXT));
}
