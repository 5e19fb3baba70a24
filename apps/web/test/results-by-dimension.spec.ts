import type { ConsoleClient } from "@gatehouse/client";
import { expectAccessible } from "./support/accessibility.ts";
import { choose } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { unique } from "./support/people.ts";
import { openOptions, unfold } from "./support/results.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const GROUPS = [
  { id: "blue", name: "Blue", size: 50 },
  { id: "green", name: "Green", size: 50 },
];

/** A loading experiment in Norway and Switzerland, whose green units buy more only in Norway. */
async function soldInTwoCountries(api: ConsoleClient, given: { postStratifyBy?: string } = {}): Promise<{ id: string; revenue: string }> {
  const [revenue, event] = [unique("Revenue"), unique("bought")];
  await api.createMetric({ body: { name: revenue, type: "sum", metricEvents: [{ name: event, type: "value" }] } });
  const { data } = await api.createExperiment({
    body: {
      ...{ name: unique("experiment"), groups: GROUPS, controlGroupID: "blue", allocation: 100, status: "active" as const },
      primaryMetrics: [{ name: revenue, type: "sum" }],
      ...given,
    },
  });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const events = Array.from({ length: 60 }, (_, index) => {
    const ruleID = index % 2 === 0 ? "blue" : "green";
    const country = index < 30 ? "NO" : index < 50 ? "CH" : undefined;
    const user = { userID: `${data.id} ${index}`, ...(country && { country }), custom: { plan: index < 40 ? "pro" : "free" } };
    return [
      { eventName: "statsig::config_exposure", user, metadata: { config: data.id, ruleID }, value: index },
      { eventName: event, user, value: (ruleID === "green" && country === "NO" ? 20 : 10) + (Math.floor(index / 2) % 5) },
    ];
  });
  await evaluationApi(key.key ?? "").logEvent({ body: { events: events.flat() } });
  await api.startExperimentPulseLoad({ path: { id: data.id }, body: {} });
  return { id: data.id, revenue };
}

test("results are divided by a field once somebody asks, and say where the groups differ", async ({ api, page }) => {
  const { id, revenue } = await soldInTwoCountries(api);
  const reads: string[] = [];
  page.on("request", (request) => {
    if (/dimensional_exposures|pulse_metric_result/.test(request.url())) reads.push(request.url());
  });
  await page.goto(`experiments/${id}?tab=results`);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  expect(reads).toEqual([]);

  const section = page.getByRole("region", { name: "By dimension" });
  await section.getByRole("button", { name: "Break down" }).press("Enter");
  // The field that most units have comes first.
  await expect(section.getByRole("button", { name: /Field$/ })).toContainText("custom.plan");
  await choose(page, section.getByRole("button", { name: /Field$/ }), "country (2 values)");
  await expect(page).toHaveURL(/dimension=country/);
  const table = section.getByRole("table", { name: `${revenue} by country` });
  await expect(table.getByRole("columnheader").first()).toHaveText("country");
  const rows = table.getByRole("row");
  await expect(rows.nth(1)).toContainText("“NO”");
  await expect(rows.nth(1)).toContainText("15 units");
  await expect(rows.nth(1)).toContainText("Better");
  await expect(rows.nth(2)).toContainText("“CH”");
  await expect(rows.nth(2)).toContainText("10 units");
  await expect(rows.nth(2)).toContainText("No difference shown");
  await expect(rows.nth(3)).toContainText("units without a value");
  await expect(rows).toHaveCount(4);
  await expect(
    section.getByText(
      /^Green is better than Blue in “NO”\. No difference shown in “CH”\. Not enough data yet for units without a value\.$/,
    ),
  ).toBeVisible();
  await expect(section.getByText(/each of the 3 rows uses α = 0\.01667/)).toBeVisible();
  await expectAccessible(page);
});

