import { expectAccessible } from "./support/accessibility.ts";
import { choose } from "./support/gates.ts";
import { unique } from "./support/people.ts";
import { sold } from "./support/results.ts";
import { expect, test } from "./support/test.ts";

test("the share of α that primary metrics get is chosen where α is divided, and stands in the address", async ({ api, page }) => {
  const second = unique("Second");
  await api.createMetric({ body: { name: second, type: "event_user", metricEvents: [{ name: "bought" }] } });
  const { id } = await sold(api, 0, { secondaryMetrics: [{ name: second, type: "event_user" }] });
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await page.goto(`/projects/default/experiments/${id}?tab=results&correction=bonferroni-metrics&primaryShare=80`);
  const share = page.getByLabel("α of primary metrics");
  await expect(share).toHaveValue("80");
  const row = page.getByRole("table", { name: "Primary metrics" }).getByRole("row").nth(1);
  await expect(row).toContainText("α = 0.04");
  await expectAccessible(page);
  await share.fill("60");
  await share.press("Enter");
  await expect(page).toHaveURL(/primaryShare=60/);
  await expect(row).toContainText("α = 0.03");
  await share.fill("50");
  await share.press("Enter");
  await expect(page).not.toHaveURL(/primaryShare/);
  await expect(row).toContainText("α = 0.025");
  await choose(page, page.getByRole("button", { name: /Corrections$/ }), "Bonferroni, over groups");
  await expect(share).toBeHidden();
});
