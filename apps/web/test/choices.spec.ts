import type { Locator, Page } from "@playwright/test";
import { newGate, openGate, rule } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

/** Presses where a list opens, and lets go over an option, as happens when the page moves in between. */
async function pressAndMove(page: Page, opener: Locator, option: Locator): Promise<void> {
  await opener.hover();
  await page.mouse.down();
  await expect(option).toBeVisible();
  await option.hover();
  await page.mouse.up();
}

test("the press that opens a list chooses nothing, wherever it ends", async ({ api, page }) => {
  const columns = { timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant" };
  const idTypeMapping = [{ serviceUnitID: "userID", column: "customer" }];
  const { name } = (await api.createAssignmentSource({ body: { name: unique("source"), sql: "select 1", ...columns, idTypeMapping } }))
    .data;
  const { id } = (await api.createExperiment({ body: { name: unique("chosen") } })).data;
  await page.goto(`experiments/${id}?tab=setup`);

  const select = page.getByRole("button", { name: /Assignments from$/ });
  const source = page.getByRole("option", { name });
  await pressAndMove(page, select, source);
  await expect(source).toBeVisible();
  await source.click();
  await expect(select).toContainText(name);
});

/** Scrolls the container of an element by some pixels. Parts of the page that are still loading may also move the element. */
async function scrollAround(element: Locator, distance: number): Promise<void> {
  const moved = await element.evaluate((node, top) => {
    let scroller = node.parentElement;
    while (scroller !== null && (scroller.scrollHeight <= scroller.clientHeight || getComputedStyle(scroller).overflowY === "visible"))
      scroller = scroller.parentElement;
    const container = scroller ?? document.documentElement;
    const start = container.scrollTop;
    container.scrollBy({ top, behavior: "instant" });
    return container.scrollTop - start;
  }, distance);
  expect(moved).toBe(distance);
}

/** Distance of lists from their fields, in pixels. Positions may be rounded to whole ones. */
const OFFSET = 8;

/** Expects that the open list is right above or below its field. */
async function expectBeside(list: Locator, field: Locator): Promise<void> {
  await expect(list).toBeVisible();
  await expect(async () => {
    const [a, b] = await Promise.all([list.boundingBox(), field.boundingBox()]);
    if (a === null || b === null) throw new Error("The list or its field is not shown.");
    const distance = Math.max(a.y - b.y - b.height, b.y - a.y - a.height);
    expect(Math.abs(distance - OFFSET), `${distance} pixels`).toBeLessThan(1);
  }).toPass();
}

/** The box of the open list, which scrolls. */
const openList = (page: Page) => page.locator("[data-trigger]", { has: page.getByRole("listbox") });

const conditions = [{ type: "custom_field" as const, field: "age", operator: "gte" as const, targetValue: 18 }];

test("a list stays open beside its field while the page scrolls, and keeps its place", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Adults", { conditions })] });
  await page.setViewportSize({ width: 1280, height: 500 });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Adults" }).click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  const list = openList(page);

  const compared = condition.getByRole("combobox", { name: "Field", exact: true });
  await compared.fill("i");
  await expectBeside(list, compared);
  await list.evaluate((node) => node.scrollBy({ top: 40 }));
  await scrollAround(compared, 60);
  await expectBeside(list, compared);
  expect(await list.evaluate((node) => node.scrollTop)).toBe(40);
  await scrollAround(compared, -60);
  await expectBeside(list, compared);
  await page.keyboard.press("Escape");

  const operator = condition.getByRole("button", { name: /Operator/ });
  await operator.click();
  await expectBeside(list, operator);
  await scrollAround(operator, 60);
  await expectBeside(list, operator);
});

test("a list stays open beside its field while a dialog scrolls", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  await api.createMetric({ body: { name: "Revenue", type: "sum", metricEvents: [{ name: "buy", type: "value" }] } });
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`/projects/${projectID}/alerts`);
  await page.getByRole("button", { name: "Create alert" }).first().click();
  const metric = page.getByRole("dialog", { name: "Create an alert" }).getByRole("combobox", { name: "Metric" });
  await metric.fill("Rev");
  await expectBeside(openList(page), metric);
  await scrollAround(metric, 30);
  await expectBeside(openList(page), metric);
  await page.getByRole("option", { name: /Revenue/ }).click();
  await expect(metric).toHaveValue("Revenue");
});

test("a select that is opened before its options have loaded shows them as soon as they are there", { tag: NIGHT }, async ({ page }) => {
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/unit_id_types*", async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto("gates");
  await page.getByRole("button", { name: "Create gate" }).first().click();
  const select = page.getByRole("dialog", { name: "Create a gate" }).getByRole("button", { name: /Unit ID type/ });
  await select.click();
  await expect(page.getByRole("listbox")).toHaveText("No options yet");
  answer();
  await page.getByRole("option", { name: "stableID", exact: true }).click();
  await expect(select).toContainText("stableID");
});
