import type { Page } from "@playwright/test";
import { newGate, openGate, review, rule } from "./support/gates.ts";
import { newProject, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const NARROW = { width: 390, height: 800 };
const MARKUP = '<img src="/stolen" onerror="alert(1)"><script>alert(2)</script>';
/** Overrides the direction of what follows, and never ends. */
const REVERSED = "\u202Ereversed\u2067";
const LONG = "W".repeat(1_000);

/** How far the page reaches beyond the window, in pixels. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("names and texts of strangers are shown as they are, start nothing and widen nothing", async ({ page }) => {
  const { projectID, api } = await newProject();
  const tag = `${MARKUP} ${unique("tag")}`.slice(0, 100);
  const { data: segment } = await api.createSegment({ body: { name: unique("segment"), type: "id_list", description: MARKUP } });
  const inSegment = { type: "passes_segment" as const, targetValue: segment.id };
  const isReversed = { type: "user_id" as const, operator: "any" as const, targetValue: [REVERSED, MARKUP, LONG] };
  const gate = await newGate(api, {
    name: "W".repeat(100),
    description: `${MARKUP}\n${REVERSED}\n${LONG}`.slice(0, 1_000),
    tags: [tag, REVERSED, "T".repeat(100)],
    rules: [
      rule(MARKUP.slice(0, 100), { conditions: [inSegment] }),
      rule(REVERSED, { conditions: [isReversed] }),
      rule("R".repeat(100), { passPercentage: 5 }),
    ],
  });
  await api.updateGateOverrides({ path: { id: gate.id }, body: { passingUserIDs: [MARKUP, LONG, REVERSED], failingUserIDs: [] } });
  await api.patchGate({ path: { id: gate.id }, body: { description: MARKUP } });

  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("dialog", (dialog) => {
    requested.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.setViewportSize(NARROW);
  const check = async (part: string) => {
    expect.soft(await overflow(page), part).toBe(0);
    expect.soft(await page.evaluate(() => document.querySelectorAll("img[src*=stolen], main script").length), part).toBe(0);
  };

  await page.goto(`/projects/${projectID}/gates`);
  await expect(page.getByRole("rowheader", { name: gate.name })).toBeVisible();
  await check("list");
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await expect(page.getByRole("heading", { name: MARKUP.slice(0, 100), level: 3 })).toBeVisible();
  await check("targeting");
  for (const name of [MARKUP.slice(0, 100), REVERSED]) await page.getByRole("button", { name: `Edit ${name}`, exact: true }).click();
  await check("editor");
  await page.getByLabel("User ID").fill(LONG);
  await expect(page.getByRole("region", { name: "Saved", exact: true })).toBeVisible();
  await check("test a user");
  for (const [tab, shown] of [
    ["Overrides", page.getByRole("table", { name: "Overrides" })],
    ["Checks", page.getByRole("button", { name: /^Last 24 hours/ })],
    ["History", page.getByRole("list", { name: "Versions" })],
    ["Used by", page.getByText("Nothing else uses this gate")],
    ["Details", page.getByRole("textbox", { name: "Description" })],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(shown).toBeVisible();
    await check(tab);
  }
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue(MARKUP);
  await page.getByRole("textbox", { name: "Description" }).fill(LONG);
  const dialog = await review(page);
  await expect(dialog).toContainText(MARKUP);
  await check("review");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await check("saved");
  expect(requested.filter((url) => /stolen|^dialog/.test(url))).toEqual([]);
});

test("names with a direction of their own leave the words around them in order", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule(`a${REVERSED}`)] });
  await openGate(page, gate.id);
  const heading = page.getByRole("heading", { level: 3, name: /reversed/ });
  const isIsolated = await heading.evaluate((element) => element.querySelector("bdi")?.textContent === element.textContent);
  expect(isIsolated).toBe(true);
});
