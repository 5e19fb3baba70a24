import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Page, test as playwright } from "@playwright/test";
import { closedPort } from "../../server/test/support/port.ts";
import { totpCode } from "../../server/test/support/totp-code.ts";
import { expectAccessible } from "./support/accessibility.ts";
import { NIGHT } from "./support/night.ts";
import { SIGNED_OUT, signedInAs } from "./support/people.ts";
import { expect, type Fixtures, test } from "./support/test.ts";

const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
const ADA = { email: "ada@example.com", password: "correct horse battery staple" };
const STEP_MS = 30_000;

/** Runs a server at a host name with which browsers have passkeys, and its administrator's page with an authenticator of Chromium. */
async function withServer(
  { openBrowser, allowFault }: Pick<Fixtures, "openBrowser" | "allowFault">,
  settings: Record<string, string>,
  run: (page: Page, origin: string) => Promise<void>,
): Promise<void> {
  const port = await closedPort();
  const origin = `http://localhost:${port}`;
  const server = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATABASE_URL: "",
      GATEHOUSE_DATA_DIR: "memory",
      GATEHOUSE_PUBLIC_URL: origin,
      GATEHOUSE_SECRET_KEY: "a secret key of the browser tests",
      GATEHOUSE_ADMIN_EMAIL: ADA.email,
      GATEHOUSE_ADMIN_PASSWORD: ADA.password,
      LOG_LEVEL: "silent",
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: server.stdout });
    await new Promise<void>((resolve) => lines.on("line", (line) => line.includes("ready at ") && resolve()));
    allowFault(/^elsewhere: /);
    allowFault(/^40[0139]: /);
    allowFault(/^console /);
    const page = await openBrowser(SIGNED_OUT);
    await addAuthenticator(page);
    await run(page, origin);
    // Before the server ends, which the page would notice.
    await page.context().close();
  } finally {
    const ended = once(server, "exit");
    server.kill();
    await ended;
  }
}

async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signIn(page: Page, { email, password } = ADA): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
}

/** The code of the next step, which no sign-in has used. The server uses the clock of this machine. */
const nextCode = (secret: string) => totpCode(secret, Date.now() + STEP_MS);
/** The page of a signed-in person. */
const home = (page: Page) => expect(page.getByRole("button", { name: /^Account of / })).toBeVisible();

/** Sets up an app in the open dialog. @returns its secret, and the recovery codes that follow */
async function setUpApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await expect(dialog.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const secret = (await dialog.getByRole("region", { name: "Secret" }).textContent())?.trim() ?? "";
  await expectAccessible(page);
  await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Is wrong, or the clock of your device is not set correctly.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Code" }).fill(totpCode(secret, Date.now()));
  await page.keyboard.press("Enter");
  const codes = page.getByRole("alertdialog", { name: "Your recovery codes" });
  const shown = (await codes.getByRole("region", { name: "Recovery codes" }).textContent())?.trim().split("\n") ?? [];
  expect(shown).toHaveLength(10);
  await codes.getByRole("button", { name: "I have saved the codes" }).click();
  return { secret, codes: shown };
}

playwright.describe.configure({ mode: "parallel" });

test("an authenticator app is set up in the account, and its code or a recovery code is the second step of signing in", async ({
  openBrowser,
  allowFault,
}) => {
  await withServer({ openBrowser, allowFault }, {}, async (page, origin) => {
    await page.goto(`${origin}/projects/default/account`);
    await signIn(page);
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    const { secret, codes } = await setUpApp(page);
    await expect(page.getByRole("table", { name: "Two-factor authentication" })).toContainText("10 codes left");
    await expectAccessible(page);

    await signOut(page);
    await signIn(page);
    const code = page.getByRole("textbox", { name: "Code" });
    await expect(code).toBeFocused();
    await expect(code).toHaveAttribute("autocomplete", "one-time-code");
    await expectAccessible(page);
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByText("This code is wrong or was used before.")).toBeVisible();
    await code.fill(nextCode(secret));
    await page.keyboard.press("Enter");
    await home(page);

    await signOut(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await signIn(page);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.keyboard.press("Enter");
    await home(page);
    await page.goto(`${origin}/projects/default/account`);
    await expect(page.getByRole("table", { name: "Two-factor authentication" })).toContainText("9 codes left");
    await page.getByRole("button", { name: "Remove authenticator app" }).click();
    await expect(page.getByRole("table", { name: "Two-factor authentication" })).toContainText("Not set up");
  });
});

