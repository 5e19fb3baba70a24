import { expectAccessible } from "./support/accessibility.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, SIGNED_OUT, signedInAs, unique } from "./support/people.ts";
import { ADMINISTRATOR, administratorSession, createApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const SERVER = "instance";
const PROJECTS_PER_PAGE = 50;

const administrator = () => createApi(administratorSession());

test("an administrator finds a person and deactivates them, which signs them out", async ({ page, newPerson }) => {
  const person = await newPerson("Member", "Emmy Noether");
  await page.goto(SERVER);
  await page.getByRole("searchbox", { name: "Search people" }).fill(person.email);
  await page.getByRole("row", { name: /Emmy Noether/ }).click();
  const dialog = page.getByRole("dialog", { name: "Emmy Noether" });
  await expect(dialog).toContainText(person.email);
  await expectAccessible(page);
  await dialog.getByText("May sign in").click();
  await dialog.getByRole("button", { name: "Review" }).click();
  const review = page.getByRole("dialog", { name: /^Review/ });
  await expect(review).toContainText("They’re signed out everywhere.");
  await review.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /Emmy Noether/ })).toContainText("Deactivated");
  await expect(person.api.getSession()).rejects.toMatchObject({ status: 401 });
});

test("an administrator ends one session of a person, and then all", { tag: NIGHT }, async ({ page, newPerson }) => {
  const person = await newPerson("Member", "Hypatia of Alexandria");
  const { id } = (await person.api.getSession()).data.person;
  const { session = "" } = await createApi().createSession({ body: { email: person.email, password: person.password } });
  await page.goto(`${SERVER}?search=${person.email}&person=${id}`);
  const sessions = page.getByRole("dialog", { name: "Hypatia of Alexandria" }).getByRole("region", { name: "Sessions" });
  await expect(sessions.getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  await sessions
    .getByRole("button", { name: /^End the session of/ })
    .first()
    .click();
  await expect(page.getByText("Session ended")).toBeVisible();
  await expect(createApi(session).getSession()).rejects.toMatchObject({ status: 401 });
  expect((await person.api.getSession()).data.person.id).toBe(id);
  await sessions.getByRole("button", { name: "End all sessions" }).click();
  await expect(sessions).toContainText("Not signed in anywhere.");
  await expect(person.api.getSession()).rejects.toMatchObject({ status: 401 });
});

test("the last administrator stays one", async ({ page, expectFault }) => {
  await page.goto(SERVER);
  await page.getByRole("searchbox", { name: "Search people" }).fill(ADMINISTRATOR.email);
  await page.getByRole("row", { name: /Ada Lovelace/ }).click();
  const dialog = page.getByRole("dialog", { name: "Ada Lovelace" });
  await dialog.getByText("Server administrator:").click();
  expectFault(/^409: PATCH \/console\/v1\/people\/.*dryRun=true$/);
  await dialog.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("dialog", { name: /^Review/ }).getByRole("alert")).toContainText("administrator");
});

test("a lost race on a person shows what somebody else saved, and keeps the edit", { tag: NIGHT }, async ({
  page,
  expectFault,
  newPerson,
}) => {
  const { api: own, email } = await newPerson("Member", "Sofia Kovalevskaya");
  const { id } = (await own.getSession()).data.person;
  await page.goto(`${SERVER}?search=${email}&person=${id}`);
  const dialog = page.getByRole("dialog", { name: /^Sofia/ });
  await dialog.getByLabel("First name").fill("Sonya");
  await dialog.getByRole("button", { name: "Review" }).click();
  const save = page.getByRole("dialog", { name: /^Review/ }).getByRole("button", { name: "Save" });
  await expect(save).toBeEnabled();
  const api = administrator();
  await api.patchPerson({ path: { id }, body: { lastName: "Kowalewska" } });
  expectFault(new RegExp(`^412: PATCH /console/v1/people/${id}`));
  await save.click();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(dialog).toContainText("Someone else saved changes.");
  await expect(dialog.getByLabel("Last name")).toHaveValue("Kowalewska");
  await expect(dialog.getByLabel("First name")).toHaveValue("Sonya");
  expect((await api.getPerson({ path: { id } })).data.firstName).toBe("Sofia");
});

