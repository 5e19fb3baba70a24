import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createConsoleClient } from "@gatehouse/client";
import { closedPort } from "../../server/test/support/port.ts";
import { createFaults } from "./support/faults.ts";
import { SIGNED_OUT } from "./support/people.ts";
import { expect, instanceTest as test } from "./support/test.ts";

const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
const ADA = { email: "ada@example.com", password: "correct horse battery staple" };
const KEY = "console-0123456789abcdef";
const PATH = "/gatehouse";

/** Passes requests below the path on without it, and refuses all others. */
async function startProxy(port: number, serverPort: number) {
  const proxy = createServer((incoming, answer) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith(`${PATH}/`)) return void answer.writeHead(502).end();
    const outgoing = request({ port: serverPort, path: url.slice(PATH.length), method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(outgoing);
    answer.once("close", () => outgoing.destroy());
    outgoing.once("error", () => answer.destroy());
  });
  await once(proxy.listen(port, "127.0.0.1"), "listening");
  return proxy;
}

test("a console below a path of another site's host never leaves the path: sign-in, a reload, the docs, sign-out", async ({
  browser,
  contextOptions,
}) => {
  const [port, serverPort] = [await closedPort(), await closedPort()];
  const publicUrl = `http://127.0.0.1:${port}${PATH}`;
  const server = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: String(serverPort),
      DATABASE_URL: "",
      GATEHOUSE_DATA_DIR: "memory",
      GATEHOUSE_PUBLIC_URL: `${publicUrl}/`,
      GATEHOUSE_CONSOLE_KEY: KEY,
      GATEHOUSE_ADMIN_EMAIL: ADA.email,
      GATEHOUSE_ADMIN_PASSWORD: ADA.password,
      LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const proxy = await startProxy(port, serverPort);
  const faults = createFaults(publicUrl);
  try {
    const lines = createInterface({ input: server.stdout });
    await new Promise<void>((resolve) => lines.on("line", (line) => line.includes("ready at ") && resolve()));
    await createConsoleClient({ baseUrl: publicUrl, apiKey: KEY }).createGate({ body: { name: "new_checkout" } });
    const context = await browser.newContext({ ...contextOptions, ...SIGNED_OUT });
    faults.watch(context);
    const page = await context.newPage();

    // The address is asked for before the sign-in, which leads back to it.
    faults.expectFault(/^401: GET \/console\/v1\/session$/);
    await page.goto(`${publicUrl}/projects/default/gates?search=checkout`);
    await page.getByLabel("Email").fill(ADA.email);
    await page.getByLabel("Password").fill(ADA.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(`${publicUrl}/projects/default/gates?search=checkout`);
    expect(await context.cookies()).toMatchObject([{ name: "gatehouse_session", path: PATH }]);

    // A row of a table, a link of the navigation, and the address of a page after a reload.
    const gate = page.getByRole("link", { name: "new_checkout" });
    await expect(gate).toHaveAttribute("href", `${PATH}/projects/default/gates/new_checkout`);
    await gate.click();
    await expect(page).toHaveURL(`${publicUrl}/projects/default/gates/new_checkout`);
    await page.getByRole("button", { name: "Add to favorites" }).click();
    await page.reload();
    await expect(page.getByRole("heading", { name: "new_checkout", level: 1 })).toBeVisible();
    const stored = await page.evaluate(() => Object.keys(localStorage));
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.filter((name) => !name.startsWith("/gatehousegatehouse."))).toEqual([]);
    await page.getByRole("link", { name: "Home", exact: true }).first().click();
    await expect(page).toHaveURL(`${publicUrl}/projects/default`);
    await page.getByRole("link", { name: "new_checkout" }).first().click();
    await expect(page).toHaveURL(`${publicUrl}/projects/default/gates/new_checkout`);

    // The command palette opens favorites by their addresses.
    await page.getByRole("link", { name: "Gates", exact: true }).click();
    await page.keyboard.press("Control+k");
    const favorites = page.getByRole("dialog", { name: "Search everything" }).getByRole("group", { name: "Favorites" });
    await favorites.getByRole("menuitem", { name: "new_checkout" }).click();
    await expect(page).toHaveURL(`${publicUrl}/projects/default/gates/new_checkout`);

    const docs = page.getByRole("link", { name: "Documentation" });
    await docs.click();
    await expect(page).toHaveURL(`${publicUrl}/docs/`);
    await page.getByRole("link", { name: "Operate", exact: true }).click();
    await expect(page).toHaveURL(`${publicUrl}/docs/operate/install`);
    await expect(page.getByRole("heading", { name: "Install", level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("reverse proxies");
    await page.getByRole("option").first().click();
    await expect(page).toHaveURL(/\/gatehouse\/docs\/operate\//);

    await page.goto(`${publicUrl}/`);
    await page.getByRole("button", { name: /^Account of / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${publicUrl}/sign-in`);
    expect(await context.cookies()).toEqual([]);
    await context.close();
    expect(faults.surprises()).toEqual([]);
  } finally {
    const ended = once(server, "exit");
    server.kill();
    await ended;
    proxy.closeAllConnections();
    proxy.close();
  }
});
