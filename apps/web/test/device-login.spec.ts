import { expectAccessible } from "./support/accessibility.ts";
import { NIGHT } from "./support/night.ts";
import { SIGNED_OUT, signedInAs } from "./support/people.ts";
import { createApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const NARROW = { width: 390, height: 800 };

/** Starts a login as a program on a computer does. */
async function startLogin(host: string) {
  const device = createApi();
  const { deviceCode, userCode } = (await device.startDeviceLogin({ body: { host } })).data;
  return { userCode, redeem: async () => (await device.redeemDeviceLogin({ body: { deviceCode } })).data };
}

test("a person signs in, types the code of their terminal and approves its login", async ({
  newPerson,
  openBrowser,
  project,
  allowFault,
}) => {
  allowFault(/^40[014]: /);
  const { email, password } = await newPerson("Admin");
  const { userCode, redeem } = await startLogin("adas-laptop");
  const page = await openBrowser({ ...SIGNED_OUT, viewport: NARROW });
  await page.goto(`/device?code=${userCode}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(page.getByRole("heading", { name: "Log in a device" })).toBeVisible();
  const code = page.getByLabel("Code");
  await expect(code).toHaveValue("");
  await expect(code).toBeFocused();
  await expectAccessible(page);
  await code.fill("HELLO");
  await code.press("Enter");
  await expect(page.getByText("Enter the 8 letters that your terminal shows.")).toBeVisible();
  await code.fill("BBBB-BBBB");
  await code.press("Enter");
  await expect(page.getByText("No login is waiting for this code. Check it, or start the login again in your terminal.")).toBeVisible();
  await code.fill(userCode.toLowerCase());
  await code.press("Enter");

  await expect(page.getByRole("heading", { name: "Approve this login?" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Approve this login?" })).toBeFocused();
  await expect(page.getByText("adas-laptop")).toBeVisible();
  await expect(page.getByText("Different network")).toBeHidden();
  await page.getByRole("button", { name: /Access/ }).click();
  await page.getByRole("option", { name: "Read only" }).click();
  await expect(
    page.getByText(`The device gets an API key that can view everything in ${project.name} that the Admin role allows, except API keys.`),
  ).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW.width);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Login approved" })).toBeVisible();
  await expect(page.getByText("Return to your terminal. You can close this page.")).toBeVisible();
  await expectAccessible(page);

  const { status, key } = await redeem();
  expect([status, key]).toEqual(["completed", expect.stringMatching(/^console-/)]);
  const { data } = await project.api.getKey({ path: { id: key ?? "" } });
  expect([data.description, data.scopes, data.role]).toEqual(["CLI on adas-laptop", ["omni_read_only"], "Admin"]);
});

test("a person who can’t create keys can only deny a login, and is warned about another network", { tag: NIGHT }, async ({
  viewer,
  openBrowser,
}) => {
  const { userCode, redeem } = await startLogin("strange-server");
  const page = await openBrowser(signedInAs(viewer));
  await page.route("**/console/v1/device_logins/find", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, isFromYourNetwork: false } } });
  });
  await page.goto("/device");
  await page.getByLabel("Code").fill(userCode);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("None of your roles can create keys, so you can’t approve this login.")).toBeVisible();
  await expect(page.getByText("This login wasn’t started from the address of this browser.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Login denied" })).toBeVisible();
  expect(await redeem()).toEqual({ status: "denied", key: null });
});
