import type { ConsoleClient } from "@gatehouse/client";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, reviewAndSave } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { newProject, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const COLUMNS = { timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant" };

async function newSource(api: ConsoleClient) {
  const idTypeMapping = [{ serviceUnitID: "userID", column: "customer" }];
  const body = { name: unique("shop"), sql: "select * from assignments", ...COLUMNS, idTypeMapping };
  return (await api.createAssignmentSource({ body })).data;
}

test("an empty list says what an assignment source is, and the keyboard alone creates one", async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/assignment-sources`);
  await expect(page.getByText("No assignment sources yet")).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole("button", { name: "Create assignment source" }).first());
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create an assignment source" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("shop");
  for (const [label, text] of [
    ["Query", "select * from assignments"],
    ["Time column", "shown_at"],
    ["Experiment column", "experiment"],
    ["Group column", "variant"],
    ["Column with the userID", "customer"],
  ] as const) {
    await tabTo(page, dialog.getByLabel(label));
    await page.keyboard.type(text);
  }
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "shop", level: 1 })).toBeVisible();
  expect((await api.getAssignmentSource({ path: { name: "shop" } })).data).toMatchObject({
    ...{ sql: "select * from assignments", ...COLUMNS },
    idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
  });
});

test("an assignment source is changed, restored and deleted", async ({ api, page }) => {
  const { name } = await newSource(api);
  await page.goto(`assignment-sources/${name}`);
  await page.getByLabel("Group name column").fill("variant_name");
  await page.getByRole("button", { name: "Add ID column" }).click();
  const second = page.getByRole("group", { name: "ID column 2" });
  await choose(page, second.getByRole("button", { name: /Unit ID type$/ }), "stableID");
  await second.getByRole("textbox", { name: "Column" }).fill("device");
  await expectAccessible(page);
  await reviewAndSave(page);
  const read = async () => (await api.getAssignmentSource({ path: { name } })).data;
  expect(await read()).toMatchObject({
    groupNameColumn: "variant_name",
    idTypeMapping: [{ column: "customer" }, { serviceUnitID: "stableID", column: "device" }],
  });
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
  expect(await read()).not.toHaveProperty("groupNameColumn");
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: `Delete ${name}?` })
    .getByRole("button", { name: "Delete" })
    .click();
  await expect(page.getByRole("heading", { name: "Assignment sources", level: 1 })).toBeVisible();
  await expect(read()).rejects.toMatchObject({ status: 404 });
});

test("an experiment takes its units from one, which it keeps while it runs", async ({ api, page }) => {
  const { name } = await newSource(api);
  const { id } = (await api.createExperiment({ body: { name: unique("assigned") } })).data;
  await page.goto(`experiments/${id}?tab=setup`);
  await choose(page, page.getByRole("button", { name: /Units come from$/ }), name);
  await expectAccessible(page);
  await reviewAndSave(page);
  const read = async () => (await api.getExperiment({ path: { id } })).data.assignmentSourceName;
  expect(await read()).toBe(name);
  await page.getByLabel("Experiment in the source").fill("shop-button");
  await page.getByRole("button", { name: "Add condition" }).click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByRole("textbox", { name: "Column" }).fill("country");
  await condition.getByRole("textbox", { name: "Values, one in a line" }).fill("NO\nSE");
  await page.getByRole("button", { name: "Add condition" }).click();
  const second = page.getByRole("group", { name: "Condition 2" });
  await second.getByRole("textbox", { name: "Column" }).fill("bot");
  await choose(page, second.getByRole("button", { name: /Comparison$/ }), "is false");
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await api.getExperiment({ path: { id } })).data).toMatchObject({
    assignmentSourceExperimentName: "shop-button",
    assignmentSourceFilters: [
      { column: "country", condition: "in", values: ["NO", "SE"] },
      { column: "bot", condition: "is_false" },
    ],
  });
  await page.getByRole("button", { name: "Remove condition 1" }).click();
  await reviewAndSave(page);
  expect((await api.getExperiment({ path: { id } })).data.assignmentSourceFilters).toEqual([{ column: "bot", condition: "is_false" }]);
  await choose(page, page.getByRole("button", { name: /Units come from$/ }), "Exposures that applications log");
  await reviewAndSave(page);
  expect(await read()).toBe("");
  await api.patchExperiment({ path: { id }, body: { assignmentSourceName: name, status: "active" } });
  await expect(page.getByRole("button", { name: /Units come from$/ })).toBeDisabled();
  await page.goto(`experiments/${id}?tab=exposures`);
  await expect(page.getByText("Its health checks count them with each load.")).toBeVisible();
});
