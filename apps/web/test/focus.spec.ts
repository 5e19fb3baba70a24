import type { Page } from "@playwright/test";
import { newGate, openGate, rule } from "./support/gates.ts";
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
  await expect(page.getByRole("main").locator(":focus")).toBeVisible();

  await press(page, `More for ${gate.name}`);
  await page.getByRole("menuitem", { name: "Archive" }).press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: `More for ${gate.name}` })).toBeFocused();
});
