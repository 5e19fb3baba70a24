import { readFileSync } from "node:fs";
import { expectAccessible } from "./support/accessibility.ts";
import { newGate, rule } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("the audit log shows who created a gate, and its filters are in the address", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api, { name: "Logged gate" });
  await page.goto(`/projects/${projectID}/audit-log`);
  await expect(page.getByRole("link", { name: "Logged gate" })).toBeVisible();
  await page.getByRole("textbox", { name: "ID" }).fill(`${gate.id}_of_nobody`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/of_nobody/);
  await expect(page.getByRole("link", { name: "Logged gate" })).toBeHidden();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Audit log", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Logged gate" })).toBeHidden();
});

test("an entry says what changed in words, has the request folded, and leads to the version", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api, { name: "Audited gate", rules: [rule("Some", { passPercentage: 5 })] });
  await api.patchGate({ path: { id: gate.id }, body: { rules: [rule("Some", { passPercentage: 25 })] } });
  await page.goto(`/projects/${projectID}/audit-log?type=gate`);
  const entry = page.getByRole("listitem").filter({ hasText: "changed the gate Audited gate" });
  await expect(entry).toContainText("Rule “Some”: passes 5% → 25%");
  await expect(entry).not.toContainText("patchGate");
  await entry.getByRole("button", { name: "Show request" }).click();
  await expect(entry).toContainText("patchGate");
  await expect(entry).toContainText(/rules\[0\].passPercentageBefore: 5→After: 25/);
  await entry.getByRole("button", { name: "Undo change to Audited gate" }).click();
  const undo = page.getByRole("dialog", { name: "Undo changes to Audited gate" });
  await expect(undo).toContainText("Rule “Some”: passes 25% → 5%");
  await undo.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "restored a version of the gate Audited gate" })).toBeVisible();
  await page.getByRole("link", { name: "View version 2" }).click();
  await expect(page.getByRole("heading", { name: "Version 2", level: 3 })).toBeVisible();
});

test("a request that changes several entities is one row, which opens to each of them with its undo", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gates = Array.from({ length: 60 }, (_, index) => ({ operationId: "createGate" as const, body: { name: `bulk_${100 + index}` } }));
  const segment = { operationId: "createSegment" as const, body: { name: "Testers", type: "id_list" as const, idType: "userID" } };
  await api.batch({ requests: [...gates, segment] });
  await api.batch({ requests: ["bulk_100", "bulk_101"].map((id) => ({ operationId: "disableGate" as const, path: { id } })) });
  await page.goto(`/projects/${projectID}/audit-log`);
  const created = page.getByRole("listitem").filter({ hasText: "created 60 gates and the segment Testers" });
  await expect(created).toContainText("bulk_100, bulk_101, bulk_102, and 57 more");
  await created.getByRole("button", { name: "Show 61 changes" }).press("Enter");
  const entries = created.getByRole("list", { name: "Changes of one request" }).locator("> li");
  await expect(entries).toHaveCount(50);
  await created.getByRole("button", { name: "Show 11 more" }).press("Enter");
  await expect(entries).toHaveCount(61);
  await created.getByRole("button", { name: "Hide 61 changes" }).click();
  const disabled = page.getByRole("listitem").filter({ hasText: "disabled 2 gates" });
  await disabled.getByRole("button", { name: "Show 2 changes" }).click();
  await expectAccessible(page);
  await disabled.getByRole("button", { name: "Undo change to bulk_101" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "restored a version of the gate bulk_101" })).toBeVisible();
  await expect(disabled.getByRole("button", { name: /^Undo change/ })).toHaveCount(1);
});

test("reviews and a segment's IDs are in words, with names of people and of what a review changes", { tag: NIGHT }, async ({ page }) => {
  const project = await newProject();
  const { projectID, api } = project;
  const gate = await newGate(api, { name: "Reviewed gate" });
  const author = await invitePerson(project, "Member", "Rosa Author");
  const request = { path: { id: gate.id }, body: { description: "New" }, query: { requestReview: true } };
  const { review } = await author.api.patchGate(request).catch((error) => error);
  await api.approveReview({ path: { id: review.id }, body: { note: "Looks good." } });
  const { data: segment } = await api.createSegment({ body: { name: "Testers", type: "id_list", idType: "userID" } });
  await api.addSegmentIDs({ path: { id: segment.id }, body: { ids: ["u1", "u2"] } });
  await page.goto(`/projects/${projectID}/audit-log`);
  const entries = page.getByRole("listitem");
  await expect(entries.filter({ hasText: "Rosa Author requested the review Change to gate Reviewed gate" })).toBeVisible();
  const approval = entries.filter({ hasText: "Ada Lovelace approved the review Change to gate Reviewed gate" });
  await expect(approval).toContainText("Approved by Ada Lovelace: “Looks good.”");
  await expect(approval).not.toContainText("Before");
  await expect(entries.filter({ hasText: "changed the segment Testers" })).toContainText("IDs: 2 more, 2 in total");
  await approval.getByRole("link", { name: "Change to gate Reviewed gate" }).click();
  await expect(page).toHaveURL(new RegExp(`/reviews/${review.id}`));
});

test("everything that the filters select is exported as CSV", async ({ page }) => {
  const { projectID, api } = await newProject();
  for (const name of ["First exported", "Second exported"]) await newGate(api, { name });
  await api.createTag({ body: { name: "not exported" } });
  await page.goto(`/projects/${projectID}/audit-log?type=gate`);
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export audit log" });
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Export" }).click()]);
  expect(download.suggestedFilename()).toBe("changes.csv");
  await expect(page.getByText("2 entries exported")).toBeVisible();
  const [head, ...lines] = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(head?.split(",")).toEqual(expect.arrayContaining(["entityType", "entityName"]));
  expect(lines.map((line) => /(First|Second) exported/.exec(line)?.[0])).toEqual(["Second exported", "First exported"]);
});

test("the audit log is exported with addresses, and records that it was", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  await newGate(api, { name: "Trailed gate" });
  await page.goto(`/projects/${projectID}/audit-log?view=trail`);
  await expect(page.getByText("from 127.0.0.1").first()).toBeVisible();
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export audit log" });
  await dialog.getByRole("button", { name: /^CSV/ }).click();
  await page.getByRole("option", { name: /^NDJSON/ }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Export" }).click()]);
  expect(download.suggestedFilename()).toBe("audit-log.ndjson");
  const entries = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries).toContainEqual(expect.objectContaining({ name: "Trailed gate", operationID: "createGate", address: "127.0.0.1" }));
  await page.reload();
  await expect(page.getByText("exported the response of “list audit logs”")).toBeVisible();
});

test("a person who may not read the audit log sees the changes, and why the rest is hidden", { tag: NIGHT }, async ({
  openBrowser,
  viewer,
}) => {
  const page = await openBrowser(signedInAs(viewer));
  await page.goto("audit-log");
  await expect(page.getByRole("list").first()).toBeVisible();
  await page.getByRole("tab", { name: "Full audit log" }).click();
  await expect(page.getByRole("note")).toContainText("can’t read the audit log");
  await page.getByRole("tab", { name: "Sign-ins and server" }).click();
  await expect(page.getByRole("note")).toContainText("Only server administrators can view the server’s audit log.");
});
