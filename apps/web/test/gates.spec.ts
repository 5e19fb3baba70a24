import type { Page } from "@playwright/test";
import { choose, newGate, readGate, rule } from "./support/gates.ts";
import { pressUntil, tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const rows = (page: Page) => page.getByRole("grid", { name: "Gates" }).getByRole("rowheader");
const filter = (page: Page, name: string) => page.getByRole("search", { name: "Filters" }).getByRole("button", { name });
const count = (page: Page) => page.getByRole("navigation", { name: "Pages of the list" }).getByRole("status");

/** The checkbox itself is invisible, below its picture. */
const select = (page: Page, name: string) =>
  page
    .getByRole("row", { name: new RegExp(name) })
    .getByRole("checkbox")
    .click({ force: true });

test("a gate is created with a description and another unit ID type", async ({ api, page }) => {
  const name = unique("New Checkout");
  await page.goto("gates");
  await page.getByRole("button", { name: "Create gate" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a gate" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Description").fill("The one-page checkout");
  await choose(page, dialog.getByRole("button", { name: /Unit ID type/ }), "stableID");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const [gate] = (await api.listGates({ query: { search: name } })).data;
  expect(gate).toMatchObject({ name, description: "The one-page checkout", idType: "stableID", rules: [] });
});

test("the error of an empty name goes away while the name is typed, so that the next press of Create counts", async ({ page }) => {
  await page.goto("gates");
  await page.getByRole("button", { name: "Create gate" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a gate" });
  const name = dialog.getByLabel("Name");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await name.pressSequentially(unique("Second try"));
  await expect(name).not.toHaveAttribute("aria-invalid", "true");
  await expect(name).toBeFocused();
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog).toBeHidden();
});

test("a name that the server refuses is marked in the form, and no gate is created", async ({ api, page, expectFault }) => {
  const { name } = await newGate(api);
  await page.goto("gates");
  await page.getByRole("button", { name: "Create gate" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a gate" });
  expectFault(/^400: POST \/console\/v1\/gates$/);
  await dialog.getByLabel("Name").fill("<b>");
  await expect(dialog).not.toContainText("ID: <b>");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(
    /Use only letters from a to z, digits, spaces, underscores, hyphens, and periods/,
  );
  expectFault(/^409: POST \/console\/v1\/gates$/);
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("alert")).toContainText("exists");
});

test.describe("in a project with 130 gates", () => {
  let projectID: string;
  let api: Awaited<ReturnType<typeof newProject>>["api"];

  test.beforeAll(async () => {
    ({ projectID, api } = await newProject());
    const body = (index: number) => ({
      name: `gate ${String(index).padStart(3, "0")}`,
      description: index === 7 ? "Only in the seventh" : "",
      isEnabled: index % 2 === 0,
      tags: index < 3 ? ["checkout"] : [],
      ...(index === 4 && { type: "PERMANENT" as const, rules: [rule("Everyone", { passPercentage: 25 })] }),
    });
    await api.batch({
      requests: Array.from({ length: 130 }, (_, index) => ({ operationId: "createGate" as const, body: body(index) })),
    });
  });

  test("search, filters and order are in the address, so that a link shows the same", async ({ page }) => {
    await page.goto(`/projects/${projectID}/gates`);
    await page.getByRole("searchbox", { name: "Search gates" }).fill("seventh");
    await expect(rows(page)).toHaveText([/gate 007/]);
    await page.reload();
    await expect(page.getByRole("searchbox", { name: "Search gates" })).toHaveValue("seventh");
    await expect(rows(page)).toHaveText([/gate 007/]);

    await page.getByRole("searchbox", { name: "Search gates" }).fill("");
    await choose(page, filter(page, "Status"), "Disabled");
    await expect(count(page)).toHaveText("65 gates");
    await choose(page, filter(page, "State in an environment"), "On in staging");
    await expect(page.getByText("No matching gates")).toBeVisible();
    await choose(page, filter(page, "State in an environment"), "Off in staging");
    await expect(count(page)).toHaveText("65 gates");
    expect(page.url()).toContain("offIn=staging");
    await choose(page, filter(page, "State in an environment"), "On or off");
    await choose(page, filter(page, "Tag"), "checkout");
    await expect(rows(page)).toHaveText([/gate 001/]);
    await choose(page, filter(page, "Status"), "Any status");
    await expect(count(page)).toHaveText("3 gates");
    const name = page.getByRole("columnheader", { name: "Name" });
    await name.click();
    await expect(rows(page)).toHaveText([/gate 000/, /gate 001/, /gate 002/]);
    await expect(name).toHaveAttribute("aria-sort", "ascending");
    await name.click();
    await expect(rows(page)).toHaveText([/gate 002/, /gate 001/, /gate 000/]);
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await expect(rows(page)).toHaveText([/gate 002/, /gate 001/, /gate 000/]);

    await choose(page, filter(page, "Tag"), "Any tag");
    await choose(page, filter(page, "Type"), "Permanent");
    await expect(rows(page)).toHaveText([/gate 004/]);
    await expect(page.getByRole("gridcell").filter({ hasText: "25%" })).toHaveCount(3);
    await page.getByRole("searchbox", { name: "Search gates" }).fill("no such gate");
    await expect(page.getByText("No matching gates")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(count(page)).toHaveText("1 to 100 of 130 gates");
  });

  test("invalid parts of an address are ignored", { tag: NIGHT }, async ({ page }) => {
    await page.goto(`/projects/${projectID}/gates?status=nonsense&type=&sort=__proto__&order=up&page=-3&tags=&unknown=1`);
    await expect(count(page)).toHaveText("1 to 100 of 130 gates");
  });

  test("a long list has pages, and a changed search begins at the first", async ({ page }) => {
    await page.goto(`/projects/${projectID}/gates?sort=name`);
    await expect(count(page)).toHaveText("1 to 100 of 130 gates");
    await expect(page.getByRole("button", { name: "Previous page" })).toBeDisabled();
    await page.getByRole("button", { name: "Next page" }).click();
    await expect(count(page)).toHaveText("101 to 130 of 130 gates");
    await expect(rows(page).first()).toHaveText(/gate 100/);
    await expect(page.getByRole("button", { name: "Next page" })).toBeDisabled();
    await page.goBack();
    await expect(rows(page).first()).toHaveText(/gate 000/);
    await page.goForward();
    await page.getByRole("searchbox", { name: "Search gates" }).fill("gate");
    await expect(count(page)).toHaveText("1 to 100 of 130 gates");
  });

  test("the keyboard alone finds and opens a gate", { tag: NIGHT }, async ({ page }) => {
    await page.goto(`/projects/${projectID}/gates?sort=name`);
    await expect(rows(page).first()).toBeVisible();
    await tabTo(page, page.getByRole("button", { name: "Columns" }));
    await page.keyboard.press("Tab");
    await pressUntil(page, "ArrowDown", page.getByRole("row", { name: /gate 001/ }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "gate 001", level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`/projects/${projectID}/gates/gate_001`);
  });

  test("all selected gates stay the same ones while the filter changes", async ({ page }) => {
    const bar = page.getByRole("region", { name: "Selected gates" });
    await page.goto(`/projects/${projectID}/gates?sort=name&search=seventh`);
    await page.getByRole("checkbox", { name: "Select all" }).click({ force: true });
    await expect(bar.getByRole("status")).toHaveText("1 gate selected");
    await page.getByRole("searchbox", { name: "Search gates" }).fill("");
    await expect(count(page)).toHaveText("1 to 100 of 130 gates");
    await expect(bar.getByRole("status")).toHaveText("1 gate selected");
    await page.getByRole("searchbox", { name: "Search gates" }).fill("gate 12");
    await expect(count(page)).toHaveText("12 gates");
    await expect(bar).toBeHidden();
  });

  test("several gates are disabled and tagged at once, after a review of what happens to each", async ({ page }) => {
    await page.goto(`/projects/${projectID}/gates?sort=name&page=2`);
    for (const name of ["gate 100", "gate 101", "gate 102"]) await select(page, name);
    const bar = page.getByRole("region", { name: "Selected gates" });
    await expect(bar.getByRole("status")).toHaveText("3 gates selected");
    await bar.getByRole("button", { name: "Disable" }).click();
    const disabling = page.getByRole("dialog", { name: "Disable gates" });
    const outcomes = disabling.getByRole("list", { name: "Changes by gate" }).getByRole("listitem");
    await expect(outcomes).toHaveText([
      "gate 100not checked in the last hour",
      "gate 101Already disabled",
      "gate 102not checked in the last hour",
    ]);
    await expect(disabling).toContainText("None of these 2 gates were checked in the last hour.");
    await expect(disabling).toContainText("haven’t checked this for any user recently, so the impact can’t be estimated");
    expect(await readGate(api, "gate_100")).toMatchObject({ isEnabled: true });
    await disabling.getByRole("button", { name: "Disable 2 gates" }).click();
    await expect(page.getByRole("row", { name: /gate 100/ }).getByText("Disabled")).toBeVisible();
    for (const id of ["gate_100", "gate_102"]) expect(await readGate(api, id)).toMatchObject({ isEnabled: false, version: 2 });
    expect(await readGate(api, "gate_101")).toMatchObject({ isEnabled: false, version: 1 });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("2 gates are as before")).toBeVisible();
    for (const id of ["gate_100", "gate_102"]) expect(await readGate(api, id)).toMatchObject({ isEnabled: true, version: 3 });

    for (const name of ["gate 100", "gate 101"]) await select(page, name);
    await bar.getByRole("button", { name: "Tags" }).click();
    await page.getByRole("menuitem", { name: "Add a tag" }).click();
    const tagging = page.getByRole("dialog", { name: "Add a tag" });
    await tagging.getByRole("combobox", { name: "Tag" }).pressSequentially("spring sale");
    await expect(tagging.getByRole("combobox", { name: "Tag" })).toHaveValue("spring sale");
    await page.keyboard.press("Enter");
    await tagging.getByRole("button", { name: "Tag 2 gates" }).click();
    await expect(tagging).toBeHidden();
    for (const id of ["gate_100", "gate_101"]) expect(await readGate(api, id)).toMatchObject({ tags: ["spring sale"] });
  });
});

test("an archived gate shows only with its status", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const gate = await newGate(api);
  await api.archiveGate({ path: { id: gate.id }, body: {} });
  await page.goto(`/projects/${projectID}/gates`);
  await expect(page.getByText("No gates yet")).toBeVisible();
  await choose(page, filter(page, "Status"), "Archived");
  await expect(rows(page)).toHaveText([new RegExp(gate.name)]);
});

test("a viewer sees why they may not create or change a gate", async ({ api, openBrowser, project, viewer }) => {
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const page = await openBrowser(signedInAs(viewer));
  await page.goto(`gates?search=${gate.name}`);
  const create = page.getByRole("button", { name: "Create gate" });
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await create.focus();
  await expect(page.getByRole("tooltip")).toContainText(`Your role Viewer in ${project.name} can’t create gates`);
  await create.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await rows(page).first().click();
  await expect(page.getByRole("note")).toContainText(`Your role Viewer in ${project.name} can’t make changes`);
  await expect(page.getByRole("switch", { name: "Enabled" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Edit Everyone" })).toBeDisabled();
});

test("the command palette finds entities of all kinds, people, pages and actions, and shortcuts are listed", async ({
  api,
  page,
  viewer,
}) => {
  const gate = await newGate(api, { name: unique("palette") });
  await api.createDynamicConfig({ body: { name: `${gate.name}_config` } });
  await page.goto("gates");
  await expect(page.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Create a gate");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search everything" });
  await expect(palette.getByRole("searchbox")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(palette.getByRole("menuitem").last()).toBeInViewport();
  await page.keyboard.type(gate.name);
  await expect(palette.getByRole("group", { name: "Gates" }).getByRole("menuitem")).toHaveText([gate.name]);
  await expect(palette.getByRole("group", { name: "Dynamic configs" }).getByRole("menuitem")).toHaveText([`${gate.name}_config`]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: gate.name, level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await expect(page.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(viewer.email);
  await palette.getByRole("group", { name: "People" }).getByRole("menuitem").click();
  await expect(page.getByRole("dialog", { name: "Grace Hopper" })).toContainText("RoleViewer");
});
