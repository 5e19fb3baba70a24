import { expectAccessible, findings } from "./support/accessibility.ts";
import { newGate, openGate, review, rule, saveBar } from "./support/gates.ts";
import { newProject, SIGNED_OUT, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("axe finds what is wrong", async ({ page }) => {
  await page.goto("gates");
  await expect(page.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
  await page.evaluate(() => {
    const pale = document.createElement("p");
    pale.textContent = "Hardly legible";
    pale.style.color = "#eee";
    pale.style.background = "#fff";
    document.querySelector("main")?.append(pale, document.createElement("button"));
  });
  expect((await findings(page)).map((finding) => finding.split(":")[0])).toEqual(["button-name", "color-contrast"]);
});

test("pages without a session have no barriers", async ({ openBrowser, allowFault }) => {
  allowFault(/^401: POST \/console\/v1\/session\/redeem\/check$/);
  const page = await openBrowser(SIGNED_OUT);
  for (const [path, heading] of [
    ["/sign-in", "Sign in"],
    ["/welcome", "This link is incomplete"],
    ["/welcome#once-anything", "This link no longer works"],
  ] as const) {
    await page.goto(path);
    await page.reload();
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    await expectAccessible(page);
  }
});

test("the list of gates and what it opens have no barriers", async ({ page }) => {
  const { projectID, api } = await newProject();
  await newGate(api, { name: "stale gate", tags: ["checkout"], isEnabled: false });
  await newGate(api, { name: "rolled out", rules: [rule("Everyone", { passPercentage: 25 })] });
  await page.goto(`/projects/${projectID}/gates`);
  await expect(page.getByRole("rowheader", { name: "rolled out" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: "Select All" }).click({ force: true });
  await page.getByRole("region", { name: "Selected gates" }).getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Search everything" }).click();
  await expect(page.getByRole("searchbox", { name: "Search everything" })).toBeFocused();
  await page.keyboard.type("r");
  await expect(page.getByRole("menuitem", { name: /rolled out/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).click();
  await expect(page.getByRole("menuitem", { name: "Dark theme" })).toBeVisible();
  await expectAccessible(page);
});

test("every tab of a gate has no barriers", async ({ api, page }) => {
  const gate = await newGate(api, { tags: [unique("tag")], rules: [rule("Everyone", { passPercentage: 25 })] });
  await newGate(api, { rules: [rule("If so", { conditions: [{ type: "passes_gate", targetValue: gate.id }] })] });
  await api.patchGate({ path: { id: gate.id }, body: { description: "Second" } });
  await api.updateGateOverrides({ path: { id: gate.id }, body: { passingUserIDs: ["ada"], failingUserIDs: ["eve"] } });
  await openGate(page, gate.id);
  await expectAccessible(page);
  for (const [tab, shown] of [
    ["Overrides", page.getByRole("table", { name: "Overrides" })],
    ["Checks", page.getByRole("figure")],
    ["History", page.getByRole("list", { name: "Versions" })],
    ["Used by", page.getByRole("rowheader")],
    ["Details", page.getByRole("textbox", { name: "Description" })],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(shown.first()).toBeVisible();
    await expectAccessible(page);
  }
});

test("the editor of rules and the dialogs of a gate have no barriers", async ({ api, page }) => {
  const conditions = [
    { type: "user_id" as const, operator: "any" as const, targetValue: ["ada", "grace"] },
    { type: "custom_field" as const, field: "age", operator: "gte" as const, targetValue: 18 },
  ];
  const gate = await newGate(api, {
    rules: [rule("First", { conditions, environments: ["staging"] }), rule("Second", { isEnabled: false })],
  });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit First" }).click();
  await page.getByRole("button", { name: "Use a schedule" }).first().click();
  await page.getByRole("menuitem", { name: /^Careful/ }).click();
  await page.getByLabel("User ID").fill("ada");
  await expect(page.getByRole("region", { name: "With your changes" })).toBeVisible();
  await page.getByRole("button", { name: "Add condition" }).first().click();
  await page.getByRole("button", { name: "Compare environments" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove condition 3" }).click();
  await page.getByRole("button", { name: "More for First", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Duplicate" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Copy to other environments" }).click();
  await expect(page.getByRole("dialog", { name: /^Copy First/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  const dialog = await review(page);
  await dialog.getByRole("button", { name: "View API request" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Back" }).click();
  await api.patchGate({ path: { id: gate.id }, body: { rules: [] } });
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await expectAccessible(page);
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("dialog", { name: "Your edits conflict with newer changes" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Gates" }).first().click();
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).toBeVisible();
  await expectAccessible(page);
});

test("an address without a page has no barriers, and titles are announced", async ({ page }) => {
  await page.goto("/nowhere");
  await expect(page.getByRole("status").filter({ hasText: "Page not found · Gatehouse" })).toBeAttached();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to Home" }).click();
  // The start page depends on the reports of applications up to now.
  const title = /^(Get started|Home) · Gatehouse$/;
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("status").filter({ hasText: title })).toBeAttached();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
