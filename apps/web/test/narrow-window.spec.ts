import { newGate, openGate, readGate, reviewAndSave, rule } from "./support/gates.ts";
import { unique } from "./support/people.ts";
import { overflow } from "./support/reflow.ts";
import { expect, test } from "./support/test.ts";

test.use({ viewport: { width: 390, height: 800 } });

test("in a narrow window the navigation opens and closes, and nothing scrolls sideways", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Everyone", { passPercentage: 25 })] });
  await page.goto(`gates?search=${gate.name}`);
  await expect(page.getByRole("rowheader", { name: gate.name })).toBeVisible();
  await expect.poll(() => overflow(page)).toBe(0);
  const navigation = page.getByRole("navigation", { name: "Pages of the project" });
  await expect(navigation).toBeHidden();
  await page.getByRole("button", { name: "Show the navigation" }).click();
  await expect(navigation).toBeVisible();
  await expect.poll(() => overflow(page)).toBe(0);
  await page.getByRole("button", { name: "Hide the navigation" }).click();
  await expect(navigation).toBeHidden();
  await page.getByRole("button", { name: "Show the navigation" }).click();
  await navigation.getByRole("link", { name: "Gates" }).click();
  await expect(navigation).toBeHidden();
});

test("in a narrow window a rule is edited and saved", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule("Everyone", { passPercentage: 25 })] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Everyone" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("textbox", { name: "Add values" }).fill("ada");
  await page.getByRole("textbox", { name: "Add values" }).press("Enter");
  await expect(page.getByRole("row", { name: "ada" })).toBeVisible();
  await expect.poll(() => overflow(page)).toBe(0);
  const condition = page.getByRole("group", { name: "Condition 1" });
  const controls = [
    condition.getByRole("combobox", { name: "Field", exact: true }),
    condition.getByRole("button", { name: /Operator/ }),
    condition.getByRole("textbox", { name: "Add values" }),
  ];
  // The widths of a phone, of 1280 pixels at 200% zoom, and of a small window.
  for (const width of [390, 640, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    for (const control of controls) await expect.poll(async () => (await control.boundingBox())?.width).toBeGreaterThan(120);
    await expect.poll(() => overflow(page)).toBe(0);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await reviewAndSave(page);
  expect((await readGate(api, gate.id)).rules[0]?.conditions).toEqual([{ type: "user_id", operator: "any", targetValue: ["ada"] }]);
});

test("the list of gates shows names of usual length in full, and on a desktop every column", async ({ api, page }) => {
  const name = unique("Streamlined billing redesign");
  await newGate(api, {
    name,
    tags: ["checkout"],
    rules: [
      rule("Employees", {
        passPercentage: 12.5,
        conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
      }),
      rule("Everyone", { passPercentage: 5 }),
    ],
  });
  const isCut = (text: string) =>
    page
      .getByText(text)
      .first()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`gates?search=${name}`);
    await expect(page.getByText(name, { exact: true })).toBeVisible();
    expect(await isCut(name)).toBe(false);
  }
  expect(await isCut("12.5% of")).toBe(false);
  expect(await isCut("5% of others")).toBe(false);
  const tags = page.getByRole("gridcell").filter({ has: page.getByText("checkout", { exact: true }) });
  expect(await tags.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false);
  const table = await page.getByRole("grid", { name: "Gates" }).boundingBox();
  const last = await page.getByRole("columnheader", { name: "Changed" }).boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((table?.x ?? 0) + (table?.width ?? 0));
});
