import { type ConsoleClient, createEvaluationClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { typeJson5 } from "./support/editors.ts";
import { choose, find, review, reviewAndSave, saveBar, takeStep } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

type NewExperiment = Parameters<ConsoleClient["createExperiment"]>[0]["body"];

const GROUPS = [
  { name: "Control", size: 50, parameterValues: { color: "blue" } },
  { name: "Test", size: 50, parameterValues: { color: "green" } },
];

const newExperiment = async (api: ConsoleClient, given: Partial<NewExperiment> = {}) =>
  (await api.createExperiment({ body: { name: unique("experiment"), hypothesis: "Green sells.", groups: GROUPS, ...given } })).data;
const readExperiment = async (api: ConsoleClient, id: string) => (await api.getExperiment({ path: { id } })).data;

async function openExperiment(page: Page, id: string, search = ""): Promise<void> {
  await page.goto(`experiments/${id}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the experiment" })).toBeVisible();
  // The editors come later, and move the content below them.
  if (search === "") await expect(page.getByRole("textbox", { name: /^Values of / }).first()).toBeVisible();
}

const state = (page: Page) => page.getByRole("region", { name: "State" });

test("an experiment goes from its idea to its decision", async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/experiments`);
  await page.getByRole("button", { name: "Create experiment" }).first().click();
  const creation = page.getByRole("dialog", { name: "Create an experiment" });
  await creation.getByLabel("Name").fill("Größe (neu)");
  await expect(creation.getByText("gro_e_neu")).toBeVisible();
  await creation.getByLabel("Name").fill("按钮颜色");
  await creation.getByRole("textbox", { name: "ID", exact: true }).fill("button_color");
  await creation.getByRole("textbox", { name: "Hypothesis" }).fill("If the button is green, more people press it.");
  await expectAccessible(page);
  await creation.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "按钮颜色", level: 1 })).toBeVisible();

  // Both groups get the same at first, so a start would be useless.
  const checks = page.getByRole("list", { name: "Before you start" });
  await expect(checks.getByRole("listitem").filter({ has: page.getByRole("img", { name: "Missing" }) })).toHaveText([/different values/]);
  await expect(page.getByRole("button", { name: "Start", exact: true })).toHaveAttribute("aria-disabled", "true");
  await typeJson5(page, "Values of Control", "{ color: 'blue' }");
  await typeJson5(page, "Values of Test", "{ color: 'green' }");
  await expect(checks.getByRole("img", { name: "Missing" })).toHaveCount(0);
  await expectAccessible(page);
  const changes = await review(page);
  await expect(changes.getByRole("list").first()).toContainText("Group “Test”: values changed");
  await changes.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();

  await page.getByRole("button", { name: "Start", exact: true }).click();
  const start = page.getByRole("dialog", { name: "Start 按钮颜色?" });
  await expect(start).toContainText("100% of users take part. Of them, 50% get Control, 50% get ");
  await expectAccessible(page);
  await start.getByRole("button", { name: "Start" }).click();
  await expect(state(page)).toContainText("Running. Day 1 of 14.");
  expect(await readExperiment(api, "button_color")).toMatchObject({
    status: "active",
    groups: [{ parameterValues: { color: "blue" } }, { parameterValues: { color: "green" } }],
  });

  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const flags = createEvaluationClient({ baseUrl: serverUrl(), apiKey: key.key ?? "" });
  for (let user = 0; user < 20; user += 1)
    await flags.getConfigValue({ body: { configName: "button_color", user: { userID: `user ${user}` } } });
  await expect
    .poll(
      async () =>
        (await api.getExperimentCumulativeExposures({ path: { id: "button_color" } })).data.flatMap(({ results }) => results).length,
    )
    .toBeGreaterThan(0);
  await page.reload();
  await page.getByRole("tab", { name: "Exposures" }).click();
  await expect(page.getByRole("table", { name: "Exposed units by group" }).getByRole("rowheader")).toHaveText(["Control", "Test"]);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Ship a group" }).click();
  const decision = page.getByRole("dialog", { name: "End 按钮颜色 and ship a group?" });
  await expect(decision.getByRole("button", { name: /Test Winning group|Winning group/ })).toContainText("Test");
  await decision.getByLabel("Reason").fill("More people pressed it.");
  await expectAccessible(page);
  await decision.getByRole("button", { name: "Ship Test" }).click();
  await expect(page.getByText("Test shipped")).toBeVisible();
  await expect(state(page)).toContainText("Shipped Test to everyone.");
  const decided = await readExperiment(api, "button_color");
  expect(decided).toMatchObject({ status: "decision_made", decisionReason: "More people pressed it." });
  expect(decided.launchedGroupID).toBe(decided.groups[1]?.id);
});

