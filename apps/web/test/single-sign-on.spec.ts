import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { CLIENT, startIdentityProvider } from "../../server/test/support/identity-provider.ts";
import { closedPort } from "../../server/test/support/port.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { NIGHT } from "./support/night.ts";
import { SIGNED_OUT } from "./support/people.ts";
import { expect, type Fixtures, test } from "./support/test.ts";

const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

/** Runs a server that lets people sign in with a provider alone. Grace is one of its administrators. */
async function withProvider(
  { openBrowser, allowFault }: Pick<Fixtures, "openBrowser" | "allowFault">,
  run: (page: Page, origin: string) => Promise<void>,
): Promise<void> {
  const origin = `http://127.0.0.1:${await closedPort()}`;
  const idp = await startIdentityProvider(`${origin}/console/v1/session/oidc/callback`, {
    grace: { email: "grace@example.com", email_verified: true, name: "Grace Hopper", groups: ["operators"] },
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
      GATEHOUSE_OIDC_ROLE_CLAIM: "groups",
      GATEHOUSE_OIDC_ROLES: "operators=administrator",
      LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: server.stdout });
    await new Promise<void>((resolve) => lines.on("line", (line) => line.includes(`ready at ${origin}`) && resolve()));
    // Both are elsewhere than the server of the other tests. The provider's own pages are not ours.
    allowFault(/^elsewhere: /);
    allowFault(/^401: /);
    allowFault(/^console /);
    allowFault(/^failed: GET https:.* net::ERR_NAME_NOT_RESOLVED$/);
    const page = await openBrowser(SIGNED_OUT);
    await run(page, origin);
    // Before the server ends, which the page would notice.
    await page.context().close();
  } finally {
    const ended = once(server, "exit");
    server.kill();
    await ended;
    await idp.close();
  }
}

/** Signs in at the provider's pages. */
async function signInThere(page: Page): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill("grace");
  await page.getByPlaceholder("and password").fill("anything");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("with a provider alone, the page offers no password, and its button leads to where somebody wanted to go", async ({
  openBrowser,
  allowFault,
}) => {
  await withProvider({ openBrowser, allowFault }, async (page, origin) => {
    await page.goto(`${origin}/projects/default/gates?search=checkout`);
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.getByLabel("Password")).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Sign in with your organization" }).click();
    await signInThere(page);
    await expect(page).toHaveURL(`${origin}/projects/default/gates?search=checkout`);
    await expect(page.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
  });
});

test("a session that ends in the middle begins again in another tab, and the draft is kept", { tag: NIGHT }, async ({
  openBrowser,
  allowFault,
}) => {
  await withProvider({ openBrowser, allowFault }, async (page, origin) => {
    await page.goto(`${origin}/projects/default/settings`);
    await page.getByRole("link", { name: "Sign in with your organization" }).click();
    await signInThere(page);
    await page.getByRole("textbox", { name: "Name" }).fill("Written before the session ended");
    await page.context().clearCookies({ name: "gatehouse_session" });
    await page.getByRole("button", { name: "Review" }).click();
    const ended = page.getByRole("alertdialog", { name: "Your session has ended" });
    const [tab] = await Promise.all([
      page.waitForEvent("popup"),
      ended.getByRole("link", { name: "Sign in with your organization, in a new tab" }).click(),
    ]);
    await expect(tab.getByRole("link", { name: "Gatehouse, start" })).toBeVisible();
    await page.bringToFront();
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await expect(ended).toBeHidden();
    await page.getByRole("button", { name: "Back" }).click();
    await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Written before the session ended");
  });
});
