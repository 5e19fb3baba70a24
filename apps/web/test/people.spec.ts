import { expectAccessible } from "./support/accessibility.ts";
import { newGate } from "./support/gates.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const PAGES = [
  ["people", "People"],
  ["teams", "Teams"],
  ["roles", "Roles"],
  ["audit-log", "Audit log"],
] as const;

test("the pages of people, teams, roles and the audit log have no barriers", async ({ page }) => {
  const { projectID, api } = await newProject();
  await newGate(api, { name: "Logged gate" });
  await api.createTeam({ body: { name: "Checkout team" } });
  for (const [path, heading] of PAGES) {
    await page.goto(`/projects/${projectID}/${path}`);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test("the audit log shows who created a gate, and its filters are in the address", async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api, { name: "Logged gate" });
  await page.goto(`/projects/${projectID}/audit-log`);
  await expect(page.getByRole("link", { name: "Logged gate" })).toBeVisible();
  await page.getByRole("textbox", { name: "Id" }).fill(`${gate.id}_of_nobody`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/of_nobody/);
  await expect(page.getByRole("link", { name: "Logged gate" })).toBeHidden();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Audit log", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Logged gate" })).toBeHidden();
});