test("a passkey signs in alone and as the second step, and replaces the current password, and is renamed and removed after a confirmation", async ({
  openBrowser,
  allowFault,
}) => {
  await withServer({ openBrowser, allowFault }, {}, async (page, origin) => {
    await page.goto(`${origin}/projects/default/account`);
    await signIn(page);
    await page.getByRole("button", { name: "Create a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a passkey" });
    await dialog.getByLabel("Name").fill("My laptop");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "I have saved the codes" }).click();
    const passkeys = page.getByRole("table", { name: "Passkeys" });
    await expect(passkeys).toContainText("My laptop");
    await expect(passkeys).toContainText("Never");
    await expectAccessible(page);

    await signOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await home(page);
    await signOut(page);
    await signIn(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await home(page);

    await page.goto(`${origin}/projects/default/account`);
    // As if the confirmation had expired.
    await page.route("**/session/second_factors", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, data: { ...body.data, confirmedUntil: null } } });
    });
    await page.reload();
    await page.getByRole("button", { name: "Rename My laptop" }).click();
    const confirm = page.getByRole("dialog", { name: "Confirm that it's you" });
    await confirm.getByLabel("Password").fill("not the password");
    await page.keyboard.press("Enter");
    await expect(confirm.getByText("Is wrong.")).toBeVisible();
    await confirm.getByRole("button", { name: "Use a passkey" }).click();
    await page.unroute("**/session/second_factors");
    await page.getByRole("dialog", { name: "Rename passkey" }).getByLabel("Name").fill("Work laptop");
    await page.getByRole("button", { name: "Rename", exact: true }).click();

    await page.getByLabel("New password").fill("seven bridges of Königsberg");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText("Password changed. Your other sessions have ended.")).toBeVisible();

    await page.getByRole("button", { name: "Remove Work laptop" }).click();
    await expect(page.getByText("No passkeys yet.")).toBeVisible();
  });
});

test("a server that requires a second factor leads to its set-up and then to the page that was asked for", { tag: NIGHT }, async ({
  openBrowser,
  allowFault,
}) => {
  await withServer({ openBrowser, allowFault }, { GATEHOUSE_SECOND_FACTOR: "required" }, async (page, origin) => {
    await page.goto(`${origin}/projects/default/gates?search=asked-for`);
    await signIn(page);
    await expect(page.getByRole("heading", { name: "Set up two-factor authentication" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    await setUpApp(page);
    await expect(page.getByRole("searchbox", { name: "Search gates" })).toHaveValue("asked-for");
    await page.goto(`${origin}/projects/default/account`);
    await page.getByRole("button", { name: "Remove authenticator app" }).click();
    await expect(page.getByText("This is your last second factor, and the server requires one.")).toBeVisible();
  });
});

test("a link for a new password asks for the second factor, which an administrator can remove from a person", { tag: NIGHT }, async ({
  page: administrator,
  openBrowser,
  newPerson,
  allowFault,
}) => {
  allowFault(/^40[0139]: /);
  const { email, session, api } = await newPerson("Viewer", "Maria Agnesi");
  const { id } = (await api.getSession()).data.person;
  const own = await openBrowser(signedInAs({ session }));
  await own.goto("account");
  await own.getByRole("button", { name: "Set up an authenticator app" }).click();
  const { codes } = await setUpApp(own);

  const dialog = administrator.getByRole("dialog", { name: "Maria Agnesi" });
  await administrator.goto(`instance?search=${email}&person=${id}`);
  await dialog.getByRole("button", { name: "Create password reset" }).click();
  const made = administrator.getByRole("alertdialog", { name: "The password reset" });
  const link = (await made.getByRole("region", { name: /^Link for/ }).textContent()) ?? "";
  await made.getByRole("button", { name: "I have copied the link" }).click();

  const other = await openBrowser(SIGNED_OUT);
  const password = "the witch is a curve";
  await other.goto(link);
  await other.getByLabel("Email").fill(email);
  await other.getByLabel("Password").fill(password);
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByRole("heading", { name: "Two-factor authentication" })).toBeVisible();
  await expectAccessible(other);
  await other.getByRole("button", { name: "Use a recovery code" }).click();
  await other.getByLabel("Recovery code").fill(codes[0] ?? "");
  await other.keyboard.press("Enter");
  await home(other);

  await administrator.goto(`instance?search=${email}&person=${id}`);
  await expect(dialog.getByText("Has an authenticator app, 9 recovery codes.")).toBeVisible();
  await dialog.getByRole("button", { name: "Remove second factors" }).click();
  await expectAccessible(administrator);
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(dialog.getByText("No second factors.")).toBeVisible();
  await other.reload();
  await signIn(other, { email, password });
  await home(other);
});
