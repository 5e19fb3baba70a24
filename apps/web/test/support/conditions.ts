import type { Locator, Page } from "@playwright/test";
import { choose } from "./gates.ts";

/** The fields of a condition in the rule editor. @param number counted from 1 */
export const condition = (page: Page, number: number): Locator => page.getByRole("group", { name: `Condition ${number}` });

/** Chooses the value that a condition compares, by search. */
export async function compare(page: Page, number: number, type: string, operator?: string): Promise<void> {
  const box = condition(page, number).getByRole("combobox", { name: "Field", exact: true });
  await box.fill(type);
  await page
    .getByRole("option", { name: new RegExp(`^${type}`) })
    .first()
    .click();
  if (operator !== undefined) await choose(page, condition(page, number).getByRole("button", { name: /Operator/ }), operator);
}
