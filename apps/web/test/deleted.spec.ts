import type { ConsoleClient } from "@gatehouse/client";
import { routes } from "@gatehouse/contract/console";
import type { CallID } from "../src/api.ts";
import { isRestorable, kinds, type PagedType, type RestorableType } from "../src/kinds/kinds.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { newGate, rule } from "./support/gates.ts";
import { dayOrNight, kindTests, PAGED_TYPES } from "./support/kinds.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

/** The kinds whose pages show deleted entities. */
const types = PAGED_TYPES.filter((type): type is PagedType & RestorableType => isRestorable(type));

/** Calls an operation whose path has the entity's id, or its name. */
const callFor = (api: ConsoleClient, operationID: CallID, id: string): Promise<unknown> => {
  const [, parameter = "id"] = /\{(\w+)\}/.exec(routes[operationID].path) ?? [];
  return (api[operationID] as (request: object) => Promise<unknown>)({ path: { [parameter]: id } });
};

for (const type of types) {
  const { noun, place, read, deletedBy } = kinds[type];
  test(
    `the page of a deleted ${noun} says who deleted it, and brings it back after a review`,
    dayOrNight(type),
    async ({ page, allowFault }) => {
      allowFault(/^404: GET \/console\/v1\//);
      allowFault(/^console error: ConsoleApiError: get\w+: 404/);
      const { projectID, api } = await newProject();
      const { id, title } = await kindTests[type].createHostile(api);
      await callFor(api, deletedBy[0], id);
      await page.goto(`/projects/${projectID}/${place.path}/${encodeURIComponent(id)}`);
      await expect(page.getByRole("note")).toContainText(`deleted this ${noun} just now`);
      const versions = page.getByRole("list", { name: "Versions" });
      await expect(versions.getByRole("link")).toHaveText([/^Version 1/]);
      await page.getByRole("button", { name: "Restore this version" }).click();
      const dialog = page.getByRole("dialog", { name: `Restore version 1 of ${title}` });
      await dialog.getByRole("button", { name: "Restore" }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
      await expect(page.getByText(`deleted this ${noun}`)).toBeHidden();
      await expect(callFor(api, read, id)).resolves.toBeDefined();
    },
  );
}

test("the history of a deleted gate shows what each version was, and any of them comes back", async ({ api, page, allowFault }) => {
  allowFault(/^404: GET \/console\/v1\/gates\//);
  allowFault(/^console error: ConsoleApiError: get\w+: 404/);
  const gate = await newGate(api, { rules: [rule("Everyone", { passPercentage: 5 })] });
  await api.patchGate({ path: { id: gate.id }, body: { description: "For the spring." } });
  await page.goto(`gates/${gate.id}`);
  await page.getByRole("button", { name: `More for ${gate.name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: /^Delete/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("note")).toContainText("deleted this gate");
  await expectAccessible(page);
  const versions = page.getByRole("list", { name: "Versions" });
  await expect(versions.getByRole("link")).toHaveText([/^Version 2/, /^Version 1/]);
  await expect(page.getByText("For the spring.")).toBeVisible();
  await versions.getByRole("link", { name: /^Version 1/ }).click();
  await expect(page).toHaveURL(/version=1/);
  await page.getByRole("button", { name: "Restore this version" }).click();
  const dialog = page.getByRole("dialog", { name: `Restore version 1 of ${gate.name}` });
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("tablist", { name: "Parts of the gate" })).toBeVisible();
  const { data } = await api.getGate({ path: { id: gate.id } });
  expect(data).toMatchObject({ description: "", rules: [{ passPercentage: 5 }], version: 4 });
});

test("a person who may not change gates sees why they cannot restore one", { tag: NIGHT }, async ({
  api,
  openBrowser,
  allowFault,
  viewer,
}) => {
  allowFault(/^404: GET \/console\/v1\/gates\//);
  allowFault(/^console error: ConsoleApiError: get\w+: 404/);
  const { id } = await newGate(api);
  await api.deleteGate({ path: { id } });
  const page = await openBrowser(signedInAs(viewer));
  await page.goto(`gates/${id}`);
  const restore = page.getByRole("button", { name: "Restore this version" });
  await expect(restore).toHaveAttribute("aria-disabled", "true");
  await restore.focus();
  await expect(page.getByRole("tooltip")).toContainText("can’t make changes");
});

test("a deleted tag, which has no page, is brought back from the audit log", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: tag } = await api.createTag({ body: { name: "mobile" } });
  await api.deleteTag({ path: { id: tag.id } });
  await page.goto(`/projects/${projectID}/audit-log?type=tag`);
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByRole("dialog", { name: "Restore mobile" }).getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("mobile exists again")).toBeVisible();
  expect((await api.getTag({ path: { id: tag.id } })).data).toEqual({ ...tag, version: 3, lastModifiedTime: expect.any(Number) });
});
