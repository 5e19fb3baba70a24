import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { unique } from "./support/people.ts";
import { GROUPS, openOptions, sold, unfold } from "./support/results.ts";
import { ADMINISTRATOR_STATE } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const openResults = async (page: Page, id: string) => page.goto(`experiments/${id}?tab=results`);

test("results are loaded, and say what to conclude before any number", async ({ api, page }) => {
  // The day's update would load the results first.
  const { id, revenue } = await sold(api, 0, { scheduledReloadDays: [(new Date().getUTCDay() + 3) % 7] });
  await openResults(page, id);
  await expect(page.getByText("No verdict yet.")).toBeVisible();
  await page.getByRole("button", { name: "Refresh results" }).click();
  const loads = page.getByRole("table", { name: "Updates" });
  await expect(loads).toContainText("Some metrics failed");
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  const card = page.getByRole("region", { name: "Summary" });
  await expect(card.getByRole("heading", { name: "Keep running" })).toBeVisible();
  await expect(card).toContainText("1 health warningDay 1 of 14, 13 days left");
  await card.getByText("Reasons for the recommendation").click();
  await expect(card.getByRole("listitem").first()).toContainText(
    "Verdicts count only after that date, because the tests are planned for a single look.",
  );
  await expect(page.getByRole("note").filter({ hasText: "It names metrics" })).toContainText(
    "It names metrics that do not exist: No such metric.",
  );
  await unfold(page, "Health checks");
  await expect(page.getByText("The 60 units of the groups agree with their sizes: χ² = 0, p = 1.")).toBeVisible();
  await unfold(page, "Statistics");
  const primary = page.getByRole("table", { name: "Primary metrics" });
  const row = primary.getByRole("row").nth(1);
  await expect(row.getByRole("rowheader")).toContainText(revenue);
  await expect(row).toContainText("30 units");
  await expect(row).toContainText("Better");
  await expect(row).toContainText(/This test can find a change of [\d.]+% or more, with 80% power\./);
  await expect(row).toContainText(/\+\d+(\.\d+)?% \(\+\d+(\.\d+)?% to \+\d+(\.\d+)?%\)/);
  await expect(page.getByRole("table", { name: "Secondary metrics" })).toContainText("The metric does not exist.");
  // 30 units of Green buy for 22.93 instead of 12.87 on average: 302 more, where without them 60 units would buy for 772. Half of all have Green.
  await unfold(page, "Topline impact");
  const topline = page.getByRole("table", { name: "Topline impact" }).getByRole("row").nth(1);
  await expect(topline.getByRole("rowheader")).toHaveText(revenue);
  await expect(topline.getByRole("cell")).toContainText([
    /^\+[\d,.]+ \(\+[\d,.]+ to \+[\d,.]+\)\+39(\.\d)?% \(/,
    /^\+[\d,.]+ \(\+[\d,.]+ to \+[\d,.]+\)\+78(\.\d)?% \(/,
  ]);
  await expect(page.getByText("Excluded for seeing more than one group: 0%.")).toBeVisible();
  await unfold(page, "Over time");
  const days = page.getByRole("slider", { name: `Change of ${revenue} from the start to the end of each day, by day` });
  await days.press("End");
  await expect(days).toHaveAttribute("aria-valuetext", /: \+\d+(\.\d+)?% \(\+\d+(\.\d+)?% to \+\d+(\.\d+)?%\)\. Started$/);
  await choose(page, page.getByRole("button", { name: /Metric$/ }), "No such metric");
  await expect(page.getByText("No daily results yet. Quick updates skip them.")).toBeVisible();
  await page.getByText("About these numbers").click();
  await expect(page.getByText(/Intervals are 95% confidence intervals before corrections/)).toBeVisible();
  await expectAccessible(page);

  await loads.getByRole("button", { name: "Details" }).click();
  const details = page.getByRole("dialog", { name: "Update details" });
  await expect(details.getByRole("listitem")).toHaveText([`${revenue}::sum Completed`, "No such metric::sum The metric does not exist."]);
  await expect(details).toContainText("from experiment_exposure");
  await expectAccessible(page);
});

test("units that one group loses are an alarm above the numbers", async ({ api, page }) => {
  const { id } = await sold(api, 60);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await openResults(page, id);
  const alarm = page.getByRole("alert").filter({ hasText: "Sizes of the groups" });
  await expect(alarm).toContainText("do not trust the results");
  await expect(alarm.getByRole("listitem")).toHaveText(["Blue: 90 units, 60 expected", "Green: 30 units, 60 expected"]);
  await expectAccessible(page);
});

test("groups and confidence can be chosen, and the interval follows", { tag: NIGHT }, async ({ api, page }) => {
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await openResults(page, id);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  await unfold(page, "Statistics");
  await openOptions(page);
  const change = page.getByRole("table", { name: "Primary metrics" }).getByRole("row").nth(1).getByRole("cell").nth(2);
  const before = (await change.textContent()) ?? "";
  await choose(page, page.getByRole("button", { name: /Confidence$/ }), "99%");
  await expect(change).not.toHaveText(before);
  await expect(page.getByText(/Intervals are 99% confidence intervals/)).toBeAttached();
});

test("a number explains itself to the pointer, to the keyboard and in a list, with its formula, its source and what it came from", async ({
  api,
  page,
}) => {
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await openResults(page, id);
  await unfold(page, "Statistics");
  const row = page.getByRole("table", { name: "Primary metrics" }).getByRole("row").nth(1);
  await expect(row).toContainText(revenue);
  const tip = page.getByRole("tooltip");
  await page.mouse.move(0, 0);
  await row.getByRole("button", { name: /^Difference: / }).hover();
  await expect(tip).toContainText("test mean − control mean");
  await expect(tip).toContainText(/Here: [\d.]+ − [\d.]+ = [\d.]+/);
  await expectAccessible(page);
  await page.mouse.move(0, 0);
  await expect(tip).toBeHidden();

  const p = row.getByRole("button", { name: /^p-value: / });
  await tabTo(page, p);
  await expect(tip).toContainText("if the groups don’t really differ");
  await expect(tip).toContainText("Welch 1947");
  await expect(p).toHaveAccessibleDescription(/Welch 1947/);
  await page.keyboard.press("Escape");
  await expect(tip).toBeHidden();

  await unfold(page, "Health checks");
  await page.getByRole("button", { name: "χ²: χ² = 0" }).hover();
  await expect(tip).toContainText("Pearson 1900");
  await page.mouse.move(0, 0);

  await page.getByText("About these numbers").click();
  const change = page.getByRole("definition").filter({ hasText: "The difference of the means, in percent of the control mean." });
  await expect(change).toContainText("100 × (test mean − control mean) ÷ |control mean|");
  await expectAccessible(page);
});

test("a finger opens the explanation of a number", { tag: NIGHT }, async ({ api, openBrowser }) => {
  const { id } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  const phone = await openBrowser({ storageState: ADMINISTRATOR_STATE, hasTouch: true, viewport: { width: 480, height: 900 } });
  await openResults(phone, id);
  await unfold(phone, "Statistics");
  await phone
    .getByRole("button", { name: /^Mean of the test group: / })
    .first()
    .tap();
  await expect(phone.getByRole("tooltip")).toContainText("sum ÷ units");
  await expectAccessible(phone);
});

test("the address says how results are computed, so that a link shows the same", { tag: NIGHT }, async ({ api, page }) => {
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await openResults(page, id);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  const asked = page.waitForRequest((request) => request.url().includes("applyBonferroniPerMetric=true"));
  await page.goto(`experiments/${id}?tab=results&control=green&test=blue&confidence=99&cuped=false&correction=bonferroni-metrics`);
  expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toMatchObject({
    ...{ control: "green", test: "blue", confidence: "99", cuped: "false" },
    ...{ applyBonferroniPerVariant: "false", applyBenjaminiHochbergPerMetric: "false", applyBenjaminiHochbergPerVariant: "false" },
  });
  await expect(page.getByText(`Blue lowered ${revenue} by`)).toBeVisible();
  await expect(page.getByRole("button", { name: /Confidence$/ })).toContainText("99%");
  await expect(page.getByRole("button", { name: /Corrections$/ })).toContainText("Bonferroni, over metrics");
  await expect(page.getByRole("checkbox", { name: /CUPED/ })).not.toBeChecked();
  await choose(page, page.getByRole("button", { name: /Corrections$/ }), "None");
  await expect(page).not.toHaveURL(/correction/);
  await unfold(page, "Statistics");
  await expect(page.getByRole("table", { name: "Primary metrics" }).getByRole("row").nth(1)).toContainText("α = 0.01");
  await page.getByRole("checkbox", { name: /CUPED/ }).press("Space");
  await expect(page).not.toHaveURL(/cuped/);
  await expect(page).toHaveURL(/confidence=99/);
});

test("a link that names what is not there shows the usual results", { tag: NIGHT }, async ({ api, page }) => {
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await page.goto(`experiments/${id}?tab=results&control=gone&test=gone&confidence=12&cuped=maybe&correction=all`);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  await openOptions(page);
  await expect(page.getByRole("button", { name: /Confidence$/ })).toContainText("95%");
});

test("a percentile names its events, and says why it has no CUPED and no days", { tag: NIGHT }, async ({ api, page }) => {
  const warehouseNative = { aggregation: "percentile", percentile: 0.5 };
  const { id, revenue } = await sold(api, 0, { metric: { type: "user_warehouse", warehouseNative } });
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await openResults(page, id);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  await unfold(page, "Statistics");
  await unfold(page, "Over time");
  const row = page.getByRole("table", { name: "Primary metrics" }).getByRole("row").nth(1);
  await expect(row.getByRole("rowheader")).toContainText("Without CUPEDThe median of the events");
  await expect(row.getByRole("cell").first()).toContainText("30 events30 units");
  await expect(page.getByText("Percentiles have no daily results.")).toBeVisible();
  await expectAccessible(page);
});

test("an experiment without metrics or before its start says what is missing", { tag: NIGHT }, async ({ api, page }) => {
  const { data: unstarted } = await api.createExperiment({ body: { name: unique("experiment"), groups: GROUPS } });
  await openResults(page, unstarted.id);
  await expect(page.getByText("Results appear after the first exposure.")).toBeVisible();
  await api.startExperiment({ path: { id: unstarted.id }, body: {} });
  await page.reload();
  await expect(page.getByText("No metrics yet")).toBeVisible();
  await expectAccessible(page);
});

test("a decision shows what ships, what the results say of it, and what speaks against it", async ({ api, page, allowFault }) => {
  // The first daily update may be running already.
  allowFault(/^409: POST .*\/load_pulse$/);
  const decisionOn = async (id: string) => {
    const { name } = (await api.getExperiment({ path: { id } })).data;
    await openResults(page, id);
    await page.getByRole("button", { name: "Ship a group" }).click();
    return page.getByRole("dialog", { name: `End ${name} and ship a group?` });
  };
  // No update computes a metric that does not exist, however early it runs.
  const unread = await sold(api, 0, { primaryMetrics: [{ name: "No such metric", type: "sum" }], secondaryMetrics: [] });
  const early = await decisionOn(unread.id);
  await expect(early).toContainText("No results yet. Refresh them on the Results tab before you decide.");

  const { data: layer } = await api.createLayer({
    body: {
      name: unique("layer"),
      idType: "userID",
      parameters: [
        { name: "color", type: "string", defaultValue: "blue" },
        { name: "size", type: "number", defaultValue: 2 },
      ],
    },
  });
  const [blue, green] = GROUPS.map((group) => ({ ...group, parameterValues: { color: group.id, size: 2 } }));
  const guarded = [{ name: "No such metric", type: "sum" as const, guardrail: { maxHarmPercent: 5 } }];
  const { id, revenue } = await sold(api, 0, { layerID: layer.id, groups: [blue, green] as typeof GROUPS, secondaryMetrics: guarded });
  await openResults(page, id);
  await page.getByRole("button", { name: "Refresh results" }).click();
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();

  const decision = await decisionOn(id);
  const found = decision.getByRole("table", { name: "Primary metrics of the group" }).getByRole("row").nth(1);
  await expect(found).toContainText(revenue);
  await expect(found).toContainText(/\+\d+(\.\d+)?% \(\+\d+(\.\d+)?% to \+\d+(\.\d+)?%\)/);
  await expect(found).toContainText("Better");
  const guardrails = decision.getByRole("table", { name: "Guardrails of the group" });
  await expect(guardrails.getByRole("columnheader").first()).toHaveText("Guardrail");
  await expect(guardrails.getByRole("rowheader")).toHaveText("No such metricAt most 5% worse");
  await expect(decision.getByRole("table", { name: "Secondary metrics of the group" })).toHaveCount(0);
  await expect(decision).toContainText("Day 1 of 14. Results before the planned end may be false positives.");
  await expect(decision).toContainText("It names metrics that do not exist: No such metric.");
  const ships = decision.getByRole("table", { name: "Values to ship" });
  await expect(ships.getByRole("row", { name: /^color/ }).getByRole("cell")).toHaveText(['"blue"', '"green"']);
  await expect(ships.getByRole("row", { name: /^size/ }).getByRole("cell")).toHaveText(["2", "2 (as now)"]);
  await expectAccessible(page);
  await choose(page, decision.getByRole("button", { name: /Winning group/ }), "Blue");
  await expect(decision).toContainText("Blue is the control group. The other groups are compared with it.");
  await choose(page, decision.getByRole("button", { name: /Winning group/ }), "Green");
  await decision.getByRole("button", { name: "Ship Green" }).click();
  await expect(page.getByRole("region", { name: "State" })).toContainText("Shipped Green to everyone.");
  const { parameters } = (await api.getLayer({ path: { id: layer.id } })).data;
  expect(parameters.map(({ defaultValue }) => defaultValue)).toEqual(["green", 2]);
});
