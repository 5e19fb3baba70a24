import type { ConsoleClient } from "@gatehouse/client";
import { expect, type Page } from "@playwright/test";
import { unique } from "./people.ts";

type NewGate = Parameters<ConsoleClient["createGate"]>[0]["body"];
export type Rule = NonNullable<NewGate["rules"]>[number];
export type Condition = Rule["conditions"][number];

export const rule = (name: string, given: Partial<Rule> = {}): Rule => ({ name, passPercentage: 100, conditions: [], ...given });

/** A gate under a unique name, which is its id. */
export async function newGate(api: ConsoleClient, given: Partial<NewGate> = {}) {
  return (await api.createGate({ body: { name: unique("gate"), ...given } })).data;
}

export const readGate = async (api: ConsoleClient, id: string) => (await api.getGate({ path: { id } })).data;

export async function openGate(page: Page, id: string, search = ""): Promise<void> {
  await page.goto(`gates/${id}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the gate" })).toBeVisible();
}

/** The bar that collects edits. */
export const saveBar = (page: Page) => page.getByRole("region", { name: "Unsaved changes" });

/** Opens the review of the changes. */
export async function review(page: Page) {
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  return dialog;
}

/** Reviews the changes and stores them. */
export async function reviewAndSave(page: Page): Promise<void> {
  const dialog = await review(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(saveBar(page)).toBeHidden();
}

/** Chooses an option of a select by its label, which a hint may follow. */
export async function choose(page: Page, select: ReturnType<Page["getByRole"]>, option: string | RegExp): Promise<void> {
  await select.click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Searches in a field, and chooses the one option that is found, by keyboard. */
export async function find(page: Page, field: ReturnType<Page["getByRole"]>, name: string): Promise<void> {
  await field.click();
  await field.pressSequentially(name);
  await expect(page.getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("option", { name })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option")).toHaveCount(0);
}

/** Takes a step of the menu of an entity, after its review. */
export async function takeStep(
  page: Page,
  name: string,
  label: string,
  fill?: (dialog: ReturnType<Page["getByRole"]>) => Promise<void>,
): Promise<void> {
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: label, exact: true }).click();
  const dialog = page.getByRole("dialog", { name });
  await fill?.(dialog);
  await dialog.getByRole("button", { name: label, exact: true }).click();
  await expect(dialog).toBeHidden();
}
