import { expectAccessible } from "./support/accessibility.ts";
import { choose, reviewAndSave } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const CUSTOMER = { idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }] };

test("an entity property source is changed and previewed", async ({ api, page }) => {
  const { data } = await api.createEntityPropertySource({ body: { name: unique("shop"), sql: "select * from customers", ...CUSTOMER } });
  const { name } = data;
  await page.goto(`entity-properties/${name}`);
  await page.getByLabel("Time column").fill("since");
  await page.getByText("The column has dates without a time (valid from the end of the day)").click();
  await expectAccessible(page);
  await reviewAndSave(page);
  const read = async () => (await api.getEntityPropertySource({ path: { name } })).data;
  expect(await read()).toMatchObject({ timestampColumn: "since", timestampAsDay: true });
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Couldn’t read rows")).toBeVisible();
});

test("a qualifying event is changed, and an experiment counts its units, as long as it runs", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  await api.createQualifyingEvent({ body: { name: "checkout", sql: "select * from checkouts", timestampColumn: "at", ...CUSTOMER } });
  await page.goto(`/projects/${projectID}/qualifying-events/checkout`);
  await page.getByRole("textbox", { name: "Query" }).fill("select * from checkouts where not is_test");
  await reviewAndSave(page);
  const { data } = await api.getQualifyingEvent({ path: { name: "checkout" } });
  expect(data).toMatchObject({ sql: "select * from checkouts where not is_test", timestampColumn: "at", version: 2 });

  const { id } = (await api.createExperiment({ body: { name: "qualified" } })).data;
  await page.goto(`/projects/${projectID}/experiments/${id}?tab=setup`);
  await choose(page, page.getByRole("button", { name: /Units count$/ }), "checkout");
  await reviewAndSave(page);
  expect((await api.getExperiment({ path: { id } })).data.qualifyingEventName).toBe("checkout");
  await api.patchExperiment({ path: { id }, body: { status: "active" } });
  await expect(page.getByRole("button", { name: /Units count$/ })).toBeDisabled();
});
