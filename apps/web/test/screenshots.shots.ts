import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { compare, condition } from "./support/conditions.ts";
import { choose, review } from "./support/gates.ts";
import { ADMINISTRATOR, createApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** What a window of 1440 × 900 shows at a zoom of 200 %. */
const ZOOMED = { width: 720, height: 450 };

async function take(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await page.screenshot({ path: fileURLToPath(new URL(`../../../docs/public/tour/${name}.png`, import.meta.url)) });
}

test("the pictures of the README and the tour, of the sample project", async ({ page }) => {
  const { email, password } = ADMINISTRATOR;
  const { session } = await createApi().createSession({ body: { email, password } });
  const { data: sample } = await createApi(session).createSampleProject();
  const api = createApi(session, sample.id ?? undefined);
  await expect.poll(async () => (await api.getSampleProject()).data.state, { timeout: 100_000 }).toBe("ready");
  const open = async (path: string, heading: string) => {
    await page.goto(`/projects/${sample.id}/${path}`);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
  };
  const dialog = page.getByRole("dialog");

  await page.setViewportSize(DESKTOP);
  await open("", "Home");
  await take(page, "home");

  await open("gates", "Gates");
  await take(page, "gates");
  for (const name of ["New search", "Maintenance banner", "Wallet payments"]) {
    await page.getByRole("row", { name }).getByRole("checkbox").click({ force: true });
  }
  await page.getByRole("region", { name: "Selected gates" }).getByRole("button", { name: "Archive" }).click();
  await expect(dialog).toContainText("recent users get a different value");
  await take(page, "archive");

  await page.setViewportSize(PHONE);
  await open("gates", "Gates");
  await take(page, "gates-phone");
  await page.setViewportSize(DESKTOP);

  await open("gates/wallet_payments", "Wallet payments");
  await take(page, "gate");
  await open("gates/new_search", "New search");
  await page
    .getByRole("button", { name: /^Edit / })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Pass percentage" }).fill("5");
  await page.getByRole("button", { name: "Use a schedule" }).click();
  await page.getByRole("menuitem", { name: /^Steady/ }).click();
  await review(page);
  await expect(dialog).toContainText("recent users");
  await take(page, "review");

  await page.setViewportSize(ZOOMED);
  await open("gates/maintenance_banner", "Maintenance banner");
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await compare(page, 1, "Country");
  await condition(page, 1).scrollIntoViewIfNeeded();
  await take(page, "condition-zoomed");
  await page.setViewportSize(DESKTOP);

  await open("experiments/sticky_cart_button", "Sticky cart button");
  await take(page, "setup");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(dialog).toContainText("can’t be estimated");
  await take(page, "start");
  await dialog.getByRole("button", { name: "Start" }).click();
  await expect(dialog).toBeHidden();
  await open("layers/product_page", "Product page");
  await take(page, "layer");

  await open("experiments/larger_photos?tab=results", "Larger photos");
  await expect(page.getByRole("table", { name: "Scorecard" })).toBeVisible();
  await page.getByRole("button", { name: "Ship a group" }).click();
  await choose(page, dialog.getByRole("button", { name: /Winning group/ }), "Treatment");
  await expect(dialog).toContainText("recent users");
  await take(page, "decision");

  await page.setViewportSize({ width: 1280, height: 1000 });
  await open("experiments/one_page_checkout?tab=results", "One-page checkout");
  await expect(page.getByRole("table", { name: "Scorecard" })).toBeVisible();
  await take(page, "results");
});
