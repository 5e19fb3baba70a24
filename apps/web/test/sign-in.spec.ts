import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { SIGNED_OUT, signedInAs, unique } from "./support/people.ts";
import { createApi, serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const NOBODY_YET = /^401: GET \/console\/v1\/session$/;

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a wrong password says so, and the right one leads to the page that was asked for", async ({
  openBrowser,
  expectFault,
  newPerson,
}) => {
  const person = await newPerson("Viewer");
  const page = await openBrowser(SIGNED_OUT);
  expectFault(NOBODY_YET);
  await page.goto("gates?search=asked-for&environment=staging");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expectFault(/^401: POST \/console\/v1\/session$/);
  await signIn(page, { ...person, password: "not the password" });
  await expect(page.getByRole("alert")).toHaveText("Email or password is wrong.");
  await signIn(page, person);
  await expect(page.getByRole("searchbox", { name: "Search gates" })).toHaveValue("asked-for");
  await expect(page.getByRole("button", { name: "Environment: staging" })).toBeVisible();
});

test("the way back never leads to another site", async ({ openBrowser, newPerson, project }) => {
  const person = await newPerson("Viewer");
  for (const next of ["//example.com/", "/\\example.com/", "https://example.com/", "javascript:alert(1)"]) {
    const page = await openBrowser(SIGNED_OUT);
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page, person);
    await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
    expect(page.url()).toBe(`${serverUrl()}/projects/${project.projectID}`);
  }
});

test("signing out ends the session: a copy of its cookie is refused", async ({ openBrowser, expectFault, newPerson }) => {
  const person = await newPerson("Viewer");
  const page = await openBrowser(signedInAs(person));
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await expect(createApi(person.session).getSession()).resolves.toMatchObject({ data: { person: { email: person.email } } });
  await page.getByRole("button", { name: "Account of Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(createApi(person.session).getSession()).rejects.toMatchObject({ status: 401 });
  expect(await page.context().cookies()).toEqual([]);

  expectFault(NOBODY_YET);
  const thief = await openBrowser(signedInAs(person));
  await thief.goto("gates");
  await expect(thief.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("an invitation's link names the inviter, the project and the address, and lets the person in", async ({ project, openBrowser }) => {
  const email = `${unique("invited")}@example.com`;
  const { data } = await project.api.inviteUsers({ body: { role: "Viewer", emails: [email] } });
  const page = await openBrowser(SIGNED_OUT);
  await page.goto("/welcome");
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  await page.goto(`/welcome#${data[0]?.token}`);
  await page.reload();
  await expect(page.getByRole("main")).toContainText(`Ada Lovelace invited you to the project ${project.name} as ${email}.`);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByLabel("Password")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Password").fill("an attic full of maps");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
});

test("a session that ends in the middle, even while the page still loads, asks to sign in again and keeps the draft", async ({
  api,
  openBrowser,
  expectFault,
  newPerson,
}) => {
  const person = await newPerson("Member");
  const { data: gate } = await api.createGate({ body: { name: unique("kept_draft") } });
  const page = await openBrowser(signedInAs(person));
  const refused = page.waitForResponse((response) => response.status() === 401);
  await page.route("**/assets/overlays-*.js", async (route) => {
    await refused;
    await route.continue();
  });
  await page.goto(`gates/${gate.id}?tab=details`);
  await page.getByRole("textbox", { name: "Description" }).fill("Written before the session ended");
  const { data: sessions } = await person.api.listSessions();
  expectFault(/^401: /);
  for (const { id } of sessions) await person.api.endSession({ path: { id } });

  await page.getByRole("button", { name: "Review" }).click();
  const again = page.getByRole("alertdialog", { name: "Your session has ended" });
  await expect(again.getByLabel("Email")).toHaveValue(person.email);
  await page.keyboard.press("Escape");
  await again.getByLabel("Password").fill(person.password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await expect(again).toBeHidden();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "Unsaved changes" })).toBeHidden();
  const { data: saved } = await api.getGate({ path: { id: gate.id } });
  expect(saved).toMatchObject({ description: "Written before the session ended", lastModifierEmail: person.email });
});
