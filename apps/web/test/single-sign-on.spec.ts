import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CLIENT, startIdentityProvider } from "../../server/test/support/identity-provider.ts";
import { closedPort } from "../../server/test/support/port.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { SIGNED_OUT } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

test("with a provider alone, the page offers no password, and its button signs in", async ({ openBrowser, allowFault }) => {
  const origin = `http://127.0.0.1:${await closedPort()}`;
  const idp = await startIdentityProvider(`${origin}/console/v1/session/oidc/callback`, {
    grace: { email: "grace@example.com", email_verified: true, name: "Grace Hopper" },
  });
  const server = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: new URL(origin).port,
      DATABASE_URL: "",
      GATEHOUSE_DATA_DIR: "memory",
      GATEHOUSE_PUBLIC_URL: origin,
      GATEHOUSE_PASSWORD_SIGN_IN: "off",
      GATEHOUSE_OIDC_ISSUER: idp.issuer,
      GATEHOUSE_OIDC_CLIENT_ID: CLIENT.clientID,
      GATEHOUSE_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      GATEHOUSE_OIDC_ALLOWED_DOMAINS: "example.com",
      LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: server.stdout });
    await new Promise<void>((resolve) => lines.on("line", (line) => line.includes(`ready at ${origin}`) && resolve()));
    // Both are elsewhere than the server of the other tests. The provider's own pages are not ours.
    allowFault(/^elsewhere: /);
    allowFault(/^401: GET .*\/console\/v1\/session$/);
    allowFault(/^console /);
    allowFault(/^failed: GET https:.* net::ERR_NAME_NOT_RESOLVED$/);
    const page = await openBrowser(SIGNED_OUT);
    await page.goto(`${origin}/sign-in`);
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.getByLabel("Password")).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Sign in with your organization" }).click();
    await page.getByPlaceholder("Enter any login").fill("grace");
    await page.getByPlaceholder("and password").fill("anything");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(`${origin}/`);
    await expect(page.getByRole("heading", { name: /project/i })).toBeVisible();
  } finally {
    const ended = once(server, "exit");
    server.kill();
    await ended;
    await idp.close();
  }
});
