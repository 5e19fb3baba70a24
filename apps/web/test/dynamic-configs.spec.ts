import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { typeJson5 } from "./support/editors.ts";
import { choose, review, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

type NewConfig = Parameters<ConsoleClient["createDynamicConfig"]>[0]["body"];

const newConfig = async (api: ConsoleClient, given: Partial<NewConfig> = {}) =>
  (await api.createDynamicConfig({ body: { name: unique("config"), ...given } })).data;
const readConfig = async (api: ConsoleClient, id: string) => (await api.getDynamicConfig({ path: { id } })).data;

async function openConfig(page: Page, id: string, search = ""): Promise<void> {
  await page.goto(`dynamic-configs/${id}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the dynamic config" })).toBeVisible();
}

test("the list is searched and filtered in its address", async ({ page }) => {
  const { projectID, api } = await newProject();
  for (const name of ["alpha", "beta", "gamma"]) await newConfig(api, { name, tags: name === "beta" ? ["checkout"] : [] });
  await api.archiveDynamicConfig({ path: { id: "gamma" } });
  await page.goto(`/projects/${projectID}/dynamic-configs`);
  await expect(page.getByRole("rowheader")).toHaveText(["beta", "alpha"]);
  await page.getByRole("columnheader", { name: "Name" }).click();
  await expect(page).toHaveURL(/sort=name&order=asc/);
  await expect(page.getByRole("rowheader")).toHaveText(["alpha", "beta"]);
  await choose(page, page.getByRole("button", { name: /Tag$/ }), "checkout");
  await expect(page.getByRole("rowheader")).toHaveText(["beta"]);
  await page.getByRole("searchbox", { name: "Search dynamic configs" }).fill("alp");
  await expect(page.getByText("No matching dynamic configs")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No matching dynamic configs")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await choose(page, page.getByRole("button", { name: /Status$/ }), "Archived");
  await expect(page.getByRole("rowheader")).toHaveText(["gamma"]);
});

test("the default value is edited as text and as a form, and its comments stay", async ({ api, page }) => {
  const config = await newConfig(api, { defaultValueJson5: "{ timeout: 5, /* seconds */ }" });
  await openConfig(page, config.id);
  await typeJson5(page, "Default value", "{ timeout: 7, /* seconds */ color: 'blue' }");
  await page.getByRole("button", { name: "As form: Default value" }).click();
  await page.getByLabel("color", { exact: true }).fill("green");
  const dialog = await review(page);
  await expect(dialog.getByRole("list").first()).toContainText("Default value changed");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  const stored = await readConfig(api, config.id);
  expect(stored.defaultValue).toEqual({ timeout: 7, color: "green" });
  expect(stored.defaultValueJson5).toContain("/* seconds */");
});

test("a form adds parameters to an empty value and to an empty object in it", async ({ api, page }) => {
  const config = await newConfig(api, { defaultValueJson5: "{}" });
  await openConfig(page, config.id);
  await page.getByRole("button", { name: "As form: Default value" }).click();
  await page.getByRole("button", { name: "Add parameter", exact: true }).click();
  await page.getByLabel("Name of the new parameter").fill("size");
  await page.getByLabel("Type of the new parameter").selectOption("Number");
  await page.getByLabel("Value of the new parameter").fill("7");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByLabel("size", { exact: true })).toHaveValue("7");
  await reviewAndSave(page);
  expect((await readConfig(api, config.id)).defaultValue).toEqual({ size: 7 });

  await page.getByRole("button", { name: "As text: Default value" }).click();
  await typeJson5(page, "Default value", "{ size: 7, colors: {} }");
  await page.getByRole("button", { name: "As form: Default value" }).click();
  await page.getByRole("button", { name: "Add parameter to colors" }).click();
  await page.getByLabel("Name of the new parameter in colors").fill("accent");
  await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Add parameter to colors" }).click();
  await page.getByLabel("Name of the new parameter in colors").fill("accent");
  await page.getByLabel("Value of the new parameter in colors").fill("teal");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Add parameter to colors" })).toBeHidden();
  await reviewAndSave(page);
  expect((await readConfig(api, config.id)).defaultValue).toEqual({ size: 7, colors: { accent: "teal" } });
});

test("a value that breaks the schema keeps the page from being reviewed on every tab", async ({ api, page }) => {
  const schema = '{"properties": {"standard_days": {"type": "integer"}}}';
  const config = await newConfig(api, { schema, defaultValueJson5: "{ standard_days: 4 }" });
  await openConfig(page, config.id);
  await typeJson5(page, "Default value", "{ standard_days: 'five' }");
  await expect(page.getByText("`standard_days` must be a whole number, but is text in quotes.")).toBeVisible();
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("button", { name: "Review" }).focus();
  await expect(page.getByRole("tooltip")).toHaveText("Default value: fix 1 error.");
  await page.getByRole("tab", { name: "Values" }).click();
  await page.getByRole("button", { name: "As form: Default value" }).click();
  await page.getByLabel("standard_days", { exact: true }).fill("5");
  await reviewAndSave(page);
  expect((await readConfig(api, config.id)).defaultValue).toEqual({ standard_days: 5 });
});

test("a refused value is shown in its editor from every tab", async ({ api, page, expectFault }) => {
  const config = await newConfig(api, { schema: "{}", defaultValueJson5: "{ standard_days: 'five' }" });
  await openConfig(page, config.id, "?tab=schema");
  await typeJson5(page, "JSON Schema", '{"properties": {"standard_days": {"type": "integer"}}}');
  expectFault(/^400: POST \/console\/v1\/batch/);
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(dialog.getByRole("alert")).toContainText("Default value › `standard_days`: Must be a whole number (schema).");
  await dialog.getByRole("button", { name: "Show where" }).click();
  await expect(page.getByRole("tab", { name: "Values" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("textbox", { name: "Default value" })).toBeFocused();
});

test("a list is edited in the form, and a value that breaks the schema keeps the page from being reviewed", async ({ api, page }) => {
  const schema =
    '{"properties": {"colors": {"type": "array", "items": {"enum": ["red", "blue"]}}, "sizes": {"type": "array", "maxItems": 2}}}';
  const config = await newConfig(api, { schema, defaultValueJson5: "{ colors: ['red'], sizes: [1, 2 /* big */] }" });
  await openConfig(page, config.id);
  await page.getByRole("button", { name: "As form: Default value" }).click();
  await page.getByRole("button", { name: "Add item to colors" }).click();
  await page.getByLabel("colors, item 2", { exact: true }).selectOption("blue");
  await page.getByRole("button", { name: "Move up: colors, item 2" }).click();
  await page.getByRole("button", { name: "Add item to sizes" }).click();
  const button = saveBar(page).getByRole("button", { name: "Review" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("button", { name: "Remove sizes, item 1" }).click();
  await page.getByLabel("sizes, item 2", { exact: true }).fill("3");
  await reviewAndSave(page);
  const stored = await readConfig(api, config.id);
  expect(stored.defaultValue).toEqual({ colors: ["blue", "red"], sizes: [2, 3] });
  expect(stored.defaultValueJson5).toContain("/* big */");
});

test("a text that is not an object is marked, and cannot be reviewed", { tag: NIGHT }, async ({ api, page }) => {
  const config = await newConfig(api);
  await openConfig(page, config.id);
  await typeJson5(page, "Default value", "{ timeout: }");
  await expect(page.getByRole("list", { name: "Problems in the text" })).toBeVisible();
  await expect(saveBar(page).getByRole("button", { name: "Review" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await saveBar(page).getByRole("button", { name: "Discard" }).click();
  await expect(saveBar(page)).toBeHidden();
});

test("a rule gives another value, and is divided among variants", { tag: NIGHT }, async ({ api, page }) => {
  const config = await newConfig(api, { defaultValue: { timeout: 1 }, rules: [{ ...rule("Testers"), returnValue: { timeout: 2 } }] });
  await openConfig(page, config.id);
  await expect(page.getByRole("grid", { name: "Rules" })).toContainText('get {"timeout":2}');
  await page.getByRole("button", { name: "Edit Testers" }).click();
  await typeJson5(page, "Value of Testers", "{ timeout: 3 }");
  await page.getByRole("button", { name: "Split into variants" }).click();
  await page.getByLabel("Share of passing users").fill("40");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add variant" }).click();
  await expect(page.getByLabel("Share of passing users").nth(1)).toHaveValue("60");
  await typeJson5(page, "Value of Variant 2", "{ timeout: 4 }");
  await reviewAndSave(page);
  expect((await readConfig(api, config.id)).rules).toMatchObject([
    {
      name: "Testers",
      variants: [
        { name: "Variant 1", passPercentage: 40, returnValue: { timeout: 3 } },
        { name: "Variant 2", passPercentage: 60, returnValue: { timeout: 4 } },
      ],
    },
  ]);
});

test("a JSON Schema is added, and a value that breaks it is marked and cannot be reviewed", async ({ api, page }) => {
  const config = await newConfig(api, { defaultValue: { timeout: 1 } });
  await openConfig(page, config.id, "?tab=schema");
  await page.getByRole("button", { name: "Add JSON Schema" }).click();
  await typeJson5(
    page,
    "JSON Schema",
    '{ type: "object", properties: { timeout: { type: "integer", minimum: 0 } }, additionalProperties: false }',
  );
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await readConfig(api, config.id)).schema).toContain('"minimum":0');
  await page.getByRole("tab", { name: "Values" }).click();
  await typeJson5(page, "Default value", "{ timeout: -1 }");
  await expect(page.getByRole("list", { name: "Problems in the text" })).toBeVisible();
  await expect(saveBar(page).getByRole("button", { name: "Review" })).toHaveAttribute("aria-disabled", "true");
  expect((await readConfig(api, config.id)).defaultValue).toEqual({ timeout: 1 });
});

test("the keyboard alone creates a dynamic config, sets its default value and saves it", { tag: NIGHT }, async ({ api, page }) => {
  const name = unique("by_keyboard");
  await page.goto("dynamic-configs");
  await expect(page.getByRole("heading", { name: "Dynamic configs", level: 1 })).toBeVisible();
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog", { name: "Create a dynamic config" }).getByLabel("Name")).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole("textbox", { name: "Default value", exact: true }));
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("{ timeout: 9 }");
  // The Tab key indents, until Escape frees it.
  await page.keyboard.press("Escape");
  await tabTo(page, saveBar(page).getByRole("button", { name: "Review" }));
  await page.keyboard.press("Enter");
  const save = page.getByRole("dialog", { name: /^Review changes/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await readConfig(api, name)).defaultValue).toEqual({ timeout: 9 });
});

test("a user is tested, saved and with the changes side by side", { tag: NIGHT }, async ({ api, page }) => {
  const config = await newConfig(api, { defaultValue: { timeout: 1 } });
  await openConfig(page, config.id);
  await page.getByLabel("User ID").fill("ada");
  await typeJson5(page, "Default value", "{ timeout: 2 }");
  await expect(page.getByRole("region", { name: "Saved", exact: true })).toContainText('"timeout": 1');
  await expect(page.getByRole("region", { name: "With your changes" })).toContainText('"timeout": 2');
  await expectAccessible(page);
});

test("a dynamic config is archived and brought back, each after a review", { tag: NIGHT }, async ({ api, page }) => {
  const config = await newConfig(api);
  await openConfig(page, config.id);
  const step = async (label: string) => {
    await page.getByRole("button", { name: `More for ${config.name}` }).click();
    await page.getByRole("menuitem", { name: label }).click();
    const dialog = page.getByRole("dialog", { name: `${label} ${config.name}?` });
    await dialog.getByRole("button", { name: label }).click();
    await expect(dialog).toBeHidden();
  };
  await step("Archive");
  await expect(page.getByText("This dynamic config is archived")).toBeVisible();
  await step("Unarchive");
  await expect(page.getByText("This dynamic config is archived")).toBeHidden();
});

test("a viewer sees values and may change nothing", { tag: NIGHT }, async ({ api, openBrowser, viewer }) => {
  const config = await newConfig(api, { defaultValue: { timeout: 1 }, tags: [unique("tag")] });
  const page = await openBrowser(signedInAs(viewer));
  await openConfig(page, config.id);
  await expect(page.getByRole("textbox", { name: "Default value", exact: true })).toContainText("timeout");
  await expect(page.getByRole("textbox", { name: "Default value", exact: true })).toHaveAttribute("aria-readonly", "true");
  await expect(page.getByRole("switch", { name: "Enabled" })).toBeDisabled();
  await page.goto("dynamic-configs");
  await expect(page.getByRole("button", { name: "Create dynamic config" }).first()).toHaveAttribute("aria-disabled", "true");
});
