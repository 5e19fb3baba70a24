import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, newGate, reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

type Given = Parameters<ConsoleClient["createParamStore"]>[0]["body"]["parameters"];

const newStore = async (api: ConsoleClient, parameters: Given = []) =>
  (await api.createParamStore({ body: { name: unique("store"), ...(parameters && { parameters }) } })).data;
const readStore = async (api: ConsoleClient, name: string) => (await api.getParamStore({ path: { name } })).data;

async function openStore(page: Page, name: string, search = ""): Promise<void> {
  await page.goto(`param-stores/${encodeURIComponent(name)}${search}`);
  await expect(page.getByRole("tablist", { name: "Parts of the param store" })).toBeVisible();
}

test("a parameter takes a fixed value first and a gate's later", async ({ api, page }) => {
  const gate = await newGate(api);
  const { name } = await newStore(api);
  await openStore(page, name);
  await page.getByRole("button", { name: "Add parameter" }).click();
  await page.getByLabel("Name").fill("columns");
  const parameter = page.getByRole("group", { name: "columns" });
  await choose(page, parameter.getByRole("button", { name: /Type$/ }), "Number");
  await expect(parameter).toContainText("Enter a number.");
  await expectAccessible(page);
  await parameter.getByRole("textbox", { name: "Value", exact: true }).fill("2");
  await reviewAndSave(page);
  expect((await readStore(api, name)).parameters).toEqual([{ name: "columns", ref_type: "static", param_type: "number", value: 2 }]);
  await choose(page, parameter.getByRole("button", { name: /Comes from$/ }), "A gate");
  await expect(parameter.getByRole("combobox", { name: "Gate" })).toBeVisible();
  await expect(parameter).not.toContainText("Choose one.");
  await page.getByRole("heading", { name: "Parameters" }).click();
  await expect(parameter).toContainText("Choose one.");
  await find(page, parameter.getByRole("combobox", { name: "Gate" }), gate.name);
  await parameter.getByLabel("Value if the user passes").fill("1");
  await parameter.getByLabel("Value if the user fails").fill("2");
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await readStore(api, name)).parameters).toEqual([
    { name: "columns", ref_type: "gate", param_type: "number", gate_name: gate.id, pass_value: 1, fail_value: 2 },
  ]);
  await page.reload();
  await expect(parameter.getByRole("combobox", { name: "Gate" })).toHaveValue(gate.name);
  await expect(parameter.getByLabel("Value if the user passes")).toHaveValue("1");
  await expect(parameter.getByLabel("Value if the user fails")).toHaveValue("2");
});

test("a parameter that its experiment lacks is named, and those that it has are offered", async ({ api, page }) => {
  const groups = ["Control", "Test"].map((group) => ({ name: group, size: 50, parameterValues: { promise: group } }));
  const experiment = (await api.createExperiment({ body: { name: unique("Delivery promise"), groups } })).data;
  const { name } = await newStore(api, [
    { name: "text", ref_type: "experiment", param_type: "string", experiment_name: experiment.id, param_name: "promiss" },
  ]);
  await openStore(page, name);
  const parameter = page.getByRole("group", { name: "text" });
  await expect(parameter).toContainText(`“${experiment.name}” has no parameter “promiss”.`);
  await expectAccessible(page);
  await parameter.getByRole("combobox", { name: "Parameter" }).fill("promis");
  await page.getByRole("option", { name: "promise", exact: true }).click();
  await expect(parameter).not.toContainText("has no parameter");
  await reviewAndSave(page);
  expect((await readStore(api, name)).parameters).toMatchObject([{ experiment_name: experiment.id, param_name: "promise" }]);
});

test("the keyboard alone adds a parameter", { tag: NIGHT }, async ({ api, page }) => {
  const { name } = await newStore(api);
  await openStore(page, name);
  await tabTo(page, page.getByRole("button", { name: "Add parameter" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("textbox", { name: "Value", exact: true }));
  await page.keyboard.type("hello");
  await page.keyboard.press("Control+s");
  const save = page.getByRole("dialog", { name: /^Review/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await readStore(api, name)).parameters).toMatchObject([{ name: "parameter", value: "hello" }]);
});

test("a viewer sees a param store and may change nothing", { tag: NIGHT }, async ({ api, viewer, openBrowser }) => {
  const { name } = await newStore(api, [{ name: "text", ref_type: "static", param_type: "string", value: "hello" }]);
  const page = await openBrowser(signedInAs(viewer));
  await openStore(page, name);
  await expect(page.getByRole("textbox", { name: "Value", exact: true })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Add parameter" })).toHaveAttribute("aria-disabled", "true");
});
