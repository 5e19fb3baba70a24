import { readFile } from "node:fs/promises";
import type { ConsoleClient } from "@gatehouse/client";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { reviewAndSave, rule, saveBar, takeStep } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const MARKUP = '<img src="/stolen" onerror="alert(1)">';

const newSegment = async (api: ConsoleClient, type: "rule_based" | "id_list" | "user_store_id_list" | "analysis_list", more: object = {}) =>
  (await api.createSegment({ body: { name: unique("segment"), type, ...more } })).data;

async function openSegment(page: Page, id: string): Promise<void> {
  await page.goto(`segments/${id}`);
  await expect(page.getByRole("tab", { name: "Members" })).toBeVisible();
}

const readIDs = async (api: ConsoleClient, id: string) => (await api.getSegmentIDList({ path: { id } })).data;

test("a segment of rules is created, gets rules, and says who is in it", async ({ api, page }) => {
  await page.goto("segments");
  const name = unique("Staff");
  await page.getByRole("button", { name: "Create segment" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a segment" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(page.getByText("The segment is empty.")).toBeVisible();
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Add values").fill("ada");
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: /^All environments/ }).click({ force: true });
  await expect(page.getByText("If User ID is any of ada: 100% of users are in it.")).toBeVisible();
  await page.getByLabel("User ID", { exact: true }).fill("ada");
  await expect(page.getByRole("region", { name: "Saved", exact: true })).toContainText("Fails");
  await expect(page.getByRole("region", { name: "With your changes" })).toContainText("Passes");
  await expectAccessible(page);
  await reviewAndSave(page);
  const [saved] = (await api.getSegment({ path: { id: name } })).data.rules;
  expect(saved?.conditions).toMatchObject([{ type: "user_id", operator: "any", targetValue: ["ada"] }]);
});

test("conditions of a segment are about the user and other segments alone", { tag: NIGHT }, async ({ api, page }) => {
  const { id } = await newSegment(api, "rule_based", {
    rules: [rule("Staff", { conditions: [{ type: "country", operator: "any", targetValue: ["NO"] }] })],
  });
  await openSegment(page, id);
  await page.getByRole("button", { name: "Edit Staff" }).click();
  await expect(page.getByText("Scheduled rollout")).toBeHidden();
  const what = page.getByRole("combobox", { name: "Field", exact: true });
  await what.click();
  await what.fill("e");
  await expect(page.getByRole("option", { name: /^Email/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /Passes gate/ })).toBeHidden();
});

test("IDs are pasted into a list, removed from it, and replaced", async ({ api, page }) => {
  const { id, name } = await newSegment(api, "id_list");
  await openSegment(page, id);
  await expect(page.getByText("The segment is empty.")).toBeVisible();
  const change = async (button: string, text: string, action: string, outcome: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: new RegExp(name) });
    await dialog.getByRole("textbox", { name: "IDs" }).fill(text);
    await expectAccessible(page);
    if (action === "Replace all") await confirmReplacement(dialog);
    await dialog.getByRole("button", { name: action, exact: true }).click();
    await expect(dialog.getByRole("status").filter({ hasText: outcome })).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).last().click();
  };
  const confirmReplacement = async (dialog: Locator) => {
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog).toContainText("Removes 2 IDs and adds 2. This can’t be undone.");
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download IDs" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${id}.csv`);
    expect(await readFile(await file.path(), "utf8")).toBe(`id\r\n"${MARKUP.replaceAll('"', '""')}"\r\nada\r\n`);
    await expectAccessible(page);
  };
  await change("Add IDs", `ada, ben\n${MARKUP}\nada`, "Add", "3 IDs added. 3 lines were read. Duplicate IDs count once.");
  await expect(page.getByRole("list", { name: "IDs" }).getByRole("listitem")).toHaveText([MARKUP, "ada", "ben"]);
  expect((await readIDs(api, id)).count).toBe(3);
  await change("Add IDs", "ada\neve", "Add", "1 ID added. 1 ID was already in the list. 2 lines were read.");
  await change("Remove IDs", "ben\neve\nzoe", "Remove", "2 IDs removed. 1 ID was not in the list.");
  expect((await readIDs(api, id)).ids).toEqual([MARKUP, "ada"]);
  await change("Replace all", "cleo\ndora", "Replace all", "The list now has 2 IDs.");
  expect((await readIDs(api, id)).ids).toEqual(["cleo", "dora"]);
  await page.getByLabel("User ID", { exact: true }).fill("dora");
  await expect(page.getByRole("region", { name: "Saved", exact: true })).toContainText("Passes");
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("link", { name: /^Version 4/ }).click();
  await expect(page.getByRole("heading", { name: "Version 4" })).toBeVisible();
  await expect(page.getByText("IDs can’t be restored.", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore this version" })).toBeHidden();
});

