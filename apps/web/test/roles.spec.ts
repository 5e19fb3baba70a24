import { expectAccessible } from "./support/accessibility.ts";
import { reviewAndSave, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a role is created from another, permits more after a review, and says who has it", async ({ api, page, expectFault }) => {
  await page.goto("roles");
  await page.getByRole("button", { name: "Create role" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a role" });
  const name = unique("Releaser");
  await dialog.getByLabel("Name").fill(name);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const before = (await api.getRole({ path: { id: name } })).data.permissions;
  const box = page.getByRole("region", { name: "Reviews and approvals" }).getByRole("checkbox").first();
  await box.click({ force: true });
  await expectAccessible(page);
  await reviewAndSave(page);
  const after = (await api.getRole({ path: { id: name } })).data.permissions;
  expect(after).toEqual({ ...before, approve_reviews: before.approve_reviews !== true });
  const email = `${unique("person")}@example.com`;
  await api.inviteUsers({ body: { role: name, emails: [email] } });
  await page.getByRole("tab", { name: "Who has it" }).click();
  await expect(page.getByRole("table", { name: "Members with this role" })).toContainText(email);
  await expectAccessible(page);
  await page.getByRole("button", { name: `More for ${name}` }).click();
  expectFault(/^409: POST \/console\/v1\/batch\?dryRun=true$/);
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const review = page.getByRole("dialog", { name: `Delete ${name}?` });
  await expect(review).toContainText("1 person has this role");
  await expect(review).toContainText(email);
  await expect(review.getByRole("alert")).toContainText("Couldn’t save your changes");
});

test("two people who change different permissions keep both, and the deleted role is gone", async ({ api, page }) => {
  const name = unique("Editor");
  await api.createRole({ body: { name, permissions: { read: true } } });
  await page.goto(`roles/${name}`);
  const mine = page.getByRole("region", { name: "Reviews and approvals" }).getByRole("checkbox").first();
  await mine.click({ force: true });
  await api.patchRole({ path: { id: name }, body: { permissions: { start_experiments: true } } });
  await expect(saveBar(page)).toContainText("Someone else just saved changes");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await page.getByRole("dialog", { name: "There are newer changes" }).getByRole("button", { name: "Merge" }).click();
  await page
    .getByRole("dialog", { name: /^Review/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(saveBar(page)).toBeHidden();
  expect((await api.getRole({ path: { id: name } })).data.permissions).toMatchObject({
    start_experiments: true,
    approve_reviews: true,
  });
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: `Delete ${name}?` })
    .getByRole("button", { name: "Delete" })
    .click();
  await expect(page.getByRole("heading", { name: "Roles", level: 1 })).toBeVisible();
  await expect(api.getRole({ path: { id: name } })).rejects.toMatchObject({ status: 404 });
});

test("the keyboard alone gives a permission", { tag: NIGHT }, async ({ api, page }) => {
  const name = unique("Typist");
  await api.createRole({ body: { name, permissions: { read: true } } });
  await page.goto(`roles/${name}`);
  await tabTo(page, page.getByRole("region", { name: "Reviews and approvals" }).getByRole("checkbox").first());
  await page.keyboard.press("Space");
  await page.keyboard.press("Control+s");
  const save = page.getByRole("dialog", { name: /^Review/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  await tabTo(page, save);
  await page.keyboard.press("Enter");
  await expect(saveBar(page)).toBeHidden();
  expect((await api.getRole({ path: { id: name } })).data.permissions.approve_reviews).toBe(true);
});

test("a built-in role cannot be edited, and neither can any by a viewer", { tag: NIGHT }, async ({ page, openBrowser, viewer }) => {
  await page.goto("roles/Member");
  await expect(page.getByRole("note")).toContainText("Built-in roles can’t be changed.");
  await expect(page.getByRole("main")).not.toContainText("1970");
  for (const box of await page.getByRole("checkbox").all()) await expect(box).toBeDisabled();
  const other = await openBrowser(signedInAs(viewer));
  await other.goto("roles/Member");
  await expect(other.getByRole("note").first()).toContainText("can’t change roles");
});