test("groups are added, renamed, resized and removed", { tag: NIGHT }, async ({ api, page }) => {
  const experiment = await newExperiment(api);
  await openExperiment(page, experiment.id);
  await page.getByRole("button", { name: "Add group" }).click();
  await page.getByRole("button", { name: "Equal sizes" }).click();
  await page.getByRole("textbox", { name: "Group", exact: true }).nth(2).fill("Red");
  await typeJson5(page, "Values of Red", "{ color: 'red' }");
  await page.getByRole("button", { name: "Make control: Test" }).click();
  await reviewAndSave(page);
  const stored = await readExperiment(api, experiment.id);
  expect(stored.groups).toMatchObject([
    { name: "Control", size: 33.34 },
    { name: "Test", size: 33.33 },
    { name: "Red", size: 33.33, parameterValues: { color: "red" } },
  ]);
  expect(stored.controlGroupID).toBe(stored.groups[1]?.id);
  await page.getByRole("button", { name: "Remove group Control" }).click();
  await expect(page.getByText("Group sizes must add up to 100%. They add up to 66.66%.")).toBeVisible();
  await expect(saveBar(page).getByRole("button", { name: "Review" })).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("button", { name: "Equal sizes" }).click();
  await reviewAndSave(page);
  expect((await readExperiment(api, experiment.id)).groups).toMatchObject([
    { name: "Test", size: 50 },
    { name: "Red", size: 50 },
  ]);
});

