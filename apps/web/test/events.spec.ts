import type { ConsoleClient } from "@gatehouse/client";
import type { Locator } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { tabTo } from "./support/keyboard.ts";
import { NIGHT } from "./support/night.ts";
import { newProject } from "./support/people.ts";
import { serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const MARKUP = '<img src="/stolen" onerror="alert(1)">';

/** Requests of an application with a server key of the project. */
async function application(api: ConsoleClient) {
  const { data } = await api.createKey({ body: { type: "SERVER", description: "events", environments: ["production"] } });
  return async (...events: { eventName: string; [field: string]: unknown }[]) => {
    const response = await fetch(`${serverUrl()}/v1/log_event`, {
      method: "POST",
      headers: { "STATSIG-API-KEY": data.key ?? "", "Content-Type": "application/json" },
      body: JSON.stringify({ events }),
    });
    expect(response.status).toBe(202);
  };
}

test("events appear as an application sends them, and lead to what one user did", async ({ page }) => {
  const { projectID, api } = await newProject();
  const log = await application(api);
  await page.goto(`/projects/${projectID}/events`);
  await expect(page.getByText("No events yet")).toBeVisible();
  await log({ eventName: "add_to_cart", user: { userID: "ada" }, value: "SNEAKER-42", metadata: { price: "89.00" } });
  await expect(page.getByRole("rowheader", { name: "add_to_cart" })).toBeVisible();
  await log({ eventName: "page_view", user: { userID: "ben" } }, { eventName: "page_view", user: { userID: "ada" } });
  await expect(page.getByRole("row", { name: /^page_view/ })).toContainText("2");

  await page.getByRole("rowheader", { name: "page_view" }).click();
  const latest = page.getByRole("table", { name: "Latest events" });
  await expect(latest.getByRole("row")).toHaveCount(3);
  await log({ eventName: "page_view", user: { userID: "cleo" }, value: 3 });
  await expect(latest.getByRole("row").nth(1)).toContainText("cleo");
  const user = page.getByRole("searchbox", { name: "User ID" });
  await user.fill("ada");
  await expect(latest.getByRole("row")).toHaveCount(2);
  const heightOf = async (part: Locator) => (await part.boundingBox())?.height;
  await expect.poll(() => heightOf(page.getByRole("search", { name: "Filters" }))).toBe(await heightOf(user));
  await expect(page).toHaveURL(/[?&]user=ada/);
  await expectAccessible(page);
  await user.fill("nobody");
  await expect(page.getByText("No events of this user")).toBeVisible();
  await page.getByRole("button", { name: "Show all users" }).click();
  await expect(latest.getByRole("row")).toHaveCount(4);
});

test("checks of a gate lead to the gate, and the gate shows its own checks alone", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: gate } = await api.createGate({ body: { name: "New checkout" } });
  // The pointer may rest on the link to this gate, which then loads.
  const { data: other } = await api.createGate({ body: { name: "Another" } });
  const check = (id: string, userID: string) => ({
    eventName: "statsig::gate_exposure",
    user: { userID },
    metadata: { gate: id, gateValue: "false", ruleID: "default" },
  });
  const log = await application(api);
  await log(check(gate.id, "ada"), check(other.id, "ben"));
  await page.goto(`/projects/${projectID}/events`);
  const row = page.getByRole("rowheader", { name: /^Gate checks/ });
  await expect(row).toContainText("statsig::gate_exposure");
  await row.click();
  await expect(page.getByRole("heading", { name: "Gate checks", level: 1 })).toBeVisible();
  await page.getByRole("link", { name: gate.id }).click();
  await page.getByRole("tab", { name: "Checks" }).click();
  const checks = page.getByRole("table", { name: "Latest checks" });
  await expect(checks.getByRole("row")).toHaveCount(2);
  await expect(checks).toContainText("ada");
});

test("names are searched and sorted, and the address holds both", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const log = await application(api);
  await log({ eventName: "bought", time: 1 }, { eventName: "bought", time: 2 }, { eventName: "sought" }, { eventName: MARKUP });
  await page.goto(`/projects/${projectID}/events?sort=count`);
  await expect(page.getByRole("rowheader").first()).toHaveText("bought");
  await page.getByRole("columnheader", { name: "Events" }).click();
  await expect(page).toHaveURL(/order=asc/);
  await expect(page.getByRole("rowheader").last()).toHaveText("bought");
  await expect(page.getByRole("rowheader", { name: MARKUP })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Search events" }).fill("OUGHT");
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Search events" })).toHaveValue("OUGHT");
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Search events" }).fill("absent");
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(3);
});

test("the keyboard alone opens the events of a name", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const log = await application(api);
  const eventName = "größer / 100 %?";
  await log({ eventName, metadata: { text: "x".repeat(200), hostile: MARKUP } });
  await page.goto(`/projects/${projectID}`);
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  const row = page.getByRole("row", { name: /größer/ });
  await tabTo(page, row);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: eventName, level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: eventName, level: 1 })).toBeVisible();
  const metadata = page.getByRole("table", { name: "Latest events" }).locator("summary");
  await tabTo(page, metadata);
  await page.keyboard.press("Enter");
  await expect(page.locator("pre")).toContainText(JSON.stringify(MARKUP));
});
