import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, review, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { GROUPS, unfold } from "./support/results.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

/** The server looks for due guardrail checks once a minute. */
const CHECK_TIMEOUT_MS = 150_000;

const open = async (page: Page, id: string, tab: string) => page.goto(`experiments/${id}?tab=${tab}`);

/** A running experiment with a metric, which it names as its primary one. */
async function running(api: ConsoleClient) {
  const [revenue, event] = [unique("Revenue"), unique("bought")];
  await api.createMetric({ body: { name: revenue, type: "sum", metricEvents: [{ name: event, type: "value" }] } });
  const primaryMetrics = [{ name: revenue, type: "sum" }];
  const body = { name: unique("harm"), groups: GROUPS, controlGroupID: "blue", allocation: 100, status: "active" as const, primaryMetrics };
  const { id } = (await api.createExperiment({ body })).data;
  return { id, revenue, event };
}

/** Logs 150 units of Green that buy for about 5, and 150 of Blue that buy for about 10. */
async function logHarm(api: ConsoleClient, { id, event }: Awaited<ReturnType<typeof running>>): Promise<void> {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const events = Array.from({ length: 300 }, (_, index) => {
    const [user, ruleID] = [{ userID: `${id} ${index}` }, index % 2 === 0 ? "green" : "blue"];
    return [
      { eventName: "statsig::config_exposure", user, metadata: { config: id, ruleID }, value: index },
      { eventName: event, user, value: (ruleID === "green" ? 5 : 10) + (index % 20) / 20 },
    ];
  });
  await evaluationApi(key.key ?? "").logEvent({ body: { events: events.flat() } });
}

test("the question of a metric and its margin are set before they are saved, and reviewed in words", { tag: NIGHT }, async ({
  api,
  page,
}) => {
  const { id, revenue } = await running(api);
  await open(page, id, "setup");
  const fields = page.getByRole("group", { name: `Test of ${revenue}` });
  await choose(page, fields.getByRole("button", { name: /Question$/ }), "Is it not worse?");
  await fields.getByRole("textbox", { name: "Margin" }).fill("2");
  await page.keyboard.press("Enter");
  await expectAccessible(page);
  const dialog = await review(page);
  await expect(dialog).toContainText(`${revenue} (sum): test two-sided by default → non-inferiority, margin 2%`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  const { primaryMetrics } = (await api.getExperiment({ path: { id } })).data;
  expect(primaryMetrics).toEqual([{ name: revenue, type: "sum", testType: "non_inferiority", nonInferiorityMargin: 2 }]);
});

test("a guardrail of an experiment is set by keyboard, and reviewed in words", async ({ api, page }) => {
  const { id, revenue } = await running(api);
  await open(page, id, "setup");
  const fields = page.getByRole("group", { name: `Guardrail of ${revenue}` });
  // Experiments have no rollouts.
  await expect(fields.getByRole("checkbox")).toHaveCount(0);
  // Tab stays in the editors of the groups' values, which come before.
  await page.getByRole("button", { name: `Remove ${revenue}` }).focus();
  await tabTo(page, fields.getByRole("textbox", { name: "Guardrail: max. regression" }));
  await page.keyboard.type("1.5");
  await page.keyboard.press("Enter");
  await expectAccessible(page);
  const dialog = await review(page);
  await expect(dialog).toContainText(`${revenue} (sum): may get worse by 1.5% at most`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  const { primaryMetrics } = (await api.getExperiment({ path: { id } })).data;
  expect(primaryMetrics).toEqual([{ name: revenue, type: "sum", guardrail: { maxHarmPercent: 1.5 } }]);
  await page.getByRole("tab", { name: "Results" }).click();
  await unfold(page, "Guardrail checks");
  await expect(page.getByRole("table", { name: "Guardrails" }).getByRole("row").nth(1)).toContainText("Not enough data");
  await expectAccessible(page);
});

test("an alert of an experiment stands above its numbers until somebody resolves it", { tag: NIGHT }, async ({
  api,
  page,
  openBrowser,
  viewer,
}) => {
  test.setTimeout(2 * CHECK_TIMEOUT_MS);
  const made = await running(api);
  const { id, revenue } = made;
  await logHarm(api, made);
  const primaryMetrics = [{ name: revenue, type: "sum", guardrail: { maxHarmPercent: 10 } }];
  await api.patchExperiment({ path: { id }, body: { primaryMetrics } });
  // Reads after the server's check, so that the page need not wait for its own next read.
  const alerts = async () => (await api.listExperimentAlerts({ path: { id } })).data.alerts;
  await expect.poll(async () => (await alerts()).length, { timeout: CHECK_TIMEOUT_MS }).toBe(1);
  for (const path of ["alerts", ""]) {
    await page.goto(path);
    const row = page.getByRole("region", { name: "Open guardrail alerts" }).getByRole("listitem").filter({ hasText: revenue });
    await expect(row).toContainText(/in Green: −\d[\d.]*%\. At most 10% worse is allowed\./);
    await expect(row.getByRole("link")).toHaveAttribute("href", new RegExp(`/experiments/${id}\\?tab=results$`));
  }
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await open(page, id, "results");
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText(
    new RegExp(`Guardrail failed: Green lowered ${revenue} by \\d[\\d.]*% \\(.*\\); the limit is 10%\\.`),
  );
  await expect(summary).toContainText("1 guardrail failed");
  const headers = page.getByRole("table", { name: "Alerts" }).getByRole("columnheader");
  await expect(headers.nth(2)).toHaveText("Change, with interval over all checks");
  await unfold(page, "Guardrail checks");
  const look = page.getByRole("table", { name: "Guardrails" }).getByRole("row").nth(1);
  await expect(look).toContainText("Green");
  await expect(look).toContainText("Beyond its guardrail");
  await expect(look).toContainText("150 units, 150 in the control group");
  await look.getByRole("button", { name: /^Interval of the change: \(−\d/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tooltip")).toContainText("A 95% confidence interval that stays valid over all hourly checks");
  await page.keyboard.press("Escape");
  const alert = page.getByRole("table", { name: "Alerts" }).getByRole("row").nth(1);
  await expect(alert).toContainText("Open");
  await expectAccessible(page);

  const name = `Resolve the alert on ${revenue} for Green`;
  const theirs = await openBrowser(signedInAs(viewer));
  await open(theirs, id, "results");
  await expect(theirs.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");

  await page.getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Resolve the alert on ${revenue}?` });
  await expect(dialog).toContainText("You’ll get a new alert if the next check still finds the metric worse than its guardrail.");
  await expect(dialog).not.toContainText("rollouts");
  await tabTo(page, dialog.getByLabel("Reason"));
  await page.keyboard.type("The payment provider was down.");
  await expectAccessible(page);
  await tabTo(page, dialog.getByRole("button", { name: "Resolve" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(alert).toContainText("Resolved");
  await expect(alert).toContainText("The payment provider was down.");
  await expectAccessible(page);
  expect(await alerts()).toMatchObject([{ groupID: "green", reasoning: "The payment provider was down." }]);
});
