import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ConsoleClient } from "@gatehouse/client";
import { review } from "./support/gates.ts";
import { picturedEntities } from "./support/pictured-project.ts";
import { ADMINISTRATOR, createApi, evaluationApi, serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const SHOPPERS = 400;
const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
const picture = (name: string) => fileURLToPath(new URL(`../screenshots/${name}.png`, import.meta.url));

/** Shoppers who check the gate and take part in the experiment. */
async function sendShoppers(api: ConsoleClient): Promise<void> {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "the shop" } });
  const secret = key.key ?? "";
  const program = ["node_modules/tsx/dist/cli.mjs", "traffic.ts", "button_color", String(SHOPPERS)];
  const { status } = spawnSync(process.execPath, program, {
    cwd: examples,
    env: { ...process.env, GATEHOUSE_URL: serverUrl(), GATEHOUSE_KEY: secret },
    stdio: "inherit",
  });
  expect(status).toBe(0);
  const evaluation = evaluationApi(secret);
  for (let number = 1; number <= SHOPPERS; number++) {
    const context = { targetingKey: `shopper-${number}`, beta: number % 9 === 0 ? "yes" : "no" };
    await evaluation.evaluateFlag({ path: { key: "new_checkout" }, body: { context } });
  }
}

test("the pictures of the README", async ({ page }) => {
  const { email, password } = ADMINISTRATOR;
  const { session } = await createApi().createSession({ body: { email, password } });
  const { data: project } = await createApi(session).createProject({ body: { name: "Web shop" } });
  const projectID = project.id;
  const api = createApi(session, projectID);
  await api.batch({ requests: picturedEntities() });
  await sendShoppers(api);
  await expect
    .poll(async () => (await api.listEvents({ query: { search: "exposure" } })).data.length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(2);

  await page.goto(`/projects/${projectID}/gates/new_checkout`);
  await expect(page.getByText("10% of users")).toBeVisible();
  await page.screenshot({ path: picture("gate") });

  await page.getByRole("button", { name: "Edit 10% of users" }).click();
  await page.getByLabel("Pass percentage").fill("25");
  await page.keyboard.press("Enter");
  const dialog = await review(page);
  await expect(dialog.getByRole("region", { name: "Impact on users" })).toContainText(/of the \d+ users seen lately/);
  await page.screenshot({ path: picture("review") });

  await page.goto(`/projects/${projectID}/experiments/button_color`);
  await expect(page.getByRole("textbox", { name: /^Values of/ }).last()).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 1200 });
  await page.screenshot({ path: picture("experiment") });
});
