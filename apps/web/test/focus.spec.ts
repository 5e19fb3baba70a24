import type { Page } from "@playwright/test";
import { newGate, openGate, rule } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const conditions = [
  { type: "country" as const, operator: "any" as const, targetValue: ["NO"] },
  { type: "user_id" as const, operator: "any" as const, targetValue: ["ada"] },
];

/** Presses a button with the keyboard. */
async function press(page: Page, name: string | RegExp) {
  await page.getByRole("button", { name, exact: true }).focus();
  await page.keyboard.press("Enter");
}

test("the focus stays in the page when a row is removed, a dialog closes and a save bar goes", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("First", { conditions })] });
  await openGate(page, gate.id);
  await press(page, "Edit First");
  await press(page, "Remove condition 1");
  await expect(page.getByRole("button", { name: "Remove condition 2" })).toBeHidden();
  await expect(page.getByRole("grid").locator(":focus")).toBeVisible();

  const percentage = page.getByRole("textbox", { name: "Pass percentage" });
  await percentage.fill("20");
  await press(page, "Review");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Review", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  const save = page.getByRole("dialog").getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await save.press("Enter");
  await expect(page.getByRole("region", { name: "Unsaved changes" })).toBeHidden();
  await expect(page.getByRole("tab", { name: "Targeting" })).toBeFocused();

  await press(page, `More for ${gate.name}`);
  await page.getByRole("menuitem", { name: "Archive" }).press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: `More for ${gate.name}` })).toBeFocused();
});

/** Expects that the focus is on a part of the page or of a dialog, or on the dialog itself. */
const expectFocusIn = (page: Page, part: "main" | "[role=dialog]") => expect(page.locator(`${part}:focus, ${part} :focus`)).toBeVisible();

/** Confirms the open deletion, once its consequences are known. */
async function confirm(page: Page) {
  const button = page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true });
  await expect(button).toBeEnabled();
  await button.press("Enter");
}

test("the focus stays in the page when dialogs of configs, experiments and settings are closed and confirmed", { tag: NIGHT }, async ({
  page,
}) => {
  const { projectID, api } = await newProject();
  await api.createDynamicConfig({ body: { name: "Prices" } });
  await api.createExperiment({ body: { name: "Button" } });
  for (const name of ["checkout", "search"]) await api.createTag({ body: { name } });
  for (const [address, name, step] of [
    ["dynamic-configs/prices", "Prices", "Delete"],
    ["experiments/button", "Button", "Copy to a new experiment"],
  ] as const) {
    await page.goto(`/projects/${projectID}/${address}`);
    const more = page.getByRole("button", { name: `More for ${name}` });
    await more.press("Enter");
    await page.getByRole("menuitem", { name: step }).press("Enter");
    await expectFocusIn(page, "[role=dialog]");
    await page.keyboard.press("Escape");
    await expect(more).toBeFocused();
  }
  await page.goto(`/projects/${projectID}/settings?tab=tags`);
  await press(page, "Edit checkout");
  await expectFocusIn(page, "[role=dialog]");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Edit checkout" })).toBeFocused();
  await press(page, "Delete checkout");
  await confirm(page);
  await expect(page.getByRole("button", { name: "Delete checkout" })).toBeHidden();
  await expectFocusIn(page, "main");

  // The list replaces the page of a deleted entity, and starts like any other page.
  await page.goto(`/projects/${projectID}/dynamic-configs/prices`);
  await press(page, "More for Prices");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await confirm(page);
  await expect(page.getByRole("heading", { name: "Dynamic configs", level: 1 })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.locator(":focus")).toBeVisible();
});
