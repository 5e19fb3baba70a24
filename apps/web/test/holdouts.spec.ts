import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { find, newGate, review, reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const newHoldout = async (api: ConsoleClient, given: object = {}) =>
  (await api.createHoldout({ body: { name: unique("holdout"), ...given } })).data;
const readHoldout = async (api: ConsoleClient, id: string) => (await api.getHoldout({ path: { id } })).data;

async function openHoldout(page: Page, id: string, search = ""): Promise<void> {
  await page.goto(`holdouts/${id}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the holdout" })).toBeVisible();
}

test("the list is filtered by tag, and says which holdouts hold everything", async ({ page }) => {
  const { projectID, api } = await newProject();
  await newHoldout(api, { name: "Nothing new", isGlobal: true, tags: ["yearly"] });
  await newHoldout(api, { name: "Little new" });
  await page.goto(`/projects/${projectID}/holdouts?tags=yearly`);
  await expect(page.getByRole("rowheader")).toHaveText([/Nothing new/]);
  await expect(page.getByRole("row", { name: /Nothing new/ })).toContainText("Everything");
});

test("a holdout gets its share and what it holds, and the gate says so", async ({ api, page }) => {
  const { id, name } = await newHoldout(api);
  const [held, targeting] = [await newGate(api), await newGate(api)];
  await openHoldout(page, id);
  await page.getByLabel("Share of users held out").fill("2.5");
  await page.keyboard.press("Enter");
  await find(page, page.getByRole("combobox", { name: "Add a gate" }), held.name);
  await find(page, page.getByRole("combobox", { name: "Targeting gate" }), targeting.name);
  await page.getByText(/^All gates/).click();
  await expectAccessible(page);
  await reviewAndSave(page);
  expect(await readHoldout(api, id)).toMatchObject({
    passPercentage: 2.5,
    gateIDs: [held.id],
    targetingGateID: targeting.id,
    isGlobal: true,
    isEnabled: true,
  });
  await page.getByRole("region", { name: "Gates" }).getByRole("link", { name: held.id }).click();
  await expect(page.getByText(`Up to 2.5% of users are in the holdout ${name} and don’t get this gate.`)).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: `Remove ${held.id}` }).click();
  await page.getByRole("button", { name: "Remove targeting gate" }).click();
  await page.getByText("Enabled", { exact: true }).last().click();
  await expect(page.getByText("This holdout is disabled. No users are held out.")).toBeVisible();
  await reviewAndSave(page);
  expect(await readHoldout(api, id)).toMatchObject({ gateIDs: [], targetingGateID: null, isEnabled: false, name });
  await page.getByRole("tab", { name: "Used by" }).click();
  await expect(page.getByText("This holdout isn’t used anywhere")).toBeVisible();
});

test("a review names the added features once, and warns of running experiments that users leave", async ({ api, page }) => {
  const { id } = await newHoldout(api, { passPercentage: 5 });
  const gate = await newGate(api);
  const experiment = (await api.createExperiment({ body: { name: unique("Delivery promise"), status: "active" } })).data;
  await openHoldout(page, id);
  await find(page, page.getByRole("combobox", { name: "Add a gate" }), gate.name);
  await find(page, page.getByRole("combobox", { name: "Add an experiment" }), experiment.name);
  const dialog = await review(page);
  await expect(
    dialog.getByText(`Users in the holdout leave the running experiment “${experiment.name}”, so its results change.`),
  ).toBeVisible();
  const changes = dialog.getByRole("article").getByRole("listitem");
  await expect(changes).toHaveText([`Gates: + ${gate.name}`, `Experiments: + ${experiment.name}`]);
});

test("an experiment shows the holdouts of its layer, and the global ones", async ({ page }) => {
  const { projectID, api } = await newProject();
  const layer = (await api.createLayer({ body: { name: unique("layer"), idType: "userID" } })).data;
  const { name } = await newHoldout(api, { passPercentage: 5, layerIDs: [layer.id] });
  const { id } = (await api.createExperiment({ body: { name: unique("In a layer"), layerID: layer.id } })).data;
  const everywhere = await newHoldout(api, { passPercentage: 2, isGlobal: true });
  await page.goto(`/projects/${projectID}/experiments/${id}`);
  await expect(page.getByText(`5% of users are in the holdout ${name} and don’t take part.`)).toBeVisible();
  await expect(page.getByText(`2% of users are in the holdout ${everywhere.name} and don’t take part.`)).toBeVisible();
});

test("overrides are pasted and moved, and saved with the rest", async ({ api, page }) => {
  const { id } = await newHoldout(api);
  await openHoldout(page, id, "?tab=overrides");
  await page.getByRole("textbox", { name: "IDs" }).fill("ada, ben");
  await page.getByRole("button", { name: "Add IDs" }).click();
  await page.getByRole("button", { name: "Never hold ben out" }).click();
  await expectAccessible(page);
  await reviewAndSave(page);
  const { data } = await api.getHoldoutOverrides({ path: { id } });
  expect(data).toMatchObject({ passingUserIDs: ["ada"], failingUserIDs: ["ben"] });
});

test("the keyboard alone changes the share", { tag: NIGHT }, async ({ api, page }) => {
  const { id } = await newHoldout(api);
  await openHoldout(page, id);
  await tabTo(page, page.getByLabel("Share of users held out"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  const save = page.getByRole("dialog", { name: /^Review/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await readHoldout(api, id)).passPercentage).toBe(1);
});

test("a viewer sees a holdout and may change nothing", { tag: NIGHT }, async ({ api, viewer, openBrowser }) => {
  const { id } = await newHoldout(api);
  const page = await openBrowser(signedInAs(viewer));
  await openHoldout(page, id);
  await expect(page.getByLabel("Share of users held out")).toBeDisabled();
  await expect(page.getByRole("combobox", { name: "Add a gate" })).toBeHidden();
});
