import type { Locator } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, readGate, reviewAndSave } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("creations and pages ask for the owner that the settings require, and keep it", async ({ openBrowser }) => {
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
  await expect(owner).toHaveValue("Grace Hopper");
  await owner.fill("");
  await expect(page.getByRole("option", { name: /^Alan Turing/ })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(owner).toHaveValue("Grace Hopper");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("list", { name: "Summary" })).toContainText("Owner Grace Hopper");

  await page.getByRole("tab", { name: "Details" }).click();
  const field = page.getByRole("combobox", { name: "Owner" });
  await expect(field).toHaveValue("Grace Hopper");
  await field.fill("");
  await expect(page.getByRole("option", { name: /^Alan Turing/ })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(field).toHaveValue("Grace Hopper");
  await field.fill("Alan");
  await page.getByRole("option", { name: /^Alan Turing/ }).click();
  await reviewAndSave(page);
  expect((await readGate(project.api, "new_checkout")).owner).toMatchObject({ ownerType: "USER", ownerName: "Alan Turing" });
});

test("the copy of an experiment gets the owner and the team that are chosen for it", async ({ openBrowser }) => {
  const project = await newProject();
  const { api, projectID } = project;
  const grace = await invitePerson(project, "Admin", "Grace Hopper");
  await invitePerson(project, "Member", "Alan Turing");
  const { data: web } = await api.createTeam({ body: { name: "Web" } });
  const { data: app } = await api.createTeam({ body: { name: "App" } });
  await api.createExperiment({ body: { name: "Owned by Web", team: web.name, teamID: web.id } });
  await api.updateTeamSettings({ body: { require_teams_on_configs: true, require_owners_on_configs: true } });
  const page = await openBrowser(signedInAs(grace));
  const copy = async (id: string, name: string, fill: (dialog: Locator) => Promise<void>) => {
    await page.goto(`/projects/${projectID}/experiments/${id}`);
    await page.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: "Copy to a new experiment" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the new experiment").fill(name);
    await fill(dialog);
    await dialog.getByRole("button", { name: "Copy to a new experiment" }).click();
    await expect(dialog).toBeHidden();
    return (await api.getExperiment({ path: { id: name } })).data;
  };
  const kept = await copy("owned_by_web", "second_try", async (dialog) => {
    await expect(dialog.getByRole("combobox", { name: "Owner" })).toHaveValue("Grace Hopper");
    await expect(dialog.getByRole("button", { name: /Team$/ })).toHaveText(/^Web/);
  });
  expect(kept).toMatchObject({ teamID: web.id, team: "Web", owner: { ownerName: "Grace Hopper" } });
  const given = await copy("second_try", "third_try", async (dialog) => {
    await dialog.getByRole("combobox", { name: "Owner" }).fill("Alan");
    await page.getByRole("option", { name: /^Alan Turing/ }).click();
    await choose(page, dialog.getByRole("button", { name: /Team$/ }), "App");
    await expectAccessible(page);
  });
  expect(given).toMatchObject({ teamID: app.id, team: "App", owner: { ownerType: "USER", ownerName: "Alan Turing" } });
});

test("param stores, release pipelines and ingestion sources belong to their creator, and lists find those of a person", {
  tag: NIGHT,
}, async ({ openBrowser }) => {
  const project = await newProject();
  const { api, projectID } = project;
  const grace = await invitePerson(project, "Admin", "Grace Hopper");
  await invitePerson(project, "Member", "Alan Turing");
  await api.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader:secret@127.0.0.1:1/shop" } } });
  const mapping = { event_name: "name", timestamp: "time", unit_id: "user" };
  await api.createParamStore({ body: { name: "Of nobody" } });
  await api.createReleasePipeline({ body: { name: "Of nobody" } });
  const source = { type: "postgres", dataset: "Events", table: "event", column_mapping: mapping } as const;
  await api.createIngestionSource({ body: { ...source, source_name: "Of nobody" } });
  const { person } = (await grace.api.getSession()).data;
  const page = await openBrowser(signedInAs(grace));
  const fields = { Query: "select 1", "Event column": "name", "Time column": "time", "Column with the userID": "user" };
  for (const { noun, path, title, texts, tab } of [
    { noun: "param store", path: "param-stores", title: "Param stores", texts: {}, tab: "Details" },
    { noun: "release pipeline", path: "release-pipelines", title: "Release pipelines", texts: {}, tab: "Phases" },
    { noun: "ingestion source", path: "ingestion-sources", title: "Ingestion sources", texts: fields, tab: "Details" },
  ]) {
    await test.step(noun, async () => {
      const list = `/projects/${projectID}/${path}`;
      await page.goto(list);
      await page.getByRole("button", { name: `Create ${noun}` }).click();
      const dialog = page.getByRole("dialog", { name: /^Create an?/ });
      await dialog.getByLabel("Name", { exact: true }).fill("Of Grace");
      for (const [label, text] of Object.entries(texts)) {
        await dialog.getByLabel(label, { exact: true }).and(page.locator("input, textarea")).fill(text);
        await page.keyboard.press("Tab");
      }
      await expect(dialog.getByRole("combobox", { name: "Owner" })).toHaveValue("Grace Hopper");
      await dialog.getByRole("button", { name: "Create", exact: true }).click();
      await expect(page.getByRole("list", { name: "Summary" })).toContainText("Owner Grace Hopper");
      await page.goto(list);
      const rows = page.getByRole("grid", { name: title }).getByRole("rowheader");
      await expect(rows).toHaveCount(2);
      await choose(page, page.getByRole("button", { name: /Owner$/ }), "Mine");
      await expect(rows).toHaveText([/^Of Grace/]);
      await rows.getByRole("link").click();
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("combobox", { name: "Owner" }).fill("Alan");
      await page.getByRole("option", { name: /^Alan Turing/ }).click();
      await expectAccessible(page);
      await reviewAndSave(page);
      await expect(page.getByRole("list", { name: "Summary" })).toContainText("Owner Alan Turing");
      await page.goto(`${list}?ownerID=${person.id}`);
      await expect(page.getByText(`No matching ${noun}s`)).toBeVisible();
    });
  }
});