test("all metrics are compared by all dimensions once somebody asks, what stands out first", { tag: NIGHT }, async ({ api, page }) => {
  const { id, revenue } = await soldInTwoCountries(api);
  await page.goto(`experiments/${id}?tab=results`);
  const section = page.getByRole("region", { name: "All metrics by all dimensions" });
  await section.getByRole("button", { name: "Compare all" }).press("Enter");
  const rows = section.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(`${revenue}by country`);
  await expect(rows.nth(1)).toContainText("Effects differ");
  await expect(rows.nth(1)).toContainText("units without a value");
  await expect(rows.nth(1)).toContainText("I² =");
  await expect(rows.nth(2)).toContainText("by custom.plan");
  await expect(section.getByText(/corrected for \d comparisons, and the tests for different effects for 2\./)).toBeVisible();
  await choose(page, section.getByRole("button", { name: /Correction$/ }), "Benjamini–Hochberg");
  await expect(rows.nth(1)).toContainText("Effects differ");
  await expectAccessible(page);
  await rows.nth(1).getByRole("link", { name: "country" }).click();
  await expect(page.getByRole("table", { name: `${revenue} by country` })).toBeVisible();
});

test("the effect by day is computed once somebody asks, and says what is missing for a test of a change", { tag: NIGHT }, async ({
  api,
  page,
}) => {
  const { id, revenue } = await soldInTwoCountries(api);
  await page.goto(`experiments/${id}?tab=results`);
  const section = page.getByRole("region", { name: "Effect by day" });
  await section.getByRole("button", { name: "Show effect by day" }).press("Enter");
  await expect(section.getByText("Not tested for a change. At least half of each group’s units need 3 full days of data.")).toBeVisible();
  await expect(section.getByRole("button", { name: /Metric$/ })).toContainText(revenue);
  await expect(section.getByText(`Effect on ${revenue} by days since first exposure`)).toBeVisible();
  await expectAccessible(page);
});

test("post-stratified results say how much variance that saved, and can be shown without", { tag: NIGHT }, async ({ api, page }) => {
  const { id, revenue } = await soldInTwoCountries(api, { postStratifyBy: "country" });
  await page.goto(`experiments/${id}?tab=results`);
  await unfold(page, "Statistics");
  await openOptions(page);
  const row = page.getByRole("table", { name: "Primary metrics" }).getByRole("row").nth(1);
  await expect(row).toContainText(revenue);
  await expect(row.getByText(/^Variance (reduced|increased) by \d[\d.]*% \(2 values\)$/)).toBeVisible();
  await page.getByRole("checkbox", { name: "Post-stratify by country" }).press("Space");
  await expect(page).toHaveURL(/adjustment=false/);
  await expect(row.getByText(/\(2 values\)/)).toBeHidden();
  await page.goto(`experiments/${id}?tab=setup`);
  await expect(page.getByRole("textbox", { name: "Post-stratify by" })).toHaveValue("country");
});

test("results that no longer add up to those of the last load say so", { tag: NIGHT }, async ({ api, page }) => {
  const { id, revenue } = await soldInTwoCountries(api);
  await page.goto(`experiments/${id}?tab=results&dimension=custom.plan`);
  await expect(page.getByRole("table", { name: `${revenue} by custom.plan` })).toContainText("“free”");
  await api.updateMetric({ path: { id: `${revenue}::sum` }, body: { metricEvents: [{ name: unique("other"), type: "value" }] } });
  await page.reload();
  await expect(page.getByRole("note").filter({ hasText: "These don’t match the results above" })).toContainText("Refresh the results.");
});

test("an experiment whose users have no fields says what to send", { tag: NIGHT }, async ({ api, page }) => {
  const name = unique("Revenue");
  await api.createMetric({ body: { name, type: "sum", metricEvents: [{ name: "bought", type: "value" }] } });
  const primaryMetrics = [{ name, type: "sum" }];
  const { data } = await api.createExperiment({
    body: { name: unique("experiment"), groups: GROUPS, allocation: 100, status: "active", primaryMetrics },
  });
  await page.goto(`experiments/${data.id}?tab=results`);
  await page.getByRole("button", { name: "Break down" }).click();
  await expect(page.getByText("No fields to break down by")).toBeVisible();
});
