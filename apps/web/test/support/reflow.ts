import { expect, type Page } from "@playwright/test";

/** Widths of a phone, and of 1280 pixels at 200% zoom. */
const WIDTHS = [390, 640];
const HEIGHT = 800;

/** How far the page reaches beyond the window, in pixels. A part that is still loading may be wide for a moment. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Expects that the page itself does not scroll sideways in narrow windows. @param part names the page in the failure */
export async function expectReflow(page: Page, part: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await expect.poll(() => overflow(page), `${part} at ${width} px`).toBe(0);
  }
}