test("a password reset lets a person in again, and a revoked one does not work", async ({ page, openBrowser, expectFault, newPerson }) => {
  const person = await newPerson("Member", "Maria Agnesi");
  const { id } = (await person.api.getSession()).data.person;
  const makeLink = async () => {
    await page.goto(`${SERVER}?search=${person.email}&person=${id}`);
    await page.getByRole("dialog", { name: "Maria Agnesi" }).getByRole("button", { name: "Create password reset" }).click();
    const made = page.getByRole("alertdialog", { name: "The password reset" });
    const link = (await made.getByRole("region", { name: /^Link for/ }).textContent()) ?? "";
    await expectAccessible(page);
    await made.getByRole("button", { name: "I have copied the link" }).click();
    return link;
  };
  const other = await openBrowser(SIGNED_OUT);
  const open = async (link: string) => {
    await other.goto(link);
    await other.reload();
  };
  await open(await makeLink());
  await expect(other.getByLabel("Email")).toHaveValue(person.email);
  await other.getByLabel("Password").fill("the witch is a curve");
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByRole("button", { name: "Account of Maria Agnesi" })).toBeVisible();

  const revoked = await makeLink();
  await page.getByRole("tab", { name: "Password resets" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: `Revoke the password reset of ${person.email}` }).click();
  await page
    .getByRole("dialog", { name: /^Revoke/ })
    .getByRole("button", { name: "Revoke" })
    .click();
  await expect(page.getByText(`Revoked the password reset of ${person.email}`)).toBeVisible();
  await other.context().clearCookies();
  expectFault(/^401: POST \/console\/v1\/session\/redeem\/check$/);
  await open(revoked);
  await expect(other.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("the keyboard alone creates a project, whose key is shown once", { tag: NIGHT }, async ({ page }) => {
  await page.goto(`${SERVER}?view=projects`);
  await expectAccessible(page);
  await tabTo(page, page.getByRole("button", { name: "Create project" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Create a project" })).toBeVisible();
  const name = unique("Shop");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  const key = page.getByRole("alertdialog", { name: `The console key of ${name}` });
  await expect(key.getByRole("region", { name: "Key" })).toContainText(/^console-/);
  await tabTo(page, key.getByRole("button", { name: "I have copied it" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Get started", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: `Project ${name}` })).toBeVisible();
});

test("a project is deleted once its name is typed, and its address leads nowhere", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { name } = (await api.getSettings()).data;
  await page.goto(`/projects/${projectID}/instance?view=projects`);
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  const review = page.getByRole("dialog", { name: `Delete project ${name}?` });
  await expect(review).toContainText("permanently deleted");
  await expect(review.getByRole("button", { name: "Delete" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  await review.getByLabel(`Type ${name} to confirm`).fill(name);
  await review.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`${name} is deleted`)).toBeVisible();
  await expect(page).not.toHaveURL(new RegExp(projectID));
  await expect(administrator().getProjectByID({ path: { id: projectID } })).rejects.toMatchObject({ status: 403 });
  await page.goto(`/projects/${projectID}/gates`);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Gates");
});

test("the project of the command line cannot be deleted, and the button says why", async ({ page }) => {
  const row = page.getByRole("row", { name: /default/ });
  // It is the oldest project, and so the last one of the list, which grows while other workers create projects.
  await expect(async () => {
    const { pagination } = await administrator().listProjects({ query: { limit: PROJECTS_PER_PAGE } });
    await page.goto(`${SERVER}?view=projects&page=${Math.ceil(pagination.totalItems / PROJECTS_PER_PAGE)}`);
    await expect(row).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(row.getByRole("button", { name: "Delete default" })).toHaveAttribute("aria-disabled", "true");
});

test("only an administrator sees the people and projects of the server", async ({ openBrowser, newPerson }) => {
  const page = await openBrowser(signedInAs(await newPerson("Admin")));
  await page.goto(SERVER);
  await expect(page.getByRole("note")).toContainText("Only server administrators");
  await expect(page.getByRole("tablist")).toBeHidden();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.getByRole("menuitem", { name: "Your account" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "This server" })).toBeHidden();
});
