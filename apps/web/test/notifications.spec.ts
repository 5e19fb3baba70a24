import { expectAccessible } from "./support/accessibility.ts";
import { newGate, rule } from "./support/gates.ts";
import { invitePerson, newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a requested review and a mention reach another person's bell, and are read when they are opened", async ({ openBrowser }) => {
  const project = await newProject();
  const { projectID, api } = project;
  const author = await invitePerson(project, "Member", "Ada Author");
  const reviewer = await invitePerson(project, "Member", "Rosa Reviewer");
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const { environments } = (await api.getEnvironments()).data;
  await api.updateEnvironments({ body: { environments: environments.map((one) => ({ ...one, requiresReview: true })) } });

  const theirs = await openBrowser(signedInAs(reviewer));
  await theirs.goto(`/projects/${projectID}/notifications`);
  await expect(theirs.getByRole("main")).toContainText("You’re all caught up");
  await expectAccessible(theirs);
  await expect(author.api.patchGate({ path: { id: gate.id }, body: { rules: [] }, query: { reason: "The sale ends." } })).rejects.toThrow();
  const bell = theirs.getByRole("banner").getByRole("link", { name: "Notifications, 1 unread" });
  await expect(bell).toBeVisible();
  const list = theirs.getByRole("list", { name: "Unread notifications" });
  await expect(list).toContainText(`Ada Author wants to change the gate ${gate.name} and asks for your approval: “The sale ends.”`);
  await expectAccessible(theirs);
  await list.getByRole("link", { name: "Review requested" }).click();
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText(`Change to gate ${gate.name}`);
  await expect(theirs.getByRole("banner").getByRole("link", { name: "Notifications", exact: true })).toBeVisible();

  // By keyboard alone: the suggestion is chosen with the arrow and Enter.
  const comment = theirs.getByRole("textbox", { name: "Comment" });
  await comment.focus();
  await theirs.keyboard.type("Why now, @ada");
  await expect(theirs.getByRole("list", { name: "People to mention" })).toContainText(`Ada Author ${author.email}`);
  await expectAccessible(theirs);
  await theirs.keyboard.press("ArrowDown");
  await theirs.keyboard.press("Enter");
  await expect(comment).toBeFocused();
  await theirs.keyboard.type("?");
  await expect(comment).toHaveValue("Why now, @Ada Author ?");
  await theirs.getByRole("button", { name: "Add comment" }).click();
  const mentioned = theirs.getByRole("list", { name: "Discussion" }).getByRole("strong");
  await expect(mentioned).toHaveText("@Ada Author");
  await expect(mentioned).toHaveAttribute("title", author.email);

  const page = await openBrowser(signedInAs(author));
  await page.goto(`/projects/${projectID}/gates`);
  await page.getByRole("banner").getByRole("link", { name: "Notifications, 1 unread" }).click();
  const mention = page.getByRole("list", { name: "Unread notifications" }).getByRole("listitem");
  await expect(mention).toContainText(
    `Rosa Reviewer mentioned you in a comment on changes to the gate ${gate.name}: “Why now, @Ada Author ?”`,
  );
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByRole("main")).toContainText("You’re all caught up");
  await page.getByRole("tab", { name: "All" }).click();
  await page.getByRole("list", { name: "All notifications" }).getByRole("button", { name: "Mark as unread" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();

  await page.getByRole("tab", { name: "Settings" }).click();
  const mentions = page.getByRole("switch", { name: "Mentions" });
  await expect(mentions).toBeChecked();
  await mentions.focus();
  await page.keyboard.press("Space");
  await expect(mentions).not.toBeChecked();
  await expectAccessible(page);
  await expect
    .poll(async () => (await author.api.getNotificationSettings({ path: { id: projectID } })).data.inbox)
    .toEqual(["ALERT", "EXPERIMENT", "GUARDRAIL", "REVIEW", "ROLLOUT", "SCHEDULED_CHANGE"]);
});
