import { newGate } from "./support/gates.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a page shows what somebody else saved after it read and before it began to listen", async ({ page }) => {
  const { projectID, api } = await newProject();
  const first = await newGate(api);
  let listen = () => {};
  const isSaved = new Promise<void>((resolve) => {
    listen = resolve;
  });
  await page.route("**/changes/stream*", async (route) => {
    await isSaved;
    await route.continue();
  });
  const asked = page.waitForRequest("**/changes/stream*");
  await page.goto(`/projects/${projectID}/gates`);
  await expect(page.getByRole("row", { name: first.name })).toBeVisible();
  await asked;
  const second = await newGate(api);
  listen();
  await expect(page.getByRole("row", { name: second.name })).toBeVisible();
});
