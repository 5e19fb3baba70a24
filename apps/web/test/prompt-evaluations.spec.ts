import { test as playwright } from "@playwright/test";
import { startModelServer } from "../../server/test/support/model-server.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

let models: Awaited<ReturnType<typeof startModelServer>>;

playwright.beforeAll(async () => {
  models = await startModelServer();
});
playwright.beforeEach(() => models.answer());
playwright.afterAll(() => models.close());

const CSV = "order,expected\nOne lamp,Order: One lamp\nTwo mugs,Two mugs\n";

test("a model endpoint is connected and checked, rows are uploaded, versions are evaluated and scored, and an evaluation is canceled", async ({
  page,
  expectFault,
}) => {
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/settings?tab=model`);
  await expect(page.getByText("No model endpoint yet")).toBeVisible();
  await page.getByRole("textbox", { name: "Base URL" }).fill(models.url);
  await page.getByRole("textbox", { name: "Default model" }).fill("small");
  await page.getByLabel("API key").fill("sk-secret");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Review" }).click();
  const connect = page.getByRole("dialog", { name: "Connect model endpoint?" });
  await expect(connect.getByText(/API key\s*: none → the new one/)).toBeVisible();
  await expect(connect).not.toContainText("sk-secret");
  await connect.getByRole("button", { name: "Connect" }).click();
  await expect(connect).toBeHidden();
  await page.getByRole("button", { name: "Check endpoint" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The model small answered." })).toBeVisible();
  await expect(page.getByLabel("API key")).toHaveValue("");
  expect((await api.getModelEndpoint({})).data).toMatchObject({ url: models.url, defaultModel: "small", keyTime: expect.any(Number) });

  const dataset = (await api.createPromptDataset({ body: { name: "Typical orders" } })).data;
  await page.goto(`/projects/${projectID}/prompt-datasets/${dataset.id}`);
  const upload = async (name: string, text: string) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Upload CSV or JSON" }).click();
    await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  };
  await upload("orders.json", '[\n  { "input" "order" }\n]');
  await expect(page.getByRole("alert")).toContainText("Line 2, column 13");
  expectFault(/^400: PATCH \/console\/v1\/prompt_datasets\/typical_orders\?dryRun=true$/);
  await upload("orders.csv", `${CSV}Three,columns,here\n`);
  await expect(page.getByRole("alert")).toContainText("line 4");
  await upload("orders.csv", CSV);
  const rows = page.getByRole("table", { name: "Rows" });
  await expect(rows.getByRole("row").nth(1)).toHaveText(/1\s*One lamp\s*Order: One lamp/);
  await expectAccessible(page);
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await page
    .getByRole("dialog", { name: /^Review changes/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(saveBar(page)).toBeHidden();
  expect((await api.getPromptDataset({ path: { id: dataset.id } })).data.rows).toEqual([
    { input: { order: "One lamp" }, expected: "Order: One lamp" },
    { input: { order: "Two mugs" }, expected: "Two mugs" },
  ]);

  const { id } = (await api.createPrompt({ body: { name: "Order summary" } })).data;
  for (const [name, content] of [
    ["Short", "{{order}}"],
    ["Labeled", "Order: {{order}}"],
  ] as const)
    await api.createPromptVersion({ path: { id }, body: { name, prompts: [{ role: "user", content }] } });
  await page.goto(`/projects/${projectID}/prompts/${id}?tab=evaluations`);
  await page.getByRole("button", { name: "Evaluate version" }).click();
  const dialog = page.getByRole("dialog", { name: "Evaluate a version" });
  await dialog.getByRole("combobox", { name: "Dataset" }).fill("Typical");
  await page.getByRole("option", { name: "Typical orders" }).click();
  await dialog.getByLabel("Grader name").fill("Same text");
  await dialog.getByRole("button", { name: "Add grader" }).click();
  const second = dialog.getByRole("group", { name: "Grader 2" });
  await choose(page, second.getByRole("button", { name: /Grader type$/ }), "Matches regular expression");
  await second.getByRole("textbox", { name: "Regular expression" }).fill("^Order");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Start evaluation" }).click();
  await expect(dialog).toBeHidden();
  const evaluations = page.getByRole("table", { name: "Evaluations", exact: true });
  await expect(evaluations.getByRole("row").nth(1)).toContainText(/Labeled.*Completed.*2 of 2.*75%/);

  // The prompt keeps the dataset and the graders.
  await page.getByRole("button", { name: "Evaluate version" }).click();
  await choose(page, dialog.getByRole("button", { name: /Version$/ }), "Short");
  await dialog.getByRole("button", { name: "Start evaluation" }).click();
  const scores = page.getByRole("table", { name: "Scores by version" });
  await expect(scores.getByRole("row")).toHaveText([
    /Version\s*All graders\s*Same text\s*Grader\s*Rows/,
    /Labeled\s*75%\s*50%\s*100%\s*2 of 2/,
    /Short\s*25%\s*50%\s*0%\s*2 of 2/,
  ]);
  await expectAccessible(page);
  await evaluations.getByRole("link", { name: "Short" }).click();
  await expect(page.getByRole("heading", { name: "Evaluation of Short", level: 1 })).toBeVisible();
  await expect(page.getByRole("table", { name: "Rows" }).getByRole("row").nth(2)).toHaveText(
    /2\s*order: Two mugs\s*Two mugs\s*Two mugs\s*100%\s*0%/,
  );
  await expectAccessible(page);

  // The model no longer answers.
  models.answer(() => () => undefined);
  await page.getByRole("link", { name: "Evaluations" }).click();
  await page.getByRole("button", { name: "Evaluate version" }).click();
  await dialog.getByRole("button", { name: "Start evaluation" }).click();
  await expect(evaluations.getByRole("row").nth(1)).toContainText("Running");
  await evaluations.getByRole("row").nth(1).getByRole("link").click();
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Cancel evaluation" }).click();
  await page.getByRole("dialog", { name: "Cancel this evaluation?" }).getByRole("button", { name: "Cancel evaluation" }).click();
  await expect(page.getByText("Canceled", { exact: true })).toBeVisible();
  await expect(page.getByText("No output")).toHaveCount(2);
  expect((await api.listPromptEvaluations({ path: { id } })).data.map(({ status }) => status)).toEqual([
    "CANCELED",
    "COMPLETED",
    "COMPLETED",
  ]);
});

test("messages of a version are previewed with a row of a dataset, edited, run, and added as a version", { tag: NIGHT }, async ({
  page,
}) => {
  const { projectID, api } = await newProject();
  const { id: datasetID } = (await api.createPromptDataset({ body: { name: "Typical orders", csv: CSV } })).data;
  const evaluation = { datasetID, graders: [{ name: "Same text", type: "equals" as const }] };
  const { id } = (await api.createPrompt({ body: { name: "Order summary", evaluation } })).data;
  const prompts = [{ role: "user" as const, content: "{{tone}}Order: {{order}}" }];
  await api.createPromptVersion({ path: { id }, body: { name: "First", prompts, top_p: 0.5 } });
  await page.goto(`/projects/${projectID}/prompts/${id}?tab=playground`);
  await page.getByRole("textbox", { name: "Row" }).fill("2");
  await page.getByRole("button", { name: "Use row" }).click();
  await expect(page.getByRole("textbox", { name: "order" })).toHaveValue("Two mugs");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("article")).toHaveText(/user\s*Order: Two mugs/);
  await expect(page.getByText("No value for: tone")).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel("Message 1", { exact: true }).fill("Your order: {{order}}");
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("main")).toContainText("The project has no model endpoint.");
  await expect(page.getByRole("link", { name: "Connect a model endpoint" })).toHaveAttribute("href", /settings\?tab=model$/);
  await api.patchModelEndpoint({ body: { url: models.url, defaultModel: "small" } });
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("article", { name: "Output" })).toHaveText(/^Output of small in [\d.]+ s\s*Your order: Two mugs$/);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add as version" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a version" });
  await dialog.getByLabel("Name").fill("Second");
  await dialog.getByRole("button", { name: "Add version" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: /Start from version$/ })).toContainText("Second");
  const { versions = [] } = (await api.getPrompt({ path: { id } })).data;
  expect(versions.at(-1)).toMatchObject({ name: "Second", prompts: [{ role: "user", content: "Your order: {{order}}" }], top_p: 0.5 });
});
