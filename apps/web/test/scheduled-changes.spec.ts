import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate, openGate, readGate, review, rule, saveBar } from "./support/gates.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const DAY_MS = 86_400_000;

/** A day from now, on the full minute. */
const tomorrow = () => Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
/** The time as a field shows it, in the time zone of the tests' browser. */
const typed = (time: number) => new Date(time).toISOString().slice(0, 16);

test.use({ timezoneId: "UTC" });

test("an edit and a step of a gate are scheduled in their reviews, moved, and canceled", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const waiting = async () => (await api.listScheduledChanges({ query: { status: "SCHEDULED" } })).data;
  const first = tomorrow();
  await openGate(page, `../../${projectID}/gates/${gate.id}`);
  await page.getByRole("spinbutton", { name: /^Pass percentage/ }).first().fill("50");
  const dialog = await review(page);
  await choose(page, dialog.getByRole("button", { name: /When$/ }), "At a later time");
  await dialog.getByLabel("Date and time").fill(typed(Date.now() - DAY_MS));
  await expect(dialog).toContainText("Choose a time in the future.");
  await dialog.getByLabel("Date and time").fill(typed(first));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect(await waiting()).toMatchObject([{ applyAt: first, operationId: "patchGate", path: { id: gate.id } }]);
  expect((await readGate(api, gate.id)).rules?.[0]?.passPercentage).toBe(100);
});
