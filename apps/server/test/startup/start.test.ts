import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openEmbedded, openPostgres } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";
import { closedPort } from "../support/port.ts";
import { curlLine, keptWelcome, peakMemory, run, shownKey, start, startReady, temporaryFolder } from "../support/process.ts";
import { waitFor } from "../support/wait-for.ts";

// The built server in its own process, as an operator runs it.

const KEY = "console-0123456789abcdef";

const folders: ReturnType<typeof temporaryFolder>[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

function emptyFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

const running: { child: { kill(signal: "SIGKILL"): boolean } }[] = [];
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});

async function ready(env: Record<string, string>) {
  const server = await startReady(env);
  running.push(server);
  return server;
}

function refused(env: Record<string, string>) {
  const server = start("main.js", env);
  running.push(server);
  return server.ended;
}

describe("a start on an empty data folder", needs.embedded, () => {
  const env = { GATEHOUSE_DATA_DIR: join(emptyFolder(), "data") };
  let first: Awaited<ReturnType<typeof startReady>>;
  /** The message as a terminal shows it. */
  let shown: string;
  let key: string;

  beforeAll(async () => {
    first = await startReady(env);
    shown = keptWelcome(env.GATEHOUSE_DATA_DIR);
    key = shownKey(shown) ?? "";
  });
  afterAll(() => first.child.kill("SIGKILL"));

  test("without a terminal prints the address, the docs and the file that has the key and the link, which only its user can read", async () => {
    expect(key).toMatch(/^console-\w{44}$/);
    const file = join(env.GATEHOUSE_DATA_DIR, "welcome");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(first.stdout).toContain(
      `  ${file} has a console key and the link that makes the first administrator. Keep them, and delete the file.\n`,
    );
    expect(first.stdout).not.toMatch(/console-\w{16}|once-/);
    expect(first.stdout).toContain(`Documentation       ${first.url}/docs\n`);
    expect((await fetch(`${first.url}/docs`)).status).toBe(200);
    expect(first.stderr).toBe("");
  });

  test("prints a curl command that works when it is pasted", async () => {
    const { code, stdout } = await run("sh", ["-c", curlLine(shown)]).ended;
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ message: "Gates listed successfully.", data: [] })]);
  });

  test("offers a link that makes the first administrator, once", async () => {
    const [, origin = "", token = ""] = shown.match(/^ {2}(\S+)\/welcome#(once-\w{44})$/m) ?? [];
    expect(origin).toBe(first.url);
    expect(await (await fetch(`${origin}/welcome`, { headers: { Accept: "text/html" } })).text()).toContain("<title>Gatehouse</title>");
    const body = JSON.stringify({ token, email: "you@example.com", name: "Your Name", password: "a password of my own" });
    const redeem = () =>
      fetch(`${origin}/console/v1/session/redeem`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    expect(await (await redeem()).json()).toMatchObject({ data: { person: { email: "you@example.com", isAdministrator: true } } });
    expect((await redeem()).status).toBe(401);
  });

  test("locks its folder against a second process, which fails with one line", async () => {
    expect(await refused(env)).toEqual({
      code: 1,
      stdout: "",
      stderr: `The data folder ${env.GATEHOUSE_DATA_DIR} is in use by another Gatehouse process. Stop that one first, or set GATEHOUSE_DATA_DIR to another folder or DATABASE_URL to a Postgres.\n`,
    });
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  // On a busy machine, garbage is collected late and adds to a peak. So the smallest of up to three starts counts.
  test("takes less than 450 MiB of memory", needs.linux, async () => {
    const peaks = [peakMemory(first.child)];
    while (peaks.length < 3 && Math.min(...peaks) >= 450) {
      const { url, child } = await ready({ GATEHOUSE_DATA_DIR: join(emptyFolder(), "data") });
      await fetch(`${url}/docs`);
      peaks.push(peakMemory(child));
    }
    expect(Math.min(...peaks)).toBeLessThan(450);
  });

  test("finishes the request in flight at SIGTERM, accepts no other, and exits with 0", async () => {
    const body = JSON.stringify({ name: "sent before the signal" });
    const { port } = new URL(first.url);
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.write(
      [
        "POST /console/v1/gates HTTP/1.1",
        "Host: localhost",
        `SERVICE-API-KEY: ${key}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        "Expect: 100-continue",
        "\r\n",
      ].join("\r\n"),
    );
    await once(socket, "data");
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue/);
    first.child.kill("SIGTERM");
    await first.prints(/Finishing the requests in flight/);
    await expect(fetch(`${first.url}/livez`)).rejects.toThrow();
    socket.write(body);
    const { code, stdout, stderr } = await first.ended;
    expect(answer).toMatch(/HTTP\/1.1 201 Created[\s\S]*"sent_before_the_signal"/);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/"msg":"Stopped\."\}\n$/);
    expect(stdout).not.toContain(key);
  });

  test("keeps its data for the second start, which prints neither a key nor a link", async () => {
    const second = await ready(env);
    expect(keptWelcome(env.GATEHOUSE_DATA_DIR)).toBe(shown);
    expect(shownKey(second.stdout)).toBeUndefined();
    expect(second.stdout).not.toContain("once-");
    expect(curlLine(second.stdout)).toBe(`curl -H "SERVICE-API-KEY: <your console key>" ${second.url}/console/v1/gates`);
    const answer = await fetch(`${second.url}/console/v1/gates/sent_before_the_signal`, { headers: { "SERVICE-API-KEY": key } });
    expect(answer.status).toBe(200);
    await second.stop();
  });

  test("warns that a GATEHOUSE_CONSOLE_KEY after the first start is ignored", async () => {
    const late = await ready({ ...env, GATEHOUSE_CONSOLE_KEY: KEY });
    expect(late.stdout).toContain("GATEHOUSE_CONSOLE_KEY is ignored");
    expect(curlLine(late.stdout)).toContain("<your console key>");
    await late.stop();
  });
});

describe("a start", needs.embedded, () => {
  test("in a terminal shows the key, the link and a curl command that works when it is pasted", needs.linux, async () => {
    const dataDir = join(emptyFolder(), "data");
    const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
    const command = `exec ${process.execPath} ${main}`;
    const terminal = run("script", ["-qfec", command, "/dev/null"], { GATEHOUSE_DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: "0" });
    running.push(terminal);
    await terminal.prints(/curl .*\r\n/);
    const shown = terminal.stdout.replaceAll("\r", "");
    expect(shown).toMatch(/^ {2}http:\S+\/welcome#once-\w{44}$/m);
    expect(shownKey(shown)).toMatch(/^console-\w{44}$/);
    const { stdout } = await run("sh", ["-c", curlLine(shown)]).ended;
    expect(JSON.parse(stdout)).toMatchObject({ message: "Gates listed successfully." });
    expect(keptWelcome(dataDir)).toBe("");
  });

  test("with GATEHOUSE_DATA_DIR=memory stores nothing, and creates the key from GATEHOUSE_CONSOLE_KEY", async () => {
    const folder = emptyFolder();
    const server = await ready({ GATEHOUSE_DATA_DIR: "memory", INIT_CWD: folder, GATEHOUSE_CONSOLE_KEY: KEY });
    expect(server.stdout).not.toContain(KEY);
    const { stdout } = await run("sh", ["-c", curlLine(server.stdout)], { GATEHOUSE_CONSOLE_KEY: KEY }).ended;
    expect(JSON.parse(stdout)).toMatchObject({ message: "Gates listed successfully." });
    expect((await server.stop()).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("with invalid settings exits with 1 and one message that lists every error", async () => {
    const env = { GATEHOUSE_DATA_DIR: "memory", PORT: "http", LOG_LEVEL: "loud", DATABASE_URL: "localhost" };
    expect(await refused(env)).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        "The settings are not valid:",
        "  PORT must be a whole number from 0 to 65535",
        "  DATABASE_URL must be a URL that starts with postgres:// or postgresql://",
        "  LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
        "",
      ].join("\n"),
    });
  });

  test("waits for a Postgres that is down and logs it in one line", async () => {
    const port = await closedPort();
    const server = start("main.js", { DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing` });
    running.push(server);
    await server.prints(/\n/, "stderr");
    server.child.kill("SIGTERM");
    expect((await server.ended).stderr).toBe(`Waiting for the database, up to 30 s: connect ECONNREFUSED 127.0.0.1:${port}.\n`);
  });

  test("on a port in use exits with 1 and one line", async () => {
    const env = { GATEHOUSE_DATA_DIR: "memory" };
    const server = await ready(env);
    const { port } = new URL(server.url);
    expect(await refused({ ...env, PORT: port })).toEqual({
      code: 1,
      stdout: "",
      stderr: `HOST and PORT cannot be used: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    });
  });

  test("on a database of a newer version exits with 1 and one line", async () => {
    const dataDir = emptyFolder();
    const database = await openEmbedded(dataDir);
    await migrate(database, [...readMigrations(), { name: "9999_newer", sql: "create table newer (id int);" }]);
    await database.close();
    expect(await refused({ GATEHOUSE_DATA_DIR: dataDir })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "The database has the migration 9999_newer, which this server does not know: a newer Gatehouse made it. Start that version, or a newer one.\n",
    });
  });
});

describe("a start on Postgres", needs.postgres, () => {
  test("is alive immediately, and ready only after it has created the first key", async () => {
    const url = await createEmptyPostgres();
    const database = openPostgres(url);
    await migrate(database);
    await database.close();
    const holder = new pg.Client(url);
    await holder.connect();
    const keys = async () => (await holder.query("select id from key")).rowCount;
    await holder.query("begin; lock table project in exclusive mode");
    const port = await closedPort();
    const server = start("main.js", { DATABASE_URL: url, PORT: String(port) });
    running.push(server);
    const probe = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.text()];
    };
    await waitFor(async () => expect(await probe("/livez").catch(() => "not listening")).toEqual([200, "ok\n"]));
    expect([await probe("/readyz"), await probe("/readyz/console")]).toEqual(Array(2).fill([503, "starting\n"]));
    expect(await keys()).toBe(0);
    await holder.query("rollback");
    await server.prints(/Gatehouse is ready/);
    expect([await probe("/readyz"), await probe("/readyz/console")]).toEqual(Array(2).fill([200, "ready\ndatabase: connected\n"]));
    expect(await keys()).toBe(1);
    await holder.end();
  });

  test("of two servers at the same time on a new Postgres creates one project and one key", async () => {
    const url = await createEmptyPostgres();
    const env = { DATABASE_URL: url };
    const servers = await Promise.all([ready(env), ready(env)]);
    for (const { stdout } of servers) expect(stdout).not.toMatch(/console-\w{16}|once-/);
    const pointers = servers.filter(({ stdout }) => stdout.includes("This command creates a console key:"));
    expect(pointers).toHaveLength(1);
    const created = await start("cli/main.js", env, ["keys", "create"]).ended;
    for (const server of servers) {
      const list = () => fetch(`${server.url}/console/v1/gates`, { headers: { "SERVICE-API-KEY": created.stdout.trim() } });
      // A new server may answer 503 while its database takes seconds to look up the key.
      await waitFor(async () => expect((await list()).status).toBe(200));
    }
    for (const server of servers) expect((await server.stop()).code).toBe(0);
    const { db, close } = openPostgres(url);
    expect(await db.$queryRaw`select project.id from project cross join key where project.id <> 'instance'`).toHaveLength(2);
    await close();
  });
});
