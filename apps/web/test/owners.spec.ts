import { expectAccessible } from "./support/accessibility.ts";
import { readGate, reviewAndSave } from "./support/gates.ts";
import { invitePerson, newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("where the settings require an owner, creations and pages ask for one, and it can't be removed", async ({ openBrowser }) => {
  const project = await newProject();
  const grace = await invitePerson(project, "Admin", "Grace Hopper");
  await invitePerson(project, "Member", "Alan Turing");
  const page = await openBrowser(signedInAs(grace));
  await page.goto(`/projects/${project.projectID}/settings`);
  await page.getByText("Require an owner").click();
  await reviewAndSave(page);
  expect((await project.api.getSettings()).data).toMatchObject({ require_teams_on_configs: false, require_owners_on_configs: true });

  await page.goto(`/projects/${project.projectID}/gates`);
  await page.getByRole("button", { name: "Create gate" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a gate" });
  await dialog.getByLabel("Name", { exact: true }).fill("New checkout");
  const owner = dialog.getByRole("combobox", { name: "Owner" });
  await expect(owner).toHaveAttribute("required", "");
  await expect(owner).toHaveAccessibleDescription("Required in this project.");
  await expectAccessible(page);
  await owner.fill("");
  await page.keyboard.press("Tab");
  await expect(owner).toHaveValue("Grace Hopper");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("list", { name: "Summary" })).toContainText("Owner Grace Hopper");

  await page.getByRole("tab", { name: "Details" }).click();
  const field = page.getByRole("combobox", { name: "Owner" });
  await field.fill("");
  await page.keyboard.press("Tab");
  await expect(field).toHaveValue("Grace Hopper");
  await field.fill("Alan");
  await page.getByRole("option", { name: /^Alan Turing/ }).click();
  await reviewAndSave(page);
  expect((await readGate(project.api, "new_checkout")).owner).toMatchObject({ ownerType: "USER", ownerName: "Alan Turing" });
});
