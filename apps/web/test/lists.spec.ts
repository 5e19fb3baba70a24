import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate, readGate, reviewAndSave } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("whoever creates a gate owns it until someone else does, and a saved view finds a person's gates again", async ({ openBrowser }) => {
  const project = await newProject();
  const grace = await invitePerson(project, "Admin", "Grace Hopper");
  await invitePerson(project, "Member", "Alan Turing");
  await newGate(project.api, { name: "Of nobody" });
  const page = await openBrowser(signedInAs(grace));
  const gates = `/projects/${project.projectID}/gates`;
  await page.goto(gates);
  await page.getByRole("button", { name: "Create gate" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a gate" });
  await dialog.getByLabel("Name", { exact: true }).fill("New checkout");
  await expect(dialog.getByRole("combobox", { name: "Owner" })).toHaveValue("Grace Hopper");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("list", { name: "Summary" })).toContainText("Owner Grace Hopper");

  await page.goto(gates);
  const rows = page.getByRole("grid", { name: "Gates" }).getByRole("rowheader");
  await expect(rows).toHaveCount(2);
  await choose(page, page.getByRole("button", { name: /Owner$/ }), "Mine");
  await expect(rows).toHaveText([/^New checkout/]);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Owner" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Tags" }).click();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Owner" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Tags" })).toBeHidden();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save view…" }).click();
  await page.getByRole("dialog", { name: "Save view" }).getByLabel("Name").fill("My gates");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "My gates" })).toBeVisible();

  await rows.getByRole("link").click();
  await page.getByRole("button", { name: /^Add to favorites/ }).click();
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("combobox", { name: "Owner" }).fill("Alan");
  await page.getByRole("option", { name: /^Alan Turing/ }).click();
  await reviewAndSave(page);
  expect((await readGate(project.api, "new_checkout")).owner).toMatchObject({ ownerType: "USER", ownerName: "Alan Turing" });

  await page.goto(gates);
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "My gates" }).click();
  await expect(page.getByText("No matching gates")).toBeVisible();
  await page.goto(`/projects/${project.projectID}`);
  await expect(page.getByRole("region", { name: "Favorites" }).getByRole("link")).toHaveText(["New checkout"]);
});

test("the palette disables a gate after a review, creates a gate, and lists what a person owns", async ({ page }) => {
  const project = await newProject();
  const { projectID, api } = project;
  const grace = await invitePerson(project, "Member", "Grace Hopper");
  const { data: session } = await grace.api.getSession();
  const gate = await newGate(api, { name: "Sale banner", owner: { ownerID: session.person.id, ownerType: "USER" } });
  await newGate(api, { name: "Sale prices", isEnabled: false });
  await page.goto(`/projects/${projectID}`);
  const palette = page.getByRole("dialog", { name: "Search everything" });
  const search = async (heading: string, text: string) => {
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(palette.getByRole("searchbox")).toBeFocused();
    await page.keyboard.type(text);
  };
  await search("Home", "disable sale");
  await expect(palette.getByRole("group", { name: "Actions" }).getByRole("menuitem")).toHaveText([/^Disable Sale banner/]);
  await expectAccessible(page);
  await palette.getByRole("menuitem", { name: /^Disable Sale banner/ }).click();
  const review = page.getByRole("dialog", { name: "Disable Sale banner?" });
  await expect(review).toContainText("Affects users in all environments");
  expect((await readGate(api, gate.id)).isEnabled).toBe(true);
  await review.getByRole("button", { name: "Disable", exact: true }).click();
  await expect(review).toBeHidden();
  expect((await readGate(api, gate.id)).isEnabled).toBe(false);
  await page.reload();
  await search("Sale banner", "gates of grace");
  // The reloaded page asks nothing again.
  await expect(review).toBeHidden();
  await palette.getByRole("menuitem", { name: /^Gates of Grace Hopper/ }).click();
  await expect(page.getByRole("grid", { name: "Gates" }).getByRole("rowheader")).toHaveText([/^Sale banner/]);
  await search("Gates", "create gate");
  await palette.getByRole("group", { name: "Create" }).getByRole("menuitem", { name: "Create gate" }).click();
  await expect(page.getByRole("dialog", { name: "Create a gate" })).toBeVisible();
});

