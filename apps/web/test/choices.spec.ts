import { find, newGate, openGate, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("an emptied field that takes any text has no value, and says what is missing", async ({ api, page }) => {
  const body = { name: unique("revenue"), type: "sum" as const, metricEvents: [{ name: "bought", type: "value" as const }] };
  const { data: metric } = await api.createMetric({ body });
  await page.goto(`/projects/default/metrics/${encodeURIComponent(metric.id)}`);
  const event = page.getByRole("combobox", { name: "Name of the event" });
  await expect(event).toHaveValue("bought");
  await event.clear();
  await page.keyboard.press("Tab");
  await expect(event).toHaveValue("");
  await expect(page.getByText("Enter the name of the event.")).toBeVisible();
  await expect(saveBar(page).getByRole("button", { name: "Review" })).toHaveAttribute("aria-disabled", "true");
  await event.fill("ordered");
  await page.keyboard.press("Tab");
  await reviewAndSave(page);
  expect((await api.getMetric({ path: { id: metric.id } })).data.metricEvents).toEqual([{ name: "ordered", type: "value" }]);
});

test("an emptied choice is none", async ({ api, page }) => {
  const { data: layer } = await api.createLayer({ body: { name: unique("layer"), idType: "userID" } });
  const name = unique("experiment");
  await page.goto("/projects/default/experiments");
  await page.getByRole("button", { name: "Create experiment" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an experiment" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  const choice = dialog.getByRole("combobox", { name: "Layer" });
  await find(page, choice, layer.name);
  await expect(choice).toHaveValue(layer.name);
  await choice.clear();
  await page.keyboard.press("Tab");
  await expect(choice).toHaveValue("");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  expect((await api.getExperiment({ path: { id: name } })).data.layerID).toBeNull();
});

test("an emptied choice that cannot be none shows its value again once it is left", async ({ api, page }) => {
  const condition = { type: "user_id" as const, operator: "any" as const, targetValue: ["ada"] };
  const gate = await newGate(api, { rules: [rule("Staff", { conditions: [condition] })] });
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Edit Staff" }).click();
  const compared = page.getByRole("combobox", { name: "What is compared" });
  await expect(compared).toHaveValue("User ID");
  await compared.clear();
  await page.keyboard.press("Tab");
  await expect(compared).toHaveValue("User ID");
  await expect(saveBar(page)).toBeHidden();
});
