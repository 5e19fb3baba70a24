import type { ConsoleClient } from "@gatehouse/client";
import { type Page, test as playwright } from "@playwright/test";
import { findBinaries } from "../../../scripts/postgres.mjs";
import { type ShopWarehouse, startShopWarehouse } from "../../server/test/support/shop-warehouse.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, reviewAndSave, saveBar, takeStep } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const DAY_MS = 86_400_000;
const dayBefore = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);
const QUERY = "select customer, company, at, total, city, 'order_paid' as event from orders";
const MAPPING = { event_name: "event", timestamp: "at", unit_id: "customer" };

let shop: ShopWarehouse;

playwright.beforeAll(async () => {
  playwright.skip(findBinaries() === undefined, "the binaries of Postgres");
  shop = await startShopWarehouse();
  await shop.query(
    `insert into orders select 'customer ' || n, 'company', ($1 || 'T10:00:00Z')::timestamptz, n * 1.5, 'Oslo' from generate_series(1, 30) as n`,
    [dayBefore(1)],
  );
});
playwright.afterAll(() => shop?.close());

/** A separate project, since a project has one warehouse. */
async function newConnected(): ReturnType<typeof newProject> {
  const project = await newProject();
  await project.api.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
  return project;
}

async function newSource(api: ConsoleClient, given: Partial<Parameters<ConsoleClient["createIngestionSource"]>[0]["body"]> = {}) {
  const body = { type: "postgres", dataset: "Events", source_name: "orders", query: QUERY, column_mapping: MAPPING, ...given } as const;
  return (await api.createIngestionSource({ body })).data;
}

const readSource = async (api: ConsoleClient) => (await api.getIngestionSource({ path: { name: "orders" } })).data;
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("an empty list says what a source is for, and the keyboard alone creates one after a preview", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newConnected();
  await page.goto(`/projects/${projectID}/ingestion-sources`);
  await expect(page.getByText("No ingestion sources yet")).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole("button", { name: "Create ingestion source" }).first());
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create an ingestion source" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("orders");
  await tabTo(page, dialog.getByLabel("Query"));
  await page.keyboard.type(QUERY);
  await tabTo(page, dialog.getByRole("button", { name: "Preview" }));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("table", { name: "Rows of the source" }).getByRole("row")).toHaveCount(11);
  for (const [label, text] of [
    ["Event column", "event"],
    ["Time column", "at"],
    ["Column with the userID", "customer"],
  ] as const) {
    await tabTo(page, dialog.getByLabel(label));
    await page.keyboard.type(text);
  }
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "orders", level: 1 })).toBeVisible();
  expect(await readSource(api)).toMatchObject({
    ...{ id: "orders", type: "postgres", enabled: true },
    data: { dataset: "Events", query: QUERY, column_mapping: { event_name: "event", timestamp: "at", unit_id: "customer" } },
  });
});

