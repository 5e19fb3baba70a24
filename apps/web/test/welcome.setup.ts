import { ADMINISTRATOR, ADMINISTRATOR_STATE, createApi, firstToken } from "./support/server.ts";
import { expect, instanceTest as test } from "./support/test.ts";

test("the printed link makes the first administrator, once", async ({ page, expectFault, openBrowser }) => {
  await page.goto(`/welcome#${firstToken()}`);
  await page.getByLabel("Name").fill(ADMINISTRATOR.name);
  await page.getByLabel("Email").fill(ADMINISTRATOR.email);
  await page.getByLabel("Password").fill(ADMINISTRATOR.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Get started", level: 1 })).toBeVisible();
  const { cookies } = await page.context().storageState({ path: ADMINISTRATOR_STATE });
  const session = cookies.find(({ name }) => name === "gatehouse_session")?.value ?? "";
  const { data } = await createApi(session).getSession();
  expect(data.person).toMatchObject({ firstName: "Ada", lastName: "Lovelace", email: ADMINISTRATOR.email, isAdministrator: true });

  const again = await openBrowser({});
  expectFault(/^401: POST \/console\/v1\/session\/redeem$/);
  await again.goto(`/welcome#${firstToken()}`);
  await again.getByLabel("Name").fill("Eve");
  await again.getByLabel("Email").fill("eve@example.com");
  await again.getByLabel("Password").fill(ADMINISTRATOR.password);
  await again.getByRole("button", { name: "Continue" }).click();
  await expect(again.getByRole("alert")).toBeVisible();
});
