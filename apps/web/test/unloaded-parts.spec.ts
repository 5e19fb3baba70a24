import { newGate, openGate, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("an editor that cannot be loaded shows an error, keeps the page and its draft, and loads again", async ({ api, page, allowFault }) => {
  const { data: config } = await api.createDynamicConfig({ body: { name: unique("config"), rules: [] } });
  allowFault(/json5-editor/);
  allowFault(/^console error/);
  await page.route("**/assets/json5-editor-*.js", (route) => route.abort());
  await page.goto(`dynamic-configs/${config.id}?tab=details`);
  await page.getByRole("textbox", { name: "Description" }).fill("Written before");
  await page.getByRole("tab", { name: "Values" }).click();
  const notice = page.getByText("This part of the page can’t be shown");
  await expect(notice).toBeVisible();
  await expect(page.getByRole("region", { name: "Unsaved changes" })).toBeVisible();
  await page.unroute("**/assets/json5-editor-*.js");
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expect(notice).toBeHidden();
  await page.getByRole("tab", { name: "Details" }).click();
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("Written before");
});

test("a tab that can't be read without a connection leaves the page and its draft", { tag: NIGHT }, async ({ api, page, allowFault }) => {
  allowFault(/Failed to (fetch|load)|Unable to preload|ERR_INTERNET_DISCONNECTED|net::/);
  const gate = await newGate(api);
  await openGate(page, gate.id);
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.context().setOffline(true);
  await page.getByRole("tab", { name: "Checks" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "This part of the page can’t be shown" });
  await expect(notice).toContainText("Couldn’t load this part of the page. Your unsaved changes are kept.");
  await expect(page.getByRole("heading", { name: gate.id, level: 1 })).toBeVisible();
  await expect(saveBar(page)).toContainText("1 change");
  await page.context().setOffline(false);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole("tabpanel", { name: "Checks" })).toContainText("checks");
});

test("a dialog that cannot be loaded says so in a dialog, can be closed, and loads again", { tag: NIGHT }, async ({ page, allowFault }) => {
  allowFault(/shortcuts-/);
  allowFault(/^console error/);
  await page.route("**/assets/shortcuts-*.js", (route) => route.abort());
  await page.goto("gates");
  const open = page.getByRole("button", { name: "Keyboard shortcuts" });
  await open.click();
  const failure = page.getByRole("dialog", { name: "This dialog can’t be shown" });
  await failure.getByRole("button", { name: "Close" }).click();
  await expect(failure).toBeHidden();
  await page.unroute("**/assets/shortcuts-*.js");
  await open.click();
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expect(failure).toBeHidden();
});

test("pages follow others' changes once the browser is back online, even if that part could not be loaded before", { tag: NIGHT }, async ({
  api,
  page,
  allowFault,
}) => {
  allowFault(/live-changes-/);
  allowFault(/^console error/);
  const gate = await newGate(api);
  const lost = page.waitForEvent("requestfailed", (request) => request.url().includes("/live-changes-"));
  await page.route("**/assets/live-changes-*.js", (route) => route.abort());
  await openGate(page, gate.id);
  await lost;
  await page.unroute("**/assets/live-changes-*.js");
  let isFollowing = false;
  page.on("request", (request) => {
    isFollowing ||= request.url().includes("/changes");
  });
  // The page listens only after it has met the failure.
  const comeBack = async () => {
    await page.evaluate(() => dispatchEvent(new Event("online")));
    return isFollowing;
  };
  await expect.poll(comeBack).toBe(true);
});
