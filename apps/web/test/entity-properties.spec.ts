import { expectAccessible } from "./support/accessibility.ts";
import { choose, reviewAndSave } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { newProject, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const CUSTOMER = { idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }] };

test("an empty list says what an entity property source is, and the keyboard alone creates one", async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/entity-properties`);
  await expect(page.getByText("No entity property sources yet")).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole("button", { name: "Create entity property source" }).first());
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create an entity property source" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("shop");
  for (const [label, text] of [
    ["Query", "select * from customers"],
    ["Column with the userID", "customer"],
  ] as const) {
    await tabTo(page, dialog.getByLabel(label));
    await page.keyboard.type(text);
  }
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "shop", level: 1 })).toBeVisible();
  expect((await api.getEntityPropertySource({ path: { name: "shop" } })).data).toMatchObject({
    ...{ sql: "select * from customers", timestampColumn: "" },
    idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
  });
});

test("an entity property source is changed, previewed, restored and deleted", async ({ api, page }) => {
  const { data } = await api.createEntityPropertySource({ body: { name: unique("shop"), sql: "select * from customers", ...CUSTOMER } });
  const { name } = data;
  await page.goto(`entity-properties/${name}`);
  await page.getByLabel("Time column").fill("since");
  await page.getByText("It has days without a time, which are known when they end").click();
  await expectAccessible(page);
  await reviewAndSave(page);
  const read = async () => (await api.getEntityPropertySource({ path: { name } })).data;
  expect(await read()).toMatchObject({ timestampColumn: "since", timestampAsDay: true });
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Nothing was read")).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  await page
    .getByRole("list", { name: "Versions" })
    .getByRole("link", { name: /^Version 1/ })
    .click();
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page
    .getByRole("dialog", { name: `Restore version 1 of ${name}` })
    .getByRole("button", { name: "Restore" })
    .click();
  await expect(page.getByText("Version 1 is restored")).toBeVisible();
  expect(await read()).toMatchObject({ timestampColumn: "" });
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: `Delete ${name}?` })
    .getByRole("button", { name: "Delete" })
    .click();
  await expect(page.getByRole("heading", { name: "Entity properties", level: 1 })).toBeVisible();
  await expect(read()).rejects.toMatchObject({ status: 404 });
});

test("a qualifying event is created and changed, and an experiment counts its units, as long as it runs", async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/qualifying-events`);
  await expect(page.getByText("No qualifying events yet")).toBeVisible();
  await page.getByRole("button", { name: "Create qualifying event" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a qualifying event" });
  await dialog.getByLabel("Name").fill("checkout");
  await dialog.getByLabel("Query").fill("select * from checkouts");
  await dialog.getByLabel("Time column").fill("at");
  await dialog.getByLabel("Column with the userID").fill("customer");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "checkout", level: 1 })).toBeVisible();
  await page.getByRole("textbox", { name: "Query" }).fill("select * from checkouts where not is_test");
  await reviewAndSave(page);
  const { data } = await api.getQualifyingEvent({ path: { name: "checkout" } });
  expect(data).toMatchObject({ sql: "select * from checkouts where not is_test", timestampColumn: "at", version: 2 });

  const { id } = (await api.createExperiment({ body: { name: "qualified" } })).data;
  await page.goto(`/projects/${projectID}/experiments/${id}?tab=setup`);
  await choose(page, page.getByRole("button", { name: /Units count$/ }), "checkout");
  await reviewAndSave(page);
  expect((await api.getExperiment({ path: { id } })).data.qualifyingEventName).toBe("checkout");
  await api.patchExperiment({ path: { id }, body: { status: "active" } });
  await expect(page.getByRole("button", { name: /Units count$/ })).toBeDisabled();
});