test("segments, layers and holdouts have an owner, who can change, and whose lists are filtered", { tag: NIGHT }, async ({
  openBrowser,
}) => {
  const project = await newProject();
  const grace = await invitePerson(project, "Admin", "Grace Hopper");
  const owner = { ownerID: (await grace.api.getSession()).data.person.id, ownerType: "USER" as const, ownerName: "Grace Hopper" };
  for (const given of [{ name: "Of Grace", owner }, { name: "Of nobody" }]) {
    await project.api.createSegment({ body: { ...given, type: "id_list" } });
    await project.api.createLayer({ body: { ...given, idType: "userID" } });
    await project.api.createHoldout({ body: given });
  }
  const page = await openBrowser(signedInAs(grace));
  for (const [path, title] of [
    ["segments", "Segments"],
    ["layers", "Layers"],
    ["holdouts", "Holdouts"],
  ] as const) {
    await page.goto(`/projects/${project.projectID}/${path}`);
    const rows = page.getByRole("grid", { name: title }).getByRole("rowheader");
    await expect(rows).toHaveCount(2);
    await choose(page, page.getByRole("button", { name: /Owner$/ }), "Mine");
    await expect(rows).toHaveText([/^Of Grace/]);
    await rows.getByRole("link").click();
    await expect(page.getByRole("list", { name: "Summary" })).toContainText("Owner Grace Hopper");
    await page.getByRole("tab", { name: "Details" }).click();
    const field = page.getByRole("combobox", { name: "Owner" });
    await expect(field).toHaveValue("Grace Hopper");
    await field.fill("");
    await page.keyboard.press("Tab");
    await reviewAndSave(page);
    await expect(field).toHaveValue("");
  }
  await expectAccessible(page);
  const { data: segment } = await project.api.getSegment({ path: { id: "of_grace" } });
  const { data: layer } = await project.api.getLayer({ path: { id: "of_grace" } });
  const { data: holdout } = await project.api.getHoldout({ path: { id: "of_grace" } });
  expect([segment.owner, layer.owner, holdout.owner]).toEqual([null, null, null]);
});

test("lists are filtered by tags and statuses, which stay in the address", async ({ openBrowser }) => {
  const project = await newProject();
  await project.api.createTag({ body: { name: "checkout" } });
  for (const given of [{ name: "First", tags: ["checkout"] }, { name: "Second" }]) {
    await project.api.createSegment({ body: { ...given, type: "id_list" } });
    await project.api.createParamStore({ body: given });
    await project.api.createHoldout({ body: { name: given.name, isEnabled: given.tags !== undefined } });
    const { data: autotune } = await project.api.createAutotune({
      body: {
        ...{ name: given.name, variants: ["A", "B"].map((name) => ({ name, json: {} })), successEvent: "purchase" },
        ...{ explorationWindow: "24hr", attributionWindow: "1hr", winnerThreshold: "95%" },
      },
    });
    if (given.tags !== undefined) await project.api.startAutotune({ path: { id: autotune.id } });
  }
  const page = await openBrowser(signedInAs(await invitePerson(project, "Member")));
  for (const [path, title, filter, choice] of [
    ["segments", "Segments", /Tag$/, "checkout"],
    ["param-stores", "Param stores", /Tag$/, "checkout"],
    ["holdouts", "Holdouts", /Status$/, "Enabled"],
    ["autotunes", "Autotunes", /Status$/, "Running"],
  ] as const) {
    await page.goto(`/projects/${project.projectID}/${path}`);
    const rows = page.getByRole("grid", { name: title }).getByRole("rowheader");
    await expect(rows).toHaveCount(2);
    await choose(page, page.getByRole("button", { name: filter }), choice);
    await expect(rows).toHaveText([/^First/]);
    await page.reload();
    await expect(rows).toHaveText([/^First/]);
  }
});
