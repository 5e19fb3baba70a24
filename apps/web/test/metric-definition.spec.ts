import { ConsoleApiError, type ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { AGGREGATIONS, type Aggregation, READ_BY, type WarehouseNative } from "../src/pages/metrics/aggregations.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, review, reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

type Body = Parameters<ConsoleClient["createMetric"]>[0]["body"];

async function newMetric(api: ConsoleClient, given: Partial<Body> = {}) {
  return (await api.createMetric({ body: { name: unique("metric"), type: "user_warehouse", ...given } })).data;
}
async function newSource(api: ConsoleClient): Promise<string> {
  const idTypeMapping = [{ serviceUnitID: "userID", column: "customer_id" }];
  const body = { name: unique("orders"), sql: "select * from orders", timestampColumn: "created_at", idTypeMapping };
  return (await api.createMetricSource({ body })).data.name;
}
const readMetric = async (api: ConsoleClient, id: string) => (await api.getMetric({ path: { id } })).data;

async function openMetric(page: Page, id: string): Promise<void> {
  await page.goto(`metrics/${encodeURIComponent(id)}`);
  await expect(page.getByRole("tablist", { name: "Parts of the metric" })).toBeVisible();
}
const aggregation = (page: Page) => page.getByRole("button", { name: /^(?!What).*Aggregation$/ });
const group = (page: Page, name: string) => page.getByRole("group", { name, exact: true });
const fill = async (page: Page, label: string, text: string) => {
  await page.getByLabel(label, { exact: true }).fill(text);
  // Numbers count once the field is left.
  await page.keyboard.press("Tab");
};
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const BOUGHT = { name: "bought", type: "value" as const };
const CONDITION = { type: "user" as const, column: "country", condition: "in" as const, values: ["NO"] };

/** Every field with a value that the server accepts beside the others. */
const allFields = (source: string): Required<Omit<WarehouseNative, "aggregation">> => ({
  ...{ metricSourceName: source, criteria: [CONDITION], valueColumn: "amount", valueThreshold: 10 },
  ...{ rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 6, waitForCohortWindow: true, cupedAttributionWindow: 14 },
  ...{ winsorizationLow: 0.01, winsorizationHigh: 0.99, winsorizationLowDenominator: 0.01, winsorizationHighDenominator: 0.99 },
  ...{ cap: 100, percentile: 0.9, retentionEnd: 14, retentionLength: 7, numeratorAggregation: "sum", denominatorAggregation: "max" },
  ...{ denominatorMetricSourceName: source, denominatorCriteria: [CONDITION], denominatorValueColumn: "length" },
  ...{ denominatorRollupTimeWindow: "custom", denominatorCustomRollupStart: 1, denominatorCustomRollupEnd: 2 },
  ...{ funnelEvents: [{ name: "seen" }, { name: "Orders", metricSourceName: source, criteria: [CONDITION] }] },
  ...{ funnelCalculationWindow: 3, funnelStartCriteria: "exposure", funnelStrictOrdering: true },
});

test("the server accepts the fields that the page shows for each aggregation, and refuses all others", async ({ api }) => {
  const all = allFields(await newSource(api));
  for (const name of Object.keys(AGGREGATIONS) as Aggregation[]) {
    const read = Object.fromEntries(READ_BY[name].map((field) => [field, all[field]]));
    const create = (fields: Partial<WarehouseNative>) =>
      api.createMetric({
        body: { name: unique("fields"), type: "user_warehouse", dryRun: true, warehouseNative: { aggregation: name, ...fields } },
      });
    expect((await create(read)).data.warehouseNative).toEqual({ aggregation: name, ...read });
    const refused = await create(all).catch((error: unknown) => error);
    if (!(refused instanceof ConsoleApiError)) throw new Error(`${name}: the server accepts every field`);
    const others = Object.keys(all).filter((field) => !(READ_BY[name] as readonly string[]).includes(field));
    const leftOut = refused.errors.filter(({ errorMessage }) => errorMessage.startsWith("must be left out with the aggregation"));
    expect(leftOut.map(({ property }) => property).toSorted()).toEqual(others.map((field) => `warehouseNative.${field}`).toSorted());
  }
});

test("the steps of a funnel are added, moved and removed, by keyboard too", async ({ api, page, allowFault }) => {
  allowFault(/^400: POST .*\/metrics\/preview/);
  const named = await newMetric(api, { type: "event_user", metricEvents: [{ name: "paid" }] });
  const steps = ["seen", "bought"].map((name) => ({ name, type: "event_dau" as const }));
  const { id } = await newMetric(api, { type: "funnel", funnelEventList: steps });
  await openMetric(page, id);
  const down = page.getByRole("button", { name: "Move step 1 down" });
  await tabTo(page, down);
  await page.keyboard.press("Enter");
  // The focus follows the step, which is the last one now.
  await expect(page.getByRole("button", { name: "Move step 2 down" })).toBeFocused();
  await expect(group(page, "Step 1").getByRole("combobox", { name: "Event name" })).toHaveValue("bought");
  await expect(group(page, "Step 2").getByRole("combobox", { name: "Event name" })).toHaveValue("seen");
  await page.getByRole("button", { name: "Add step" }).click();
  const third = group(page, "Step 3");
  await expect(third.getByText("Enter the name of the step.")).toBeVisible();
  await choose(page, third.getByRole("button", { name: /Type$/ }), "A unique-units metric");
  // A name that is typed whole is chosen at once.
  await find(page, third.getByRole("combobox", { name: "Metric name" }), named.name.slice(0, -1));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove step 2" }).click();
  const dialog = await review(page);
  await expect(dialog).toContainText(`Steps : + ${named.name} (metric that counts units), − seen (event)`.replace(" :", ":"));
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect((await readMetric(api, id)).funnelEventList).toEqual([
    { name: "bought", type: "event_dau" },
    { name: named.name, type: "event_user" },
  ]);
  await page.getByRole("button", { name: "Remove step 2" }).click();
  await expect(page.getByText("Add at least two steps.")).toBeVisible();
  await saveBar(page).getByRole("button", { name: "Discard" }).click();
  await choose(page, page.getByRole("button", { name: /Count$/ }), "Each first step");
  await reviewAndSave(page);
  expect(await readMetric(api, id)).toMatchObject({
    funnelCountDistinct: "events",
    funnelEventList: [
      { name: "bought", type: "event_count" },
      { name: named.name, type: "event_count_custom" },
    ],
  });
});

test("a sum becomes a percentile, which drops what it does not read, and the window waits for its end", { tag: NIGHT }, async ({
  api,
  page,
  allowFault,
}) => {
  allowFault(/^400: POST .*\/metrics\/preview/);
  const { id } = await newMetric(api, { metricEvents: [BOUGHT], warehouseNative: { aggregation: "sum", cap: 5, winsorizationHigh: 0.99 } });
  await openMetric(page, id);
  await expect(page.getByLabel("Highest percentile")).toHaveValue("99");
  await choose(page, aggregation(page), /^Percentile/);
  await expect(page.getByLabel("Highest percentile")).toBeHidden();
  await fill(page, "Percentile", "");
  await expect(page.getByText("Enter a percentage between 0 and 100.")).toBeVisible();
  await fill(page, "Percentile", "99.9");
  await choose(page, page.getByRole("button", { name: /Rows that count$/ }), "A window after it");
  await fill(page, "Last day", "13");
  await page.getByText("Count units only after their window ends").click();
  await expectAccessible(page);
  const dialog = await review(page);
  for (const words of [
    "Aggregation: Sum → Percentile",
    "Percentile: none → 99.9%",
    "Daily cap per unit: 5 → none",
    "Last day: none → 13",
  ]) {
    await expect(dialog).toContainText(words);
  }
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  const warehouseNative = {
    ...{ aggregation: "percentile", percentile: 0.999, rollupTimeWindow: "custom" },
    ...{ customRollUpStart: 0, customRollUpEnd: 13, waitForCohortWindow: true },
  };
  expect(await readMetric(api, id)).toMatchObject({ metricEvents: [BOUGHT], warehouseNative });
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText("Aggregation: Sum → Percentile").first()).toBeVisible();
});

