import type { Locator, Page } from "@playwright/test";
import { unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

/** Presses where a list opens, and lets go over an option, as happens when the page moves meanwhile. */
async function pressAndMove(page: Page, opener: Locator, option: Locator): Promise<void> {
  await opener.hover();
  await page.mouse.down();
  await expect(option).toBeVisible();
  await option.hover();
  await page.mouse.up();
}

test("the press that opens a list chooses nothing, wherever it ends", async ({ api, page }) => {
  const columns = { timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant" };
  const idTypeMapping = [{ serviceUnitID: "userID", column: "customer" }];
  const { name } = (await api.createAssignmentSource({ body: { name: unique("source"), sql: "select 1", ...columns, idTypeMapping } }))
    .data;
  const { id } = (await api.createExperiment({ body: { name: unique("chosen") } })).data;
  await page.goto(`/projects/default/experiments/${id}?tab=setup`);

  const select = page.getByRole("button", { name: /Units come from$/ });
  const source = page.getByRole("option", { name });
  await pressAndMove(page, select, source);
  await expect(source).toBeVisible();
  await source.click();
  await expect(select).toContainText(name);
});
