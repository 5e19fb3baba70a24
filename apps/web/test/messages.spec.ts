import type { Locator, Page } from "@playwright/test";
import { newGate, openGate, review, reviewAndSave, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { expect, test } from "./support/test.ts";

const description = (page: Page) => page.getByRole("textbox", { name: "Description" });

async function measureBox(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return box;
}

/** Waits until a page that scrolls has placed both. */
async function expectApart(one: Locator, other: Locator): Promise<void> {
  await expect(async () => {
    const [a, b] = await Promise.all([measureBox(one), measureBox(other)]);
    const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
    expect(isApart, `${JSON.stringify(a)} covers ${JSON.stringify(b)}`).toBe(true);
  }).toPass({ timeout: 5_000 });
}

const WINDOWS = [
  { kind: "wide", width: 1280, height: 720 },
  { kind: "narrow", width: 390, height: 800 },
  // The save bar follows the content, far above the end of the window.
  { kind: "tall", width: 1280, height: 1600 },
];

for (const { kind, ...viewport } of WINDOWS)
  test(
    `in a ${kind} window, what changes right after a save is reviewed beside the message of the save`,
    kind === "wide" ? {} : { tag: NIGHT },
    async ({ api, page }) => {
      await page.setViewportSize(viewport);
      const gate = await newGate(api);
      await openGate(page, gate.id, "?tab=details");
      await description(page).fill("Saved");
      await reviewAndSave(page);
      const message = page.getByRole("region", { name: "Messages" });
      await expect(message).toContainText(`${gate.name} is saved`);
      await description(page).fill("Changed at once");
      await expect(saveBar(page)).toBeVisible();
      await expectApart(message, saveBar(page));
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await expectApart(message, saveBar(page));
      await expect(await review(page)).toContainText("Changed at once");
    },
  );
