import { expectAccessible } from "./support/accessibility.ts";
import { newGate } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a comment on a gate mentions someone, who follows the notification to it and answers", async ({ openBrowser }) => {
  const project = await newProject();
  const { projectID, api } = project;
  const author = await invitePerson(project, "Member", "Ada Author");
  const reader = await invitePerson(project, "Viewer", "Rosa Reader");
  const gate = await newGate(api);

  const page = await openBrowser(signedInAs(author));
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await page.getByRole("tab", { name: "Comments" }).focus();
  await page.keyboard.press("Enter");
  const comment = page.getByRole("textbox", { name: "Comment" });
  await comment.focus();
  await page.keyboard.type("Is it ready, @rosa");
  await expect(page.getByRole("list", { name: "People to mention" })).toContainText("Rosa Reader");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("?");
  await page.getByRole("button", { name: "Add comment" }).click();
  const list = page.getByRole("list", { name: "Comments" });
  await expect(list.getByRole("strong")).toHaveText("@Rosa Reader");
  await expect(comment).toHaveValue("");
  await expect(page.getByRole("tab", { name: "Comments" })).toContainText("1");
  await expectAccessible(page);

  const theirs = await openBrowser(signedInAs(reader));
  await theirs.setViewportSize({ width: 390, height: 800 });
  await theirs.goto(`/projects/${projectID}/notifications`);
  const mention = theirs.getByRole("list", { name: "Unread notifications" }).getByRole("listitem");
  await expect(mention).toContainText(`Ada Author mentioned you in a comment on the gate ${gate.name}: “Is it ready, @Rosa Reader ?”`);
  await mention.getByRole("link", { name: "You were mentioned" }).click();
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText(gate.name);
  const linked = theirs.getByRole("list", { name: "Comments" }).getByRole("listitem");
  await expect(linked).toHaveAttribute("aria-current", "true");
  await expect(linked).toBeInViewport();
  await expect(linked.getByRole("button")).toHaveCount(0);
  await theirs.getByRole("textbox", { name: "Comment" }).fill("Not yet.");
  await theirs.getByRole("button", { name: "Add comment" }).click();
  await expectAccessible(theirs);
  expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  // The answer appears without a reload. Its author alone can edit it.
  const [first, answer] = [list.getByRole("listitem").first(), list.getByRole("listitem").last()];
  await expect(answer).toContainText("Not yet.");
  await expect(answer.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await first.getByRole("button", { name: "Edit" }).click();
  await first.getByRole("textbox", { name: "Edit comment" }).fill("Is it ready?");
  await first.getByRole("button", { name: "Save comment" }).click();
  await expect(first).toContainText(/Is it ready\?.*/);
  await expect(first).toContainText("edited");
  await answer.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  const { data } = await api.listComments({ query: { type: "gate", id: gate.id } });
  expect(data).toMatchObject([{ text: "Is it ready?", author: { email: author.email }, version: 2 }]);
});

test("a link leads to an older comment, and says so once the comment is deleted", { tag: NIGHT }, async ({ api, page }) => {
  const gate = await newGate(api);
  const write = async (text: string) => (await api.createComment({ body: { entityType: "gate", entityID: gate.id, text } })).data.id;
  const oldest = await write("The oldest one");
  for (let count = 0; count < 100; count++) await write(`Later ${count}`);
  const address = `gates/${gate.id}?tab=comments&comment=${oldest}`;
  await page.goto(address);
  const linked = page.getByRole("list", { name: "Comments" }).getByRole("listitem");
  await expect(linked).toHaveCount(1);
  await expect(linked).toContainText("The oldest one");
  await expect(linked).toBeFocused();
  await expectAccessible(page);
  await api.deleteComment({ path: { id: oldest } });
  await page.goto(address);
  await expect(page.getByRole("note").filter({ hasText: "was deleted" })).toHaveText("The comment that this link leads to was deleted.");
  await expect(linked).toHaveCount(100);
});
