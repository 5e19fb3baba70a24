import { type Locator, type Page, test as playwright } from "@playwright/test";
import { findBinaries } from "../../../scripts/postgres.mjs";
import { type ShopWarehouse, startShopWarehouse } from "../../server/test/support/shop-warehouse.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

let shop: ShopWarehouse;

playwright.beforeAll(async () => {
  playwright.skip(findBinaries() === undefined, "the binaries of Postgres");
  shop = await startShopWarehouse();
  await shop.query(
    `insert into orders select 'customer ' || n, case when n > 1 then '' end, '2025-11-20T10:00:00Z'::timestamptz, n * 1.5, repeat('Oslo ', 100)
     from generate_series(1, 30) as n`,
  );
});
playwright.afterAll(() => shop?.close());

/** A separate project, since a project has one warehouse. */
async function openWarehouse(page: Page): ReturnType<typeof newProject> {
  const project = await newProject();
  await page.goto(`/projects/${project.projectID}/settings?tab=warehouse`);
  await expect(page.getByRole("region", { name: "Warehouse", exact: true })).toBeVisible();
  return project;
}

async function newConnectedSource(): Promise<{ projectID: string; address: string }> {
  const { projectID, api } = await newProject();
  await api.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
  const idTypeMapping = [{ serviceUnitID: "userID", column: "customer" }];
  await api.createMetricSource({ body: { name: "orders", sql: "select * from orders", timestampColumn: "at", idTypeMapping } });
  return { projectID, address: `/projects/${projectID}/metric-sources/orders` };
}

const urlField = (page: Page) => page.getByRole("textbox", { name: "URL" });

test("a warehouse is connected after a fault, checked, replaced and disconnected, and its URL is shown nowhere", async ({
  page,
  expectFault,
}) => {
  const { api } = await openWarehouse(page);
  await expect(page.getByText("No warehouse yet")).toBeVisible();
  await expect(page.getByRole("button", { name: "Disconnect" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);

  await urlField(page).fill(shop.url.replace("127.0.0.1", "169.254.169.254"));
  await page.getByRole("button", { name: "Review" }).click();
  expectFault(/^400: POST \/console\/v1\/batch\?dryRun=true$/);
  const review = page.getByRole("dialog", { name: "Connect warehouse?" });
  await expect(review.getByRole("alert")).toContainText("GATEHOUSE_WAREHOUSE_HOSTS");
  await review.getByRole("button", { name: "Show where" }).click();
  await expect(urlField(page)).toHaveAccessibleDescription(/Must be one of those in GATEHOUSE_WAREHOUSE_HOSTS/);
  await expectAccessible(page);

  await urlField(page).fill(shop.url);
  await expect(urlField(page)).toHaveAttribute("autocomplete", "off");
  await urlField(page).press("Enter");
  await expect(review.getByText(/Engine\s*: none → Postgres/)).toBeVisible();
  await review.getByRole("button", { name: "View API request" }).click();
  await expect(review.getByRole("region", { name: "curl" })).toContainText("wh_connections");
  await expect(review).not.toContainText(/reader:secret@/);
  await expectAccessible(page);
  await review.getByRole("button", { name: "Connect" }).click();
  const warehouse = page.getByRole("region", { name: "Warehouse", exact: true });
  await expect(warehouse.getByRole("definition")).toContainText([
    "Postgres",
    "127.0.0.1",
    String(shop.port),
    "shop",
    "reader",
    "Not encrypted",
  ]);
  await expect(urlField(page)).toHaveValue("");
  expect((await api.getWarehouseConnection({})).data).toMatchObject({
    type: "postgres",
    host: "127.0.0.1",
    username: "reader",
    version: 1,
  });

  await warehouse.getByRole("button", { name: "Check connection" }).click();
  await expect(warehouse.getByRole("status")).toContainText(/It is PostgreSQL \d+/);
  await expectAccessible(page);

  await urlField(page).fill(shop.superUrl);
  await urlField(page).press("Enter");
  await page.getByRole("dialog", { name: "Replace connection?" }).getByRole("button", { name: "Replace" }).click();
  await expect(warehouse.getByRole("definition")).toContainText(["postgres"]);
  await warehouse.getByRole("button", { name: "Check connection" }).click();
  await expect(warehouse.getByRole("alert")).toContainText("The user postgres is a superuser.");
  await expectAccessible(page);
  expect(await page.evaluate(() => JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }]))).not.toContain("secret");

  await warehouse.getByRole("button", { name: "Disconnect" }).click();
  const leave = page.getByRole("dialog", { name: "Disconnect warehouse?" });
  await expect(leave).toContainText("Deletes the stored URL.");
  await expectAccessible(page);
  await leave.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("No warehouse yet")).toBeVisible();
  expect((await api.getWarehouseConnection({})).data).toMatchObject({ type: null, version: 3 });
});