test("retention says when units return, and an empty number means the usual one", { tag: NIGHT }, async ({ api, page, allowFault }) => {
  allowFault(/^400: POST .*\/metrics\/preview/);
  const { id } = await newMetric(api, {
    metricEvents: [{ ...BOUGHT, type: "count", criteria: [{ ...CONDITION, values: ["NO", ""] }] }],
    warehouseNative: { aggregation: "retention", retentionEnd: 7, cupedAttributionWindow: 30 },
  });
  await openMetric(page, id);
  await fill(page, "Last day of the return window", "3");
  await expect(page.getByText("Enter at most 3, the last day.")).toBeVisible();
  await fill(page, "Length of the return window", "1");
  await fill(page, "Days that CUPED uses", "");
  await reviewAndSave(page);
  expect(await readMetric(api, id)).toMatchObject({
    metricEvents: [{ name: "bought", type: "count", criteria: [{ ...CONDITION, values: ["NO", ""] }] }],
  });
  expect((await readMetric(api, id)).warehouseNative).toEqual({ aggregation: "retention", retentionEnd: 3, retentionLength: 1 });
});

test("a ratio has an aggregation for each part, and a separate window for the denominator", { tag: NIGHT }, async ({
  api,
  page,
  allowFault,
}) => {
  allowFault(/^400: POST .*\/metrics\/preview/);
  const { id } = await newMetric(api, { metricEvents: [BOUGHT], warehouseNative: { aggregation: "count" } });
  await openMetric(page, id);
  await choose(page, aggregation(page), /^Ratio/);
  const [numerator, denominator] = [group(page, "Numerator"), group(page, "Denominator")];
  await choose(page, numerator.getByRole("button", { name: /Definition$/ }), /^Sum/);
  await choose(page, numerator.getByRole("button", { name: /What counts$/ }), "A number in the metadata");
  await numerator.getByLabel("Key in the metadata").fill("amount");
  await denominator.getByRole("combobox", { name: "Event name" }).fill("seen");
  await page.keyboard.press("Tab");
  await choose(page, denominator.getByRole("button", { name: /Definition$/ }), /^Days/);
  await choose(page, page.getByRole("button", { name: /Rows of the denominator that count$/ }), "Since the first exposure");
  await fill(page, "Highest percentile of the denominator", "99");
  await expectAccessible(page);
  await reviewAndSave(page);
  expect(await readMetric(api, id)).toMatchObject({
    metricEvents: [
      { name: "bought", type: "metadata", metadataKey: "amount" },
      { name: "seen", type: "count" },
    ],
    warehouseNative: {
      ...{ aggregation: "ratio", numeratorAggregation: "sum", denominatorAggregation: "daily_participation" },
      ...{ denominatorRollupTimeWindow: "max", winsorizationHighDenominator: 0.99 },
    },
  });
});

