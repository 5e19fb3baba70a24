import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, review, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

/** The server looks for due alert checks once a minute. */
const CHECK_TIMEOUT_MS = 300_000;
const HOUR_MS = 3_600_000;

type Given = Partial<Parameters<ConsoleClient["createAlert"]>[0]["body"]>;

/** An alert on a metric without events, whose sum is 0. */
async function newAlert(api: ConsoleClient, given: Given = {}) {
  const metric = unique("revenue");
  await api.createMetric({ body: { name: metric, type: "sum", metricEvents: [{ name: metric, type: "value" }] } });
  const watched = { alertType: "threshold", metrics: { A: { id: `${metric}::sum` } }, condition: "greater" } as const;
  const body = { name: unique("alert"), ...watched, alertThreshold: 1, windowMs: HOUR_MS, priority: "P3", ...given } as const;
  const { id, name = id } = (await api.createAlert({ body })).data;
  return { id, name, metric };
}
const readAlert = async (api: ConsoleClient, id: string) => (await api.getAlert({ path: { id } })).data;

async function openAlert(page: Page, id: string, search = ""): Promise<void> {
  await page.goto(`alerts/${id}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the alert" })).toBeVisible();
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("an alert that has not been checked yet says so, on its page and in the list", async ({ page }) => {
  const { projectID, api } = await newProject();
  // The server may check an alert before the page shows it. Then another one is created.
  await expect(async () => {
    const { id, name, metric } = await newAlert(api);
    await page.goto(`/projects/${projectID}/alerts/${id}`);
    await expect(page.getByText("Not checked yet").first()).toBeVisible({ timeout: 5_000 });
    await page.getByRole("link", { name: "Alerts" }).first().click();
    const row = page.getByRole("row", { name: new RegExp(name) });
    await expect(row).toContainText(`${metric}value greater than 1`);
    await expect(row).toContainText("Never", { timeout: 5_000 });
  }).toPass();
});

test("the definition is edited, reviewed in words and saved", { tag: NIGHT }, async ({ api, page, expectFault }) => {
  const { id } = await newAlert(api, { condition: "less", alertThreshold: 10 });
  await openAlert(page, id, "?tab=definition");
  await choose(page, page.getByRole("button", { name: /Window/ }), "5 minutes");
  await page.getByLabel("Warning threshold").fill("5");
  await page.keyboard.press("Tab");
  await page.getByText("An alert", { exact: true }).click();
  await page.getByLabel("Message in repeated reports").fill("Still too low.");
  await expectAccessible(page);
  // The server refuses it, and the review says why.
  expectFault(/^400: POST \/console\/v1\/batch/);
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const refused = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(refused).toContainText("must be greater than alertThreshold");
  await refused.getByRole("button", { name: "Show where" }).click();
  await expect(page.getByLabel("Warning threshold")).toHaveAccessibleDescription(/Must be greater than alertThreshold/);
  await page.getByLabel("Warning threshold").fill("20");
  await page.keyboard.press("Tab");
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByLabel("Message").fill("Call the provider.");
  await expectAccessible(page);
  const dialog = await review(page);
  for (const change of ["Window: 1 hour → 5 minutes", "Warning threshold: none → 20", "Time between reports: none → 4 hours"])
    await expect(dialog).toContainText(change);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect(await readAlert(api, id)).toMatchObject({
    ...{ windowMs: 300_000, warningThreshold: 20, message: "Call the provider." },
    ...{ renotificationConditions: ["raise"], renotificationWindowMs: 4 * HOUR_MS, renotificationMessage: "Still too low." },
  });
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByRole("list", { name: "Versions" }).getByRole("link")).toHaveCount(2);
  await expectAccessible(page);
});

test("an alert is raised, its event says why, and somebody resolves it", async ({ api, page, openBrowser, viewer }) => {
  test.setTimeout(2 * CHECK_TIMEOUT_MS);
  const { id, name, metric } = await newAlert(api, { alertThreshold: -1, message: "Look into it.", windowMs: 30 * 24 * HOUR_MS });
  await openAlert(page, id);
  const events = page.getByRole("table", { name: "Events" }).getByRole("row");
  await expect(events.nth(1)).toContainText("Alert", { timeout: CHECK_TIMEOUT_MS });
  const reason = `The value of ${metric} over the last 30 days is 0, which is greater than the alert threshold of -1.`;
  await expect(events.nth(1)).toContainText(reason);
  await expect(events.nth(1)).toContainText("Look into it.");
  const resolve = page.getByRole("button", { name: "Resolve", exact: true });
  await expect(resolve).toBeVisible({ timeout: CHECK_TIMEOUT_MS });
  await expectAccessible(page);

  const theirs = await openBrowser(signedInAs(viewer));
  await openAlert(theirs, id);
  const refused = theirs.getByRole("button", { name: "Resolve", exact: true });
  await expect(refused).toHaveAttribute("aria-disabled", "true");
  await refused.focus();
  await expect(theirs.getByRole("tooltip")).toContainText("can’t change or resolve alerts");

  await resolve.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Resolve ${name}?` });
  await tabTo(page, dialog.getByLabel("Reason"));
  await page.keyboard.type("It was a drill.");
  await expectAccessible(page);
  await tabTo(page, dialog.getByRole("button", { name: "Resolve" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(events.nth(1)).toContainText("It was a drill.");
  await expect(events.nth(1)).toContainText("by Ada Lovelace");
  await expect(resolve).toBeHidden();
  expect((await readAlert(api, id)).status).toBe("stable");
});

test("in a narrow window nothing scrolls sideways, and a viewer may change nothing", { tag: NIGHT }, async ({
  api,
  viewer,
  openBrowser,
}) => {
  const { id } = await newAlert(api, { renotificationConditions: ["raise"], renotificationWindowMs: 300_000 });
  const page = await openBrowser({ ...signedInAs(viewer), viewport: { width: 390, height: 800 } });
  for (const tab of ["status", "definition", "history", "details"]) {
    await openAlert(page, id, `?tab=${tab}`);
    await expect.poll(() => overflow(page)).toBe(0);
    await expectAccessible(page);
  }
  await expect(page.getByLabel("Message")).toBeDisabled();
  await expect(saveBar(page)).toBeHidden();
});
