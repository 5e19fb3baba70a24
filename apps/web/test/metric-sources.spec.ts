import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
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

test("an empty list says what a metric source is, and the keyboard alone creates one", async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/metric-sources`);
  await expect(page.getByText("No metric sources yet")).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole("button", { name: "Create metric source" }).first());
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create a metric source" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("orders");
  for (const [label, text] of [
    ["Query", "select * from orders"],
    ["Time column", "created_at"],
    ["Column with the userID", "customer_id"],
  ] as const) {
    await tabTo(page, dialog.getByLabel(label));
    await page.keyboard.type(text);
  }
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "orders", level: 1 })).toBeVisible();
  expect(await readSource(api, "orders")).toMatchObject({
    ...{ sql: "select * from orders", timestampColumn: "created_at" },
    idTypeMapping: [{ serviceUnitID: "userID", column: "customer_id" }],
  });
  await page.goto(`/projects/${projectID}/metric-sources?search=order`);
  await expect(page.getByRole("row", { name: /orders/ })).toContainText("userID");
});

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

test("somebody else's save is merged field by field, and the history restores a version", async ({ api, page }) => {
  const { name } = await newSource(api);
  await openSource(page, name);
  await page.getByLabel("Time column").fill("paid_at");
  const now = await readSource(api, name);
  const { sql, idTypeMapping } = now;
  await api.updateMetricSource({ path: { name }, body: { sql, idTypeMapping, timestampColumn: "sent_at", description: "Theirs" } });
  await expect(saveBar(page)).toContainText("Somebody else saved meanwhile");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const conflict = page.getByRole("dialog", { name: "You both changed this" });
  await conflict.getByRole("region", { name: "Time column" }).getByRole("button", { name: "Keep mine" }).click();
  await conflict.getByRole("button", { name: "Merge" }).click();
  await page
    .getByRole("dialog", { name: /^Review/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(saveBar(page)).toBeHidden();
  expect(await readSource(api, name)).toMatchObject({ timestampColumn: "paid_at", description: "Theirs" });
  await page.getByRole("tab", { name: "History" }).click();
  await page
    .getByRole("list", { name: "Versions" })
    .getByRole("link", { name: /^Version 1/ })
    .click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page
    .getByRole("dialog", { name: `Restore version 1 of ${name}` })
    .getByRole("button", { name: "Restore" })
    .click();
  await expect(page.getByText("Version 1 is restored")).toBeVisible();
  expect(await readSource(api, name)).toMatchObject({ timestampColumn: "created_at", description: "" });
});

test("a metric source is described, verified and deleted", async ({ api, page }) => {
  const { name } = await newSource(api);
  await openSource(page, name, "?tab=details");
  await page.getByRole("textbox", { name: "Description" }).fill("Orders of the shop.");
  await page.getByText("Verified: somebody made sure that it is right").click();
  await expectAccessible(page);
  await reviewAndSave(page);
  expect(await readSource(api, name)).toMatchObject({ description: "Orders of the shop.", isVerified: true });
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: `Delete ${name}?` })
    .getByRole("button", { name: "Delete" })
    .click();
  await expect(page.getByRole("heading", { name: "Metric sources", level: 1 })).toBeVisible();
  await expect(api.getMetricSource({ path: { name } })).rejects.toMatchObject({ status: 404 });
});

test("one that is kept for the API, and one that a viewer opens, say why they cannot be edited", async ({
  api,
  page,
  viewer,
  openBrowser,
}) => {
  const { name } = await newSource(api, { isReadOnly: true });
  await openSource(page, name);
  await expect(page.getByRole("note")).toContainText("a program changes it, and this page only shows it");
  await expect(page.getByLabel("Time column")).toBeDisabled();
  const other = await openBrowser(signedInAs(viewer));
  await openSource(other, (await newSource(api)).name);
  await expect(other.getByLabel("Time column")).toBeDisabled();
});
