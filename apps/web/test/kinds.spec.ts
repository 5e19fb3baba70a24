// Flows that all kinds share: the empty list, creation, search, merging of two saves, history and deletion.
import type { Page } from "@playwright/test";
import { kinds } from "../src/kinds/kinds.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, saveBar, takeStep } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import type { Flow } from "./support/kind.ts";
import { dayOrNight, kindTests, PAGED_TYPES } from "./support/kinds.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test.describe.configure({ mode: "parallel" });

const article = (noun: string) => (/^[aeiou]/.test(noun) ? "an" : "a");
/** The list of entity properties is named otherwise than its entities. */
const emptyTitle = (noun: string, title: string) => (noun.endsWith("source") ? `No ${noun}s yet` : `No ${title.toLowerCase()} yet`);

/** Creates an entity from the open list, by keyboard alone unless the dialog takes more than texts. */
async function create(page: Page, noun: string, { name, fields = [], complete }: Flow): Promise<void> {
  await tabTo(page, page.getByRole("button", { name: `Create ${noun}` }).first());
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Create ${article(noun)} ${noun}` });
  await expect(dialog.getByLabel("Name", { exact: true })).toBeFocused();
  await page.keyboard.type(name);
  for (const [label, text] of fields) {
    // The button of a combobox also has its label.
    await tabTo(page, dialog.getByLabel(label, { exact: true }).and(page.locator("input, textarea")));
    await page.keyboard.type(text);
    // Leaving the field closes suggestions, which hide the rest of the dialog.
    await page.keyboard.press("Tab");
  }
  await complete?.(page, dialog);
  if (!OWNERLESS.includes(noun)) await choose(page, dialog.getByRole("button", { name: /Team$/ }), OWNERS);
  await tabTo(page, dialog.getByRole("button", { name: "Create", exact: true }));
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

const OWNERS = "Owners";
/** Kinds that no team owns. */
const OWNERLESS = ["team"];

/** Merges two saves: keeps my value of the one field that both changed. */
async function keepMine(page: Page, field: string): Promise<void> {
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const conflict = page.getByRole("dialog", { name: "Your edits conflict with newer changes" });
  await expect(conflict.getByRole("region")).toHaveCount(1);
  await expect(conflict.getByRole("button", { name: "Merge" })).toHaveAttribute("aria-disabled", "true");
  const region = conflict.getByRole("region", { name: field });
  if (field === "Description") await expect(region).toContainText(/Mine.*Theirs|Theirs.*Mine/s);
  await region.getByRole("button", { name: "Keep mine" }).click();
  await conflict.getByRole("button", { name: "Merge" }).click();
  await page
    .getByRole("dialog", { name: /^Review changes/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(saveBar(page)).toBeHidden();
}

async function restoreFirstVersion(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name: "History" }).click();
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("link");
  await expect(versions).toHaveText([/^Version 3/, /^Version 2/, /^Version 1/]);
  await versions.last().click();
  await expect(page.getByRole("button", { name: "Restore this version" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Restore this version" }).click();
  const dialog = page.getByRole("dialog", { name: `Restore version 1 of ${name}` });
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(dialog).toBeHidden();
}

for (const type of PAGED_TYPES) {
  const { flow } = kindTests[type];
  if (flow === null) continue;
  const { noun, place } = kinds[type];
  const { label: title } = place;
  const { name, read, created, tab = "Details", edit, field = "Description", merged = { description: "Mine" } } = flow;

  test(
    `the list of ${title.toLowerCase()} starts empty, and ${article(noun)} ${noun} is created, found, merged with another save, restored and deleted`,
    dayOrNight(type),
    async ({ page, allowFault }) => {
      // The page follows the deletion, and may do so before it is left.
      allowFault(/^404: GET \/console\/v1\//);
      const { projectID, api } = await newProject();
      await flow.prepare?.(api);
      // The only setting with a requirement for new entities.
      if (noun !== "team") await api.createTeam({ body: { name: OWNERS } });
      await api.updateTeamSettings({ body: { require_teams_on_configs: true } });
      const list = `/projects/${projectID}/${place.path}`;
      await page.goto(list);
      await expect(page.getByText(emptyTitle(noun, title))).toBeVisible();
      await expectAccessible(page);
      await create(page, noun, flow);
      const { pathname } = new URL(page.url());
      const id = decodeURIComponent(pathname.slice(list.length + 1));
      expect(id).toBe(flow.id ?? id);
      const stored = async () => (await read(api, id)).data;
      expect(await stored()).toMatchObject(created);

      await page.goto(`${list}?search=${encodeURIComponent(name.toLowerCase())}`);
      const row = page.getByRole("row", { name });
      await expect(row).toContainText(flow.row ?? name);
      await row.click();
      await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
      expect(new URL(page.url()).pathname).toBe(pathname);

      if (tab !== null) await page.getByRole("tab", { name: tab }).click();
      await (edit?.(page) ?? page.getByRole("textbox", { name: "Description" }).fill("Mine"));
      await expectAccessible(page);
      await flow.theirs(api, id);
      await keepMine(page, field);
      expect(await stored()).toMatchObject(merged);

      await restoreFirstVersion(page, name);
      await expect.poll(stored).toMatchObject(created);

      await takeStep(page, name, "Delete", (dialog) => expect(dialog).toContainText(flow.loss ?? name));
      await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
      await expect(page.getByText(emptyTitle(noun, title))).toBeVisible();
      await expect(stored()).rejects.toMatchObject({ status: 404 });
    },
  );
}
