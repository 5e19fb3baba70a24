import { fileURLToPath } from "node:url";
import { ADMINISTRATOR, createApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const picture = (name: string) => fileURLToPath(new URL(`../screenshots/${name}.png`, import.meta.url));

test("the pictures of the README, of the sample project", async ({ page }) => {
  const { email, password } = ADMINISTRATOR;
  const { session } = await createApi().createSession({ body: { email, password } });
  const api = createApi(session);
  const { data: sample } = await api.createSampleProject();
  await expect.poll(async () => (await api.getSampleProject()).data.state, { timeout: 100_000 }).toBe("ready");

  await page.goto(`/projects/${sample.id}/gates/wallet_payments`);
  await expect(page.getByRole("heading", { name: "Wallet payments", level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await page.screenshot({ path: picture("gate") });

  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(`/projects/${sample.id}/experiments/one_page_checkout?tab=results`);
  await expect(page.getByRole("table", { name: "Scorecard" })).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await page.screenshot({ path: picture("experiment") });
});
