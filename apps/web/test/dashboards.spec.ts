import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, reviewAndSave, saveBar } from "./support/gates.ts";
import { pressUntil } from "./support/keyboard.ts";
import { newProject, unique } from "./support/people.ts";
import { sold } from "./support/results.ts";
import { expect, test } from "./support/test.ts";

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const widgets = (page: Page) => page.getByRole("list", { name: "Widgets" }).getByRole("article");
const headings = (page: Page) => widgets(page).getByRole("heading", { level: 2 });

async function addWidget(page: Page, type: string, fill: (dialog: ReturnType<Page["getByRole"]>) => Promise<void>): Promise<void> {
  await page.getByRole("button", { name: "Add widget" }).click();
  const dialog = page.getByRole("dialog", { name: "Add widget" });
  if (type !== "Metric") await choose(page, dialog.getByRole("button", { name: /Show$/ }), type);
  await fill(dialog);
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(dialog).toBeHidden();
}

test("a dashboard gets a metric, an experiment and an alert, which are reordered by keyboard, saved and shown", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { id: experimentID, revenue } = await sold(api, 0, { name: "Button wording" });
  const watched = { alertType: "threshold", metrics: { A: { id: `${revenue}::sum` } }, condition: "greater" } as const;
  await api.createAlert({
    body: { name: "Low revenue", ...watched, alertThreshold: 2_000, warningThreshold: 1_500, windowMs: 86_400_000, priority: "P3" },
  });
  await page.goto(`/projects/${projectID}/dashboards`);
  await page.getByRole("button", { name: "Create dashboard" }).first().click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Weekly review");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No widgets yet")).toBeVisible();
  await expectAccessible(page);

  await addWidget(page, "Metric", async (dialog) => {
    await find(page, dialog.getByRole("combobox", { name: "Metric" }), revenue);
    await dialog.getByText("Compare with previous period").click();
    await expectAccessible(page);
  });
  await addWidget(page, "Experiment", async (dialog) => {
    await find(page, dialog.getByRole("combobox", { name: "Experiment" }), "Button wording");
    await choose(page, dialog.getByRole("button", { name: /Width$/ }), "Full");
  });
  await addWidget(page, "Alert", (dialog) => find(page, dialog.getByRole("combobox", { name: "Alert" }), "Low revenue"));
  await expect(headings(page)).toHaveText([revenue, "Button wording", "Low revenue"]);

  await page.getByRole("button", { name: "Edit widgets" }).focus();
  await page.keyboard.press("Enter");
  const down = page.getByRole("button", { name: "Move Button wording down" });
  await pressUntil(page, "Tab", down);
  await page.keyboard.press("Enter");
  await expect(headings(page)).toHaveText([revenue, "Low revenue", "Button wording"]);
  await expect(page.getByText("Button wording: now 3 of 3.")).toBeAttached();
  // The button keeps the focus, so that the next key moves the widget again.
  await expect(down).toBeFocused();
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await api.getDashboard({ path: { id: "weekly_review" } })).data.widgets).toEqual([
    { type: "metric", metricID: `${revenue}::sum`, days: 14, compare: true },
    { type: "alert", alertID: "low_revenue" },
    { type: "experiment", experimentID, show: "scorecard", width: "full" },
  ]);

  await page.reload();
  await expect(headings(page)).toHaveText([revenue, "Low revenue", "Button wording"]);
  await expect(widgets(page).nth(0).getByRole("figure")).toBeVisible();
  await expect(widgets(page).nth(0)).toContainText("Previous period: 0.");
  const alert = widgets(page).nth(1);
  await expect(alert).toContainText("Alert on a value greater than 2,000 over 1 day.");
  const chart = alert.getByRole("figure", { name: "Last 14 days" });
  await expect(chart.getByRole("listitem")).toHaveText(["Value", "Alert threshold2,000", "Warning threshold1,500"]);
  await expect(alert).toContainText("No events yet.");
  await expect(widgets(page).nth(2)).toContainText("Running");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => overflow(page)).toBe(0);
  await expect(saveBar(page)).toBeHidden();
});

test("a widget of a deleted metric says so, one that fails can be tried again, and the others are shown", async ({
  api,
  page,
  expectFault,
}) => {
  const name = unique("gone");
  const { id: metricID } = (await api.createMetric({ body: { name, type: "event_user", metricEvents: [{ name: "buy" }] } })).data;
  const { id: otherID } = (await api.createMetric({ body: { name: unique("fails"), type: "event_user", metricEvents: [{ name: "buy" }] } }))
    .data;
  const { data } = await api.createDashboard({
    body: {
      name: unique("dashboard"),
      widgets: [
        { type: "metric", metricID },
        { type: "metric", metricID: otherID },
        { type: "text", text: "Still here.\nSecond line." },
      ],
    },
  });
  await api.deleteMetric({ path: { id: metricID }, query: { forceArchive: true } });
  expectFault(/^404: GET \/console\/v1\/metrics\//);
  expectFault(/^400: POST \/console\/v1\/metrics\/preview/);
  await page.route(
    "**/console/v1/metrics/preview*",
    (route) => route.fulfill({ status: 400, json: { status: 400, code: "invalid_request", message: "Refused." } }),
    { times: 1 },
  );
  await page.goto(`dashboards/${data.id}`);
  await expect(widgets(page).nth(0)).toContainText("This metric was deleted.");
  await expect(widgets(page).nth(2)).toContainText("Still here.");
  await widgets(page).nth(1).getByRole("button", { name: "Try again" }).click();
  await expect(widgets(page).nth(1).getByRole("figure")).toBeVisible();
});

test("a widget below the window loads when it comes near, or for printing", async ({ api, page }) => {
  const { id: metricID } = (await api.createMetric({ body: { name: unique("far"), type: "event_user", metricEvents: [{ name: "buy" }] } }))
    .data;
  const notes = Array.from({ length: 23 }, (_, index) => ({
    type: "text" as const,
    text: `Note ${index}\n\n\nEnd`,
    width: "full" as const,
  }));
  const { data } = await api.createDashboard({
    body: { name: unique("dashboard"), widgets: [...notes, { type: "metric", metricID, width: "full" }] },
  });
  const computed: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/metrics/preview")) computed.push(request.url());
  });
  await page.addInitScript(() => {
    globalThis.print = () => {
      document.title = `Printed with ${document.querySelectorAll("figure").length} chart`;
    };
  });
  const far = widgets(page).last();
  await page.goto(`dashboards/${data.id}`);
  await expect(widgets(page)).toHaveCount(24);
  await expect(far.getByRole("link")).toBeVisible();
  expect(computed).toEqual([]);
  await page.getByRole("button", { name: "Print or save as PDF" }).click();
  await expect(page).toHaveTitle("Printed with 1 chart");
  await page.reload();
  await expect(widgets(page).first()).toContainText("Note 0");
  await expect(far.getByRole("figure")).toHaveCount(0);
  await far.scrollIntoViewIfNeeded();
  await expect(far.getByRole("figure")).toBeVisible();
});
