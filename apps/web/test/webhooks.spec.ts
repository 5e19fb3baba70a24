import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessible } from "./support/accessibility.ts";
import { find, reviewAndSave } from "./support/gates.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a webhook is created, tested, limited to some events, and sends one of them again", async ({ page }) => {
  const types: string[] = [];
  let status = 500;
  const receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      types.push(JSON.parse(text).type);
      response.writeHead(status).end("The disk is full.");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { projectID, api } = await newProject();
  await page.goto(`/projects/${projectID}/webhooks`);
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.getByRole("button", { name: "Create webhook" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a webhook" });
  await dialog.getByLabel("Name").fill("Release log");
  await dialog.getByLabel("URL").fill("hooks.example.com");
  await expect(dialog.getByText("Begin with https://, such as https://example.com/events.")).toBeVisible();
  await dialog.getByLabel("URL").fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Release log", level: 1 })).toBeVisible();

  await page.getByRole("button", { name: "Show secret" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText("Not delivered. It answered 500. Tests aren’t listed under Deliveries.")).toBeVisible();
  expect(types).toEqual(["webhook.test"]);
  await find(page, page.getByRole("combobox", { name: "Add a type" }), "dynamic config");
  await find(page, page.getByRole("combobox", { name: "Add an action" }), "Created");
  await expectAccessible(page);
  await reviewAndSave(page);
  const [webhook] = (await api.listWebhooks()).data;
  expect(webhook).toMatchObject({ entityTypes: ["dynamic_config"], actions: ["created"] });

  await api.createDynamicConfig({ body: { name: "new checkout" } });
  await page.getByRole("tab", { name: "Deliveries" }).click();
  const row = page.getByRole("row", { name: /dynamic_config\.created/ });
  await expect(row).toContainText("The disk is full.");
  await expectAccessible(page);
  status = 204;
  await row.getByRole("button", { name: "Send again: dynamic_config.created new_checkout" }).click();
  await expect(row).toContainText("Delivered");

  await page.getByRole("tab", { name: "Webhook", exact: true }).click();
  await page.getByRole("button", { name: "Format" }).click();
  await page.getByRole("option", { name: "Slack" }).click();
  await expect(page.getByRole("button", { name: "Show secret" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Test", exact: true })).toBeVisible();
  receiver.close();
});
