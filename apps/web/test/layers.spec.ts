import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const GROUPS = [
  { name: "Control", size: 50, parameterValues: { color: "blue" } },
  { name: "Test", size: 50, parameterValues: { color: "green" } },
];

const PARAMETERS = [{ name: "color", type: "string" as const, defaultValue: "blue" }];

const newLayer = async (api: ConsoleClient, parameters = PARAMETERS) =>
  (await api.createLayer({ body: { name: unique("layer"), idType: "userID", parameters } })).data;
const readLayer = async (api: ConsoleClient, id: string) => (await api.getLayer({ path: { id } })).data;

async function newExperiment(api: ConsoleClient, layerID: string, allocation: number) {
  const { data } = await api.createExperiment({
    body: { name: unique("experiment"), hypothesis: "Green sells.", groups: GROUPS, layerID, allocation },
  });
  return data;
}

async function openLayer(page: Page, id: string, search = ""): Promise<void> {
  await page.goto(`layers/${id}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the layer" })).toBeVisible();
}

test("buckets show who holds which, and lead to the experiments", async ({ api, page }) => {
  const layer = await newLayer(api);
  await openLayer(page, layer.id);
  await expect(page.getByText("1,000 buckets, 1,000 free (100%)")).toBeVisible();
  await expect(page.getByText("No experiments", { exact: true })).toBeVisible();
  const running = await newExperiment(api, layer.id, 20);
  await api.startExperiment({ path: { id: running.id }, body: {} });
  const planned = await newExperiment(api, layer.id, 30);
  await expect(page.getByText("1,000 buckets, 800 free (80%)")).toBeVisible();
  const table = page.getByRole("table", { name: "Experiments" });
  await expect(table.getByRole("row", { name: new RegExp(running.name) })).toContainText("200");
  await expect(table.getByRole("row", { name: new RegExp(planned.name) })).toContainText("In setup, no buckets");
  await expectAccessible(page);
  await api.startExperiment({ path: { id: planned.id }, body: {} });
  await expect(page.getByText("1,000 buckets, 500 free (50%)")).toBeVisible();
  await table.getByRole("link", { name: running.name }).click();
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("link", { name: layer.id }).click();
  await expect(page.getByRole("heading", { name: layer.name, level: 1 })).toBeVisible();
});

test("parameters are added, checked and saved with their types", { tag: NIGHT }, async ({ api, page }) => {
  const { id } = await newLayer(api);
  await openLayer(page, id, "?tab=parameters");
  await page.getByRole("button", { name: "Add parameter" }).click();
  const added = page.getByRole("group", { name: "parameter" });
  await added.getByLabel("Name").fill("limit");
  const limit = page.getByRole("group", { name: "limit" });
  await choose(page, limit.getByRole("button", { name: /Type$/ }), "Number");
  await expect(limit).toContainText("Enter a number.");
  await expect(saveBar(page).getByRole("button", { name: "Review" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await limit.getByLabel("Default value").fill("20");
  await reviewAndSave(page);
  expect((await readLayer(api, id)).parameters).toMatchObject([
    { name: "color", type: "string", defaultValue: "blue" },
    { name: "limit", type: "number", defaultValue: 20 },
  ]);
});

test("a parameter that an experiment sets is not removed: the server says which", { tag: NIGHT }, async ({ api, page, expectFault }) => {
  const layer = await newLayer(api);
  const experiment = await newExperiment(api, layer.id, 20);
  await openLayer(page, layer.id, "?tab=parameters");
  await page.getByRole("button", { name: "Remove color" }).click();
  expectFault(/^400: POST \/console\/v1\/batch/);
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("dialog")).toContainText(experiment.id);
});

test("overrides put ids and segments into groups, and are removed, each after a review", { tag: NIGHT }, async ({ api, page }) => {
  const layer = await newLayer(api);
  const experiment = await newExperiment(api, layer.id, 20);
  const { data: segment } = await api.createSegment({ body: { name: unique("staff"), type: "id_list" } });
  await openLayer(page, layer.id, "?tab=overrides");
  await expect(page.getByText("No overrides")).toBeVisible();
  await choose(page, page.getByRole("button", { name: /Gets the group$/ }), `${experiment.name}: Test`);
  await page.getByRole("textbox", { name: "IDs" }).fill("ada, ben");
  const confirm = async (title: string) => {
    const dialog = page.getByRole("dialog", { name: `${title} of ${layer.name}?` });
    await dialog.getByRole("button", { name: title }).click();
    await expect(dialog).toBeHidden();
  };
  await page.getByRole("button", { name: "Add override" }).click();
  await confirm("Add override");
  const table = page.getByRole("table", { name: "Overrides" });
  await expect(table.getByRole("row").nth(1)).toContainText(`${experiment.name}: Test`);
  await choose(page, page.getByRole("button", { name: /Who$/ }), "Users in a segment");
  await find(page, page.getByRole("combobox", { name: "Segment" }), segment.name);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add override" }).click();
  await confirm("Add override");
  await expect(table.getByRole("link", { name: segment.id })).toBeVisible();
  const read = async () => (await api.getLayerOverrides({ path: { id: layer.id } })).data;
  expect(await read()).toMatchObject({
    idOverrides: [{ experimentName: experiment.id, groupName: "Test", ids: ["ada", "ben"] }],
    conditionalOverrides: [{ type: "segment", name: segment.id, experimentName: experiment.id, groupName: "Test" }],
  });
  await table.getByRole("row").nth(1).getByRole("button", { name: "Remove" }).click();
  await confirm("Remove override");
  await expect(table.getByRole("row")).toHaveCount(2);
  expect((await read()).idOverrides).toEqual([]);
});

test("a layer with experiments is not deleted, an empty one is", async ({ api, page, expectFault }) => {
  const layer = await newLayer(api);
  const experiment = await newExperiment(api, layer.id, 20);
  await openLayer(page, layer.id);
  const begin = async () => {
    await page.getByRole("button", { name: `More for ${layer.name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    return page.getByRole("dialog", { name: `Delete ${layer.name}?` });
  };
  expectFault(/^409: POST \/console\/v1\/batch/);
  const refused = await begin();
  await expect(refused).toContainText(experiment.id);
  await refused.getByRole("button", { name: "Back" }).click();
  await api.deleteExperiment({ path: { id: experiment.id } });
  await (await begin()).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Layers", level: 1 })).toBeVisible();
  await expect(api.getLayer({ path: { id: layer.id } })).rejects.toMatchObject({ status: 404 });
});

test("the keyboard alone adds a parameter", { tag: NIGHT }, async ({ api, page }) => {
  const { id } = await newLayer(api, []);
  await openLayer(page, id, "?tab=parameters");
  await tabTo(page, page.getByRole("button", { name: "Add parameter" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Default value"));
  await page.keyboard.type("red");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: /^Review/ });
  await expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  await tabTo(page, dialog.getByRole("button", { name: "Save" }));
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await readLayer(api, id)).parameters).toMatchObject([{ name: "parameter", type: "string", defaultValue: "red" }]);
});

test("a viewer sees a layer and may change nothing", { tag: NIGHT }, async ({ api, viewer, openBrowser }) => {
  const { id } = await newLayer(api);
  const page = await openBrowser(signedInAs(viewer));
  await openLayer(page, id, "?tab=parameters");
  await expect(page.getByRole("button", { name: "Add parameter" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByLabel("Default value")).toBeDisabled();
});
