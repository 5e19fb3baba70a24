import { ADMINISTRATOR, ADMINISTRATOR_STATE, createApi, firstToken } from "./support/server.ts";
import { expect, instanceTest as test } from "./support/test.ts";

test("the printed link makes the first administrator, once", async ({ page, expectFault, openBrowser }) => {
  await page.goto(`/welcome#${firstToken()}`);
  await page.getByRole("button", { name: "Continue" }).click();
  for (const label of ["Name", "Email", "Password"]) await expect(page.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
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
  expectFault(/^401: POST \/console\/v1\/session\/redeem\/check$/);
  await again.goto(`/welcome#${firstToken()}`);
  await expect(again.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});