test("the keyboard alone finds the page by the palette, and connects a ClickHouse", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/metric-sources`);
  await expect(page.getByText("No metric sources yet")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search everything" }).getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("warehouse");
  await expect(page.getByRole("menuitem", { name: "Warehouse" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Warehouse" })).toHaveAttribute("aria-selected", "true");
  await tabTo(page, page.getByRole("button", { name: /Engine$/ }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: /ClickHouse Engine|Engine.*ClickHouse/ })).toBeFocused();
  await tabTo(page, urlField(page));
  await page.keyboard.type("clickhouse://reader:secret@127.0.0.1/shop?secure=true");
  await page.keyboard.press("Enter");
  const review = page.getByRole("dialog", { name: "Connect warehouse?" });
  await expect(review.getByRole("button", { name: "Connect" })).not.toHaveAttribute("aria-disabled", "true");
  await tabTo(page, review.getByRole("button", { name: "Connect" }));
  await page.keyboard.press("Enter");
  await expect(review).toBeHidden();
  await expect(page.getByText("Encrypted, certificate checked", { exact: true })).toBeVisible();
  expect((await api.getWarehouseConnection({})).data).toMatchObject({ type: "clickhouse", port: 8443, encryption: "verified" });
});

test("somebody else's connection shows at once, and a review of the one before is refused", { tag: NIGHT }, async ({
  page,
  expectFault,
}) => {
  const { api } = await openWarehouse(page);
  await urlField(page).fill(shop.url);
  await page.getByRole("button", { name: "Review" }).click();
  const review = page.getByRole("dialog", { name: "Connect warehouse?" });
  await expect(review.getByRole("button", { name: "Connect" })).not.toHaveAttribute("aria-disabled", "true");
  await api.updateWarehouseConnection({ body: { postgres: { url: shop.url.replace("/shop", "/theirs") } } });
  expectFault(/^412: POST \/console\/v1\/batch/);
  const stale = page.getByRole("dialog", { name: /warehouse\?$|connection\?$/ });
  await stale.getByRole("button", { name: /^(Connect|Replace)$/ }).click();
  await stale.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByText("Someone else changed the connection.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Warehouse", exact: true })).toContainText("theirs");
  await api.deleteWarehouseConnection({});
  await expect(page.getByText("No warehouse yet")).toBeVisible();
});

test("a person who may not connect a warehouse sees the connection, and why it is read-only", { tag: NIGHT }, async ({
  openBrowser,
  api,
  viewer,
}) => {
  await api.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
  const page = await openBrowser(signedInAs(viewer));
  await page.goto("settings?tab=warehouse");
  const warehouse = page.getByRole("region", { name: "Warehouse", exact: true });
  await expect(warehouse.getByRole("definition")).toContainText(["Postgres", "127.0.0.1"]);
  await expect(page.getByRole("note").filter({ hasText: "connect or check the warehouse" })).toBeVisible();
  await expect(urlField(page)).toBeDisabled();
  for (const name of ["Check connection", "Disconnect", "Review"])
    await expect(page.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
  await api.deleteWarehouseConnection({});
});

const cells = (rows: Locator, at: number) => rows.getByRole("row").nth(at).getByRole("cell");

test("a preview shows columns and rows of what is not saved, offers the columns, and marks what is wrong", { tag: NIGHT }, async ({
  page,
  expectFault,
}) => {
  const { address } = await newConnectedSource();
  await page.goto(address);
  const idColumn = page.getByRole("group", { name: "ID column 1" }).getByLabel("Column", { exact: true });
  await page.getByRole("textbox", { name: "Query" }).fill("select customer, company, at, total, city from orders order by total");
  await page.getByRole("button", { name: "Add field" }).click();
  const computed = page.getByRole("group", { name: "Computed field 1" });
  await computed.getByRole("textbox", { name: "Name" }).fill("is_large");
  await computed.getByRole("textbox", { name: "SQL expression" }).fill("total > 2");
  await page.getByRole("button", { name: "Preview" }).click();
  const rows = page.getByRole("table", { name: "Rows of the source" });
  await expect(rows.getByRole("columnheader")).toContainText([
    /customer\s*text/,
    /company\s*text/,
    /at\s*timestamp with time zone/,
    /total\s*numeric/,
    /city\s*text/,
    /is_large\s*boolean/,
  ]);
  await expect(rows.getByRole("row")).toHaveCount(11);
  await expect(cells(rows, 1)).toHaveText(["customer 1", "null", "2025-11-20 10:00:00+00", "1.5", /^Oslo/, "false"]);
  await expect(cells(rows, 2)).toHaveText(["customer 2", "empty text", "2025-11-20 10:00:00+00", "3.0", /^Oslo/, "true"]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  const columns = await page
    .getByLabel("Time column")
    .evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value));
  expect(columns).toEqual(["customer", "company", "at", "total", "city", "is_large"]);

  await page.getByLabel("Time column").fill("created_at");
  await expect(page.getByText("The form has changed.")).toBeVisible();
  expectFault(/^400: POST \/console\/v1\/metrics\/metric_source\/preview$/);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByLabel("Time column")).toHaveAccessibleDescription(/Names the column created_at, which the source does not have\./);
  await page.getByLabel("Time column").fill("at");
  await idColumn.fill("visitor");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(idColumn).toHaveAccessibleDescription(/Names the column visitor/);
  const query = page.getByRole("textbox", { name: "Query" });
  await query.fill("select price from orders");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(query).toHaveAccessibleDescription(/column "price" does not exist\./);
  await expect(page.getByRole("region", { name: "Preview" }).getByRole("alert")).toContainText('column "price" does not exist.');
  await expectAccessible(page);
  await query.fill("select 1 as one");
  await expect(query).not.toHaveAccessibleDescription(/does not exist/);
});

test("a new metric source is previewed before it is created, and without a warehouse a link leads to its page", { tag: NIGHT }, async ({
  page,
}) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/metric-sources`);
  await page.getByRole("button", { name: "Create metric source" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a metric source" });
  await dialog.getByLabel("Query").fill("select customer, at from orders");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.getByRole("note")).toContainText("The project has no warehouse.");
  await expectAccessible(page);
  await api.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.getByRole("table", { name: "Rows of the source" }).getByRole("row")).toHaveCount(11);
  await expectAccessible(page);
  await api.deleteWarehouseConnection({});
  await dialog.getByRole("button", { name: "Preview" }).click();
  await dialog.getByRole("link", { name: "Open the warehouse" }).click();
  await expect(page.getByText("No warehouse yet")).toBeVisible();
});

