import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

async function openSettings(page: Page, projectID: string, tab = ""): Promise<void> {
  await page.goto(`/projects/${projectID}/settings${tab === "" ? "" : `?tab=${tab}`}`);
  await expect(page.getByRole("tablist", { name: "Parts of the settings" })).toBeVisible();
}

test("a project gets another name, time zone, usual unit ID type and role, and asks for teams", async ({ page }) => {
  const { projectID, api } = await newProject();
  await openSettings(page, projectID);
  await expectAccessible(page);
  const name = unique("Shop");
  await page.getByLabel("Name").fill(name);
  await choose(page, page.getByRole("button", { name: /Visibility$/ }), "Its members");
  await choose(page, page.getByRole("button", { name: /Default unit ID type$/ }), "stableID");
  await choose(page, page.getByRole("button", { name: /Default role$/ }), "Viewer");
  await page.getByRole("combobox", { name: "Time zone" }).fill("Pacific/Auckland");
  await page.getByText("Require a team").click();
  await expect(page.getByText("This project has no teams, so people can’t create anything that needs one.")).toBeVisible();
  await expect(saveBar(page)).toContainText("6 changes");
  await reviewAndSave(page);
  expect((await api.getSettings()).data).toMatchObject({
    ...{ name, visibility: "CLOSED", default_unit_type: "stableID", default_project_role: "Viewer", require_teams_on_configs: true },
    timeZone: "Pacific/Auckland",
  });
  await expect(page.getByRole("button", { name: new RegExp(name) })).toBeVisible();
});