test("an ID is searched for and removed, and where changes need a review, the removal waits for it", async ({ openBrowser }) => {
  const project = await newProject();
  const author = await invitePerson(project, "Member");
  const page = await openBrowser(signedInAs(author));
  const { id, name } = await newSegment(project.api, "id_list");
  await project.api.addSegmentIDs({ path: { id }, body: { ids: ["ada", "user_1", "user_10", "user_11", "user_2"] } });
  await page.goto(`/projects/${project.projectID}/segments/${id}`);
  const search = page.getByRole("searchbox", { name: "Search IDs" });
  const list = page.getByRole("list", { name: "IDs" }).getByRole("listitem");
  const tab = page.getByRole("tabpanel");
  await search.fill("user_1");
  await expect(tab).toContainText("user_1 is in the segment. 2 more IDs start with it.");
  await expect(list).toHaveText(["user_1", "user_10", "user_11"]);
  await search.fill("User_2");
  await expect(tab).toContainText("User_2 isn’t in the segment.");
  await search.fill("user_");
  await expect(tab).toContainText("user_ isn’t in the segment. 4 IDs start with it.");
  await expectAccessible(page);

  const remove = async (userID: string, action: string) => {
    await page.getByRole("button", { name: `Remove ${userID}`, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Remove ${userID} from ${name}?` });
    await expect(dialog.getByRole("button", { name: action })).toBeEnabled();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: action }).click();
    await expect(dialog).toBeHidden();
  };
  await remove("user_2", "Remove");
  await expect(list).toHaveText(["user_1", "user_10", "user_11"]);
  expect((await readIDs(project.api, id)).ids).toEqual(["ada", "user_1", "user_10", "user_11"]);

  const { environments } = (await project.api.getEnvironments()).data;
  await project.api.updateEnvironments({ body: { environments: environments.map((one) => ({ ...one, requiresReview: true })) } });
  await remove("user_10", "Request review");
  expect((await readIDs(project.api, id)).ids).toContain("user_10");
  expect((await project.api.listReviews()).data).toMatchObject([
    { status: "PENDING", body: { requests: [{ operationId: "removeSegmentIDs", body: { ids: ["user_10"] } }] } },
  ]);
});

test("a file of many IDs is sent in parts, and invalid lines are named", { tag: NIGHT }, async ({ api, page }) => {
  const { id, name } = await newSegment(api, "id_list");
  await openSegment(page, id);
  await page.getByRole("button", { name: "Add IDs" }).click();
  const dialog = page.getByRole("dialog", { name: `Add IDs to ${name}` });
  const lines = Array.from({ length: 120_000 }, (_, index) => `customer_${String(index).padStart(6, "0")}`);
  lines[70_000] = "x".repeat(1_001);
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Load from a file" }).click();
  await (await chooser).setFiles({ name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) });
  await expect(dialog).toContainText("customers.csv");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("status").filter({ hasText: "119,999 IDs added. 120,000 lines were read." })).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Left out" })).toContainText("Line 70,001: IDs can have up to 1,000 characters.");
  expect((await readIDs(api, id)).count).toBe(119_999);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page.getByText("customer_000100")).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
});

test("of a table, the chosen column is sent after a preview, and no other", { tag: NIGHT }, async ({ api, page }) => {
  const { id, name } = await newSegment(api, "id_list");
  await openSegment(page, id);
  await page.getByRole("button", { name: "Add IDs" }).click();
  const dialog = page.getByRole("dialog", { name: `Add IDs to ${name}` });
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Load from a file" }).click();
  const buffer = Buffer.from('\uFEFFplan;user_id;note\r\npro;ada;"likes; semicolons"\r\nfree;ben;\r\npro;cleo;\r\n');
  await (await chooser).setFiles({ name: "users.csv", mimeType: "text/csv", buffer });
  await expect(dialog).toContainText("Found a table with 3 columns.");
  await expect(dialog.getByRole("checkbox", { name: "The first line has column names" })).toBeChecked();
  await expect(dialog.getByRole("button", { name: "Add", exact: true })).toBeDisabled();
  await dialog.getByRole("button", { name: /Column with the IDs/ }).click();
  await page.getByRole("option", { name: /^user_id/ }).click();
  await expect(dialog.getByRole("region", { name: "Preview" }).getByRole("listitem")).toHaveText(["ada", "ben", "cleo"]);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("status").filter({ hasText: "3 IDs added. 4 lines were read." })).toBeVisible();
  expect((await readIDs(api, id)).ids).toEqual(["ada", "ben", "cleo"]);
});

test("a file that is interrupted goes on where it was", async ({ api, page, expectFault }) => {
  const { id, name } = await newSegment(api, "id_list");
  await openSegment(page, id);
  await page.getByRole("button", { name: "Add IDs" }).click();
  const dialog = page.getByRole("dialog", { name: `Add IDs to ${name}` });
  const text = Array.from({ length: 60_000 }, (_, index) => `unit_${index}`).join("\n");
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Load from a file" }).click();
  await (await chooser).setFiles({ name: "units.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  let parts = 0;
  expectFault(/^failed: PATCH .*id_list net::ERR_FAILED/);
  await page.route("**/id_list", (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    parts += 1;
    return parts === 2 || parts === 3 ? route.abort() : route.continue();
  });
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByText("Interrupted")).toBeVisible();
  await expectAccessible(page);
  expect((await readIDs(api, id)).count).toBe(50_000);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("status").filter({ hasText: "60,000 IDs added." })).toBeVisible();
  expect((await readIDs(api, id)).count).toBe(60_000);
});

test("the list of a user store takes IDs in its own way, and an analysis list has none", { tag: NIGHT }, async ({ api, page }) => {
  const store = await newSegment(api, "user_store_id_list");
  await openSegment(page, store.id);
  await expect(page.getByRole("button", { name: "Replace all" })).toBeHidden();
  for (const [button, action] of [
    ["Add IDs", "Add"],
    ["Remove IDs", "Remove"],
  ] as const) {
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog", { name: new RegExp(store.name) });
    await dialog.getByRole("textbox", { name: "IDs" }).fill(action === "Add" ? "ada\nben" : "ada");
    await dialog.getByRole("button", { name: action, exact: true }).click();
    await dialog.getByRole("button", { name: "Close" }).last().click();
  }
  await expect.poll(async () => (await readIDs(api, store.id)).ids).toEqual(["ben"]);
  const analysis = await newSegment(api, "analysis_list");
  await openSegment(page, analysis.id);
  await expect(page.getByText("They aren’t evaluated and match no users.")).toBeVisible();
});

test("a segment is archived and brought back, each after a review", { tag: NIGHT }, async ({ api, page }) => {
  const { id, name } = await newSegment(api, "rule_based");
  await openSegment(page, id);
  const step = (label: string) => takeStep(page, name, label);
  await step("Archive");
  await expect(page.getByText("This segment is archived and matches no users.")).toBeVisible();
  await page.goto("segments?status=all");
  await page.getByRole("searchbox", { name: "Search segments" }).fill(name);
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("Archived");
  await openSegment(page, id);
  await step("Unarchive");
  await expect(page.getByText("This segment is archived")).toBeHidden();
});

test("a segment is renamed, described and tagged in one save, which its history tells", { tag: NIGHT }, async ({ api, page }) => {
  const { id, name } = await newSegment(api, "id_list");
  await openSegment(page, id);
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(`${name} renamed`);
  await page.getByRole("textbox", { name: "Description" }).fill("Who works in Norway.");
  await expect(saveBar(page)).toContainText("2 changes");
  await reviewAndSave(page);
  await expect(page.getByRole("heading", { name: `${name} renamed`, level: 1 })).toBeVisible();
  const { data } = await api.getSegment({ path: { id } });
  expect(data).toMatchObject({ name: `${name} renamed`, description: "Who works in Norway.", version: 2 });
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText(`Name: ${name} → ${name} renamed`)).toBeVisible();
});

test("entities that use the segment are listed, and keep it from being deleted", { tag: NIGHT }, async ({ api, page }) => {
  const segment = await newSegment(api, "id_list");
  const { data: gate } = await api.createGate({
    body: { name: unique("gate"), rules: [rule("Members", { conditions: [{ type: "passes_segment", targetValue: segment.id }] })] },
  });
  await openSegment(page, segment.id);
  await page.getByRole("button", { name: "Add IDs" }).click();
  await expect(page.getByRole("dialog")).toContainText(`${gate.name} (gate)`);
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Used by" }).click();
  await expectAccessible(page);
  await page.getByRole("link", { name: gate.name }).click();
  await page.getByRole("link", { name: segment.id }).click();
  await expect(page.getByRole("heading", { name: segment.name, level: 1 })).toBeVisible();
  await page.getByRole("tab", { name: "Details" }).click();
  await expect(page.getByText("Unit ID type")).toBeVisible();
  await expectAccessible(page);
});

test("the keyboard alone adds IDs to a list", { tag: NIGHT }, async ({ api, page }) => {
  const { id } = await newSegment(api, "id_list");
  await openSegment(page, id);
  await tabTo(page, page.getByRole("button", { name: "Add IDs" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("textbox", { name: "IDs" }));
  await page.keyboard.type("ada");
  await tabTo(page, page.getByRole("button", { name: "Add", exact: true }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 ID added.")).toBeVisible();
  expect((await readIDs(api, id)).ids).toEqual(["ada"]);
});

test.describe("a viewer", () => {
  test("sees who is in a segment and may change nothing", async ({ api, viewer, openBrowser }) => {
    const { id } = await newSegment(api, "id_list");
    const page = await openBrowser(signedInAs(viewer));
    await openSegment(page, id);
    await expect(page.getByRole("button", { name: "Add IDs" })).toHaveAttribute("aria-disabled", "true");
  });
});
