import type { ConsoleClient } from "@gatehouse/client";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate, openGate, readGate, review, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, unique } from "./support/people.ts";
import { overflow } from "./support/reflow.ts";
import { expect, test } from "./support/test.ts";

const environmentRow = (page: Page, name: string) =>
  page.getByRole("table", { name: "Environments" }).getByRole("row", { name: `On in ${name}` });
const turn = (page: Page, name: string) => page.getByRole("switch", { name: `On in ${name}`, exact: true }).click({ force: true });

/** The value that a user gets in each environment. */
async function valuesOf(api: ConsoleClient, type: "gate" | "dynamic_config", id: string): Promise<Record<string, unknown>> {
  const value = async (environment: string) => {
    const { data } = await api.evaluateUsers({ body: { users: [{ userID: "ada" }], environment, entities: [{ type, id }] } });
    return [environment, data[0]?.results[0]?.value] as const;
  };
  return Object.fromEntries(await Promise.all(["development", "staging", "production"].map(value)));
}

test("a gate that is turned off in one environment fails users there, and in no other", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  await openGate(page, gate.id);
  await expect(environmentRow(page, "staging")).toContainText("Everyone");
  await turn(page, "staging");
  await expect(environmentRow(page, "staging")).toContainText("Off. Rules don’t run here.");
  await turn(page, "production");
  await turn(page, "production");
  const dialog = await review(page);
  await expect(dialog.getByRole("listitem").first()).toHaveText("Turned off in staging");
  await expect(dialog).toContainText("Affects users in staging.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect(await readGate(api, gate.id)).toMatchObject({ isEnabled: true, disabledEnvironments: ["staging"] });
  expect(await valuesOf(api, "gate", gate.id)).toEqual({ development: true, staging: false, production: true });
  await expect(page.getByRole("main")).toContainText("Off in staging");
  await expectAccessible(page);

  await page.goto(`gates?search=${gate.name}`);
  await expect(stateIn(page, gate.name, "staging")).toHaveText("Off");
  await expect(stateIn(page, gate.name, "production")).toHaveText("Everyone");
});

const isFocused = (target: Locator) => target.evaluate((one) => one === document.activeElement);

const stateIn = (page: Page, name: string, environment: string) =>
  page
    .getByRole("row", { name })
    .getByRole("gridcell")
    .filter({ has: page.getByRole("switch", { name: `${name} in ${environment}` }) });

test("a list switches a gate in one environment by keyboard after a review, and keeps the place of each column", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Half", { passPercentage: 50 })] });
  const address = `gates?search=${gate.name}`;
  await page.goto(address);
  const staging = page.getByRole("switch", { name: `${gate.name} in staging`, exact: true });
  const place = await stateIn(page, gate.name, "production").boundingBox();
  await page.getByRole("row", { name: gate.name }).focus();
  for (let presses = 0; presses < 20 && !(await isFocused(staging)); presses += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  const dialog = page.getByRole("dialog", { name: `Turn off ${gate.name} in staging?` });
  await expect(dialog.getByRole("listitem").first()).toHaveText("Turned off in staging");
  await expect(dialog).toContainText("Affects users in staging.");
  await expect(staging.and(page.locator(":checked"))).toHaveCount(1);
  await dialog.getByRole("button", { name: "Back" }).click();
  await expect(staging).toBeFocused();
  expect(await readGate(api, gate.id)).not.toHaveProperty("disabledEnvironments");
  await page.keyboard.press("Space");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(stateIn(page, gate.name, "staging")).toHaveText("Off");
  await expect(staging).toBeFocused();
  expect(await readGate(api, gate.id)).toMatchObject({ isEnabled: true, disabledEnvironments: ["staging"] });
  expect(await stateIn(page, gate.name, "production").boundingBox()).toEqual(place);
  expect(new URL(page.url()).pathname).toMatch(/gates$/);
  await expectAccessible(page);

  await api.disableGate({ path: { id: gate.id } });
  await page.reload();
  await expect(page.getByRole("switch", { name: `${gate.name} in`, disabled: true })).toHaveCount(3);
});

test("in a narrow window, a switch of a list can be pressed beside its state", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`gates?search=${gate.name}&environment=production`);
  const turnOff = page.getByRole("dialog").getByRole("button", { name: "Turn off" });
  // A table ignores presses while it scrolls.
  await expect(async () => {
    await stateIn(page, gate.name, "production").locator("label").click();
    await expect(turnOff).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await turnOff.click();
  await expect(stateIn(page, gate.name, "production")).toHaveText("Off");
  expect(await valuesOf(api, "gate", gate.id)).toEqual({ development: true, staging: true, production: false });
});

test("a switch is undone in one step from its message, unless the gate was changed since", async ({ api, page, expectFault }) => {
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  await page.goto(`gates?search=${gate.name}`);
  const turnOff = async () => {
    await stateIn(page, gate.name, "staging").locator("label").click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await expect(stateIn(page, gate.name, "staging")).toHaveText("Off");
  };
  const message = (text: string) => page.getByRole("alertdialog").filter({ hasText: text });
  await turnOff();
  await message(`${gate.name} is off in staging`).getByRole("button", { name: "Undo" }).click();
  await expect(message(`${gate.name} is on again in staging`)).toBeVisible();
  await expect(stateIn(page, gate.name, "staging")).toHaveText("Everyone");
  expect(await readGate(api, gate.id)).not.toHaveProperty("disabledEnvironments");

  await turnOff();
  await api.patchGate({ path: { id: gate.id }, body: { description: "Changed since." } });
  expectFault(/^412: POST/);
  await message(`${gate.name} is off in staging`).getByRole("button", { name: "Undo" }).click();
  await expect(message(`Couldn’t undo: someone has changed ${gate.name} since then.`)).toBeVisible();
  expect(await readGate(api, gate.id)).toMatchObject({ disabledEnvironments: ["staging"] });
});

