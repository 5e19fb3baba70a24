import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate, readGate } from "./support/gates.ts";
import { newProject } from "./support/people.ts";
import { serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const filter = (page: Page, name: string) => page.getByRole("search", { name: "Filters" }).getByRole("button", { name });

/** The checkbox itself is invisible, below its picture. */
const select = (page: Page, name: string) =>
  page
    .getByRole("row", { name: new RegExp(name) })
    .getByRole("checkbox")
    .click({ force: true });

test("archived gates are unarchived at once, and archived again with the message that stays", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api);
  await api.archiveGate({ path: { id: gate.id }, body: {} });
  await page.goto(`/projects/${projectID}/gates`);
  await choose(page, filter(page, "Status"), "Archived");
  await select(page, gate.name);
  const bar = page.getByRole("region", { name: "Selected gates" });
  await expect(bar.getByRole("button")).toHaveText(["Unarchive", "Tags", "Clear selection"]);
  await bar.getByRole("button", { name: "Unarchive" }).click();
  await page.getByRole("dialog", { name: "Unarchive gates" }).getByRole("button", { name: "Unarchive 1 gate" }).click();
  await expect(page.getByText("1 gate unarchived.")).toBeVisible();
  expect(await readGate(api, gate.id)).toMatchObject({ status: "In Progress" });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The gate is restored")).toBeVisible();
  expect(await readGate(api, gate.id)).toMatchObject({ status: "Archived" });
});

test("the gates that were checked lately can be left out of an archival", async ({ page }) => {
  const { projectID, api } = await newProject();
  const requests = Array.from({ length: 12 }, (_, index) => ({
    operationId: "createGate" as const,
    body: { name: `old ${String(index).padStart(2, "0")}` },
  }));
  await api.batch({ requests });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "app" } });
  await fetch(`${serverUrl()}/v1/check_gate`, {
    method: "POST",
    headers: { "STATSIG-API-KEY": key.key ?? "", "Content-Type": "application/json" },
    body: JSON.stringify({ gateName: "old_03", user: { userID: "ada" } }),
  });
  await expect.poll(async () => (await readGate(api, "old_03")).checksPerHour).toBe(1);
  await page.goto(`/projects/${projectID}/gates?sort=name`);
  await page.getByRole("checkbox", { name: "Select all" }).click({ force: true });
  await page.getByRole("region", { name: "Selected gates" }).getByRole("button", { name: "Archive" }).click();
  const dialog = page.getByRole("dialog", { name: "Archive gates" });
  await expect(dialog).toContainText("1 of these 12 gates was checked in the last hour.");
  await expect(dialog.getByRole("list", { name: "Changes by gate" }).getByRole("listitem")).toHaveText([/^old 03/]);
  await dialog.getByText("11 other gates").click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Leave it out" }).click();
  await expect(dialog).toContainText("1 checked gate is left out.");
  await dialog.getByRole("button", { name: "Archive 11 gates" }).click();
  await expect(page.getByText("11 gates archived.")).toBeVisible();
  expect(await readGate(api, "old_03")).toMatchObject({ isEnabled: true });
  expect(await readGate(api, "old_04")).toMatchObject({ status: "Archived" });
});
