import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { reviewAndSave, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const newAutotune = async (api: ConsoleClient, given: object = {}) => {
  const variants = ["Blue", "Green"].map((name) => ({ id: name.toLowerCase(), name, json: { color: name } }));
  const windows = { explorationWindow: "24hr", attributionWindow: "1hr", winnerThreshold: "95%" } as const;
  return (await api.createAutotune({ body: { name: unique("autotune"), variants, successEvent: "purchase", ...windows, ...given } })).data;
};
const readAutotune = async (api: ConsoleClient, id: string) => (await api.getAutotune({ path: { id } })).data;

/** A day’s last check. @param share of the traffic that Green has @param best the probability that Green is the best */
function learned(date: string, share: number, best: number | null) {
  const found = { units: 200, outcomes: 20, mean: 0.1 };
  return {
    date,
    checkedTime: Date.parse(date) + 3_600_000,
    variants: [
      { id: "blue", ...found, share: 100 - share, probabilityOfBest: best === null ? null : 1 - best },
      { id: "green", ...found, share, probabilityOfBest: best },
    ],
  };
}

async function openAutotune(page: Page, id: string, search = ""): Promise<void> {
  await page.goto(`autotunes/${id}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the autotune" })).toBeVisible();
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("variants and settings are edited and saved together", { tag: NIGHT }, async ({ api, page }) => {
  const { id } = await newAutotune(api);
  await openAutotune(page, id, "?tab=variants");
  await page.getByRole("button", { name: "Add variant" }).click();
  await page.getByRole("textbox", { name: "Variant", exact: true }).last().fill("Red");
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("Split equally after exploration").fill("10");
  await page.keyboard.press("Enter");
  await page.getByLabel("Only if the text is").fill("online");
  await expectAccessible(page);
  await reviewAndSave(page);
  const saved = await readAutotune(api, id);
  expect(saved.variants.map(({ name }) => name)).toEqual(["Blue", "Green", "Red"]);
  expect(saved).toMatchObject({ longtermExplorationAllocation: 0.1, successEventValue: "online" });
});

test("a new one opens on its variants, and starts once they differ, with a warning about an event that was never logged", async ({
  api,
  page,
}) => {
  const json = {};
  const { id, name } = await newAutotune(api, {
    variants: ["A", "B"].map((variant) => ({ name: variant, json })),
    successEvent: "purchace",
  });
  await openAutotune(page, id);
  const checks = page.getByRole("list", { name: "Before you start" });
  await expect(checks).toContainText("Set different values for the variants. They’re all the same now.");
  await expect(checks).toContainText("No event named “purchace” was seen.");
  await expect(page.getByRole("button", { name: "Start", exact: true })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await checks.getByRole("button", { name: "Outcome" }).click();
  await expect(page.getByRole("combobox", { name: "Event" })).toHaveValue("purchace");
  const variants = ["A", "B"].map((variant) => ({ name: variant, json: { text: variant } }));
  await api.patchAutotune({ path: { id }, body: { variants } });
  await page.reload();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page.getByRole("dialog", { name: `Start ${name}?` })).toContainText("No event named “purchace” was seen.");
});

test("it is started, decided and reset, each after a review", async ({ api, page }) => {
  const { id, name } = await newAutotune(api);
  await openAutotune(page, id, "?tab=learning");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const start = page.getByRole("dialog", { name: `Start ${name}?` });
  await expect(start.getByText("Users are split equally among the variants at first")).toBeVisible();
  await expectAccessible(page);
  await start.getByRole("button", { name: "Start" }).click();
  const variants = page.getByRole("table", { name: "Variants" });
  await expect(variants.getByRole("row", { name: /Green/ })).toContainText("50%");
  await expect(page.getByText("Traffic is split equally until every variant has 100 users")).toBeVisible();
  await expect(page.getByRole("figure", { name: "Probability of being the best" })).toContainText("Every variant needs 100 users.");
  await expectAccessible(page);
  // The server checks by its own clock, so two days of its answers are made up.
  await page.route(`**/console/v1/autotunes/${id}/days*`, async (route) => {
    const response = await route.fetch();
    const { data: _, ...answer } = await response.json();
    await route.fulfill({ response, json: { ...answer, data: [learned("2026-03-05", 90, 0.94), learned("2026-03-04", 50, null)] } });
  });
  await page.reload();
  for (const [title, rows] of [
    ["Traffic by day", ["Mar 4, 2026 (UTC)50%50%", "Mar 5, 2026 (UTC)10%90%"]],
    ["Probability of being the best", ["Mar 5, 2026 (UTC)6%94%"]],
  ] as const) {
    const chart = page.getByRole("figure", { name: title });
    await chart.getByText("Show as a table").click();
    await expect(chart.getByRole("row")).toHaveText(["TimeBlueGreen", ...rows]);
  }
  await page.getByRole("button", { name: "Choose a winner" }).click();
  const decision = page.getByRole("dialog", { name: `Choose a winner for ${name}?` });
  await decision.getByLabel("Reason").fill("Green is in stock.");
  await expectAccessible(page);
  await decision.getByRole("button", { name: "Choose a winner" }).click();
  await expect(page.getByText("Blue has won")).toBeVisible();
  await expect(page.getByText("Green is in stock.")).toBeVisible();
  await expectAccessible(page);
  expect((await readAutotune(api, id)).winner).toEqual({ id: "blue", name: "Blue" });
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Reset" }).click();
  await page
    .getByRole("dialog", { name: `Reset ${name}?` })
    .getByRole("button", { name: "Reset" })
    .click();
  await page.getByRole("tab", { name: "Learning" }).click();
  await expect(page.getByText("Not started: everyone gets the first variant.")).toBeVisible();
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByRole("list", { name: "Versions" }).getByRole("link")).toHaveCount(4);
  await expectAccessible(page);
});

test("in a narrow window nothing scrolls sideways", { tag: NIGHT }, async ({ api, newPerson, openBrowser }) => {
  const { id } = await newAutotune(api);
  await api.startAutotune({ path: { id } });
  const page = await openBrowser({ ...signedInAs(await newPerson("Member")), viewport: { width: 390, height: 800 } });
  for (const tab of ["learning", "variants", "settings", "details"]) {
    await openAutotune(page, id, `?tab=${tab}`);
    await expect.poll(() => overflow(page)).toBe(0);
    await expectAccessible(page);
  }
});

test("a viewer sees what was learned and may change nothing", { tag: NIGHT }, async ({ api, viewer, openBrowser }) => {
  const { id } = await newAutotune(api);
  await api.startAutotune({ path: { id } });
  const page = await openBrowser(signedInAs(viewer));
  await openAutotune(page, id);
  await expect(page.getByRole("table", { name: "Variants" })).toBeVisible();
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByRole("combobox", { name: "Event" })).toBeDisabled();
  await expect(saveBar(page)).toBeHidden();
});
