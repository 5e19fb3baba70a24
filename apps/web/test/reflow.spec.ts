import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { kinds } from "../src/kinds/kinds.ts";
import { TABS } from "../src/pages/settings/tabs.ts";
import { kindTests, PAGED_TYPES } from "./support/kinds.ts";
import { newProject } from "./support/people.ts";
import { expectReflow } from "./support/reflow.ts";
import { expect, test } from "./support/test.ts";

const PAGES = join(import.meta.dirname, "../src/pages");

/** The addresses of all pages without a parameter, and of the further tabs of settings. */
function listPages(): string[] {
  const files = readdirSync(PAGES).map((folder) => readFileSync(join(PAGES, folder, "routes.tsx"), "utf8"));
  const paths = files.flatMap((text) => [...text.matchAll(/ path: "([^"$]*)"/g)].map(([, path = ""]) => path.replace(/^\/?/, "/")));
  return [
    ...paths,
    ...Object.keys(TABS)
      .slice(1)
      .map((tab) => `/settings?tab=${tab}`),
    "/instance?view=projects",
    "/notifications?tab=settings",
  ];
}

/** Follows an address within the console, which costs a fraction of loading it. Waits until its content has replaced that of the page before. */
async function follow(page: Page, address: string) {
  const before = page
    .getByRole("tabpanel")
    .or(page.getByRole("heading", { level: 1 }))
    .last();
  const left = await before.elementHandle();
  await page.evaluate((to) => history.pushState({}, "", to), address);
  await expect.poll(() => left?.evaluate((element) => element.isConnected), address).toBe(false);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: /^Loading|^Reading/ })).toHaveCount(0);
}

test("no page scrolls sideways on a phone or at 200% zoom, even with the longest names", async ({ page, project }) => {
  // Names of different kinds exclude each other, so each kind has a project.
  const pages = PAGED_TYPES.map(async (type) => {
    const { projectID, api } = await newProject();
    const list = `/projects/${projectID}/${kinds[type].place.path}`;
    return [list, `${list}/${encodeURIComponent((await kindTests[type].createHostile(api)).id)}`];
  });
  const addresses = [...listPages().map((path) => `/projects/${project.projectID}${path}`), ...(await Promise.all(pages)).flat()];
  await page.goto("/");
  for (const address of addresses) {
    await follow(page, address);
    await expectReflow(page, address);
  }
});
