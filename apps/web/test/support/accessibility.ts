import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

/** The rules whose results can differ between light and dark. */
const RULES_OF_COLOR = ["color-contrast", "link-in-text-block"];

/** Off by default. */
const LABEL_RULE = "label-content-name-mismatch";
/** Options have a description beside their label, which the rule counts as part of it. */
const DESCRIBED = /^<[^>]* role="(menuitem|option)"/;

/** The ids of the rules that the page breaks, each with the elements that break it. */
export async function findings(page: Page, rules?: string[]): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async (options) => {
      const results = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
      return results.violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html) }));
    },
    {
      // For other results, axe would compute a selector of each element.
      resultTypes: ["violations" as const],
      ...(rules ? { runOnly: rules } : { rules: { [LABEL_RULE]: { enabled: true } } }),
    },
  );
  return violations.flatMap(({ id, elements }) => {
    const broken = elements.filter((html) => id !== LABEL_RULE || !DESCRIBED.test(html));
    return broken.length === 0 ? [] : [`${id}: ${broken.join("\n")}`];
  });
}

/** Expects axe to find no faults in the page as it is, in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that still loads has no heading. Under a dialog, the heading is hidden.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.emulateMedia({ colorScheme: "light" });
  expect.soft(await findings(page), `${page.url()}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect.soft(await findings(page, RULES_OF_COLOR), `${page.url()}, dark`).toEqual([]);
}
