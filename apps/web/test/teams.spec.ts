import { kinds, type PagedType } from "../src/kinds/kinds.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, review, reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { dayOrNight, kindTests, PAGED_TYPES } from "./support/kinds.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a team is created, gets people, and keeps others from its entities", async ({ page }) => {
  const { projectID, api } = await newProject();
  await api.inviteUsers({ body: { role: "Member", emails: ["kim@example.com", "robin@example.com"] } });
  await page.goto(`/projects/${projectID}/teams`);
  await expect(page.getByText("No teams yet")).toBeVisible();
  await page.getByRole("button", { name: "Create team" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a team" });
  await dialog.getByLabel("Name").fill("Payments");
  await expectAccessible(page);
  // People are found by what was typed before they had loaded.
  let release = () => {};
  const typed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/users\?limit=1000/, async (route) => {
    await typed;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Payments", level: 1 })).toBeVisible();
  await page.getByRole("combobox", { name: "Add a person" }).pressSequentially("kim@");
  release();
  await expect(page.getByRole("option")).toHaveText(["kim@example.com"]);
  await page.getByRole("combobox", { name: "Add a person" }).clear();
  for (const email of ["kim@example.com", "robin@example.com"]) {
    await find(page, page.getByRole("combobox", { name: "Add a person" }), email);
  }
  await page.getByRole("button", { name: "Make an admin: robin@example.com" }).click();
  await choose(
    page,
    page.getByRole("button", { name: /Edit access to the team’s entities$/ }),
    "Only the team, and people who can manage teams",
  );
  await expectAccessible(page);
  await reviewAndSave(page);
  const [team] = (await api.listTeams()).data;
  expect(team).toMatchObject({
    ...{ name: "Payments", changeTeamConfigs: "team_only" },
    members: [{ email: "kim@example.com" }],
    admins: [{ email: "robin@example.com" }],
  });
});

/** The contract gives them no team. */
const WITHOUT_TEAM: readonly PagedType[] = ["key", "release", "role", "team", "webhook"];

for (const type of PAGED_TYPES.filter((one) => !WITHOUT_TEAM.includes(one))) {
  const { noun, place } = kinds[type];
  test(
    `the page of one ${noun} changes the team that owns it, and says so before the change is saved`,
    dayOrNight(type),
    async ({ page }) => {
      const { projectID, api } = await newProject();
      const { data: team } = await api.createTeam({ body: { name: "Payments" } });
      const { id } = await kindTests[type].createHostile(api);
      const address = `/projects/${projectID}/${place.path}/${encodeURIComponent(id)}?tab=details`;
      await page.goto(address);
      await choose(page, page.getByRole("button", { name: /Team$/ }), "Payments");
      const dialog = await review(page);
      await expect(dialog).toContainText(/Team( name)?: ?none ?→ ?Payments/);
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(saveBar(page)).toBeHidden();
      await page.goto(address);
      await expect(page.getByRole("button", { name: "Payments Team" })).toBeVisible();
      const { data: references } = await api.listReferences({ query: { type: "team", id: team.id } });
      expect(references.map((one) => one.type)).toEqual([type]);
    },
  );
}

test("the keyboard alone describes a team", { tag: NIGHT }, async ({ api, page }) => {
  const { data: team } = await api.createTeam({ body: { name: unique("team") } });
  await page.goto(`teams/${team.id}`);
  await tabTo(page, page.getByRole("textbox", { name: "Description" }));
  await page.keyboard.type("Who collects the money");
  await page.keyboard.press("Control+s");
  const save = page.getByRole("dialog", { name: /^Review/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await api.getTeam({ path: { id: team.id } })).data.description).toBe("Who collects the money");
});

test("a viewer sees a team and may change nothing", { tag: NIGHT }, async ({ api, openBrowser, viewer }) => {
  const { data: team } = await api.createTeam({ body: { name: unique("team") } });
  const page = await openBrowser(signedInAs(viewer));
  await page.goto(`teams/${team.id}`);
  await expect(page.getByRole("textbox", { name: "Name" })).toBeDisabled();
  await expect(page.getByRole("note").first()).toContainText("can’t change teams");
});
