import type { Request } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { newGate, readGate } from "./support/gates.ts";
import { newProject, type Project, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a group of the navigation is folded away but for the open page, and stays so after a reload", async ({ page }) => {
  await page.goto("gates");
  const release = page.getByRole("region", { name: "Release" });
  await release.getByRole("button", { name: "Release" }).click();
  await expect(release.getByRole("link")).toHaveText(["Gates"]);
  await page.reload();
  await expect(release.getByRole("link")).toHaveText(["Gates"]);
  await release.getByRole("button", { name: "Release" }).click();
  await expect(release.getByRole("link", { name: "Segments" })).toBeVisible();
});

test("settings have a navigation of their own, which leads back to the project", async ({ page, project }) => {
  await page.goto("gates");
  await page.getByRole("navigation", { name: "Pages of the project" }).getByRole("link", { name: "Settings" }).click();
  const settings = page.getByRole("navigation", { name: "Settings" });
  await settings.getByRole("link", { name: "Teams" }).click();
  await expect(page.getByRole("heading", { name: "Teams", level: 1 })).toBeVisible();
  await expectAccessible(page);
  await settings.getByRole("link", { name: `Back to ${project.name}` }).click();
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
});

test("people see only the pages that their role lets them use", async ({ openBrowser, viewer }) => {
  const page = await openBrowser(signedInAs(viewer));
  await page.goto("settings");
  await expect(page.getByRole("navigation", { name: "Settings" }).getByRole("link")).toHaveText([
    /^Back to /,
    "Project",
    "People",
    "Teams",
    "Your account",
  ]);
});

test("pages of data are one link until a warehouse is connected", async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}`);
  const navigation = page.getByRole("navigation", { name: "Pages of the project" });
  await expect(navigation.getByRole("link", { name: "Connect warehouse" })).toBeVisible();
  await expect(navigation.getByRole("link", { name: "Metric sources" })).toBeHidden();
  await api.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader:secret@127.0.0.1:1/shop" } } });
  await expect(navigation.getByRole("region", { name: "Data" }).getByRole("link", { name: "Metric sources" })).toBeVisible();
  await expect(navigation.getByRole("link", { name: "Connect warehouse" })).toBeHidden();
});

test("a row of a list opens in another tab with Ctrl, and the page of an entity says where it belongs", async ({ api, page, context }) => {
  const { id } = await newGate(api, { name: unique("linked") });
  const { name } = await readGate(api, id);
  await page.goto(`gates?search=${id}`);
  const opened = context.waitForEvent("page");
  await page
    .getByRole("grid", { name: "Gates" })
    .getByRole("link", { name })
    .click({ modifiers: ["ControlOrMeta"] });
  const tab = await opened;
  await expect(tab.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(tab.getByRole("navigation", { name: "Breadcrumb" })).toHaveText("ReleaseGates");
  await expect(page.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
});

test("keys lead to the search of a list, from row to row, and into an entity", async ({ page }) => {
  const { projectID, api } = await newProject();
  for (const name of ["first", "second"]) await newGate(api, { name });
  await page.goto(`/projects/${projectID}/gates?sort=name&order=asc`);
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  await expect(row("second")).toBeVisible();
  await page.keyboard.press("j");
  await expect(row("first")).toBeFocused();
  await page.keyboard.press("j");
  await expect(row("second")).toBeFocused();
  await page.keyboard.press("k");
  await expect(row("first")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "first", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(row("second")).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search gates" })).toBeFocused();
});

const isOf = (project: Project, request: Request) => request.headers()["gatehouse-project"] === project.projectID;

test("a page is gone before anything is read of a project that is opened from it", async ({ page }) => {
  const [left, opened] = [await newProject(), await newProject()];
  const gate = await newGate(left.api);
  await page.goto(`/projects/${left.projectID}/gates/${gate.id}`);
  const heading = await page.getByRole("heading", { name: gate.name, level: 1 }).elementHandle();
  const wasThere: (boolean | undefined)[] = [];
  await page.route("**/environments", async (route, request) => {
    if (isOf(opened, request)) wasThere.push(await heading?.evaluate((element) => element.isConnected));
    await route.continue();
  });
  await page.getByRole("button", { name: `Project ${left.name}` }).click();
  await page.getByRole("menuitem", { name: opened.name }).click();
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  expect(wasThere).toEqual([false]);
});

test("a page stays in its project while the pointer is on a link to another one", async ({ page }) => {
  const [own, other] = [await newProject(), await newProject()];
  const gate = await newGate(own.api);
  const asked: string[] = [];
  page.on("request", (request) => isOf(other, request) && asked.push(request.url()));
  await page.goto(`/projects/${own.projectID}/account`);
  await page.getByRole("table", { name: "Your access" }).getByRole("link", { name: other.name }).dispatchEvent("touchstart");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search everything" });
  await palette.getByRole("searchbox").fill(gate.name);
  await expect(palette.getByRole("group", { name: "Gates" }).getByRole("menuitem")).toHaveText([gate.name]);
  expect(asked).toEqual([]);
});
