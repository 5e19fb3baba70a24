import { expect, type Locator, type Page } from "@playwright/test";

const MAX_PRESSES = 80;

/** Presses a key until an element has the focus, as a person does who sees where the focus is. */
export async function pressUntil(page: Page, key: string, target: Locator): Promise<void> {
  // A page that is still loading has no element to move to.
  await target.first().waitFor({ state: "attached" });
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press(key);
    if ((await target.count()) === 1 && (await target.evaluate((element) => element === document.activeElement))) return;
  }
  await expect(target, `${MAX_PRESSES} × ${key} do not reach it`).toBeFocused();
}

/** Moves the focus to an element with the Tab key. */
export const tabTo = (page: Page, target: Locator): Promise<void> => pressUntil(page, "Tab", target);
