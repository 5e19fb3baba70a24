import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate, readGate, review, rule, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const DAY_MS = 86_400_000;
/** A noon that is more than two days away and less than four, and an hour later. */
const NOON = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2.5 * DAY_MS;
const ONE = NOON + 3_600_000;

/** The time as a field has it, in the time zone of these tests' browser. */
const typed = (time: number) => new Date(time).toISOString().slice(0, 16);

test.use({ timezoneId: "UTC" });

test("an edit and a step are scheduled in their reviews, rescheduled and canceled", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const waiting = async () =>
    (await api.listScheduledChanges({ query: { status: "SCHEDULED" } })).data.map(({ operationId, applyAt, reason }) => [
      operationId,
      applyAt,
      reason,
    ]);
  const time = page.getByRole("dialog").getByLabel("Date and time");

  await page.goto(`/projects/${projectID}/gates/${gate.id}?tab=details`);
  await page.getByRole("textbox", { name: "Description" }).fill("For the sale.");
  const edit = await review(page);
  await edit.getByRole("textbox", { name: /^Reason/ }).fill("The sale begins.");
  await choose(page, edit.getByRole("button", { name: /When$/ }), "At a later time");
  await time.fill(typed(NOON - 9 * DAY_MS));
  await expect(edit).toContainText("Choose a time in the future.");
  await time.fill(typed(NOON));
  await expectAccessible(page);
  await edit.getByRole("button", { name: "Schedule" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect(await waiting()).toEqual([["patchGate", NOON, "The sale begins."]]);
  expect((await readGate(api, gate.id)).description).toBe("");

  await expect(page.getByRole("main")).toContainText(/A scheduled change takes effect in [23] days\./);
  await page.getByRole("button", { name: `More for ${gate.name}` }).click();
  await page.getByRole("menuitem", { name: "Disable", exact: true }).click();
  const step = page.getByRole("dialog");
  await choose(page, step.getByRole("button", { name: /When$/ }), "At a later time");
  await time.fill(typed(ONE));
  await step.getByRole("button", { name: "Schedule" }).click();
  await expect(step).toBeHidden();
  expect(await waiting()).toEqual([
    ["patchGate", NOON, "The sale begins."],
    ["disableGate", ONE, null],
  ]);

  await page.getByRole("main").getByRole("link", { name: "View", exact: true }).click();
  const items = page.getByRole("list", { name: "Scheduled changes" }).locator("> li");
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText("Reason: The sale begins.");
  await expectAccessible(page);
  await items.first().getByRole("button", { name: "Reschedule" }).click();
  await time.fill(typed(ONE + 3_600_000));
  await page.getByRole("dialog").getByRole("button", { name: "Reschedule" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(items.first()).not.toContainText("Reason");
  await items.first().getByRole("button", { name: "Cancel change" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel change" }).click();
  await expect(items).toHaveCount(1);
  expect(await waiting()).toEqual([["patchGate", ONE + 3_600_000, "The sale begins."]]);

  await choose(page, page.getByRole("button", { name: /Status$/ }), "Canceled");
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText("Canceled");
});

test("a page says that changes to what its tabs show are scheduled", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api);
  const query = { applyAt: NOON };
  const path = { id: gate.id };
  await api.schedule.updateGateOverrides({ path, body: { passingUserIDs: ["ada"] }, query });
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await expect(page.getByRole("main")).toContainText(/A scheduled change takes effect in [23] days\./);
  await page.getByRole("main").getByRole("link", { name: "View", exact: true }).click();
  await expect(page.getByRole("list", { name: "Scheduled changes" }).locator("> li")).toHaveCount(1);
  await api.schedule.patchGate({ path, body: { description: "For the sale." }, query: { applyAt: ONE } });
  await page.goto(`/projects/${projectID}/gates/${gate.id}?tab=details`);
  await expect(page.getByRole("main")).toContainText(/Several changes are scheduled\. The next one takes effect in [23] days\./);

  const { environments } = (await api.getEnvironments()).data;
  const required = environments.map((one) => ({ ...one, requiresReleasePipeline: true }));
  await api.schedule.updateEnvironments({ body: { environments: required }, query });
  await page.goto(`/projects/${projectID}/settings?tab=environments`);
  await expect(page.getByRole("main")).toContainText(/A scheduled change takes effect in [23] days\./);
});

test("a step repeats on chosen days until a last one", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const monday = NOON + ((8 - new Date(NOON).getUTCDay()) % 7) * DAY_MS;
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await page.getByRole("button", { name: `More for ${gate.name}` }).click();
  await page.getByRole("menuitem", { name: "Disable", exact: true }).click();
  const step = page.getByRole("dialog");
  await choose(page, step.getByRole("button", { name: /When$/ }), "At a later time");
  await choose(page, step.getByRole("button", { name: /Repeat$/ }), "Every weekday (Monday to Friday)");
  await step.getByLabel("Date and time").fill(typed(monday - DAY_MS));
  await expect(step).toContainText("Choose a day from Monday to Friday. This one is a Sunday in UTC.");
  await step.getByLabel("Date and time").fill(typed(monday));
  await choose(page, step.getByRole("button", { name: /Repeat$/ }), "On chosen days");
  await expect(step.getByRole("group", { name: "Days" })).toContainText("Choose at least one day.");
  for (const name of ["Thursday", "Monday"]) await step.getByRole("checkbox", { name }).check({ force: true });
  await step.getByLabel("Last day").fill(typed(monday - DAY_MS).slice(0, 10));
  await expect(step).toContainText("Choose a last day that isn’t before the first one.");
  await step.getByLabel("Last day").fill(typed(monday + 10 * DAY_MS).slice(0, 10));
  await expectAccessible(page);
  await step.getByRole("button", { name: "Schedule" }).click();
  await expect(step).toBeHidden();
  const { data } = await api.listScheduledChanges({ query: { status: "SCHEDULED" } });
  const repeat = { days: ["MONDAY", "THURSDAY"], time: "12:00", timeZone: "UTC", until: monday + 10.5 * DAY_MS - 1 };
  expect(data).toMatchObject([{ applyAt: monday, repeat }]);
  await page.getByRole("main").getByRole("link", { name: "View", exact: true }).click();
  await expect(page.getByRole("list", { name: "Scheduled changes" })).toContainText(
    "Repeats: Every Monday and Thursday at 12:00, UTC, until",
  );
});