test("a gate limits who takes part, and a running experiment keeps its groups", { tag: NIGHT }, async ({ api, page }) => {
  const { data: gate } = await api.createGate({ body: { name: unique("beta") } });
  const experiment = await newExperiment(api);
  await openExperiment(page, experiment.id);
  await find(page, page.getByRole("combobox", { name: "Targeting gate" }), gate.name);
  await page.getByLabel("Allocation: share of all users").fill("20");
  await page.keyboard.press("Enter");
  await reviewAndSave(page);
  expect(await readExperiment(api, experiment.id)).toMatchObject({ targetingGateID: gate.id, allocation: 20 });
  await api.startExperiment({ path: { id: experiment.id }, body: {} });
  await expect(page.getByRole("button", { name: "Add group" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByLabel("Size").first()).toBeDisabled();
});

test("overrides put ids into a group, and a group is taken out and back, each after a review", { tag: NIGHT }, async ({ api, page }) => {
  const { id, name } = await newExperiment(api);
  await api.startExperiment({ path: { id }, body: {} });
  await openExperiment(page, id, "?tab=overrides");
  await choose(page, page.getByRole("button", { name: /Gets the group$/ }), "Test");
  await page.getByRole("textbox", { name: "IDs" }).fill("ada");
  await page.getByRole("button", { name: "Add override" }).click();
  await page
    .getByRole("dialog", { name: `Add override of ${name}?` })
    .getByRole("button", { name: "Add override" })
    .click();
  const row = page.getByRole("table", { name: "Overrides" }).getByRole("row").nth(1);
  await expect(row).toContainText("ada");
  await expectAccessible(page);
  const read = async () => (await api.getExperimentOverrides({ path: { id } })).data.userIDOverrides;
  expect(await read()).toMatchObject([{ ids: ["ada"] }]);
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove override" }).click();
  await expect(page.getByText("No overrides")).toBeVisible();
  expect(await read()).toEqual([]);

  // A running experiment opens with its results.
  await page.goto(`experiments/${id}`);
  await expect(page.getByRole("tab", { name: "Results" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("tab", { name: "Setup" }).click();
  await expect(page.getByRole("textbox", { name: /^Values of / }).first()).toBeVisible();
  const disabled = async () => (await readExperiment(api, id)).groups.map((group) => group.disabled === true);
  await page.getByRole("button", { name: "Disable the group Test" }).click();
  await page.getByRole("dialog", { name: "Disable the group Test?" }).getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("group", { name: /^Test/ })).toContainText("Disabled");
  expect(await disabled()).toEqual([false, true]);
  await page.getByRole("button", { name: "Enable the group Test" }).click();
  await page.getByRole("dialog", { name: "Enable the group Test?" }).getByRole("button", { name: "Enable" }).click();
  await expect(page.getByRole("group", { name: /^Test/ })).not.toContainText("Disabled");
  expect(await disabled()).toEqual([false, false]);
});

test("every other step: schedule, stop, abandon, reset, copy, archive, unarchive, delete", async ({ api, page }) => {
  const { id, name } = await newExperiment(api);
  await openExperiment(page, id);
  await takeStep(page, name, "Schedule start", (dialog) => dialog.getByLabel("Start at").fill("2099-01-02T03:04"));
  await expect(state(page)).toContainText("It starts automatically at the scheduled time.");
  expect((await readExperiment(api, id)).scheduledStartTime).toBe(new Date("2099-01-02T03:04").getTime());
  await takeStep(page, name, "Start");
  await takeStep(page, name, "Stop enrolling new users");
  await expect(state(page)).toContainText("New users don’t count.");
  await takeStep(page, name, "Abandon", (dialog) => dialog.getByLabel("Reason").fill("It broke."));
  expect(await readExperiment(api, id)).toMatchObject({ status: "abandoned", decisionReason: "It broke." });
  await takeStep(page, name, "Reset to setup");
  await expect(page.getByRole("list", { name: "Before you start" })).toBeVisible();
  const copy = unique("copy");
  await takeStep(page, name, "Copy to a new experiment", (dialog) => dialog.getByLabel("Name of the new experiment").fill(copy));
  expect(await readExperiment(api, copy)).toMatchObject({ status: "setup", hypothesis: "Green sells." });
  await takeStep(page, name, "Archive");
  await expect(state(page)).toContainText("Archived. Unarchive it to change it.");
  await takeStep(page, name, "Unarchive");
  await expect(page.getByRole("list", { name: "Before you start" })).toBeVisible();
  await takeStep(page, name, "Delete");
  await expect(page.getByRole("heading", { name: "Experiments", level: 1 })).toBeVisible();
  await expect(api.getExperiment({ path: { id } })).rejects.toMatchObject({ status: 404 });
});

test("the keyboard alone creates an experiment and writes its hypothesis", async ({ api, page }) => {
  const name = unique("by_keyboard");
  await page.goto("experiments");
  await expect(page.getByRole("heading", { name: "Experiments", level: 1 })).toBeVisible();
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog", { name: "Create an experiment" }).getByLabel("Name")).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole("textbox", { name: "Hypothesis" }));
  await page.keyboard.type("Keys suffice.");
  await page.keyboard.press("Control+s");
  const save = page.getByRole("dialog", { name: /^Review changes/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await readExperiment(api, name)).hypothesis).toBe("Keys suffice.");
});

test("a step on an older version stores nothing", { tag: NIGHT }, async ({ api, page, expectFault }) => {
  const { id, name } = await newExperiment(api);
  await openExperiment(page, id);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const start = page.getByRole("dialog", { name: `Start ${name}?` });
  await expect(start.getByRole("button", { name: "Start" })).toBeEnabled();
  await api.patchExperiment({ path: { id }, body: { allocation: 10 } });
  expectFault(/^412: POST \/console\/v1\/batch/);
  await start.getByRole("button", { name: "Start" }).click();
  await start.getByRole("button", { name: "Reload" }).click();
  expect(await readExperiment(api, id)).toMatchObject({ status: "setup", allocation: 10 });
});

test("the history tells each change, and every tab has no barriers", { tag: NIGHT }, async ({ api, page }) => {
  const { id } = await newExperiment(api);
  await api.patchExperiment({
    path: { id },
    body: {
      groups: [
        { name: "Control", size: 40 },
        { name: "Test", size: 60 },
      ],
    },
  });
  await openExperiment(page, id, "?tab=history");
  await expect(page.getByText("Group “Control”")).toBeVisible();
  await expectAccessible(page);
  for (const tab of ["Exposures", "Used by", "Details"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel", { name: tab })).toBeVisible();
    await expectAccessible(page);
  }
});

test("the list is filtered by status", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data } = await api.createExperiment({ body: { name: "running one", groups: GROUPS } });
  await api.startExperiment({ path: { id: data.id }, body: {} });
  await api.createExperiment({ body: { name: "idea" } });
  await page.goto(`/projects/${projectID}/experiments`);
  await expect(page.getByRole("rowheader")).toHaveText([/idea/, /running one/]);
  await choose(page, page.getByRole("button", { name: /Status$/ }), "Running");
  await expect(page.getByRole("rowheader")).toHaveText([/running one/]);
});

test("a viewer sees an experiment and may change nothing", { tag: NIGHT }, async ({ api, openBrowser, viewer }) => {
  const { id } = await newExperiment(api);
  const page = await openBrowser(signedInAs(viewer));
  await openExperiment(page, id);
  await expect(page.getByRole("button", { name: "Start", exact: true })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("textbox", { name: "Hypothesis" })).toBeDisabled();
});