test("with five environments, the list of gates scrolls to each one’s column, which is whole", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const { environments } = (await api.getEnvironments()).data;
  const more = ["preview", "load_testing"].map((name) => ({
    name,
    isProduction: false,
    requiresReview: false,
    requiresReleasePipeline: false,
  }));
  await api.updateEnvironments({ body: { environments: [...environments, ...more] } });
  const gate = await newGate(api, { rules: [rule("Halves", { passPercentage: 50 })] });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/projects/${projectID}/gates`);
    for (const name of ["development", "staging", "production", "preview", "load_testing"]) {
      const header = page.getByRole("columnheader", { name, exact: true });
      const cell = stateIn(page, gate.name, name);
      await cell.scrollIntoViewIfNeeded();
      await expect(cell, `${name} at ${width} px`).toBeInViewport({ ratio: 1 });
      await expect(cell).toHaveText("50%");
      for (const part of [header, cell])
        expect(await part.evaluate((one) => one.scrollWidth - one.clientWidth), `${name} at ${width} px`).toBeLessThanOrEqual(0);
    }
    await expect.poll(() => overflow(page)).toBe(0);
  }
});

test("a dynamic config is turned off in one environment, and its list shows each", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const rules = [{ ...rule("Everyone", { passPercentage: 100 }), returnValue: { size: 2 } }];
  const { data: config } = await api.createDynamicConfig({ body: { name: unique("config"), defaultValue: { size: 1 }, rules } });
  await page.goto(`/projects/${projectID}/dynamic-configs/${config.id}`);
  await turn(page, "production");
  await reviewAndSave(page);
  const [on, off] = [{ size: 2 }, { size: 1 }];
  expect(await valuesOf(api, "dynamic_config", config.id)).toEqual({ development: on, staging: on, production: off });
  await page.getByRole("link", { name: "Dynamic configs" }).first().click();
  await expect(page.getByRole("gridcell").filter({ has: page.getByRole("switch") })).toHaveText(["Everyone", "Everyone", "Off"]);
  await stateIn(page, config.name, "production").locator("label").click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
  await expect(stateIn(page, config.name, "production")).toHaveText("Everyone");
  expect(await valuesOf(api, "dynamic_config", config.id)).toEqual({ development: on, staging: on, production: on });
});

test("the rules of an environment are copied to another, which says what happens to its own", async ({ api, page }) => {
  const gate = await newGate(api, {
    rules: [
      rule("New checkout", { environments: ["staging"] }),
      rule("Nobody live", { passPercentage: 0, environments: ["production"] }),
      rule("Halves", { passPercentage: 50, environments: ["development", "production"] }),
    ],
  });
  await openGate(page, gate.id);
  await environmentRow(page, "staging").getByRole("button", { name: "Copy rules to… from staging" }).click();
  const dialog = page.getByRole("dialog", { name: "Copy the rules of staging" });
  await choose(page, dialog.getByRole("button", { name: /To$/ }), "production");
  await expect(dialog.getByRole("list", { name: "Changes" }).getByRole("listitem")).toHaveText([
    "Added to production: “New checkout”.",
    "Removed from production: “Halves”.",
    "Deleted (used only in production): “Nobody live”.",
  ]);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(environmentRow(page, "production")).toContainText("Everyone");
  const reviewing = await review(page);
  await expect(reviewing).toContainText("Affects users in production.");
  await reviewing.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect((await readGate(api, gate.id)).rules).toMatchObject([
    { name: "New checkout", environments: ["staging", "production"] },
    { name: "Halves", environments: ["development"] },
  ]);
  expect(await valuesOf(api, "gate", gate.id)).toMatchObject({ staging: true, production: true });
});

test("in the view of one environment, a rule is switched, edited and removed only there", { tag: NIGHT }, async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Switched"), rule("Edited"), rule("Removed")] });
  await openGate(page, gate.id, "?environment=staging");
  await expect(page.getByRole("switch", { name: "Enabled in all environments" })).toBeVisible();
  await page.getByRole("switch", { name: "Switched is on in staging" }).click({ force: true });
  await page.getByRole("button", { name: "Edit Edited" }).click();
  await expect(page.getByRole("note").filter({ hasText: "Edits also apply in" })).toContainText("development and production");
  await page.getByRole("button", { name: "Edit only in staging" }).click();
  await page.getByLabel("Pass percentage").fill("30");
  await page.getByRole("button", { name: "More for Removed" }).click();
  await page.getByRole("menuitem", { name: "Remove from staging" }).click();
  const dialog = await review(page);
  await expect(dialog).toContainText("Affects users in staging.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  const elsewhere = { environments: ["development", "production"] };
  const [, edited] = gate.rules;
  expect((await readGate(api, gate.id)).rules).toMatchObject([
    { name: "Switched", ...elsewhere },
    { name: "Edited (staging)", passPercentage: 30, baseID: edited?.baseID, environments: ["staging"] },
    { name: "Edited", id: edited?.id, passPercentage: 100, ...elsewhere },
    { name: "Removed", ...elsewhere },
  ]);
});
