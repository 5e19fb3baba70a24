import { expectAccessible } from "./support/accessibility.ts";
import { type Condition, choose, newGate, openGate, readGate, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { unique } from "./support/people.ts";
import { GROUPS } from "./support/results.ts";
import { evaluationApi, serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

test("overrides are pasted, moved to the other list and removed", async ({ api, page }) => {
  const gate = await newGate(api);
  await api.updateGateOverrides({ path: { id: gate.id }, body: { passingUserIDs: ["ada"], failingUserIDs: ["eve"] } });
  await openGate(page, gate.id, "?tab=overrides");
  const table = page.getByRole("table", { name: "Overrides" });
  await page.getByRole("textbox", { name: "IDs" }).fill("grace, ada\teve\nalan");
  await page.getByRole("button", { name: "Add IDs" }).click();
  await expect(page.getByText(/^2 added, 1 moved from the other list, 1 /)).toBeVisible();
  await table.getByRole("button", { name: "Let alan fail" }).click();
  await table.getByRole("button", { name: "Remove ada" }).click();
  await expect(table.getByRole("row", { name: /alan/ })).toContainText("Fails");

  await page.getByRole("button", { name: /^All environments Environment/ }).click();
  await page.getByRole("option", { name: "staging" }).click();
  await page.getByRole("textbox", { name: "IDs" }).fill("stager");
  await page.getByRole("button", { name: "Add IDs" }).click();
  await reviewAndSave(page);
  const { data } = await api.getGateOverrides({ path: { id: gate.id } });
  expect(data.passingUserIDs.toSorted()).toEqual(["eve", "grace"]);
  expect(data).toMatchObject({
    failingUserIDs: ["alan"],
    environmentOverrides: [{ environment: "staging", passingIDs: ["stager"], failingIDs: [] }],
  });
});

test("a user is tested, saved and with the changes side by side", async ({ api, page }) => {
  const adults = { type: "custom_field", field: "age", operator: "gte", targetValue: 18 } satisfies Condition;
  const gate = await newGate(api, { rules: [rule("Adults", { conditions: [adults] })] });
  await openGate(page, gate.id);
  await page.getByLabel("User ID").fill("ada");
  await page.getByLabel("Other fields (JSON)").fill("{");
  await expect(page.getByLabel("Other fields (JSON)")).toHaveAccessibleDescription("Enter valid JSON.");
  await page.getByLabel("Other fields (JSON)").fill('{"custom": {"age": 17}}');
  const saved = page.getByRole("region", { name: "Saved", exact: true });
  await expect(saved).toContainText("Fails");
  await expect(saved).toContainText("age is at least 18compared 17");
  await expect(page.getByRole("region", { name: "With your changes" })).toBeHidden();

  await page.getByRole("button", { name: "Edit Adults" }).click();
  await page.getByRole("group", { name: "Condition 1" }).getByRole("textbox", { name: "Number" }).fill("16");
  const draft = page.getByRole("region", { name: "With your changes" });
  await expect(draft).toContainText("Passes");
  await expect(draft).toContainText("Decided by Adults.");
  await expect(draft).toContainText("age is at least 16compared 17");
  await expect(saved).toContainText("Fails");
  expect(await readGate(api, gate.id)).toMatchObject({ version: 1 });
});

test("a new rule that passes some users has the same result before it is saved and afterwards", async ({ api, page }) => {
  const gate = await newGate(api, {});
  await openGate(page, gate.id);
  await page.getByLabel("User ID").fill("ada");
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Everyone", exact: true }).click();
  await page.getByRole("checkbox", { name: "production" }).press("Space");
  await page.getByRole("textbox", { name: "Pass percentage" }).fill("50");
  await page.keyboard.press("Tab");
  const position = /Bucket [\d.]+/;
  const draft = page.getByRole("region", { name: "With your changes" });
  await expect(draft).toContainText(position);
  await expect(draft.getByText(/^(Inside|Outside) the \d+% rollout of “New rule”\.$/)).toBeVisible();
  const tested = position.exec((await draft.textContent()) ?? "")?.[0] ?? "none";
  await reviewAndSave(page);
  await expect(page.getByRole("region", { name: "Saved", exact: true })).toContainText(tested);
});

test("the history says what each version changed, and restores one after a review", async ({ api, page }) => {
  const gate = await newGate(api, { description: "One", rules: [rule("Everyone", { passPercentage: 10 })] });
  await api.patchGate({ path: { id: gate.id }, body: { rules: gate.rules.map((one) => ({ ...one, passPercentage: 60 })) } });
  await api.patchGate({ path: { id: gate.id }, body: { description: "Three" } });
  await openGate(page, gate.id, "?tab=history");
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("link");
  await expect(versions).toHaveText([/^Version 3, current/, /^Version 2/, /^Version 1/]);
  await versions.last().click();
  await expect(page.getByRole("tabpanel")).toContainText("Rule “Everyone” added: Everyone: 10% of users pass.");
  await versions.nth(1).click();
  await expect(page).toHaveURL(/version=2/);
  const paint = (at: number) => versions.nth(at).evaluate((link) => getComputedStyle(link).backgroundColor);
  await expect.poll(async () => (await paint(1)) === (await paint(2))).toBe(false);
  await expect(page.getByRole("tabpanel")).toContainText("Rule “Everyone”: passes 10% → 60%");
  await page.reload();
  await page.getByRole("button", { name: "Restore this version" }).click();
  const dialog = page.getByRole("dialog", { name: `Restore version 2 of ${gate.name}` });
  await dialog.getByLabel("Reason (optional)").fill("Version 3 was too fast");
  await expect(dialog).toContainText("Description");
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(versions.first()).toHaveText(/^Version 4, current/);
  await expect(page.getByRole("heading", { name: "Version 4" })).toBeVisible();
  await expect(page.getByText("Reason: Version 3 was too fast")).toBeVisible();
  expect(await readGate(api, gate.id)).toMatchObject({ version: 4, description: "One", rules: [{ passPercentage: 60 }] });
  await page.getByRole("button", { name: "Undo this change" }).click();
  const undo = page.getByRole("dialog", { name: `Undo changes to ${gate.name}` });
  await undo.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(versions.first()).toHaveText(/^Version 5, current/);
  expect(await readGate(api, gate.id)).toMatchObject({ version: 5, description: "Three", rules: [{ passPercentage: 60 }] });
});

test("entities that use the gate are listed, and link to their pages", { tag: NIGHT }, async ({ api, page }) => {
  const gate = await newGate(api);
  const user = await newGate(api, { rules: [rule("If so", { conditions: [{ type: "passes_gate", targetValue: gate.id }] })] });
  await openGate(page, gate.id, "?tab=used-by");
  await page.getByRole("link", { name: user.name }).click();
  await expect(page.getByRole("heading", { name: user.name, level: 1 })).toBeVisible();
  await page.getByRole("tab", { name: "Used by" }).click();
  await expect(page.getByText("This gate isn’t used anywhere")).toBeVisible();
});

test("the code that uses the gate is listed, with links to its lines", async ({ api, page }) => {
  const gate = await newGate(api);
  const place = { entityType: "gate" as const, entityID: gate.id, file: "src/checkout.ts", line: 42 };
  const url = "https://git.example.com/shop/blob/main/src/checkout.ts#L42";
  await api.updateCodeReferences({
    body: { repository: "example/shop", branch: gate.id, references: [{ ...place, url, text: "if (isOn)" }] },
  });
  await openGate(page, gate.id, "?tab=used-by");
  await expect(page.getByRole("row", { name: "src/checkout.ts:42" })).toHaveText(`src/checkout.ts:42example/shop${gate.id}if (isOn)`);
  await expect(page.getByRole("link", { name: "src/checkout.ts:42" })).toHaveAttribute("href", url);
});

test("the code of a stale gate is listed as code to remove", { tag: NIGHT }, async ({ api, page }) => {
  const gate = await newGate(api);
  const place = { entityType: "gate" as const, entityID: gate.id, file: "src/checkout.ts", line: 42 };
  await api.updateCodeReferences({ body: { repository: "example/shop", branch: gate.id, references: [{ ...place, text: "if (isOn)" }] } });
  // A gate becomes stale 30 days after its last change.
  await page.route(`**/console/v1/gates/${gate.id}`, async (route) => {
    const response = await route.fetch();
    const { data, ...answer } = await response.json();
    await route.fulfill({ response, json: { ...answer, data: { ...data, typeReason: "STALE_PROBABLY_DEAD_CHECK" } } });
  });
  await openGate(page, gate.id, "?tab=used-by");
  const code = page.getByRole("region", { name: "Code to remove" });
  await expect(code).toContainText("The gate is stale. Remove it from this code, then archive it.");
  await expect(code.getByRole("row", { name: "src/checkout.ts:42" })).toContainText("if (isOn)");
});

test("checks are counted by rule as applications make them", async ({ api, page }) => {
  const ada = { type: "user_id", operator: "any", targetValue: ["ada"] } satisfies Condition;
  const gate = await newGate(api, { rules: [rule("Only Ada", { conditions: [ada] })] });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: unique("checks"), environments: ["production"] } });
  const flags = evaluationApi(key.key ?? "");
  await openGate(page, gate.id, "?tab=checks");
  await expect(page.getByText("No checks in this period.")).toBeVisible();
  for (const userID of ["ada", "grace", "alan"]) await flags.checkGate({ body: { gateName: gate.id, user: { userID } } });
  const table = page.getByRole("table", { name: "Checks by rule" });
  await expect(table.getByRole("row", { name: "Only Ada" })).toHaveText("Only Ada10");
  await expect(table.getByRole("row", { name: "No rule matched" })).toHaveText("No rule matched02");
  await page.getByRole("button", { name: /^Last 24 hours/ }).click();
  await page.getByRole("option", { name: "Last 90 days" }).click();
  await expect(page).toHaveURL(/range=quarter/);
  await expect(table.getByRole("row", { name: "Only Ada" })).toHaveText("Only Ada10");
});

