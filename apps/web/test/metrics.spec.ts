import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, newGate, reviewAndSave, takeStep } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

type Given = Partial<Parameters<ConsoleClient["createMetric"]>[0]["body"]>;

async function newMetric(api: ConsoleClient, given: Given = {}) {
  const body = { name: unique("revenue"), type: "sum" as const, metricEvents: [{ name: "bought", type: "value" as const }], ...given };
  return (await api.createMetric({ body })).data;
}
const readMetric = async (api: ConsoleClient, id: string) => (await api.getMetric({ path: { id } })).data;

async function openMetric(page: Page, id: string, tab = ""): Promise<void> {
  await page.goto(`metrics/${encodeURIComponent(id)}${tab}`);
  await expect(page.getByRole("tablist", { name: "Parts of the metric" })).toBeVisible();
}

test("the page of an event names the metrics that count it", async ({ page }) => {
  const { projectID, api } = await newProject();
  await newMetric(api, { name: "Buyers" });
  await page.goto(`/projects/${projectID}/events/bought`);
  await expect(page.getByRole("list", { name: "Metrics" }).getByRole("link", { name: "Buyers" })).toBeVisible();
});

test("a ratio is created with both its events, and a sum of metrics with its parts", { tag: NIGHT }, async ({ api, page }) => {
  const [ratio, total] = [unique("ratio"), unique("total")];
  const parts = [await newMetric(api), await newMetric(api)];
  const create = async (name: string, type: RegExp) => {
    await page.goto("metrics");
    await page.getByRole("button", { name: "Create metric" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a metric" });
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await choose(page, dialog.getByRole("button", { name: /Type$/ }), type);
    return dialog;
  };
  const first = await create(ratio, /^Ratio of two events/);
  for (const [label, event] of [
    ["Event", "bought"],
    ["Divided by event", "seen"],
  ] as const) {
    await first.getByRole("combobox", { name: label, exact: true }).fill(event);
    // Closes the suggestions.
    await page.keyboard.press("Tab");
  }
  await first.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("group", { name: "Denominator" }).getByRole("combobox", { name: "Event name" })).toHaveValue("seen");
  const second = await create(total, /^Sum of sums/);
  for (const { name } of parts) await find(page, second.getByRole("combobox", { name: "Add to metrics" }), name);
  await second.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: total, level: 1 })).toBeVisible();
  expect((await readMetric(api, `${total}::composite_sum`)).lineage.metrics.toSorted()).toEqual(parts.map(({ id }) => id).toSorted());
});

