import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, SIGNED_OUT, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const PAGES = [
  ["people", "People"],
  ["teams", "Teams"],
  ["roles", "Roles"],
  ["audit-log", "Audit log"],
] as const;

test("the pages of people, teams, roles and the audit log have no barriers", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  await newGate(api, { name: "Logged gate" });
  await api.createTeam({ body: { name: "Checkout team" } });
  for (const [path, heading] of PAGES) {
    await page.goto(`/projects/${projectID}/${path}`);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test("invited people get a link that is shown once, and the open invitation is revoked after a review", async ({ page, openBrowser }) => {
  const { projectID, api } = await newProject();
  const [kim, robin] = [`${unique("kim")}@example.com`, `${unique("robin")}@example.com`];
  await page.goto(`/projects/${projectID}/people`);
  await page.getByRole("button", { name: "Invite people" }).click();
  const invite = page.getByRole("dialog", { name: "Invite people" });
  await expect(invite).toContainText("You’ll get a link to send to each person who can’t sign in yet.");
  await invite.getByLabel("Email addresses").fill(`${kim}\n${robin}`);
  await choose(page, invite.getByRole("button", { name: /Role$/ }), /^Viewer/);
  await invite.getByRole("button", { name: "Invite 2 people" }).click();
  const links = page.getByRole("alertdialog", { name: "2 people invited" });
  const link = await links.getByRole("region", { name: `Link for ${kim}` }).textContent();
  await links.getByRole("button", { name: "I have copied the links" }).click();

  await expect(page.getByRole("row", { name: kim })).toContainText("Invited");
  await page.getByRole("tab", { name: "Invitations" }).click();
  await page.getByRole("button", { name: `Revoke the invitation of ${robin}` }).click();
  const revoke = page.getByRole("dialog", { name: `Revoke the invitation of ${robin}?` });
  await expect(revoke.getByRole("article").last()).toContainText(`${robin}No longer a member`);
  await revoke.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText(`Revoked the invitation of ${robin}`)).toBeVisible();
  expect((await api.listInvitations({})).data.map(({ email }) => email)).toEqual([kim]);

  const theirs = await openBrowser(SIGNED_OUT);
  await theirs.goto(link ?? "");
  await theirs.getByRole("textbox", { name: "Name" }).fill("Kim");
  await theirs.getByLabel("Password").fill("seven bridges of Königsberg");
  await theirs.getByRole("button", { name: "Continue" }).click();
  await expect(theirs.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await page.getByRole("tab", { name: "Members" }).click();
  await expect(page.getByRole("row", { name: kim })).toContainText("Invited");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByRole("row", { name: kim })).not.toContainText("Invited");
  expect((await api.getUser({ path: { email: kim } })).data).toMatchObject({ firstName: "Kim", role: "Viewer" });
});

test("an Admin of one project ends its members' sessions, except for people who are members elsewhere", { tag: NIGHT }, async ({
  openBrowser,
  expectFault,
}) => {
  const [own, other] = [await newProject(), await newProject()];
  const admin = await invitePerson(own, "Admin", "Ada of one project");
  const member = await invitePerson(own, "Member", "Grace of one project");
  const shared = await invitePerson(own, "Member", "Kim of two projects");
  await other.api.updateProjectMember({ path: { id: other.projectID, email: shared.email }, body: { role: "Viewer" } });
  const page = await openBrowser(signedInAs(admin));
  await page.goto(`/projects/${own.projectID}/people`);
  await page.getByRole("row", { name: /Grace of one project/ }).click();
  const sessions = page.getByRole("dialog", { name: "Grace of one project" }).getByRole("region", { name: "Sessions" });
  await sessions.getByRole("button", { name: "End all sessions" }).click();
  await expect(sessions).toContainText("Not signed in anywhere.");
  await expect(member.api.getSession()).rejects.toMatchObject({ status: 401 });
  await page.getByRole("button", { name: "Close", exact: true }).click();
  expectFault(/^403: GET \/console\/v1\/people\/.*\/(sessions|second_factors)$/);
  await page.getByRole("row", { name: /Kim of two projects/ }).click();
  await expect(page.getByRole("dialog", { name: "Kim of two projects" }).getByRole("region", { name: "Sessions" })).toContainText(
    "Only server administrators",
  );
});

test("a person's page says why they have access; their role changes after a review, which follows somebody else's change", async ({
  api,
  page,
  newPerson,
}) => {
  const { email } = await newPerson("Viewer", "Grace of the roles");
  await page.goto("people?search=Grace of the roles");
  await page.getByRole("rowheader", { name: /Grace of the roles/ }).click();
  const person = page.getByRole("dialog", { name: "Grace of the roles" });
  await expect(person.getByRole("region", { name: "Access" })).toContainText("The role Viewer in the project");
  await choose(page, person.getByRole("button", { name: /Role$/ }), /^Member/);
  await person.getByRole("button", { name: "Review role" }).click();
  const review = page.getByRole("dialog", { name: "Change the role of Grace of the roles" });
  await expect(review.getByRole("listitem")).toHaveText(["Role: Viewer → Member"]);
  await api.updateUser({ path: { email }, body: { role: "Admin" } });
  await expect(review.getByRole("listitem")).toHaveText(["Role: Admin → Member"]);
  await review.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Grace of the roles is now Member")).toBeVisible();
  expect((await api.getUser({ path: { email } })).data.role).toBe("Member");
});

test("a person removed from the project finds it gone, and can be invited again", async ({
  api,
  page,
  openBrowser,
  allowFault,
  newPerson,
}) => {
  // The page hears of the change and may read the member again before the dialog has closed.
  allowFault(/^404: GET \/console\/v1\/users\//);
  // Their page may still be reading the people of the project.
  allowFault(/^403: GET \/console\/v1\/users\?/);
  const person = await newPerson("Member", "Grace who leaves");
  const theirs = await openBrowser(signedInAs(person));
  await theirs.goto("gates");
  await expect(theirs.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
  await page.goto(`people?search=${person.email}`);
  await page.getByRole("rowheader", { name: /Grace who leaves/ }).click();
  await page.getByRole("dialog", { name: "Grace who leaves" }).getByRole("button", { name: "Remove from project" }).click();
  const review = page.getByRole("dialog", { name: "Remove Grace who leaves from the project?" });
  await review.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Grace who leaves is no longer a member")).toBeVisible();
  await expect(api.getUser({ path: { email: person.email } })).rejects.toMatchObject({ status: 404 });
  await theirs.reload();
  await expect(theirs.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await api.inviteUsers({ body: { role: "Viewer", emails: [person.email] } });
  await theirs.reload();
  await expect(theirs.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
});
