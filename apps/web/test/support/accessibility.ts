import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The rules whose results can differ between light and dark. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** The ids of the rules that the page breaks, each with the elements that break it. */
export async function findings(page: Page, rules?: string[]): Promise<string[]> {
  // Legacy mode saves a second page for each analysis, which only frames need.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ rules: { "label-content-name-mismatch": { enabled: true } } });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}

/** Expects axe to find no faults in the page as it is, in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that still loads has no heading. Under a dialog, the heading is hidden.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.emulateMedia({ colorScheme: "light" });
  expect.soft(await findings(page), `${page.url()}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect.soft(await findings(page, RULES_OF_COLOUR), `${page.url()}, dark`).toEqual([]);
}