test("without a warehouse no source is created, and a link leads to it", async ({ page, expectFault }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/ingestion-sources`);
  await page.getByRole("button", { name: "Create ingestion source" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an ingestion source" });
  await expect(dialog.getByRole("note")).toContainText("The project has no warehouse");
  await choose(page, dialog.getByRole("button", { name: /Rows become$/ }), "Exposures");
  for (const [label, text] of [
    ["Name", "shown"],
    ["Query", "select 1"],
    ["Experiment column", "experiment"],
    ["Group column", "variant"],
    ["Time column", "at"],
    ["Column with the userID", "customer"],
  ] as const)
    await dialog.getByLabel(label).fill(text);
  expectFault(/^400: POST \/console\/v1\/ingestion$/);
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog.getByRole("note")).toContainText("of which the project has none: connect one first");
  await expectAccessible(page);
  expect((await api.listIngestionSources({})).data).toEqual([]);
  await dialog.getByRole("link", { name: "Open the warehouse" }).click();
  await expect(page.getByText("No warehouse yet")).toBeVisible();
});

test("a source is changed to a table with more columns, a refused column is marked, and a version is restored", { tag: NIGHT }, async ({
  page,
  expectFault,
}) => {
  const { projectID, api } = await newConnected();
  await newSource(api);
  await page.goto(`/projects/${projectID}/ingestion-sources/orders`);
  await expect(page.getByText("Copied days aren’t changed")).toBeHidden();
  await choose(page, page.getByRole("button", { name: /Rows come from$/ }), "A table");
  await expect(page.getByText("Enter the name of the table.")).toBeVisible();
  await page.getByLabel("Table", { exact: true }).fill("orders");
  await expect(page.getByText("Copied days aren’t changed")).toBeVisible();
  await page.getByLabel("Event column").fill("city");
  await page.getByLabel("Value column").fill("price");
  await page.getByRole("button", { name: "Add ID column" }).click();
  const second = page.getByRole("group", { name: "ID column 2" });
  await choose(page, second.getByRole("button", { name: /Unit ID type$/ }), "stableID");
  await second.getByRole("textbox", { name: "Column" }).fill("company");
  await page.getByRole("button", { name: "Add metadata" }).click();
  const metadata = page.getByRole("group", { name: "Metadata 1" });
  await metadata.getByRole("textbox", { name: "Name" }).fill("town");
  await metadata.getByRole("textbox", { name: "Column" }).fill("city");
  expectFault(/^400: POST \/console\/v1\/ingestion\/preview$/);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByLabel("Value column")).toHaveAccessibleDescription(/Names the column price, which the source does not have\./);
  await page.getByLabel("Value column").fill("total");
  await page.getByRole("button", { name: "Preview" }).click();
  const rows = page.getByRole("table", { name: "Rows of the source" });
  await expect(rows.getByRole("columnheader")).toHaveCount(5);
  await expect(rows.getByRole("row")).toHaveCount(11);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await reviewAndSave(page);
  expect((await readSource(api)).data).toEqual({
    ...{ dataset: "Events", source_name: "orders", table: "orders" },
    column_mapping: {
      ...{ event_name: "city", timestamp: "at", unit_id: "customer", ids: { stableID: "company" } },
      ...{ event_value: "total", metadata: { town: "city" } },
    },
  });
  await page.getByRole("tab", { name: "History" }).click();
  await page
    .getByRole("list", { name: "Versions" })
    .getByRole("link", { name: /^Version 1/ })
    .click();
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page.getByRole("dialog", { name: "Restore version 1 of orders" }).getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("Restored version 1")).toBeVisible();
  expect((await readSource(api)).data).toMatchObject({ query: QUERY });
  await takeStep(page, "orders", "Delete");
  await expect(page.getByRole("heading", { name: "Ingestion sources", level: 1 })).toBeVisible();
  await expect(readSource(api)).rejects.toMatchObject({ status: 404 });
});

test("somebody else's save is merged field by field", async ({ page }) => {
  const { projectID, api } = await newConnected();
  await newSource(api);
  await page.goto(`/projects/${projectID}/ingestion-sources/orders`);
  await page.getByText("Copy rows daily").click();
  await api.patchIngestionSource({ path: { name: "orders" }, body: { column_mapping: { ...MAPPING, event_value: "total" } } });
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await page.getByRole("dialog", { name: "There are newer changes" }).getByRole("button", { name: "Merge" }).click();
  const review = page.getByRole("dialog", { name: /^Review/ });
  await expect(review).toContainText("Daily copy off");
  await review.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect(await readSource(api)).toMatchObject({ enabled: false, data: { column_mapping: { event_value: "total" } } });
  await expect(page.getByText("Not copied daily", { exact: true })).toBeVisible();
});

test("a backfill leads to its run, and the copied days show what differs from the warehouse", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newConnected();
  await newSource(api);
  await page.goto(`/projects/${projectID}/ingestion-sources/orders`);
  await page.getByRole("button", { name: "Backfill" }).click();
  const dialog = page.getByRole("dialog", { name: "Backfill orders" });
  await dialog.getByLabel("First day").fill(dayBefore(40));
  await expect(dialog.getByText("You chose 40 days. Choose at most 31.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Start" })).toHaveAttribute("aria-disabled", "true");
  await dialog.getByLabel("First day").fill(dayBefore(2));
  await expect(dialog.getByRole("status")).toHaveText("2 days of 1 source.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Start" }).click();
  await expect(page.getByRole("heading", { name: /^Run of/, level: 1 })).toBeVisible();
  const days = page.getByRole("table", { name: "Days of orders" });
  await expect(days.getByRole("row")).toHaveCount(3);
  await expect(days.getByText("Copied", { exact: true })).toHaveCount(3);
  await expect(days.getByRole("row").nth(2).getByRole("cell")).toHaveText(["Copied", "30", "30", "0", ""]);
  await expect(page.getByText(/^A backfill by Ada/)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Open the source" }).click();
  await page.getByRole("tab", { name: "Copied days" }).click();
  const events = page.getByRole("table", { name: "Events" });
  await expect(events.getByRole("row").nth(1).getByRole("cell")).toHaveText([/^\w+ \d+, \d+$/, "30", "30", "0", "just now"]);
  await shop.query(`insert into orders values (null, null, ($1 || 'T11:00:00Z')::timestamptz, 1, 'Oslo')`, [dayBefore(1)]);
  const { data } = await api.startIngestionBackfill({
    body: { type: "postgres", dataset: "Events", datestamp_start: dayBefore(1), datestamp_end: dayBefore(1) },
  });
  await expect
    .poll(async () => (await api.getIngestionRun({ path: { id: data.runID } })).data.latestStatus, { timeout: 60_000 })
    .toBe("success");
  await page.reload();
  const states = page.getByRole("table", { name: "Days", exact: true });
  await expect(states.getByRole("row").nth(1).getByRole("cell")).toContainText(["Differs", "31", "30", "1"]);
  await expect(states.getByRole("row").nth(2).getByRole("cell")).toContainText(["Copied", "0", "0", "0"]);
  await expect(events.getByRole("row").nth(1)).toContainText("+1");
  await page.getByText("Only differences").click();
  await expect(events.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await page.getByLabel("First day").fill(dayBefore(0));
  await page.getByLabel("Last day").fill(dayBefore(0));
  await expect(page.getByText("These days haven’t been copied yet.")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`from=.*${dayBefore(0)}.*to=.*${dayBefore(0)}`));

  await page.goto(`/projects/${projectID}/ingestion-sources`);
  const row = page.getByRole("row", { name: /orders/ });
  await expect(row.getByRole("img", { name: /: differs$/ })).toHaveCount(1);
  await expect(row.getByRole("img", { name: /: copied$/ })).toHaveCount(1);
  await expect(row.getByRole("img", { name: /: not copied$/ })).toHaveCount(5);
  await expect(row).toContainText("just now");
  await expectAccessible(page);
});

test("a run says why a day failed, and it is started again when this is mended", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newConnected();
  await newSource(api, { column_mapping: { ...MAPPING, event_value: "price" }, enabled: false });
  await page.goto(`/projects/${projectID}/ingestion-runs`);
  await expect(page.getByText("No runs yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Backfill" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Backfill" });
  await find(page, page.getByRole("combobox", { name: "Only these sources" }), "orders");
  await expect(dialog.getByRole("button", { name: "Remove source orders" })).toBeVisible();
  await dialog.getByLabel("First day").fill(dayBefore(1));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Start" }).click();
  const days = page.getByRole("table", { name: "Days of orders" });
  await expect(days.getByRole("row").nth(1)).toContainText("Failed");
  await expect(days.getByRole("row").nth(1)).toContainText("price");
  await api.patchIngestionSource({ path: { name: "orders" }, body: { column_mapping: MAPPING } });
  await page.getByRole("button", { name: "Backfill again" }).click();
  await expect(dialog.getByRole("status")).toHaveText("1 day of 1 source.");
  await dialog.getByRole("button", { name: "Start" }).click();
  await expect(days.getByRole("row").nth(1)).toContainText("Copied");
  await page.getByRole("link", { name: "Ingestion runs" }).click();
  const runs = page.getByRole("table", { name: "Runs" });
  await expect(runs.getByRole("row")).toHaveCount(3);
  await expect(runs.getByRole("row").nth(1)).toContainText("Copied");
  await expect(runs.getByRole("row").nth(2)).toContainText("Failed");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => overflow(page)).toBe(0);
});

test("the hour of the schedule is changed after a review, and shown in the project's time zone", async ({ page }) => {
  const { projectID, api } = await newConnected();
  await api.updateProjectSettings({ body: { name: "Schedules", visibility: "CLOSED", timeZone: "America/Los_Angeles" } });
  await page.goto(`/projects/${projectID}/ingestion-runs`);
  const events = page.getByRole("table", { name: "Schedule" }).getByRole("row", { name: /^Events/ });
  await expect(events.getByRole("cell")).toContainText(["10:00", "10:00", "Change"]);
  await page.getByRole("button", { name: "Change the hour of Events" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the hour of Events" });
  await expect(dialog.getByRole("button", { name: "Save" })).toHaveAttribute("aria-disabled", "true");
  await dialog.getByRole("textbox", { name: "Hour in Los Angeles" }).fill("4");
  await page.keyboard.press("Tab");
  await expect(dialog.getByText(/10:00\s*→\s*04:00/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(events.getByRole("cell")).toContainText(["04:00", "04:00", "Change"]);
  const read = async (dataset: "Events" | "Exposures") => (await api.getIngestionSchedule({ query: { dataset } })).data.scheduled_hour_pst;
  expect([await read("Events"), await read("Exposures")]).toEqual([4, 10]);
});

test("a person who may not change ingestion sees its settings, and why they are read-only", { tag: NIGHT }, async ({
  openBrowser,
  api,
  viewer,
}) => {
  await api.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
  await newSource(api);
  const page = await openBrowser(signedInAs(viewer));
  await page.goto("ingestion-sources/orders");
  await expect(page.getByRole("note").filter({ hasText: "ingestion sources" })).toBeVisible();
  await expect(page.getByLabel("Time column")).toBeDisabled();
  for (const name of ["Backfill", "Preview", "Add metadata"])
    await expect(page.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
  await page.goto("ingestion-sources");
  for (const name of ["Backfill", "Create ingestion source"])
    await expect(page.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
  await page.goto("ingestion-runs");
  for (const name of ["Change the hour of Events", "Backfill"])
    await expect(page.getByRole("button", { name }).first()).toHaveAttribute("aria-disabled", "true");
  await api.deleteIngestionSource({ path: { name: "orders" } });
  await api.deleteWarehouseConnection({});
});