test("rows come from a metric source, and what the server refuses stands at its field", { tag: NIGHT }, async ({
  api,
  page,
  expectFault,
  allowFault,
}) => {
  expectFault(/^(400|404|409): POST /);
  allowFault(/^400: POST .*\/metrics\/preview/);
  const [source, gone] = [await newSource(api), await newSource(api)];
  const { id } = await newMetric(api, { metricEvents: [BOUGHT], warehouseNative: { aggregation: "sum" } });
  await openMetric(page, id);
  await choose(page, page.getByRole("button", { name: /Rows come from$/ }), "A metric source");
  await expect(group(page, "Event 1")).toBeHidden();
  await find(page, page.getByRole("combobox", { name: "Metric source" }), gone);
  await page.getByLabel("Column with the value").fill("amount");
  await page.getByRole("button", { name: "Add condition" }).click();
  const condition = group(page, "Condition 1");
  await condition.getByLabel("Field", { exact: true }).fill("status");
  await choose(page, condition.getByRole("button", { name: /Comparison$/ }), "equals");
  await condition.getByLabel("Value", { exact: true }).fill("paid");
  await api.deleteMetricSource({ path: { name: gone } });
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await page
    .getByRole("dialog", { name: /^Review/ })
    .getByRole("button", { name: "Show where" })
    .click();
  await expect(page.getByRole("combobox", { name: "Metric source" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Metric source" }).fill(source);
  // The chosen one stays in the list.
  await expect(page.getByRole("option")).toHaveText([gone, source]);
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await expect(page.getByRole("combobox", { name: "Metric source" })).toHaveValue(source);
  await reviewAndSave(page);
  expect(await readMetric(api, id)).toMatchObject({
    metricEvents: [],
    warehouseNative: {
      ...{ aggregation: "sum", metricSourceName: source, valueColumn: "amount" },
      criteria: [{ type: "metadata", column: "status", condition: "=", values: ["paid"] }],
    },
  });
});

test("a funnel of rows has conditions, a time for its last step and a start, even in a narrow window", { tag: NIGHT }, async ({
  api,
  page,
  allowFault,
}) => {
  allowFault(/^400: POST .*\/metrics\/preview/);
  const source = await newSource(api);
  const { id } = await newMetric(api, {
    warehouseNative: { aggregation: "funnel", funnelEvents: [{ name: "seen" }, { name: "Orders", metricSourceName: source }] },
  });
  await page.setViewportSize({ width: 390, height: 800 });
  await openMetric(page, id);
  const first = group(page, "Step 1");
  await first.getByRole("button", { name: "Add condition" }).click();
  await first.getByLabel("Field", { exact: true }).fill("page");
  await first.getByLabel("Values, one per line").fill("home\n\nshop");
  await fill(page, "Days for the last step", "3");
  await choose(page, page.getByRole("button", { name: /Funnel entry$/ }), "Every exposed unit");
  await page.getByText("Ignore steps in the same millisecond").click();
  await expect.poll(() => overflow(page)).toBe(0);
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await readMetric(api, id)).warehouseNative).toEqual({
    aggregation: "funnel",
    funnelEvents: [
      { name: "seen", criteria: [{ type: "metadata", column: "page", condition: "in", values: ["home", "shop"] }] },
      { name: "Orders", metricSourceName: source },
    ],
    ...{ funnelCalculationWindow: 3, funnelStartCriteria: "exposure", funnelStrictOrdering: true },
  });
});

test("a viewer sees a definition and may change nothing", { tag: NIGHT }, async ({ api, openBrowser, viewer }) => {
  const funnelEvents = [{ name: "seen" }, { name: "bought" }];
  const { id } = await newMetric(api, { warehouseNative: { aggregation: "funnel", funnelEvents } });
  const page = await openBrowser(signedInAs(viewer));
  await openMetric(page, id);
  await expect(page.getByRole("button", { name: "Add step" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("button", { name: "Move step 1 down" })).toHaveAttribute("aria-disabled", "true");
  await expect(aggregation(page)).toBeDisabled();
  await expect(page.getByLabel("Days for the last step")).toBeDisabled();
  await expectAccessible(page);
});
