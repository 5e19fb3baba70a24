import type { ConsoleClient } from "@gatehouse/client";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, reviewAndSave } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const COLUMNS = { timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant" };

async function newSource(api: ConsoleClient) {
  const idTypeMapping = [{ serviceUnitID: "userID", column: "customer" }];
  const body = { name: unique("shop"), sql: "select * from assignments", ...COLUMNS, idTypeMapping };
  return (await api.createAssignmentSource({ body })).data;
}

test("an assignment source gets another column and another unit ID type", async ({ api, page }) => {
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
});

test("an experiment takes its units from one, which it keeps while it runs", { tag: NIGHT }, async ({ api, page }) => {
  const { name } = await newSource(api);
  const { id } = (await api.createExperiment({ body: { name: unique("assigned") } })).data;
  await page.goto(`experiments/${id}?tab=setup`);
  await choose(page, page.getByRole("button", { name: /Assignments from$/ }), name);
  await expectAccessible(page);
  await reviewAndSave(page);
  const read = async () => (await api.getExperiment({ path: { id } })).data.assignmentSourceName;
  expect(await read()).toBe(name);
  await page.getByLabel("Experiment in the source").fill("shop-button");
  await page.getByRole("button", { name: "Add condition" }).click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByRole("textbox", { name: "Column" }).fill("country");
  await condition.getByRole("textbox", { name: "Values, one per line" }).fill("NO\nSE");
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
  await choose(page, page.getByRole("button", { name: /Assignments from$/ }), "Exposures logged by applications");
  await reviewAndSave(page);
  expect(await read()).toBe("");
  await api.patchExperiment({ path: { id }, body: { assignmentSourceName: name, status: "active" } });
  await expect(page.getByRole("button", { name: /Assignments from$/ })).toBeDisabled();
  await page.goto(`experiments/${id}?tab=exposures`);
  await expect(page.getByText("Its health checks count them with each load.")).toBeVisible();
});