test("an assignment source is previewed before it is created, and again on its page, where it offers the columns", { tag: NIGHT }, async ({
  page,
  expectFault,
}) => {
  const { projectID, api } = await newProject();
  await api.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
  await page.goto(`/projects/${projectID}/assignment-sources`);
  await page.getByRole("button", { name: "Create assignment source" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an assignment source" });
  await dialog.getByLabel("Name").fill("shop");
  await dialog.getByLabel("Query").fill("select customer, at, city as variant, 'button' as experiment from orders");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.getByRole("table", { name: "Rows of the source" }).getByRole("row")).toHaveCount(11);
  await expectAccessible(page);
  for (const [label, column] of [
    ["Time column", "at"],
    ["Experiment column", "experiment"],
    ["Group column", "variant"],
    ["Column with the userID", "customer"],
  ] as const)
    await dialog.getByLabel(label).fill(column);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "shop", level: 1 })).toBeVisible();
  await page.getByLabel("Group column").fill("arm");
  expectFault(/^400: POST \/console\/v1\/experiments\/assignment_sources\/preview$/);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByLabel("Group column")).toHaveAccessibleDescription(/Names the column arm, which the source does not have\./);
  await page.getByLabel("Group column").fill("variant");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("table", { name: "Rows of the source" }).getByRole("row")).toHaveCount(11);
  const offered = await page
    .getByLabel("Group column")
    .evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value));
  expect(offered).toEqual(["customer", "at", "variant", "experiment"]);
});
