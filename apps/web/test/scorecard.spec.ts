import { expectAccessible } from "./support/accessibility.ts";
import { NIGHT } from "./support/night.ts";
import { unique } from "./support/people.ts";
import { sold, unfold } from "./support/results.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const GROUPS = [
  { id: "blue", name: "Blue", size: 34 },
  { id: "green", name: "Green", size: 33 },
  { id: "red", name: "Red", size: 33 },
];

test("the scorecard has every metric and group in one table, with the same interval as the chart over time, down to 390 pixels", async ({
  api,
  page,
}) => {
  const { id, revenue } = await sold(api, 0, { groups: GROUPS });
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await page.goto(`experiments/${id}?tab=results`);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  const table = page.getByRole("table", { name: "Scorecard" });
  await expect(table.getByRole("rowheader")).toHaveText([
    "Primary metrics",
    new RegExp(`^${revenue}`),
    "BlueControl",
    "Green",
    "Red",
    "Secondary metrics",
    /^No such metric/,
    "BlueControl",
    "Green",
    "Red",
  ]);
  const green = table.getByRole("row", { name: /^Green/ }).first();
  await expect(green).toContainText(/^Green[\d.]+30 units\+\d+%\(\+\d+% to \+\d+%\)Betterp < 0\.0001[\d.]+%$/);
  await expect(table.getByRole("row", { name: /^Red/ }).first()).toContainText("0 units");
  const [change = ""] = /\+\d+%\(\+\d+% to \+\d+%\)/.exec((await green.textContent()) ?? "") ?? [];
  await unfold(page, "Over time");
  const days = page.getByRole("slider", { name: `Change of ${revenue} from the start to the end of each day, by day` });
  await days.press("End");
  await expect(days).toHaveAttribute("aria-valuetext", new RegExp(`: ${change.replace("(", " (").replace(/[+()]/g, "\\$&")}\\. Started$`));
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(green).toBeVisible();
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expectAccessible(page);
});

test("a guardrail with a huge change leaves the axis to the primary metric, and an arrow marks it with its figure", { tag: NIGHT }, async ({
  api,
  page,
}) => {
  const [timeouts, event] = [unique("Timeouts"), unique("timeout")];
  await api.createMetric({
    body: { name: timeouts, type: "event_count_custom", directionality: "decrease", metricEvents: [{ name: event }] },
  });
  const secondaryMetrics = [{ name: timeouts, type: "event_count_custom" as const, guardrail: { maxHarmPercent: 20 } }];
  const { id, revenue } = await sold(api, 0, { secondaryMetrics });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  // Ten times as many timeouts for Green, whose users have odd numbers.
  const events = Array.from({ length: 60 }, (_, index) =>
    Array.from({ length: index % 2 === 0 ? 1 + (index % 3) : 10 * (1 + (index % 3)) }, () => ({
      ...{ eventName: event, user: { userID: `${id} ${index}` } },
    })),
  );
  await evaluationApi(key.key ?? "").logEvent({ body: { events: events.flat() } });
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await page.goto(`experiments/${id}?tab=results`);
  const table = page.getByRole("table", { name: "Scorecard" });
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  const guardrail = table.getByRole("row", { name: /^Green/ }).nth(1);
  await expect(guardrail.getByText(/^\+900% →$/)).toBeAttached();
  await expect(page.getByText("Arrows mark changes and intervals that go beyond the axis.")).toBeVisible();
  // Its interval is as wide on the axis as without the guardrail.
  const bar = table
    .getByRole("row", { name: /^Green/ })
    .first()
    .locator("svg rect")
    .first();
  const [shown, axis] = await Promise.all([bar.boundingBox(), table.locator("svg").first().boundingBox()]);
  expect((shown?.width ?? 0) / (axis?.width ?? 1)).toBeGreaterThan(0.15);
  await expectAccessible(page);
});
