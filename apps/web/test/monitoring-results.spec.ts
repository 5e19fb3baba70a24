import type { ConsoleClient } from "@gatehouse/client";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate, rule } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { unfold } from "./support/results.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

/** A metric that monitors, and a key to log its events. */
async function makeRevenue(api: ConsoleClient) {
  const [revenue, event] = [unique("Revenue"), unique("bought")];
  await api.createMetric({ body: { name: revenue, type: "sum", metricEvents: [{ name: event, type: "value" }] } });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  return { revenue, event, flags: evaluationApi(key.key ?? ""), monitoringMetrics: [{ name: revenue, type: "sum" as const }] };
}

type Flags = Awaited<ReturnType<typeof makeRevenue>>["flags"];

/** Logs that 200 users saw a gate or holdout. Every other user passed and bought for more. */
async function log(flags: Flags, gate: string, ruleID: string, event: string): Promise<void> {
  const events = Array.from({ length: 200 }, (_, index) => {
    const [user, passed] = [{ userID: `${gate} ${index}` }, index % 2 === 0];
    return [
      { eventName: "statsig::gate_exposure", user, metadata: { gate, ruleID, gateValue: String(passed) }, value: index },
      { eventName: event, user, value: (passed ? 20 : 10) + (index % 7) },
    ];
  });
  await flags.logEvent({ body: { events: events.flat() } });
}

test("a gate's rule is compared by what monitors it, and says what to conclude before any number", async ({ api, page }) => {
  const { revenue, event, flags, monitoringMetrics } = await makeRevenue(api);
  const gate = await newGate(api, { rules: [{ ...rule("Half"), passPercentage: 50 }, rule("Everyone")], monitoringMetrics });
  const ruleID = gate.rules[0]?.id ?? "";
  await expect.poll(async () => (await flags.checkGate({ body: { gateName: gate.id, user: { userID: "ada" } } })).rule_id).toBe(ruleID);
  await log(flags, gate.id, ruleID, event);
  await page.goto(`gates/${gate.id}?tab=results`);
  await expect(page.getByText("No verdict yet.")).toBeVisible();
  await page.getByRole("button", { name: "Refresh results" }).click();
  await expect(page.getByRole("table", { name: "Updates" })).toContainText("Completed");
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText(
    new RegExp(`^Passing raised ${revenue} by [\\d.]+% \\([\\d.]+% to [\\d.]+%\\), compared with failing\\.Computed`),
  );
  // Ada also checked the gate.
  await expect(page.getByText(/^Only users first exposed since the last change of the pass percentage count/)).toContainText(
    /10[01] units passed, and 10[01] failed\. No user saw both sides\.$/,
  );
  const table = page.getByRole("table", { name: "Scorecard" });
  await expect(table.getByRole("rowheader")).toHaveText([
    ...["Monitoring metrics", new RegExp(`^${revenue}`), "FailingControl", "Passing"],
  ]);
  await expect(table.getByRole("row", { name: /^Passing/ })).toContainText(
    /^Passing[\d.]+10[01] units\+[\d.]+%\(\+[\d.]+% to \+[\d.]+%\)Betterp < 0\.0001[\d.]+%$/,
  );
  await unfold(page, "Statistics");
  await expect(page.getByRole("table", { name: "Monitoring metrics" }).getByRole("row").nth(1)).toContainText("SE ");
  await unfold(page, "Over time");
  await expect(page.getByRole("slider", { name: `Change of ${revenue} from the start to the end of each day, by day` })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole("button", { name: "Details" }).first().click();
  await expect(page.getByRole("dialog", { name: "Update details" })).toContainText("from check_exposure");
  await page.keyboard.press("Escape");
  await choose(page, page.getByRole("button", { name: /Rule$/ }), /^Everyone/);
  await expect(page).toHaveURL(new RegExp(`rule=${gate.rules[1]?.id}`));
  await expect(page.getByText("The rule passes all of its users, so new users can’t be compared.")).toBeVisible();
  await expect(page.getByText("No verdict yet.")).toBeVisible();
});

test("a gate without rules, units or metrics says what is missing, and who may not load sees why", { tag: NIGHT }, async ({
  api,
  page,
  openBrowser,
  viewer,
}) => {
  const empty = await newGate(api, { rules: [] });
  await page.goto(`gates/${empty.id}?tab=results`);
  await expect(page.getByText("Compares users who pass a rule with users who fail it.")).toBeVisible();
  const unkept = await newGate(api, { rules: [rule("Everyone")], measureMetricLifts: false });
  await page.goto(`gates/${unkept.id}?tab=results`);
  await expect(page.getByText("Exposures aren’t stored")).toBeVisible();
  const unmonitored = await newGate(api, { rules: [rule("Everyone")] });
  const theirs = await openBrowser(signedInAs(viewer));
  await theirs.goto(`gates/${unmonitored.id}?tab=results`);
  await expect(theirs.getByText("No monitoring metrics")).toBeVisible();
  await expect(theirs.getByRole("button", { name: "Refresh results" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(theirs);
});

test("a holdout says what all that it holds back did", { tag: NIGHT }, async ({ api, page }) => {
  const { revenue, event, flags, monitoringMetrics } = await makeRevenue(api);
  const { data: holdout } = await api.createHoldout({ body: { name: unique("holdout"), passPercentage: 5, monitoringMetrics } });
  await expect
    .poll(async () => (await flags.checkGate({ body: { gateName: holdout.id, user: { userID: "ada" } } })).rule_id)
    .toBe(`${holdout.id}:5.00:1`);
  await log(flags, holdout.id, `${holdout.id}:5.00:1`, event);
  await page.goto(`holdouts/${holdout.id}?tab=results`);
  await page.getByRole("button", { name: "Refresh results" }).click();
  await expect(page.getByText(`Getting the features lowered ${revenue} by`)).toBeVisible();
  await expect(page.getByText(/10[01] units are held out, and 10[01] are not\. No user saw both sides\./)).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveText([
    ...["Metric", "Group", "Value", "Change", /^Interval of the change from Held out/, "Verdict", "Minimum detectable effect"],
    ...["Started", "By", "Status", "Details"],
  ]);
  await expectAccessible(page);
});
