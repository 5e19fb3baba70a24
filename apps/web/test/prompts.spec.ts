import { expectAccessible } from "./support/accessibility.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a prompt is created, listed, and shows its history", async ({ page }) => {
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

test("versions of a prompt are added, compared, made live and deleted", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { id } = (await api.createPrompt({ body: { name: "Greeting" } })).data;
  const prompt = async () => (await api.getPrompt({ path: { id } })).data;
  await page.goto(`/projects/${projectID}/prompts/${id}`);
  await page.getByRole("button", { name: "Add version" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a version" });
  await dialog.getByLabel("Name").fill("Polite");
  await dialog.getByLabel("Model", { exact: true }).fill("small");
  await dialog.getByLabel("Message 1", { exact: true }).fill("Greet {{name}} politely.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add version" }).click();
  const row = (name: string) => page.getByRole("row", { name });
  await expect(row("Polite")).toContainText("Candidate");

  // The next version begins with the text of the last one.
  await page.getByRole("button", { name: "Add version" }).click();
  await dialog.getByLabel("Name").fill("Short");
  await expect(dialog.getByLabel("Model", { exact: true })).toHaveValue("small");
  await dialog.getByLabel("Message 1", { exact: true }).fill("Greet {{name}} shortly.");
  await dialog.getByRole("button", { name: "Add version" }).click();
  await expect(row("Short")).toContainText("Candidate");
  await expect(page.getByRole("region", { name: "Compare" }).locator("mark")).toHaveText(["politely.", "shortly."]);
  await expectAccessible(page);

  const choose = async (name: string, action: string) => {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
    await page.getByRole("dialog").getByRole("button", { name: action }).click();
  };
  const noneLive = page.getByText("No version is live. Apps get nothing from this prompt until you make one live.");
  await expect(noneLive).toBeVisible();
  await choose("Short", "Make live");
  await expect(row("Short")).toContainText("Live");
  await expect(noneLive).toBeHidden();
  await page.getByRole("button", { name: "More for Polite" }).click();
  await page.getByRole("menuitem", { name: "Make live" }).click();
  const question = page.getByRole("dialog", { name: "Make “Polite” live?" });
  await expect(question.getByRole("listitem")).toHaveText("“Polite” replaces “Short” as the live version.");
  await question.getByRole("button", { name: "Back" }).click();
  await choose("Polite", "Delete");
  await expect(row("Polite")).toHaveCount(0);
  const { versions = [], liveVersionID } = await prompt();
  expect(versions).toMatchObject([{ id: liveVersionID, name: "Short", prompts: [{ role: "system", content: "Greet {{name}} shortly." }] }]);
});
