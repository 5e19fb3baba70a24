import { expectAccessible } from "./support/accessibility.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject } from "./support/people.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const GROUPS = [
  { name: "Control", size: 50, parameterValues: { color: "blue" } },
  { name: "Test", size: 50, parameterValues: { color: "green" } },
];

test("before the start, the set-up says how long the experiment must run for each primary metric, once somebody asks", async ({
  page,
  expectFault,
}) => {
  expectFault(/^400: POST \/console\/v1\/power_analysis/);
  const { projectID, api } = await newProject();
  await api.createMetric({ body: { name: "Revenue", type: "sum", metricEvents: [{ name: "bought", type: "value" }] } });
  await api.createMetric({ body: { name: "Returns", type: "sum", metricEvents: [{ name: "returned", type: "value" }] } });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const now = Date.now();
  const events = Array.from({ length: 200 }, (_, index) => ({
    ...{ eventName: "bought", user: { userID: `user ${index}` }, value: 10 + (index % 7) },
    time: now - (1 + (index % 5)) * DAY_MS,
  }));
  await evaluationApi(key.key ?? "").logEvent({ body: { events } });
  const { data: experiment } = await api.createExperiment({
    body: {
      ...{ name: "Button", hypothesis: "Green sells.", groups: GROUPS, allocation: 100, duration: 14 },
      primaryMetrics: [
        { name: "Revenue", type: "sum", hypothesizedValue: 1 },
        { name: "Returns", type: "sum" },
        { name: "Gone", type: "sum" },
      ],
    },
  });
  await page.goto(`/projects/${projectID}/experiments/${experiment.id}`);
  const power = page.getByRole("region", { name: "Sample size and duration" });
  const compute = power.getByRole("button", { name: "Compute" });
  // The editors come later, and move the content below them.
  await expect(page.getByRole("textbox", { name: /^Values of / }).first()).toBeVisible();
  await compute.focus();
  await page.keyboard.press("Enter");
  const revenue = power.getByRole("region", { name: "Revenue", exact: true });
  await expect(revenue).toContainText(/In 14 days, you can detect a change of \d+(\.\d+)?% in Revenue\./);
  const { data: computed } = await api.computePower({ body: { metric: { name: "Revenue", type: "sum" }, effect: 1 } });
  const { units = 0, day = 0 } = computed.needed ?? {};
  const date = new Date(now + day * DAY_MS).toLocaleDateString("en-US", { day: "numeric", month: "short", year: "numeric" });
  await expect(revenue).toContainText(`To detect a change of 1% in Revenue, you need ${units.toLocaleString("en-US")} users`);
  await expect(revenue).toContainText(`You’ll reach that ${day.toLocaleString("en-US")} days after the start, on ${date}.`);
  await expect(revenue).toContainText("Based on recent traffic: about 560 users in the first 14 days, then 40 new users a day.");
  const numbers = revenue.getByText("Numbers and SQL for Revenue");
  await numbers.click();
  // 200 came in 5 days, and 40 on each of 9 more.
  await expect(revenue.getByRole("listitem").filter({ hasText: "Users in the smallest group" })).toContainText("280");
  await expect(power.getByRole("region", { name: "Returns", exact: true })).toContainText("All recent units have the same value");
  await expect(power.getByRole("region", { name: "Gone", exact: true }).getByRole("alert")).toBeVisible();
  const checks = page.getByRole("list", { name: "Before you start" });
  await expect(checks).toContainText(
    `Plan at least ${day.toLocaleString("en-US")} days to detect a change of 1% in Revenue. 14 days is too short.`,
  );
  await expectAccessible(page);

  // Another question: the result for the first one no longer counts.
  await compute.focus();
  await tabTo(page, power.getByLabel("Change to detect"));
  await page.keyboard.type("50");
  await page.keyboard.press("Tab");
  await expect(power.getByText("The setup has changed. Compute again.")).toBeVisible();
  await expect(checks).not.toContainText("too short");
  await compute.press("Enter");
  await expect(revenue).toContainText(/To detect a change of 50% in Revenue, you need \d+ users, at least \d+ of them in each group\./);
  await expect(checks).toContainText("Long enough to detect a change of 50% in Revenue.");
  await power.getByRole("button", { name: "Set duration to 7 days" }).press("Enter");
  await expect(page.getByLabel("Planned duration")).toHaveValue("7");
  // The estimate still holds.
  await expect(checks).toContainText("Long enough to detect a change of 50% in Revenue.");
  const days = revenue.getByRole("slider", { name: "Smallest detectable change in Revenue, by day" });
  await days.press("End");
  await expect(days).toHaveAttribute("aria-valuetext", /^Day 28: \d+(\.\d+)?%, with 560 users in the smallest group \(forecast\)$/);
});

test("without recent traffic, the section asks for the users per day and the usual rate, and counts with them", { tag: NIGHT }, async ({
  page,
}) => {
  const { projectID, api } = await newProject();
  await api.createMetric({ body: { name: "Buyers", type: "event_user", metricEvents: [{ name: "bought" }] } });
  const { data: experiment } = await api.createExperiment({
    body: { name: "Button", groups: GROUPS, primaryMetrics: [{ name: "Buyers", type: "event_user", hypothesizedValue: 20 }] },
  });
  await page.goto(`/projects/${projectID}/experiments/${experiment.id}`);
  const power = page.getByRole("region", { name: "Sample size and duration" });
  const compute = power.getByRole("button", { name: "Compute" });
  await compute.click();
  await expect(power).toContainText("Enter the new users per day above and the current values below, then compute again.");
  await power.getByLabel("New users per day").fill("1000");
  await power.getByLabel("Current rate of Buyers").fill("10");
  await compute.click();
  await expect(power).toContainText(
    // The sample size of Fleiss with a continuity correction, for 10% and 12%.
    "you need 7,881 users, at least 3,941 of them in each group. You’ll reach that 8 days after the start, on ",
  );
});

test("a set-up without a primary metric says why nothing can be computed", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: experiment } = await api.createExperiment({ body: { name: "Button", groups: GROUPS } });
  await page.goto(`/projects/${projectID}/experiments/${experiment.id}`);
  const compute = page.getByRole("region", { name: "Sample size and duration" }).getByRole("button", { name: "Compute" });
  await expect(compute).toHaveAttribute("aria-disabled", "true");
  await page.mouse.move(0, 0);
  await compute.hover();
  await expect(page.getByRole("tooltip")).toHaveText("Add a primary metric first.");
});
