import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const settledStatus = async (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: { status?: number }) => error.status,
  );

/** Whether the evaluation API takes a key. */
const answerTo = (key: string) => settledStatus(evaluationApi(key).checkGate({ body: { gateName: "any", user: { userID: "alice" } } }));

/** The key that a dialog shows this once. */
async function readSecret(page: Page): Promise<string> {
  const dialog = page.getByRole("alertdialog");
  const secret = (await dialog.getByRole("region", { name: "Key" }).textContent()) ?? "";
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(dialog).toBeHidden();
  return secret.trim();
}

test("a key that is created is shown once, works, and is listed with what it may", async ({ page, api }) => {
  const description = unique("shop");
  await page.goto("keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await choose(page, dialog.getByRole("button", { name: /Type/ }), "Client");
  await dialog.getByRole("textbox", { name: "Description" }).fill(description);
  await dialog.getByText("production").click();
  await choose(page, dialog.getByRole("button", { name: /Expires/ }), "In 30 days");
  await dialog.getByRole("button", { name: "Create" }).click();
  const secret = await readSecret(page);
  expect(secret).toMatch(/^client-/);
  expect(await answerTo(secret)).toBe(200);

  await page.getByRole("searchbox", { name: "Search keys" }).fill(description);
  const row = page.getByRole("row", { name: new RegExp(description) });
  await expect(row).toContainText("Reads flags for one user, and logs events");
  await expect(row).toContainText("Only in production");
  const { data } = await api.listKeys({ query: { search: description } });
  expect(data).toMatchObject([{ type: "CLIENT", environments: ["production"], status: "active" }]);
  expect(data[0]?.expiresTime).toBeGreaterThan(Date.now());
});

test("a change of a key is reviewed in words before it is stored", async ({ page, api, expectFault }) => {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: unique("before") } });
  await page.goto(`keys/${key.id}`);
  const renamed = unique("after");
  await page.getByRole("textbox", { name: "Description" }).fill(renamed);
  await page.getByText("staging", { exact: true }).click();
  expectFault(/^400: POST \/console\/v1\/batch/);
  const addresses = page.getByRole("textbox", { name: "Allowed addresses" });
  await addresses.fill("::1\n10.1.2.3/8");
  await page.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes to/ });
  await expect(dialog).toContainText("must be 10.0.0.0/8, or 10.1.2.3 alone");
  await page.keyboard.press("Escape");
  await addresses.fill("::1\n10.0.0.0/8");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(dialog).toContainText("Environments: All environments → staging");
  await expect(dialog).toContainText("Allowed addresses: All addresses → ::1 and 10.0.0.0/8");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: renamed, level: 1 })).toBeVisible();
  expect((await api.getKey({ path: { id: key.id } })).data).toMatchObject({
    description: renamed,
    environments: ["staging"],
    allowedAddresses: ["::1", "10.0.0.0/8"],
  });
});

test("a key that someone else changed in the meantime is not overwritten", { tag: NIGHT }, async ({ page, api, expectFault }) => {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: unique("raced") } });
  await page.goto(`keys/${key.id}`);
  await page.getByRole("textbox", { name: "Description" }).fill("Mine");
  await page.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes to/ });
  await expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  await api.patchKey({ path: { id: key.id }, body: { description: "Theirs" } });
  expectFault(/^412: POST \/console\/v1\/batch/);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Review both changes" }).click();
  const conflict = page.getByRole("dialog").filter({ hasText: "Your edits aren’t saved yet" });
  await expect(conflict.getByRole("region", { name: "Description" })).toContainText("Theirs");
  expect((await api.getKey({ path: { id: key.id } })).data.description).toBe("Theirs");
});

test("a rotation with an overlap lets the old key work on until it expires", async ({ page, api }) => {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: unique("rotated"), environments: ["staging"] } });
  await page.goto(`keys/${key.id}`);
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog", { name: "Rotate key" }).getByRole("button", { name: "Review" }).click();
  await page.getByRole("dialog", { name: "Rotate key?" }).getByRole("button", { name: "Rotate" }).click();
  const secret = await readSecret(page);
  await expect(page).not.toHaveURL(new RegExp(key.id));
  expect([await answerTo(secret), await answerTo(key.key ?? "")]).toEqual([200, 200]);
  const { data: old } = await api.getKey({ path: { id: key.id } });
  expect(old.expiresTime).toBeGreaterThan(Date.now());
  const { data: keys } = await api.listKeys({ query: { search: key.description } });
  expect(keys.map(({ environments }) => environments)).toEqual([["staging"], ["staging"]]);
});

test("a rotation without an overlap ends the old key, by keyboard alone", { tag: NIGHT }, async ({ page, api }) => {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: unique("rotated") } });
  await page.goto(`keys/${key.id}`);
  await tabTo(page, page.getByRole("button", { name: "Rotate" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Rotate key", exact: true });
  await tabTo(page, dialog.getByRole("button", { name: /Keep the old key for/ }));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await tabTo(page, dialog.getByRole("button", { name: "Review" }));
  await page.keyboard.press("Enter");
  const review = page.getByRole("dialog", { name: "Rotate key?" });
  await expect(review).toContainText("The old key stops working within a second.");
  await tabTo(page, review.getByRole("button", { name: "Rotate" }));
  await page.keyboard.press("Enter");
  const secret = await readSecret(page);
  expect(await answerTo(secret)).toBe(200);
  await expect.poll(() => answerTo(key.key ?? "")).toBe(401);
});

test("a key is deactivated, then deleted", async ({ page, api }) => {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: unique("ended") } });
  await page.goto(`keys/${key.id}`);
  for (const step of ["Deactivate", "Delete"]) {
    await page.getByRole("button", { name: "More for the key" }).click();
    await page.getByRole("menuitem", { name: step }).click();
    await page
      .getByRole("dialog", { name: `${step} key?` })
      .getByRole("button", { name: step })
      .click();
    await expect(page.getByText(`Key ${step.toLowerCase()}d`)).toBeVisible();
  }
  await expect(page).toHaveURL(/\/keys$/);
  expect(await settledStatus(api.getKey({ path: { id: key.id } }))).toBe(404);
  await expect.poll(() => answerTo(key.key ?? "")).toBe(401);
});

test("somebody who may not see keys sees why", { tag: NIGHT }, async ({ openBrowser, viewer }) => {
  const page = await openBrowser(signedInAs(viewer));
  await page.goto("keys");
  await expect(page.getByText("You can’t view keys")).toBeVisible();
  await expect(page.getByText(/Your role Viewer .* can’t view keys/)).toBeVisible();
});

test("the keys have no barriers", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: key } = await api.createKey({ body: { type: "CONSOLE", description: "Deploys", environments: ["staging"] } });
  await page.goto(`/projects/${projectID}/keys`);
  await expect(page.getByRole("row", { name: /Deploys/ })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/projects/${projectID}/keys/${key.id}`);
  await expect(page.getByRole("button", { name: "Rotate" })).toBeVisible();
  await expectAccessible(page);
});
