import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, reviewAndSave } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

type Given = Partial<Parameters<ConsoleClient["createMetricSource"]>[0]["body"]>;

async function newSource(api: ConsoleClient, given: Given = {}) {
  const idTypeMapping = [{ serviceUnitID: "userID", column: "customer_id" }];
  const body = { name: unique("orders"), sql: "select * from orders", timestampColumn: "created_at", idTypeMapping, ...given };
  return (await api.createMetricSource({ body })).data;
}
const readSource = async (api: ConsoleClient, name: string) => (await api.getMetricSource({ path: { name } })).data;

async function openSource(page: Page, name: string, search = ""): Promise<void> {
  await page.goto(`metric-sources/${name}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the metric source" })).toBeVisible();
}

test("a metric source reads a table, for two unit ID types, with a computed field", async ({ api, page }) => {
  const { name } = await newSource(api);
  await openSource(page, name);
  await choose(page, page.getByRole("button", { name: /Rows come from$/ }), "A table");
  await page.getByLabel("Table", { exact: true }).fill("shop.orders");
  await page.getByRole("button", { name: "Add ID column" }).click();
  const second = page.getByRole("group", { name: "ID column 2" });
  await expect(second.getByText("Enter the column.")).toBeVisible();
  await choose(page, second.getByRole("button", { name: /Unit ID type$/ }), "stableID");
  await second.getByRole("textbox", { name: "Column" }).fill("device_id");
  await page.getByRole("button", { name: "Add field" }).click();
  const computed = page.getByRole("group", { name: "Computed field 1" });
  await computed.getByRole("textbox", { name: "Name" }).fill("euros");
  await computed.getByRole("textbox", { name: "SQL expression" }).fill("total / 100.0");
  await expectAccessible(page);
  await reviewAndSave(page);
  expect(await readSource(api, name)).toMatchObject({
    ...{ sourceType: "table", tableName: "shop.orders", customFieldMapping: [{ key: "euros", formula: "total / 100.0" }] },
    idTypeMapping: [
      { serviceUnitID: "userID", column: "customer_id" },
      { serviceUnitID: "stableID", column: "device_id" },
    ],
  });
  await page.getByRole("button", { name: "Remove ID column 1" }).click();
  await page.getByRole("button", { name: "Remove computed field 1" }).click();
  await reviewAndSave(page);
  expect(await readSource(api, name)).toMatchObject({ customFieldMapping: [], idTypeMapping: [{ serviceUnitID: "stableID" }] });
});

test("a metric source is described and verified", { tag: NIGHT }, async ({ api, page }) => {
  const { name } = await newSource(api);
  await openSource(page, name, "?tab=details");
  await page.getByRole("textbox", { name: "Description" }).fill("Orders of the shop.");
  await page.getByText("Verified: reviewed and correct").click();
  await expectAccessible(page);
  await reviewAndSave(page);
  expect(await readSource(api, name)).toMatchObject({ description: "Orders of the shop.", isVerified: true });
});

test("one that is kept for the API, and one that a viewer opens, say why they cannot be edited", { tag: NIGHT }, async ({
  api,
  page,
  viewer,
  openBrowser,
}) => {
  const { name } = await newSource(api, { isReadOnly: true });
  await openSource(page, name);
  await expect(page.getByRole("note")).toContainText("is managed through the API");
  await expect(page.getByLabel("Time column")).toBeDisabled();
  const other = await openBrowser(signedInAs(viewer));
  await openSource(other, (await newSource(api)).name);
  await expect(other.getByLabel("Time column")).toBeDisabled();
});
