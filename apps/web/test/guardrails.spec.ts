import type { ConsoleClient } from "@gatehouse/client";
import { expectAccessible } from "./support/accessibility.ts";
import { newGate, openGate, readGate, review, rule, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { unfold } from "./support/results.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const HOUR_MS = 3_600_000;
/** The server looks for due guardrail checks once a minute. */
const CHECK_TIMEOUT_MS = 150_000;

/** A metric that monitors a gate, whose rule passes half of the units and will pass all. */
async function monitored(api: ConsoleClient) {
  const [revenue, event] = [unique("Revenue"), unique("bought")];
  await api.createMetric({ body: { name: revenue, type: "sum", metricEvents: [{ name: event, type: "value" }] } });
  const time = Date.now() + 24 * HOUR_MS;
  const half = rule("Half", { passPercentage: 50, pendingAutomatedRollouts: [{ time, passPercent: 100 }] });
  const gate = await newGate(api, { rules: [half], monitoringMetrics: [{ name: revenue, type: "sum" }] });
  return { gate, time, revenue, event, metricID: `${revenue}::sum`, ruleID: gate.rules[0]?.id ?? "" };
}

type Monitored = Awaited<ReturnType<typeof monitored>>;

/** Logs 150 units that pass and buy for 5 to 14.50, and 150 that fail and buy for 10 to 19.50. */
async function logHarm(api: ConsoleClient, { gate, ruleID, event }: Monitored): Promise<void> {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const flags = evaluationApi(key.key ?? "");
  await expect.poll(async () => (await flags.checkGate({ body: { gateName: gate.id, user: { userID: "ada" } } })).rule_id).toBe(ruleID);
  const events = Array.from({ length: 300 }, (_, index) => {
    const [user, passed] = [{ userID: `${gate.id} ${index}` }, index % 2 === 0];
    return [
      { eventName: "statsig::gate_exposure", user, metadata: { gate: gate.id, ruleID, gateValue: String(passed) }, value: index },
      { eventName: event, user, value: (passed ? 5 : 10) + (index % 20) / 2 },
    ];
  });
  await flags.logEvent({ body: { events: events.flat() } });
}

test("a gate without metrics leads to the search for one", async ({ api, page }) => {
  const gate = await newGate(api);
  await openGate(page, gate.id, "?tab=results");
  await page.getByRole("link", { name: "Set a guardrail" }).click();
  await expect(page.getByRole("combobox", { name: "Add to monitoring metrics" })).toBeFocused();
});

test("a guardrail is set by keyboard, reviewed in words, and removed", { tag: NIGHT }, async ({ api, page }) => {
  const { gate, revenue } = await monitored(api);
  await openGate(page, gate.id, "?tab=results");
  await expect(page.getByText("No guardrails")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Set a guardrail" }).click();
  const fields = page.getByRole("group", { name: `Guardrail of ${revenue}` });
  const most = fields.getByRole("textbox", { name: "Guardrail: max. regression" });
  await expect(fields.getByRole("checkbox", { name: "Pause rollouts" })).toBeDisabled();
  await expect(most).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1.5");
  await page.keyboard.press("Enter");
  await expect(fields.getByRole("checkbox", { name: "Pause rollouts" })).toBeChecked();
  await expectAccessible(page);
  const dialog = await review(page);
  await expect(dialog).toContainText(`${revenue} (sum): may get worse by 1.5% at most; an alert pauses rollouts`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  const guardrail = async () => (await readGate(api, gate.id)).monitoringMetrics[0]?.guardrail;
  expect(await guardrail()).toEqual({ maxHarmPercent: 1.5, pausesRollouts: true });
  await page.getByRole("tab", { name: "Results" }).click();
  await unfold(page, "Guardrail checks");
  await expect(page.getByRole("table", { name: "Guardrails" }).getByRole("row").nth(1)).toContainText("Not enough data");
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Details" }).click();
  await most.fill("");
  await page.keyboard.press("Enter");
  const removal = await review(page);
  await expect(removal).toContainText(`${revenue} (sum): no guardrail any more`);
  await removal.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect(await guardrail()).toBeUndefined();
});

test("an alert pauses rollouts until somebody resolves it", async ({ api, page, openBrowser, viewer }) => {
  test.setTimeout(2 * CHECK_TIMEOUT_MS);
  const made = await monitored(api);
  const { gate, revenue, time } = made;
  await logHarm(api, made);
  const guardrail = { maxHarmPercent: 10, pausesRollouts: true };
  await api.patchGate({ path: { id: gate.id }, body: { monitoringMetrics: [{ name: revenue, type: "sum", guardrail }] } });
  await openGate(page, gate.id);
  // The page follows the pause by itself.
  const notice = page.getByRole("note").filter({ hasText: "Automated rollouts paused since" });
  await expect(notice).toContainText(`because ${revenue} of the rule Half got worse than its guardrail allows.`, {
    timeout: CHECK_TIMEOUT_MS,
  });
  await page.getByRole("button", { name: "Edit Half" }).click();
  await expect(page.getByText("Rollouts are paused. Each step is delayed by the length of the pause.")).toBeVisible();
  await expect(page.getByRole("figure", { name: /Pass percentage of Half/ })).toContainText("Next: 100%, paused, later than");
  await expectAccessible(page);
  await notice.getByRole("link", { name: "View alerts" }).click();
  await expect(page).toHaveURL(/tab=results/);

  await unfold(page, "Guardrail checks");
  const look = page.getByRole("table", { name: "Guardrails" }).getByRole("row").nth(1);
  await expect(look).toContainText("Beyond its guardrail");
  // Ada also checked the gate.
  await expect(look).toContainText(/15[01] pass, 15[01] fail/);
  await look.getByRole("button", { name: /^Interval of the change: \(−\d/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tooltip")).toContainText("A 95% confidence interval that stays valid over all hourly checks");
  await page.keyboard.press("Escape");
  const alert = page.getByRole("table", { name: "Alerts" }).getByRole("row").nth(1);
  await expect(alert).toContainText("Open");
  await expectAccessible(page);

  const theirs = await openBrowser(signedInAs(viewer));
  await theirs.goto("");
  const row = theirs.getByRole("region", { name: "Open guardrail alerts" }).getByRole("listitem").filter({ hasText: revenue });
  await expect(row).toContainText(/for the rule Half: −\d[\d.]*%\. At most \d+% worse is allowed\./);
  await expect(row.getByRole("link")).toHaveAttribute("href", new RegExp(`/gates/${gate.id}\\?tab=results$`));
  const rollouts = theirs.getByRole("region", { name: "Rollouts in progress" });
  const paused = rollouts.getByRole("listitem").filter({ hasText: gate.name });
  await expect(paused).toContainText(`Half: 50% → 100%Paused by an alert on ${revenue}`);
  await expectAccessible(theirs);
  await rollouts.getByRole("link", { name: "All rollouts" }).click();
  await expect(theirs.getByRole("table", { name: "Rollouts" }).getByRole("row", { name: gate.name })).toContainText("Paused by an alert");
  await openGate(theirs, gate.id, "?tab=results");
  const refused = theirs.getByRole("button", { name: `Resolve the alert on ${revenue} for Half` });
  await expect(refused).toHaveAttribute("aria-disabled", "true");
  await refused.focus();
  await expect(theirs.getByRole("tooltip")).toContainText("Your role Viewer");
  await theirs.keyboard.press("Escape");
  await expect(theirs.getByRole("tooltip")).toBeHidden();
  await expectAccessible(theirs);

  await page.getByRole("button", { name: `Resolve the alert on ${revenue} for Half` }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Resolve the alert on ${revenue}?` });
  await expect(dialog).toContainText("Automated rollouts resume, delayed by the length of the pause.");
  await tabTo(page, dialog.getByLabel("Reason"));
  await page.keyboard.type("The payment provider was down.");
  await expectAccessible(page);
  await tabTo(page, dialog.getByRole("button", { name: "Resolve" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(alert).toContainText("Resolved");
  await expect(alert).toContainText("by Ada Lovelace");
  await expect(alert).toContainText("The payment provider was down.");
  await expect(notice).toBeHidden();
  // The other browser follows as well.
  await expect(theirs.getByRole("note").filter({ hasText: "Automated rollouts paused since" })).toBeHidden();
  await expectAccessible(page);
  const resumed = await readGate(api, gate.id);
  expect(resumed).not.toHaveProperty("pausedBy");
  expect(resumed.rules[0]?.pendingAutomatedRollouts?.[0]?.time).toBeGreaterThan(time);
});
