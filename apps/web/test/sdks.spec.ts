import { expectAccessible } from "./support/accessibility.ts";
import { newProject } from "./support/people.ts";
import { serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

test("SDKs are listed with their key and errors, and old versions are marked", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: key } = await api.createKey({ body: { type: "CLIENT", description: "Mobile app", environments: ["production"] } });
  const download = (version: string) =>
    fetch(`${serverUrl()}/v1/download_config_specs`, {
      headers: { "STATSIG-API-KEY": key.key ?? "", "STATSIG-SDK-TYPE": "statsig-kotlin", "STATSIG-SDK-VERSION": version },
    });
  await download("4.9.0");
  await download("4.35.1");
  await page.goto(`/projects/${projectID}/sdks`);
  const old = page.getByRole("row").filter({ hasText: "4.9.0" });
  await expect(old).toContainText("Newer version in use: 4.35.1");
  await expect(old).toContainText("Mobile app");
  await expect(old).toContainText("1 × 403 forbidden");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Environment: All environments" }).click();
  await page.getByRole("menuitem", { name: "staging" }).click();
  await expect(page.getByText("No matching SDKs")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("link", { name: "statsig-kotlin" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/keys/${key.id}`));
});