test("environments are added, renamed, moved and removed in one save", async ({ page }) => {
  const { projectID, api } = await newProject();
  await openSettings(page, projectID, "environments");
  const names = async () => (await api.getEnvironments()).data.environments.map(({ name }) => name);
  const [first = "", second = ""] = await names();
  await page.getByRole("button", { name: "Add environment" }).click();
  await page.getByRole("group", { name: "environment" }).getByLabel("Name").fill("canary");
  await page.getByRole("button", { name: "Move canary up" }).click();
  await page.getByRole("group", { name: first, exact: true }).getByLabel("Name").fill(second);
  await expect(page.getByText("Another environment has this name.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Name").first().fill("renamed");
  await page.getByRole("group", { name: "canary" }).getByText("Serves real users").click();
  await page.getByRole("button", { name: `Remove ${second}` }).click();
  const before = await names();
  await reviewAndSave(page);
  const after = (await api.getEnvironments()).data.environments;
  expect(after.map(({ name }) => name)).toEqual(
    [...before.filter((one) => one !== first && one !== second), "renamed", "canary"].toSorted(byOrder(after)),
  );
  expect(after.find(({ name }) => name === "canary")?.isProduction).toBe(true);
});

const byOrder = (environments: readonly { name: string }[]) => (a: string, b: string) =>
  environments.findIndex(({ name }) => name === a) - environments.findIndex(({ name }) => name === b);

test("somebody else's save is merged field by field", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  await openSettings(page, projectID);
  const [mine, theirs] = [unique("mine"), unique("theirs")];
  await page.getByLabel("Name").fill(mine);
  await api.updateTeamSettings({ body: { require_teams_on_configs: true } });
  await api.updateProjectSettings({ body: { name: theirs, visibility: "OPEN" } });
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const conflict = page.getByRole("dialog", { name: "Your edits conflict with newer changes" });
  await expectAccessible(page);
  await conflict.getByRole("region", { name: "Name" }).getByRole("button", { name: "Keep mine" }).click();
  await conflict.getByRole("button", { name: "Merge" }).click();
  await page
    .getByRole("dialog", { name: /^Review/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(saveBar(page)).toBeHidden();
  expect((await api.getSettings()).data).toMatchObject({ name: mine, require_teams_on_configs: true });
});

for (const { tab, noun, title, isRenamed } of [
  { tab: "tags", noun: "tag", title: "Tags", isRenamed: true },
  { tab: "target-apps", noun: "target app", title: "Target apps", isRenamed: true },
  { tab: "unit-id-types", noun: "unit ID type", title: "Unit ID types", isRenamed: false },
]) {
  test(
    `a ${noun} is created, changed, restored and deleted, all but the first after a review`,
    tab === "tags" ? {} : { tag: NIGHT },
    async ({ page }) => {
      const { projectID, api } = await newProject();
      await openSettings(page, projectID, tab);
      const list = async () => {
        const lists = { tags: api.listTags, "target-apps": api.listTargetApps, "unit-id-types": api.listUnitIDTypes };
        return (await lists[tab as keyof typeof lists]({ query: { search: "mobile" } })).data.map(({ name, description }) => [
          name,
          description,
        ]);
      };
      await page.getByRole("button", { name: `Create ${noun}` }).click();
      const creation = page.getByRole("dialog", { name: new RegExp(`^Create an? ${noun}`) });
      await creation.getByLabel("Name").fill("mobile");
      await creation.getByRole("button", { name: "Create" }).click();
      const table = page.getByRole("table", { name: title });
      await expect(table.getByRole("row", { name: /mobile/ })).toBeVisible();
      expect(await list()).toEqual([["mobile", ""]]);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Edit mobile" }).click();
      const edit = page.getByRole("dialog", { name: "Edit mobile" });
      if (isRenamed) await edit.getByLabel("Name").fill("mobile phones");
      else await expect(edit.getByLabel("Name")).toBeHidden();
      await edit.getByLabel("Description").fill("In the pocket");
      await expectAccessible(page);
      await edit.getByRole("button", { name: "Review" }).click();
      await page
        .getByRole("dialog", { name: /^Review/ })
        .getByRole("button", { name: "Save" })
        .click();
      const name = isRenamed ? "mobile phones" : "mobile";
      await expect(table.getByRole("row", { name: /In the pocket/ })).toContainText(name);
      expect(await list()).toEqual([[name, "In the pocket"]]);
      await page.getByRole("button", { name: `History of ${name}` }).click();
      await page
        .getByRole("list", { name: "Versions" })
        .getByRole("link", { name: /^Version 1/ })
        .click();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Restore this version" }).click();
      await page
        .getByRole("dialog", { name: /^Restore version 1/ })
        .getByRole("button", { name: "Restore" })
        .click();
      await expect(page.getByText("Restored version 1")).toBeVisible();
      expect(await list()).toEqual([["mobile", ""]]);
      await page.getByRole("button", { name: `All ${title.charAt(0).toLowerCase()}${title.slice(1)}` }).click();
      await page.getByRole("button", { name: "Delete mobile" }).click();
      await page.getByRole("dialog", { name: "Delete mobile?" }).getByRole("button", { name: "Delete" }).click();
      await expect(page.getByText("mobile is deleted")).toBeVisible();
      expect(await list()).toEqual([]);
    },
  );
}

test("a tag that someone else changed in the meantime is not overwritten", { tag: NIGHT }, async ({ page, expectFault }) => {
  const { projectID, api } = await newProject();
  const { data: tag } = await api.createTag({ body: { name: "checkout" } });
  await openSettings(page, projectID, "tags");
  await page.getByRole("button", { name: "Edit checkout" }).click();
  const edit = page.getByRole("dialog", { name: /^Edit/ });
  await edit.getByLabel("Description").fill("Mine");
  await edit.getByRole("button", { name: "Review" }).click();
  const save = page.getByRole("dialog", { name: /^Review/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await api.patchTag({ path: { id: tag.id }, body: { name: "theirs" } });
  expectFault(/^412: POST \/console\/v1\/batch/);
  await save.click();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(edit).toContainText("Someone else saved changes.");
  await expect(edit.getByLabel("Name")).toHaveValue("theirs");
  await expect(edit.getByLabel("Description")).toHaveValue("Mine");
  expect((await api.getTag({ path: { id: tag.id } })).data).toMatchObject({ name: "theirs", description: "" });
});

test("the keyboard alone renames a project", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  await openSettings(page, projectID);
  await tabTo(page, page.getByLabel("Name"));
  await page.keyboard.press("Control+a");
  const name = unique("typed");
  await page.keyboard.type(name);
  await page.keyboard.press("Control+s");
  const save = page.getByRole("dialog", { name: /^Review/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await api.getSettings()).data.name).toBe(name);
});

test("a viewer sees the settings and may change nothing", { tag: NIGHT }, async ({ openBrowser, project, viewer }) => {
  const page = await openBrowser(signedInAs(viewer));
  await openSettings(page, project.projectID);
  await expect(page.getByLabel("Name")).toBeDisabled();
  await page.getByRole("tab", { name: "Tags" }).click();
  await expect(page.getByRole("button", { name: "Create tag" })).toHaveAttribute("aria-disabled", "true");
});
