import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { closedPort } from "../../server/test/support/port.ts";
import { startSmtp } from "../../server/test/support/smtp-server.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { SIGNED_OUT } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
const EMAIL = "grace@example.com";
const [PASSWORD, ANOTHER] = ["correct horse battery staple", "seven bridges of Königsberg"];

test("someone who forgot their password gets a link by email, sets another one, and chooses what else is emailed", async ({
  openBrowser,
  allowFault,
}) => {
  const origin = `http://127.0.0.1:${await closedPort()}`;
  const smtp = await startSmtp();
  const server = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: new URL(origin).port,
      DATABASE_URL: "",
      GATEHOUSE_DATA_DIR: "memory",
      GATEHOUSE_PUBLIC_URL: origin,
      GATEHOUSE_ADMIN_EMAIL: EMAIL,
      GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
      GATEHOUSE_SMTP_URL: `smtp://127.0.0.1:${smtp.settings.server.port}`,
      GATEHOUSE_EMAIL_FROM: "gatehouse@example.com",
      GATEHOUSE_SECRET_KEY: "a secret key of the browser tests",
      LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: server.stdout });
    await new Promise<void>((resolve) => lines.on("line", (line) => line.includes(`ready at ${origin}`) && resolve()));
    // Elsewhere than the server of the other tests.
    allowFault(/^elsewhere: /);
    allowFault(/^401: /);
    const page = await openBrowser(SIGNED_OUT);
    await page.goto(`${origin}/sign-in`);
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(page.getByText(`If ${EMAIL} belongs to an account with a password, we sent a link.`)).toBeVisible();

    await expect.poll(() => smtp.to(EMAIL).length).toBe(1);
    const [link = ""] = /http\S+/.exec(smtp.to(EMAIL)[0]?.text ?? "") ?? [];
    await page.goto(link);
    await expect(page.getByRole("main")).toContainText(`Choose a new password for ${EMAIL}.`);
    await page.getByLabel("Password").fill(ANOTHER);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("heading", { name: /^(Home|Get started)$/, level: 1 })).toBeVisible();

    await page.goto(`${origin}/projects/default/notifications?tab=settings`);
    const mentions = page.getByRole("checkbox", { name: "Email me about mentions" });
    await expect(page.getByRole("checkbox", { name: "Email me about reviews" })).toBeChecked();
    await expect(mentions).not.toBeChecked();
    await mentions.click({ force: true });
    await expect(mentions).toBeChecked();
    await page.reload();
    await expect(mentions).toBeChecked();
    await page.context().close();
  } finally {
    const ended = once(server, "exit");
    server.kill();
    await ended;
    await smtp.close();
  }
});
