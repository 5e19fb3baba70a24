import { expectAccessible } from "./support/accessibility.ts";
import { choose, saveBar } from "./support/gates.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, signedInAs } from "./support/people.ts";
import { ADMINISTRATOR, createApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const ACCOUNT = "account";

test("a person changes their name by keyboard alone, and the menu calls them by it", { tag: NIGHT }, async ({ openBrowser, newPerson }) => {
  const person = await newPerson("Member", "Grace Hopper");
  const page = await openBrowser(signedInAs(person));
  await page.goto("gates");
  await tabTo(page, page.getByRole("button", { name: "Account of Grace Hopper" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Your account" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your account", level: 1 })).toBeVisible();
  await tabTo(page, page.getByLabel("Last name"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Murray");
  await tabTo(page, saveBar(page).getByRole("button", { name: "Save" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Account of Grace Murray" })).toBeVisible();
  await expect(saveBar(page)).toBeHidden();
  expect((await person.api.getSession()).data.person).toMatchObject({ firstName: "Grace", lastName: "Murray" });
});

test("leaving the account with an unsaved name asks first", async ({ openBrowser, viewer }) => {
  const page = await openBrowser(signedInAs(viewer));
  await page.goto(ACCOUNT);
  await page.getByLabel("First name").fill("Unsaved");
  await page.getByRole("link", { name: "Teams" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("First name")).toHaveValue("Unsaved");
});

test("the chosen project is the one that opens", async ({ openBrowser, newPerson }) => {
  const { projectID, api } = await newProject();
  const person = await newPerson("Member");
  await api.inviteUsers({ body: { role: "Viewer", emails: [person.email] } });
  const { name } = (await api.getSettings()).data;
  const page = await openBrowser(signedInAs(person));
  await page.goto(ACCOUNT);
  await expect(page.getByRole("table", { name: "Your access" }).getByRole("row", { name })).toContainText("Viewer");
  await choose(page, page.getByRole("button", { name: /Default project$/ }), name);
  await saveBar(page).getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();
  await page.goto("/");
  await expect(page).toHaveURL(new RegExp(`/projects/${projectID}`));
});

test("another password ends the other sessions, and a wrong current one changes nothing", async ({
  openBrowser,
  expectFault,
  newPerson,
}) => {
  const person = await newPerson("Member");
  const { session: elsewhere = "" } = await createApi().createSession({ body: { email: person.email, password: person.password } });
  const page = await openBrowser(signedInAs(person));
  await page.goto(ACCOUNT);
  await expect(page.getByRole("table", { name: "Sessions" }).getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  const next = "a bridge across the Pregel";
  expectFault(/^400: PUT \/console\/v1\/session\/password$/);
  await page.getByLabel("Current password").fill("not this one at all");
  await page.getByLabel("New password").fill(next);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("region", { name: "Password" }).getByRole("alert")).toBeVisible();
  await page.getByLabel("Current password").fill(person.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed. Your other sessions have ended.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Sessions" }).getByRole("row")).toHaveCount(2);
  await expect(createApi(elsewhere).getSession()).rejects.toMatchObject({ status: 401 });
  await expect(createApi().createSession({ body: { email: person.email, password: next } })).resolves.toMatchObject({
    data: { person: { email: person.email } },
  });
});

test("one other session ends, and then all of them, but never this one", async ({ openBrowser, newPerson }) => {
  const person = await newPerson("Member");
  const signIn = async () => (await createApi().createSession({ body: { email: person.email, password: person.password } })).session ?? "";
  const others = [await signIn(), await signIn(), await signIn()];
  const page = await openBrowser(signedInAs(person));
  await page.goto(ACCOUNT);
  const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await page
    .getByRole("button", { name: /^End the session of/ })
    .first()
    .click();
  await expect(page.getByText("Session ended")).toBeVisible();
  await expect(rows).toHaveCount(4);
  await page.getByRole("button", { name: "End all others" }).click();
  await expect(page.getByText("2 sessions have ended")).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("This one");
  for (const session of others) await expect(createApi(session).getSession()).rejects.toMatchObject({ status: 401 });
  expect((await person.api.getSession()).data.person.email).toBe(person.email);
});

test("the account of an administrator says so", { tag: NIGHT }, async ({ page }) => {
  await page.goto(ACCOUNT);
  await expect(page.getByRole("note").filter({ hasText: "You’re a server administrator" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(ADMINISTRATOR.email);
});
