// The web console in a browser: how long a long list takes to show, and how long keys take in a search and in a gate with many rules.
import { openConsole, timesOfKeys } from "./console-page.mjs";
import { measureRuleEditor } from "./rule-editor.mjs";

const LOADS = 5;
const TEXT = "checkout for staff";

/** @param stored how many gates there are */
export async function measureConsole(print, stored) {
  const console = await openConsole();
  if (console === undefined) return print("the web console", "not measured", "needs Chromium");
  const { page } = console;
  try {
    print(`list of ${stored} gates, from its data to its rows`, `${Math.round(await medianRows(page))} ms`, "≤ 500 ms");
    const keys = await timesOfKeys(page, () => page.getByRole("searchbox").pressSequentially(TEXT));
    print("a key in the search of that list, the slowest", `${Math.max(0, ...keys)} ms`, "≤ 50 ms");
    await measureRuleEditor(print, page);
  } finally {
    await console.close();
  }
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
