import { createEvaluationClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { find, newGate, openGate, readGate, review, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const description = (page: Page) => page.getByRole("textbox", { name: "Description" });
const conflict = (page: Page) => page.getByRole("dialog", { name: "Your edits conflict with newer changes" });

test("the keyboard alone creates a gate, adds a rule and saves it", async ({ api, page }) => {
  const name = unique("by_keyboard");
  await page.goto("gates");
  await expect(page.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Create a gate" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Add rule" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Testers");
  await tabTo(page, page.getByRole("button", { name: "Add condition" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("textbox", { name: "Add values" }));
  await page.keyboard.type("ada");
  await page.keyboard.press("Enter");
  await page.keyboard.type("grace");
  await page.keyboard.press("Enter");
  await tabTo(page, saveBar(page).getByRole("button", { name: "Review" }));
  await page.keyboard.press("Enter");
  const save = page.getByRole("dialog", { name: /^Review changes/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await readGate(api, name)).rules).toMatchObject([
    { name: "Testers", passPercentage: 100, conditions: [{ type: "user_id", operator: "any", targetValue: ["ada", "grace"] }] },
  ]);
});

test("leaving with unsaved changes asks, and discarding forgets them", async ({ api, page }) => {
  const gate = await newGate(api, { description: "Before" });
  await page.goto(`gates?search=${gate.name}`);
  await page.getByRole("rowheader", { name: gate.name }).click();
  await page.getByRole("tab", { name: "Details" }).click();
  await description(page).fill("After");
  await page.getByRole("navigation", { name: "Pages of the project" }).getByRole("link", { name: "Gates" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("tab", { name: "Targeting" }).click();
  await page.getByRole("tab", { name: "Details" }).click();
  await expect(description(page)).toHaveValue("After");
  await saveBar(page).getByRole("button", { name: "Discard" }).click();
  await expect(saveBar(page)).toBeHidden();
  await expect(description(page)).toHaveValue("Before");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(description(page)).toHaveValue("After");
  await expect(saveBar(page).getByRole("status")).toHaveText("1 change");

  await description(page).fill("After all");
  await page.goBack();
  await question.getByRole("button", { name: "Discard and leave" }).click();
  await expect(page.getByRole("searchbox", { name: "Search gates" })).toHaveValue(gate.name);
  expect(await readGate(api, gate.id)).toMatchObject({ description: "Before", version: 1 });
});

test("closing the browser's tab with unsaved changes asks", { tag: NIGHT }, async ({ api, page }) => {
  const gate = await newGate(api);
  await openGate(page, gate.id, "?tab=details");
  await description(page).fill("Not saved");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
});

test("details are changed, description, tags and type, and say who changed them when", async ({ api, page }) => {
  const tag = unique("tag");
  await api.createTag({ body: { name: tag } });
  const gate = await newGate(api, { tags: ["old"] });
  await openGate(page, gate.id, "?tab=details");
  await description(page).fill("Two lines\nof text");
  await page.getByRole("button", { name: "Remove tag old" }).click();
  await find(page, page.getByRole("combobox", { name: "Tags" }), tag);
  await page.getByRole("button", { name: /^Temporary/ }).click();
  await page.getByRole("option", { name: /^Permanent/ }).click();
  await reviewAndSave(page);
  await expect(page.getByRole("list", { name: "Summary" })).toContainText("Changed just now by Ada Lovelace");
  expect(await readGate(api, gate.id)).toMatchObject({ description: "Two lines\nof text", tags: [tag], type: "PERMANENT" });
});

test("the review says how many of the users seen lately would get another value", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const { data } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const flags = createEvaluationClient({ baseUrl: serverUrl(), apiKey: data.key ?? "" });
  for (const userID of ["ada", "grace", "alan"]) await flags.checkGate({ body: { gateName: gate.id, user: { userID } } });
  // Exposures are stored a moment after the check.
  const seen = async () =>
    (await api.patchGate({ path: { id: gate.id }, query: { dryRun: true, impact: 10 }, body: { isEnabled: false } })).impact;
  await expect.poll(seen).toContainEqual(expect.objectContaining({ environment: "production", users: 3 }));
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Everyone" }).click();
  await page.getByLabel("Pass percentage").fill("0");
  await page.keyboard.press("Enter");
  const dialog = await review(page);
  const impact = dialog.getByRole("region", { name: "Impact on users" });
  await expect(impact).toContainText("production: 3 of the 3 recent users get a different value.");
  await expect(impact.getByRole("listitem")).toHaveText([`3 × ${gate.id}: pass → fail`]);
  await expect(impact).toContainText(/For example (ada|grace|alan)/);
  await dialog.getByRole("button", { name: "View API request" }).click();
  await expect(dialog.getByRole("region", { name: "curl" })).toContainText(`PATCH '${serverUrl()}/console/v1/gates/${gate.id}'`);
  await dialog.getByRole("button", { name: "Back" }).click();
  expect(await readGate(api, gate.id)).toMatchObject({ version: 1 });
});

test("one person sees what another saves, without reloading", async ({ api, page, openBrowser, newPerson }) => {
  const member = await newPerson("Member");
  const gate = await newGate(api);
  const other = await openBrowser(signedInAs(member));
  await Promise.all([openGate(page, gate.id, "?tab=details"), openGate(other, gate.id, "?tab=details")]);
  await description(other).fill("Said by the other");
  await reviewAndSave(other);
  await expect(description(page)).toHaveValue("Said by the other");
});

test("a race that is lost during the review stores nothing, and reloading takes what the other saved", async ({
  api,
  page,
  expectFault,
}) => {
  const gate = await newGate(api, { description: "Before" });
  await openGate(page, gate.id, "?tab=details");
  await description(page).fill("Mine");
  const dialog = await review(page);
  await api.patchGate({ path: { id: gate.id }, body: { description: "Theirs" } });
  expectFault(/^412: POST \/console\/v1\/batch/);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("There are newer changes");
  await dialog.getByRole("button", { name: "Review both changes" }).click();
  await conflict(page).getByRole("button", { name: "Discard my changes" }).click();
  await expect(description(page)).toHaveValue("Theirs");
  await expect(saveBar(page)).toBeHidden();
  expect(await readGate(api, gate.id)).toMatchObject({ description: "Theirs", version: 2 });
});

test("when two people edit, the later one sees who saved before, when, what changed, and what each choice does", async ({
  api,
  newPerson,
  openBrowser,
}) => {
  const [mine, theirs] = [await newPerson("Member", "Grace Hopper"), await newPerson("Member", "Alan Turing")];
  const gate = await newGate(api, { rules: [rule("Everyone", { passPercentage: 10 })] });
  const [page, other] = [await openBrowser(signedInAs(mine)), await openBrowser(signedInAs(theirs))];
  const edit = async (editor: Page, percentage: string) => {
    await openGate(editor, gate.id);
    await editor.getByRole("button", { name: "Edit Everyone" }).click();
    await editor.getByLabel("Pass percentage").fill(percentage);
    await editor.keyboard.press("Enter");
  };
  await edit(page, "20");
  await edit(other, "30");
  const dialog = await review(other);
  await dialog.getByLabel("Reason").fill("Sign-ups look fine.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(other)).toBeHidden();
  await theirs.api.updateGateOverrides({ path: { id: gate.id }, body: { passingUserIDs: ["ada"], failingUserIDs: [] } });
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const saved = conflict(page).getByRole("list", { name: "Saved since you started editing" });
  await expect(saved.locator("> li")).toHaveText([
    /^Alan Turing saved (just now|\d minutes? ago)Always pass in all environments \(users\): \+ ada$/,
    /^Alan Turing saved (just now|\d minutes? ago): “Sign-ups look fine\.”Rule “Everyone”: passes 10% → 30%$/,
  ]);
  await expect(conflict(page).getByRole("list", { name: "Your options" }).getByRole("listitem")).toHaveText([
    /^Merge adds/,
    /^Discard my changes drops/,
    /^Close returns/,
  ]);
  await expectAccessible(page);
  await conflict(page).getByRole("button", { name: "Close" }).click();
  await expect(page.getByLabel("Pass percentage")).toHaveValue("20");
  expect((await readGate(api, gate.id)).rules).toMatchObject([{ passPercentage: 30 }]);
});

test("overrides that two people added are both kept", async ({ api, page }) => {
  const gate = await newGate(api);
  await openGate(page, gate.id, "?tab=overrides");
  await page.getByRole("textbox", { name: "IDs" }).fill("mine");
  await page.getByRole("button", { name: "Add IDs" }).click();
  await api.updateGateOverrides({ path: { id: gate.id }, body: { passingUserIDs: ["theirs"], failingUserIDs: [] } });
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await page.getByRole("dialog", { name: "There are newer changes" }).getByRole("button", { name: "Merge" }).click();
  await page
    .getByRole("dialog", { name: /^Review changes/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(page.getByRole("table", { name: "Overrides" }).getByRole("rowheader")).toHaveText(["theirs", "mine"]);
  const { data } = await api.getGateOverrides({ path: { id: gate.id } });
  expect(data.passingUserIDs).toEqual(["theirs", "mine"]);
});

test("keeping my change of a rule keeps the rule that a colleague added", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Everyone", { passPercentage: 10 })] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Everyone" }).click();
  await page.getByLabel("Pass percentage").fill("20");
  await page.keyboard.press("Enter");
  const rules = [...gate.rules.map((one) => ({ ...one, passPercentage: 30 })), rule("Theirs")];
  await api.patchGate({ path: { id: gate.id }, body: { rules } });
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const choice = conflict(page).getByRole("region", { name: "Rules: “Everyone”, pass percentage" });
  await expect(choice.locator("mark")).toHaveText(["20", "30"]);
  await choice.getByRole("button", { name: "Keep mine" }).click();
  await conflict(page).getByRole("button", { name: "Merge" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(dialog.getByRole("article", { name: `Changes to ${gate.id}` }).getByRole("listitem")).toHaveText([
    "Rule “Everyone”: passes 30% → 20%",
  ]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  expect((await readGate(api, gate.id)).rules).toMatchObject([
    { name: "Everyone", passPercentage: 20 },
    { name: "Theirs", passPercentage: 100 },
  ]);
});

test("a change that the server refuses shows the reason, and is not stored", { tag: NIGHT }, async ({ api, page, expectFault }) => {
  const gate = await newGate(api);
  await openGate(page, gate.id, "?tab=details");
  await page.getByRole("textbox", { name: "Name" }).fill("<script>");
  expectFault(/^400: POST \/console\/v1\/batch/);
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(dialog.getByRole("alert")).toContainText("Couldn’t save your changes");
  await dialog.getByRole("button", { name: "Show where" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(
    "Use only letters from a to z, digits, spaces, underscores, hyphens, and periods.",
  );
  expect(await readGate(api, gate.id)).toMatchObject({ name: gate.name, version: 1 });
});
