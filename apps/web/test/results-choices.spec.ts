import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { unique } from "./support/people.ts";
import { sold, unfold } from "./support/results.ts";
import { expect, test } from "./support/test.ts";

const openResults = async (page: Page, id: string) => page.goto(`experiments/${id}?tab=results`);

test("the share of α that primary metrics get is chosen where α is divided, and stands in the address", { tag: NIGHT }, async ({
  api,
  page,
}) => {
  const second = unique("Second");
  await api.createMetric({ body: { name: second, type: "event_user", metricEvents: [{ name: "bought" }] } });
  const { id } = await sold(api, 0, { secondaryMetrics: [{ name: second, type: "event_user" }] });
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await page.goto(`experiments/${id}?tab=results&correction=bonferroni-metrics&primaryShare=80`);
  const share = page.getByLabel("α of primary metrics");
  await expect(share).toHaveValue("80");
  await unfold(page, "Statistics");
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

test("a report of a day is downloaded as a file, with the session", async ({ api, page, expectFault }) => {
  expectFault(/^400: GET .*\/reports/);
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await openResults(page, id);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Download report" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Download report" });
  await expect(dialog.getByRole("status")).toContainText("The file can have rows of");
  await expectAccessible(page);
  const day = await dialog.getByLabel("Day").inputValue();
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Download" }).click()]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  const results = await save();
  expect(results.name).toBe(`pulse_daily_${day}.csv`);
  expect(results.content.toString()).toContain(`${day},${id},`);
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Download report" }).click();
  await choose(page, dialog.getByRole("button", { name: /Report$/ }), "First exposures");
  await choose(page, dialog.getByRole("button", { name: /Format$/ }), /^Parquet/);
  await dialog.getByLabel("Day").fill("2999-01-01");
  await expect(dialog.getByText(/future/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Download" })).toHaveAttribute("aria-disabled", "true");
  await dialog.getByLabel("Day").fill("2020-01-01");
  await expect(dialog.getByRole("status")).toBeVisible();
  await dialog.getByLabel("Day").fill(day);
  const exposures = await save();
  expect(exposures.name).toBe(`first_exposures_${day}.parquet`);
  expect(exposures.content.subarray(0, 4).toString()).toBe("PAR1");
  await page.getByRole("button", { name: "Download report" }).click();
  await choose(page, dialog.getByRole("button", { name: /Report$/ }), "Unit-level data of this experiment");
  await expect(dialog.getByText("This report is about this experiment.")).toBeVisible();
  const units = await save();
  expect(units.name).toBe(`unit_level_${id}_${day}.csv`);
  const [head, ...rows] = units.content.toString().trim().split("\r\n");
  expect(head).toContain(`unitID,groupID,groupName,firstExposureTime,${revenue}::sum::value,`);
  expect(rows.length).toBeGreaterThan(10);
});
