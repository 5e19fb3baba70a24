import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { type ConsoleClient, createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canAnswerLater } from "../src/device-login.ts";
import { opener } from "../src/open-browser.ts";
import { ADMINISTRATOR, createWorkspace, startServer } from "./servers.ts";

let server: Awaited<ReturnType<typeof startServer>>;
let person: ConsoleClient;
const { folder, gatehouse, start, remove } = createWorkspace();
const file = join(folder, "config/gatehouse/profiles.json");

beforeAll(async () => {
  server = await startServer();
  const { session = "" } = await createConsoleClient({ baseUrl: server.url }).createSession({ body: ADMINISTRATOR });
  person = createConsoleClient({ baseUrl: server.url, session });
});
afterAll(() => {
  server?.stop();
  remove();
});

/** Starts a login, and finds it by the code that it shows. */
async function startLogin(profile: string) {
  const child = start(["login", "--no-browser", "--profile", profile, "--url", server.url], { XDG_CONFIG_HOME: join(folder, "config") });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const userCode = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
      const [code] = /\b[A-Z]{4}-[A-Z]{4}\b/.exec(stderr) ?? [];
      if (code) resolve(code);
    });
  });
  const { data } = await person.findDeviceLogin({ body: { userCode } });
  const end = async () => {
    const [code] = await once(child, "close");
    return { code, stdout, stderr };
  };
  return { ...data, userCode, child, end };
}

/** A server whose responses have these bodies. */
async function respond(toBody: (path: string) => { status: number; [field: string]: unknown }) {
  const other = createServer(({ url = "" }, answer) => {
    const body = toBody(url);
    answer.writeHead(body.status, { "Content-Type": "application/json" });
    answer.end(JSON.stringify(body));
  });
  await once(other.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, close: () => other.close() };
}

describe("login with a browser", () => {
  test("shows the page and the code, waits for the approval, and stores a key that works", async () => {
    const { id, host, userCode, end } = await startLogin("browser");
    expect(host).toBe(hostname());
    await person.approveDeviceLogin({ path: { id }, body: { projectID: "default", access: "read" } });
    const { code, stdout, stderr } = await end();
    expect(stderr).toContain(`Open ${server.url}/device and enter this code:\n\n  ${userCode}\n\nWaiting for you to approve the login.`);
    expect([code, stdout]).toEqual([0, `Logged in to the project default at ${server.url}. The profile browser is stored in ${file}.\n`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { key } = JSON.parse(readFileSync(file, "utf8")).profiles.browser;
    expect(stdout + stderr).not.toContain(key);
    const { data } = await server.client.getKey({ path: { id: key } });
    expect([data.description, data.scopes]).toEqual([`CLI on ${hostname()}`, ["omni_read_only"]]);
    expect((await gatehouse(["status", "--profile", "browser"])).code).toBe(0);
  });

  test("that is denied fails and stores nothing", async () => {
    const { id, end } = await startLogin("denied");
    await person.rejectDeviceLogin({ path: { id } });
    const { code, stderr } = await end();
    expect([code, stderr]).toEqual([1, expect.stringContaining("Error: The login was denied.")]);
    expect((await gatehouse(["status", "--profile", "denied"])).stderr).toContain("The profile denied does not exist.");
  });

  test("that is interrupted stores nothing", async () => {
    const { child } = await startLogin("interrupted");
    const ended = once(child, "exit");
    child.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
    expect((await gatehouse(["status", "--profile", "interrupted"])).stderr).toContain("The profile interrupted does not exist.");
  });

  test("requires an explicit option in a script", async () => {
    const { code, stderr } = await gatehouse(["login", "--url", server.url]);
    expect([code, stderr]).toEqual([
      1,
      "Error: This isn’t a terminal, so no browser was opened.\nPass a key with --key, GATEHOUSE_KEY or --with-key, or use --no-browser to print the login URL and code.\n",
    ]);
  });

  test.each([401, 404, 405])("on a server that is too old for it, which responds with %i, asks for a key", async (status) => {
    const old = await respond(() => ({ status, code: "not_found", message: "The path does not exist." }));
    const { code, stderr } = await gatehouse(["login", "--no-browser", "--url", old.url], {}, "console-0123456789abcdef\n");
    old.close();
    const message = "This server doesn’t support browser login. Enter a key instead.\nError: The path does not exist.\n";
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test("whose key got lost names the key, which works until it is deactivated", async () => {
    const codes = {
      deviceCode: "device-1",
      userCode: "BCDF-GHJK",
      verificationUrl: "https://example.com/device",
      expiresTime: 0,
      interval: 1,
    };
    const losing = await respond((path) => ({
      ...{ status: 200, message: "Done." },
      data: path.endsWith("/redeem") ? { status: "completed", key: null } : codes,
    }));
    const { code, stderr } = await gatehouse(["login", "--no-browser", "--profile", "lost", "--url", losing.url]);
    losing.close();
    const advice = `The key CLI on ${hostname()} works until you deactivate it on the Keys page. Run gatehouse login again.`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Error: The key was lost on its way from the server.\n${advice}\n`)]);
  });
});

test("a device keeps waiting after timeouts, broken connections and errors of a busy server", () => {
  const later = [new DOMException("It took too long.", "TimeoutError"), new TypeError("fetch failed")];
  expect([...later, new DOMException("It was canceled.", "AbortError"), new Error("Other")].map(canAnswerLater)).toEqual([
    ...[true, true, false, false],
  ]);
});

test("login --with-key reads the key from standard input", async () => {
  const { code } = await gatehouse(["login", "--with-key", "--profile", "piped", "--url", server.url], {}, `${server.key}\n`);
  expect([code, JSON.parse(readFileSync(file, "utf8")).profiles.piped.key]).toEqual([0, server.key]);
  const empty = await gatehouse(["login", "--with-key", "--profile", "piped", "--url", server.url]);
  expect([empty.code, empty.stderr]).toEqual([1, "Error: No key was given.\n"]);
});

test("a browser is opened by the platform's own program, and only where one can be shown", () => {
  const url = "https://flags.example.com/device";
  expect(opener(url, "darwin", false)).toEqual(["open", url]);
  expect(opener(url, "win32", false)).toEqual(["rundll32", "url.dll,FileProtocolHandler", url]);
  expect([opener(url, "linux", true), opener(url, "linux", false)]).toEqual([["xdg-open", url], undefined]);
});

describe("logout --deactivate", () => {
  const storedProfiles = () => JSON.parse(readFileSync(file, "utf8")).profiles;

  test("ends the key before the profile is deleted, even if the key can manage no keys", async () => {
    const { data } = await server.client.createKey({ body: { type: "CONSOLE", description: "", scopes: ["omni_read_only"] } });
    const key = data.key ?? "";
    await gatehouse(["login", "--profile", "old", "--url", server.url, "--key", key]);
    const { stdout } = await gatehouse(["logout", "--profile", "old", "--deactivate"]);
    expect(stdout).toBe(`The profile old was deleted. The key console-…${key.slice(-4)} was deactivated and no longer works anywhere.\n`);
    expect((await server.client.getKey({ path: { id: data.id } })).data.status).toBe("deactivated");
    expect(storedProfiles()).not.toHaveProperty("old");
  });

  test("keeps the profile if the server refuses, and says what to do", async () => {
    await gatehouse(["login", "--profile", "last", "--url", server.url, "--key", server.key]);
    const { code, stderr } = await gatehouse(["logout", "--profile", "last", "--deactivate"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/could not be deactivated: .+\nThe profile is still stored\. Try again/)]);
    expect(storedProfiles()).toHaveProperty("last");
  });
});
