import { expectAccessible } from "./support/accessibility.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a prompt is created, listed, and shows its versions", async ({ page }) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/prompts`);
  await expect(page.getByText("No prompts yet")).toBeVisible();
  await page.getByRole("button", { name: "Create prompt" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a prompt" });
  await dialog.getByLabel("Name").fill("Support answer");
  await dialog.getByLabel("Description").fill("Answers mails of customers.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Support answer", level: 1 })).toBeVisible();
  expect((await api.getPrompt({ path: { id: "support_answer" } })).data.description).toBe("Answers mails of customers.");
  await expectAccessible(page);
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText("Created the prompt.")).toBeVisible();
  await page.goto(`/projects/${projectID}/prompts?search=mails`);
  await expect(page.getByRole("rowheader")).toHaveText([/Support answer/]);
});
