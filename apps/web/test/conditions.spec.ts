import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { compare, condition } from "./support/conditions.ts";
import { find, newGate, openGate, readGate, reviewAndSave, rule } from "./support/gates.ts";
import { unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("Control+v");
}

test("an attribute is described in the settings, and found in the editor by typing, as values and countries are", async ({ api, page }) => {
  const field = unique("plan");
  await newGate(api, {
    rules: [rule("Paying", { conditions: [{ type: "custom_field", field, operator: "any", targetValue: ["pro"] }] })],
  });
  await page.goto("settings?tab=attributes");
  await page.getByRole("searchbox", { name: "Search attributes" }).fill(field);
  await page.getByRole("button", { name: `Edit ${field}` }).click();
  const edit = page.getByRole("dialog", { name: `Edit ${field}` });
  await edit.getByLabel("Description").fill("What the customer pays for");
  await edit.getByRole("button", { name: "Review" }).click();
  await page
    .getByRole("dialog", { name: /^Review/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(page.getByRole("row", { name: new RegExp(`${field}.*pro.*What the customer pays for`) })).toBeVisible();
  await expectAccessible(page);
  expect((await api.getAttribute({ path: { id: field } })).data).toMatchObject({ description: "What the customer pays for", version: 1 });

  const gate = await newGate(api, { rules: [rule("Targeted")] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Targeted" }).click();
  const add = page.getByRole("button", { name: "Add condition" });
  await add.click();
  await compare(page, 1, field);
  await expect(condition(page, 1).getByRole("combobox", { name: "Field name" })).toHaveAccessibleDescription("What the customer pays for");
  await condition(page, 1).getByRole("button", { name: "+ pro" }).click();
  await add.click();
  await compare(page, 2, "Country");
  await condition(page, 2).getByRole("textbox", { name: "Add values" }).fill("united");
  await condition(page, 2).getByRole("button", { name: "+ United Kingdom (GB)" }).click();
  await condition(page, 2).getByRole("textbox", { name: "Add values" }).fill("Norw");
  await page.keyboard.press("Enter");
  await expect(condition(page, 2).getByRole("grid", { name: "Values" }).getByRole("row")).toHaveText([
    "United Kingdom (GB)",
    "Norway (NO)",
  ]);
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await readGate(api, gate.id)).rules[0]?.conditions).toEqual([
    { type: "custom_field", field, operator: "any", targetValue: ["pro"] },
    { type: "country", operator: "any", targetValue: ["GB", "NO"] },
  ]);
});

test("a field that no user has sent yet is found by typing its name, and a new condition has no errors before it is left", async ({
  api,
  page,
}) => {
  const gate = await newGate(api, { rules: [rule("Targeted")] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Targeted" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  const field = condition(page, 1).getByRole("combobox", { name: "Field", exact: true });
  const missing = condition(page, 1).getByText("Add at least one value.");
  await field.click();
  await expect(page.getByRole("option", { name: "Country" })).toBeVisible();
  await field.fill("no such field");
  await expect(page.getByRole("option")).toHaveText(["Use “no such field” as a custom field"]);
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("User ID");
  await field.fill("seatsPerTeam");
  await page.getByRole("option", { name: "Use “seatsPerTeam” as a custom field" }).click();
  await expect(field).toHaveValue("Custom field");
  await expect(condition(page, 1).getByRole("combobox", { name: "Field name" })).toHaveValue("seatsPerTeam");
  await expect(missing).toBeHidden();
  await page.getByRole("textbox", { name: "Name", exact: true }).focus();
  await expect(missing).toBeVisible();
  await condition(page, 1).getByRole("textbox", { name: "Add values" }).fill("12");
  await page.keyboard.press("Enter");
  await expect(missing).toBeHidden();
  await reviewAndSave(page);
  expect((await readGate(api, gate.id)).rules[0]?.conditions).toMatchObject([{ type: "custom_field", field: "seatsPerTeam" }]);
});

test("conditions of every sort of value are built, with pasted lists", async ({ api, page }) => {
  const other = await newGate(api);
  const { data: segment } = await api.createSegment({ body: { name: unique("segment"), type: "id_list" } });
  const gate = await newGate(api, { rules: [rule("Targeted")] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Targeted" }).click();
  const add = page.getByRole("button", { name: "Add condition" });

  await add.click();
  await condition(page, 1).getByRole("textbox", { name: "Add values" }).focus();
  await paste(page, "ada\ngrace\nada\nalan, edsger");
  await expect(condition(page, 1).getByRole("textbox", { name: "Add values" })).toHaveAccessibleDescription(
    "4 added, 1 left out as duplicates",
  );
  await condition(page, 1).getByRole("textbox", { name: "Add values" }).fill("barbara");
  await page.keyboard.press("Enter");

  await add.click();
  await compare(page, 2, "Custom field", "is at least");
  await condition(page, 2).getByRole("combobox", { name: "Field name" }).fill("age");
  await condition(page, 2).getByRole("textbox", { name: "Number" }).fill("17.5");

  await add.click();
  await compare(page, 3, "App version", "is later than");
  await condition(page, 3).getByRole("textbox", { name: "Version" }).fill("4.2.0");

  await add.click();
  await compare(page, 4, "Time", "is after");
  await condition(page, 4).getByLabel("Time", { exact: true }).fill("2030-05-17T08:30");

  await add.click();
  await compare(page, 5, "In segment");
  await find(page, condition(page, 5).getByRole("combobox", { name: "Segment" }), segment.name);

  await add.click();
  await compare(page, 6, "Fails gate");
  await find(page, condition(page, 6).getByRole("combobox", { name: "Gate" }), other.name);

  await add.click();
  await compare(page, 7, "Country");
  await condition(page, 7).getByRole("textbox", { name: "Add values" }).focus();
  await paste(page, "NO\tDK");
  await condition(page, 7).getByRole("row", { name: "DK" }).getByRole("button").click();

  await add.click();
  await page.getByRole("button", { name: "Remove condition 8" }).click();
  await reviewAndSave(page);
  expect((await readGate(api, gate.id)).rules[0]?.conditions).toEqual([
    { type: "user_id", operator: "any", targetValue: ["ada", "grace", "alan", "edsger", "barbara"] },
    { type: "custom_field", field: "age", operator: "gte", targetValue: 17.5 },
    { type: "app_version", operator: "version_gt", targetValue: "4.2.0" },
    { type: "time", operator: "after", targetValue: new Date(2030, 4, 17, 8, 30).getTime() },
    { type: "passes_segment", targetValue: segment.id },
    { type: "fails_gate", targetValue: other.id },
    { type: "country", operator: "any", targetValue: ["NO"] },
  ]);
});
