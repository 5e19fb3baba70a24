import type { Page } from "@playwright/test";

/** Replaces the text of a JSON5 editor, as a person does. */
export async function typeJson5(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: label, exact: true }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}