test("a gate is launched, archived and brought back, each after a review", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Some", { passPercentage: 5 })] });
  await openGate(page, gate.id);
  const take = async (step: RegExp, label: string) => {
    await page.getByRole("button", { name: `More for ${gate.name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: step }).click();
    const dialog = page.getByRole("dialog", { name: `${label} ${gate.name}?` });
    await dialog.getByRole("button", { name: label }).click();
    await expect(dialog).toBeHidden();
  };
  await take(/^Launch/, "Launch");
  await expect(page.getByRole("note")).toContainText("This gate is launched: on for everyone");
  expect(await readGate(api, gate.id)).toMatchObject({ status: "Launched" });
  await take(/^Archive/, "Archive");
  await expect(page.getByText("This gate is archived. Every check fails.")).toBeVisible();
  await expect(page.getByRole("switch", { name: "Enabled" })).toBeDisabled();
  expect(await readGate(api, gate.id)).toMatchObject({ status: "Archived" });
  await take(/^Unarchive/, "Unarchive");
  await expect(page.getByText("This gate is archived. Every check fails.")).toBeHidden();
  expect(await readGate(api, gate.id)).not.toMatchObject({ status: "Archived" });
});

test("a gate is disabled by its switch, after a review", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  await openGate(page, gate.id);
  await page.getByRole("switch", { name: "Enabled" }).click({ force: true });
  await expect(page.getByRole("note")).toContainText("This gate is disabled: off for everyone");
  await page.getByRole("button", { name: `More for ${gate.name}`, exact: true }).click();
  await expect(page.getByRole("menuitem", { name: /^Delete/ })).toContainText("Save or discard your changes first");
  await page.keyboard.press("Escape");
  await reviewAndSave(page);
  expect(await readGate(api, gate.id)).toMatchObject({ isEnabled: false, status: "Disabled" });
});

test("a gate that does not exist says so, and the way leads on", async ({ page, expectFault }) => {
  expectFault(/^404: GET \/console\/v1\/gates\/no_such_gate/);
  expectFault(/^console error: ConsoleApiError: getGate: 404/);
  await page.goto("/gates/no_such_gate");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Home" }).click();
  await expect(page.getByRole("heading", { name: /^(Get started|Home)$/, level: 1 })).toBeVisible();
  await page.goto("/projects/no_such_project/gates");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

test("undoing a mistake: a reverted change no longer counts as a change", { tag: NIGHT }, async ({ api, page }) => {
  const gate = await newGate(api, { description: "As it was" });
  await openGate(page, gate.id, "?tab=details");
  const description = page.getByRole("textbox", { name: "Description" });
  await description.fill("Something else");
  await expect(saveBar(page).getByRole("status")).toHaveText("1 change");
  await description.fill("As it was");
  await expect(saveBar(page)).toBeHidden();
});

test("the page of a gate opens with its purpose, its last change and its checks, and gives code that reads it", async ({ api, page }) => {
  const gate = await newGate(api, { description: "A checkout on a single page", tags: [] });
  await openGate(page, gate.id);
  await expect(page.getByText("A checkout on a single page")).toBeVisible();
  const summary = page.getByRole("list", { name: "Summary" });
  await expect(summary).toContainText("Changed just now");
  await expect(summary).toContainText("0 checks in 24 hours");
  await page.getByRole("button", { name: "Use in code" }).click();
  const dialog = page.getByRole("dialog", { name: "Use in code" });
  await choose(page, dialog.getByRole("button", { name: /Language/ }), "Go");
  await choose(page, dialog.getByRole("button", { name: /SDK/ }), "Statsig");
  await expect(dialog.getByRole("region", { name: "Code" })).toContainText(`"${gate.id}"`);
  await expect(dialog.getByRole("region", { name: "Code" })).toContainText(serverUrl());
  await expectAccessible(page);

  const { data: experiment } = await api.createExperiment({ body: { name: gate.id, groups: GROUPS, controlGroupID: "blue" } });
  await page.goto(`experiments/${experiment.id}`);
  await expect(summary).toContainText("0 exposures in 24 hours");
  await page.getByRole("button", { name: "Use in code" }).click();
  await choose(page, dialog.getByRole("button", { name: /Language/ }), "Go");
  await choose(page, dialog.getByRole("button", { name: /SDK/ }), "Statsig");
  await expect(dialog.getByRole("region", { name: "Code" })).toContainText(`sdk.GetExperiment(user, "${experiment.id}")`);

  const { data: store } = await api.createParamStore({ body: { name: gate.id, parameters: [] } });
  await page.goto(`param-stores/${store.name}`);
  await page.getByRole("button", { name: "Use in code" }).click();
  await choose(page, dialog.getByRole("button", { name: /Language/ }), "Go");
  await choose(page, dialog.getByRole("button", { name: /SDK/ }), "Statsig");
  await expect(dialog.getByRole("region", { name: "Code" })).toContainText(`sdk.GetParameterStore(user, "${store.name}")`);
});
