import type { Page } from "@playwright/test";
import { compare, condition } from "./support/conditions.ts";
import { choose, newGate, openGate, type Rule, readGate, review, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { ADMINISTRATOR_STATE } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const rules = (page: Page) => page.getByRole("grid", { name: "Rules" }).getByRole("row");
const ruleNames = (page: Page) => rules(page).getByRole("heading", { level: 3 });

async function more(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `More for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

test("a rule is edited, reviewed in words and saved", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Staff", { passPercentage: 10 })] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Staff" }).click();
  await page.getByLabel("Pass percentage").fill("42.5");
  await page.getByLabel("Name", { exact: true }).fill("Employees");
  await expect(saveBar(page).getByRole("status")).toHaveText("2 changes");
  const dialog = await review(page);
  await expect(dialog.getByRole("listitem")).toHaveText(["Rule “Staff”: renamed to “Employees”", "Rule “Staff”: passes 10% → 42.5%"]);
  await expect(dialog).toContainText("Affects users in all environments (development, staging, and production).");
  expect(await readGate(api, gate.id)).toMatchObject({ version: 1 });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  await expect(page.getByText(`${gate.name} is saved`)).toBeVisible();
  const saved = await readGate(api, gate.id);
  expect(saved).toMatchObject({ version: 2, rules: [{ id: gate.rules[0]?.id, name: "Employees", passPercentage: 42.5 }] });
});

test("the page and the review warn of a percentage that the next step lowers, and of a rule that is never reached", async ({
  api,
  page,
}) => {
  const steps = [{ time: Date.UTC(2100, 0, 1, 10), passPercent: 50 }];
  const staff = rule("Staff", { conditions: [{ type: "email", operator: "any", targetValue: ["ada@example.com"] }] });
  const gate = await newGate(api, { rules: [staff, rule("All", { passPercentage: 20, pendingAutomatedRollouts: steps })] });
  await openGate(page, gate.id);
  await expect(page.getByText("Never reached")).toBeHidden();
  await page.getByRole("button", { name: "Edit All" }).click();
  await page.getByLabel("Pass percentage", { exact: true }).fill("80");
  await expect(rules(page).last()).toContainText("The next scheduled step lowers this to 50% on Jan 1, 2100, 10:00 UTC.");
  await more(page, "All", "Move up");
  await expect(rules(page).last()).toContainText("Never reached: rule 1 matches everyone.");
  const dialog = await review(page);
  await expect(dialog.getByRole("note").filter({ hasText: "Rule" }).getByRole("paragraph")).toHaveText([
    "Rule “All”: The next scheduled step lowers this to 50% on Jan 1, 2100, 10:00 UTC.",
    "Rule “Staff”: Never reached: rule 1 matches everyone.",
  ]);
});

test("rules change places by their menu, by keyboard and by mouse", async ({ api, page }) => {
  const gate = await newGate(api, { rules: ["first", "second", "third"].map((name) => rule(name)) });
  await openGate(page, gate.id);
  await more(page, "first", "Move down");
  await expect(ruleNames(page)).toHaveText(["second", "first", "third"]);

  await page.getByRole("button", { name: "Move third" }).focus();
  await page.keyboard.press("Enter");
  // A key that comes before the next target has the focus is lost.
  const target = (name: string) => page.getByRole("button", { name });
  await expect(page.getByRole("button", { name: /^Insert/ }).first()).toBeAttached();
  await expect(page.locator(":focus")).toHaveAccessibleName(/^Insert/);
  await page.keyboard.press("Home");
  await expect(target("Insert before second")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(ruleNames(page)).toHaveText(["third", "second", "first"]);

  const handle = await page.getByRole("button", { name: "Move first" }).boundingBox();
  const top = await rules(page).first().boundingBox();
  if (!handle || !top) throw new Error("The rules are not shown.");
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(top.x + 60, top.y + top.height / 2, { steps: 10 });
  await page.mouse.move(top.x + 60, top.y + 2, { steps: 5 });
  await page.mouse.up();
  await expect(ruleNames(page)).toHaveText(["first", "third", "second"]);

  await reviewAndSave(page);
  const names = (await readGate(api, gate.id)).rules.map(({ name }) => name);
  expect(names).toEqual(["first", "third", "second"]);
});

test("a rule is switched off, another duplicated, a third deleted", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("off"), rule("twice", { passPercentage: 30 }), rule("gone")] });
  await openGate(page, gate.id);
  await page.getByRole("switch", { name: "off is on" }).click({ force: true });
  await expect(rules(page).first()).toContainText("Switched off");
  await more(page, "twice", "Duplicate");
  await more(page, "gone", "Delete");
  await expect(ruleNames(page)).toHaveText(["off", "twice", "twice copy"]);
  await reviewAndSave(page);
  const saved = await readGate(api, gate.id);
  expect(saved.rules).toMatchObject([
    { name: "off", isEnabled: false, id: gate.rules[0]?.id },
    { name: "twice", passPercentage: 30, id: gate.rules[1]?.id },
    { name: "twice copy", passPercentage: 30 },
  ]);
  expect(new Set(saved.rules.map(({ id }) => id)).size).toBe(3);
});

test("a rule comes to other environments, shared or as a copy, and environments are compared", async ({ api, page }) => {
  const staged = (name: string): Rule => rule(name, { environments: ["staging"] });
  const gate = await newGate(api, { rules: [staged("shared"), staged("copied")] });
  await openGate(page, gate.id);
  await more(page, "shared", "Copy to other environments");
  const sharing = page.getByRole("dialog", { name: "Copy shared to other environments" });
  await expect(sharing.getByRole("checkbox")).toHaveCount(2);
  await sharing.getByRole("checkbox", { name: "production" }).click({ force: true });
  await sharing.getByRole("button", { name: "Copy", exact: true }).click();
  await more(page, "copied", "Copy to other environments");
  const copying = page.getByRole("dialog", { name: "Copy copied to other environments" });
  await copying.getByRole("checkbox", { name: "development" }).click({ force: true });
  await copying.getByRole("radio", { name: /A separate rule/ }).click({ force: true });
  await copying.getByRole("button", { name: "Copy", exact: true }).click();

  await page.getByRole("button", { name: "Compare environments" }).click();
  await choose(page, page.getByRole("button", { name: /Compare$/ }), "staging");
  const table = page.getByRole("table", { name: "Rules of staging and production" });
  await expect(table.getByRole("row").nth(1)).toContainText("One rule for both");
  await expect(table.getByRole("row").nth(2)).toContainText("Only here");
  const dialog = await review(page);
  await expect(dialog).toContainText("Affects users in development and production.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect((await readGate(api, gate.id)).rules).toMatchObject([
    { name: "shared", environments: ["staging", "production"] },
    { name: "copied", environments: ["staging"] },
    { name: "copied (development)", environments: ["development"] },
  ]);
});

test("an incomplete rule is marked at its place, and cannot be reviewed", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("taken"), rule("edited")] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit edited" }).click();
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("");
  await expect(name).toHaveAccessibleDescription("Enter a name.");
  await expect(rules(page).nth(1)).toContainText("Not complete");
  await name.fill("taken");
  await expect(name).toHaveAccessibleDescription("Another rule has this name.");
  await name.fill("edited");
  await page.getByRole("button", { name: "Add condition" }).click();
  const button = saveBar(page).getByRole("button", { name: "Review" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.focus();
  await expect(condition(page, 1).getByRole("textbox", { name: "Add values" })).toHaveAccessibleDescription("Add at least one value.");
  await expect(page.getByRole("tooltip")).toHaveText("Fix the highlighted fields first.");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await compare(page, 1, "Everyone");
  await reviewAndSave(page);
});

test("a new rule asks for its audience, and starts off in production", async ({ api, page }) => {
  const gate = await newGate(api);
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Add rule" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(rules(page)).not.toContainText("Choose an audience");
  const button = saveBar(page).getByRole("button", { name: "Review" });
  await button.focus();
  await expect(rules(page)).toContainText("Choose an audience: everyone, or users who match a condition.");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  // Without its condition, the rule has no audience again.
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("button", { name: "Remove condition 1" }).click();
  await expect(rules(page)).toContainText("No audience yet.");
  await page.getByRole("button", { name: "Everyone", exact: true }).click();
  await expect(page.getByRole("checkbox", { name: "production" })).not.toBeChecked();
  const dialog = await review(page);
  await expect(dialog).toContainText("Affects users in development and staging.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect((await readGate(api, gate.id)).rules).toMatchObject([{ conditions: [], environments: ["development", "staging"] }]);
});

test("a rollout is scheduled and drawn", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Rollout", { passPercentage: 0 })] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Rollout" }).click();
  await page.getByRole("button", { name: "Use a schedule" }).click();
  await page.getByRole("menuitem", { name: /^Quick/ }).click();
  await expect(page.getByRole("figure", { name: /Pass percentage of Rollout/ })).toBeVisible();
  await expect(page.getByLabel(/^Time of step 1 \(\S+\)$/)).toBeVisible();
  await page.getByLabel("Pass percentage of step 2").fill("60");
  await page.getByRole("button", { name: "Remove step 1" }).click();
  await page.getByRole("button", { name: "Add step" }).click();
  const dialog = await review(page);
  await expect(dialog.getByRole("listitem")).toContainText("scheduled to pass 60% on");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  const [saved] = (await readGate(api, gate.id)).rules;
  expect(saved?.pendingAutomatedRollouts?.map(({ passPercent }) => passPercent)).toEqual([60, 100, 100]);
  const times = saved?.pendingAutomatedRollouts?.map(({ time }) => time) ?? [];
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBeGreaterThan(Date.now());
});

test("the environment of the page limits new rules and pales those of others", { tag: NIGHT }, async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("in production", { environments: ["production"] })] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Environment: All environments" }).click();
  await page.getByRole("menuitem", { name: "staging" }).click();
  await expect(page).toHaveURL(/environment=staging/);
  await expect(rules(page).first()).toContainText("Not in staging");
  await page.getByRole("button", { name: "Add rule for staging" }).click();
  await page.getByRole("button", { name: "Everyone", exact: true }).click();
  await reviewAndSave(page);
  expect((await readGate(api, gate.id)).rules).toMatchObject([
    { environments: ["production"] },
    { name: "New rule", environments: ["staging"] },
  ]);
});

test("numbers are read in the reader's notation, and refused instead of changed", async ({ api, openBrowser }) => {
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const page = await openBrowser({ locale: "de-DE", storageState: ADMINISTRATOR_STATE });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Everyone" }).click();
  const share = page.getByLabel("Pass percentage");
  await expect(share).toHaveValue("100");
  await share.fill("2,5");
  for (const [typed, reason] of [
    ["150", "Enter a number from 0 to 100."],
    ["-5", "Enter a number from 0 to 100."],
    ["viel", "“viel” is not a number."],
  ] as const) {
    await share.fill(typed);
    await page.keyboard.press("Tab");
    await expect(share).toHaveValue(typed);
    await expect(share).toHaveAccessibleDescription(reason);
    await expect(saveBar(page).getByRole("button", { name: "Review" })).toHaveAttribute("aria-disabled", "true");
  }
  await share.fill("2,5");
  const dialog = await review(page);
  await expect(dialog).toContainText("passes 100% → 2.5%");
});
