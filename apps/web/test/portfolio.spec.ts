import { expectAccessible } from "./support/accessibility.ts";
import { sold } from "./support/results.ts";
import { expect, test } from "./support/test.ts";

test("the interactions of an experiment are computed on request, and its decision counts in the portfolio", async ({ api, page }) => {
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await page.goto(`experiments/${id}?tab=results`);
  await expect(page.getByText(`Green raised ${revenue} by 78%`)).toBeVisible();
  await page.getByRole("button", { name: "Check interactions" }).click();
  await expect(page.getByRole("region", { name: "Interactions" }).getByText(/^(No interaction shown|Nothing to compare)/)).toBeVisible();
  await expectAccessible(page);
  await api.makeExperimentDecision({ path: { id }, body: { id: "green", decisionReason: "It sells more." } });
  await page.getByRole("link", { name: "Experiments" }).first().click();
  const row = page
    .getByRole("grid", { name: "Experiments" })
    .getByRole("row")
    .filter({ has: page.locator(`a[href$="/${id}"]`) });
  await expect(row).toContainText(`${revenue}, 95% interval`);
  await expect(row).toContainText(/Decided.*Shipped Green.*\+78% \(\+\d+% to \+\d+%\)/);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Portfolio" }).click();
  await expect(page.getByRole("heading", { name: "Portfolio" })).toBeVisible();
  await expect(page.getByText(/wins? in \d+ decided experiments?/)).toBeVisible();
  await expect(page.getByRole("table", { name: "Win rate by quarter and team" }).getByRole("row").nth(1)).toContainText("No team");
  await expectAccessible(page);
});