test("a refused metric marks its fields, and names no field as the API does", async ({ page, expectFault }) => {
  await page.goto("metrics");
  await page.getByRole("button", { name: "Create metric" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a metric" });
  await dialog.getByLabel("Name", { exact: true }).fill(unique("Refused"));
  expectFault(/^400: POST .*\/metrics$/);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Fix the highlighted fields and try again.");
  await expect(dialog.getByRole("combobox", { name: "Event", exact: true })).toHaveAccessibleDescription(/Enter a value\./);
});

test("a definition is edited by form, reviewed and saved: an event, a condition and a window", async ({ api, page, allowFault }) => {
  // Slow typists see previews of half a condition refused.
  allowFault(/^400: POST .*\/metrics\/preview/);
  const { id } = await newMetric(api);
  await openMetric(page, id);
  const event = page.getByRole("group", { name: "Event 1" });
  await choose(page, event.getByRole("button", { name: /What counts$/ }), "A number in the metadata");
  await expect(event.getByText("Enter the key in the metadata.")).toBeVisible();
  await event.getByLabel("Key in the metadata").fill("amount");
  await event.getByRole("button", { name: "Add condition" }).click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await choose(page, condition.getByRole("button", { name: /Only if$/ }), "User field");
  await condition.getByLabel("Field", { exact: true }).fill("country");
  await condition.getByLabel("Values, one per line").fill("NO\nSE");
  await choose(page, page.getByRole("button", { name: /Events that count$/ }), "A window after it");
  await page.getByLabel("Last day").fill("13");
  await page.getByLabel("Last day").press("Enter");
  await expectAccessible(page);
  await reviewAndSave(page);
  expect(await readMetric(api, id)).toMatchObject({
    metricEvents: [
      {
        ...{ name: "bought", type: "metadata", metadataKey: "amount" },
        criteria: [{ type: "user", column: "country", condition: "in", values: ["NO", "SE"] }],
      },
    ],
    ...{ rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 13 },
  });
});

test("the values of the last days follow the definition while it is edited, with the SQL that computes them", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const logged = (eventName: string, userID: string, value: number) => ({ eventName, user: { userID }, value });
  const events = [logged("bought", "ana", 10), logged("bought", "ana", 2), logged("bought", "ben", 3), logged("ordered", "ana", 0.25)];
  await evaluationApi(key.key ?? "").logEvent({ body: { events } });
  const { id } = await newMetric(api);
  await page.goto(`/projects/${projectID}/metrics/${encodeURIComponent(id)}`);
  const chart = page.getByRole("figure", { name: "Value" });
  await expect(chart).toContainText("15, of 2 units (userID) at last");
  await expectAccessible(page);
  const sql = page.getByText(/with logged as not materialized/);
  await expect(sql).toBeHidden();
  await page.getByText("View SQL").click();
  await expect(sql).toBeVisible();
  const event = page.getByRole("group", { name: "Event 1" });
  await event.getByRole("combobox", { name: "Event name" }).fill("ordered");
  await page.keyboard.press("Tab");
  await expect(chart).toContainText("0.25, of 1 unit (userID) at last");
  await choose(page, event.getByRole("button", { name: /What counts$/ }), "A number in the metadata");
  await expect(page.getByText("Complete the definition to see values.")).toBeVisible();
  expect((await readMetric(api, id)).metricEvents).toEqual([{ name: "bought", type: "value" }]);
});

test("a funnel is drawn with its steps, for a range of days that is compared with the days before", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const start = Date.now() - 60_000;
  const logged = (eventName: string, userID: string, after = 0) => ({ eventName, user: { userID }, time: start + after });
  const views = ["ana", "ben", "cleo", "dan"].map((userID) => logged("viewed", userID));
  const events = [...views, logged("bought", "ana", 1), logged("bought", "eve", 1)];
  await evaluationApi(key.key ?? "").logEvent({ body: { events } });
  const funnelEventList = ["viewed", "bought"].map((name) => ({ name, type: "event_dau" as const }));
  const { id } = await newMetric(api, { type: "funnel", metricEvents: [], funnelEventList });
  await page.goto(`/projects/${projectID}/metrics/${encodeURIComponent(id)}`);
  const funnel = page.getByRole("figure", { name: "Steps" });
  await expect(funnel.getByRole("listitem")).toHaveText(["1. viewed4 (100%)", "2. bought1 (25%) −3 (75% dropped off)"]);
  const tracks = funnel.locator("[class*=track]");
  const [first, second] = await Promise.all([tracks.nth(0).boundingBox(), tracks.nth(1).boundingBox()]);
  expect([second?.x, second?.width]).toEqual([first?.x, first?.width]);
  await funnel.getByText("Show as a table").click();
  await expect(funnel.getByRole("row", { name: "bought" })).toHaveText("bought125%25%3");
  await page.getByText("Compare with previous period").click();
  await expect(page.getByText("25% over the period. No values in the previous period.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("End date").fill("2025-01-31");
  await expect(page.getByText("No units started the funnel on these days.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("End date")).toHaveValue("2025-01-31");
  await expect(page.getByRole("checkbox", { name: "Compare with previous period" })).toBeChecked();
});

test("a metric is archived tonight or not, is deleted, and stays as long as something names it", async ({ api, page, allowFault }) => {
  allowFault(/^404: GET \/console\/v1\/metrics\//);
  const { id, name } = await newMetric(api);
  const gate = await newGate(api, { monitoringMetrics: [{ name, type: "sum" }] });
  await openMetric(page, id, "?tab=used-by");
  await expect(page.getByRole("link", { name: gate.name })).toBeVisible();
  await api.deleteGate({ path: { id: gate.id } });
  await page.reload();
  await takeStep(page, name, "Archive tonight");
  await expect(page.getByText("Will be archived")).toBeVisible();
  expect((await readMetric(api, id)).archiveTime).not.toBeNull();
  await takeStep(page, name, "Cancel archiving");
  await expect(page.getByText("Will be archived")).toBeHidden();
  await takeStep(page, name, "Delete");
  await expect(page).toHaveURL(/\/metrics$/);
  await expect(api.getMetric({ path: { id } })).rejects.toMatchObject({ status: 404 });
});

test("experiments, gates and holdouts name metrics that a search finds", { tag: NIGHT }, async ({ api, page }) => {
  const { name } = await newMetric(api);
  const reference = { name, type: "sum" };
  const gate = await newGate(api);
  await page.goto(`gates/${gate.id}?tab=details`);
  await find(page, page.getByRole("combobox", { name: "Add to monitoring metrics" }), name);
  await reviewAndSave(page);
  expect((await api.getGate({ path: { id: gate.id } })).data.monitoringMetrics).toEqual([reference]);
  const { data: holdout } = await api.createHoldout({ body: { name: unique("holdout"), monitoringMetrics: [reference] } });
  await page.goto(`holdouts/${holdout.id}?tab=details`);
  await page.getByRole("button", { name: `Remove ${name}` }).click();
  await reviewAndSave(page);
  expect((await api.getHoldout({ path: { id: holdout.id } })).data.monitoringMetrics).toEqual([]);
  const { data: experiment } = await api.createExperiment({ body: { name: unique("experiment") } });
  await page.goto(`experiments/${experiment.id}`);
  await expect(page.getByText("Add a primary metric to decide by.")).toBeVisible();
  await find(page, page.getByRole("combobox", { name: "Add to primary metrics" }), name);
  await expect(page.getByText("1 primary metric.")).toBeVisible();
  await expectAccessible(page);
});

test("automatic metrics have a list of their own, a page that only shows them, and are found where metrics are named", {
  tag: NIGHT,
}, async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const events = ["ana", "ben"].map((userID) => ({ eventName: "bought", user: { userID } }));
  await evaluationApi(key.key ?? "").logEvent({ body: { events: [...events, ...events] } });
  await page.goto(`/projects/${projectID}/metrics`);
  await page.getByText("Automatic", { exact: true }).click();
  const kind = page.getByRole("row", { name: /bought/ }).getByRole("gridcell", { name: "All events with a name" });
  await expect(kind).toBeVisible();
  // It is not cut off.
  expect(await kind.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(page.getByText("7 metrics")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("row", { name: /^wau/ }).click();
  await expect(page.getByText(/^The share of days on which units were active within the last 7 days/)).toBeVisible();
  await expect(page.getByText("Gatehouse creates this metric automatically.")).toBeVisible();
  await expect(page.getByRole("figure", { name: "Value" })).toContainText("2, of 2 units (userID) at last");
  await expect(page.getByRole("tab")).toHaveText(["Definition", "Used by", "Comments"]);
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/projects/${projectID}/metrics/${encodeURIComponent("bought::event_count")}`);
  await expect(page.getByRole("figure", { name: "Value" })).toContainText("4, of 2 units (userID) at last");
  const { data: holdout } = await api.createHoldout({ body: { name: "Held out" } });
  await page.goto(`/projects/${projectID}/holdouts/${holdout.id}?tab=details`);
  const chooser = page.getByRole("combobox", { name: "Add to monitoring metrics" });
  for (const name of ["weekly_stickiness", "bought"]) await find(page, chooser, name);
  await reviewAndSave(page);
  expect((await api.getHoldout({ path: { id: holdout.id } })).data.monitoringMetrics).toEqual([
    { name: "weekly_stickiness", type: "user" },
    { name: "bought", type: "event_count" },
  ]);
  await page.goto(`/projects/${projectID}/metrics/${encodeURIComponent("weekly_stickiness::user")}?tab=used-by`);
  await expect(page.getByRole("link", { name: "Held out" })).toBeVisible();
});

test("a viewer sees a metric and may change nothing", { tag: NIGHT }, async ({ api, openBrowser, viewer }) => {
  const { id } = await newMetric(api);
  const page = await openBrowser(signedInAs(viewer));
  await openMetric(page, id);
  await expect(page.getByRole("button", { name: "Add event" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("combobox", { name: "Event name" })).toBeDisabled();
  await expectAccessible(page);
});
