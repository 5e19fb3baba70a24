import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, deactivate, listKeys } from "../../src/cli/keys.ts";
import { migrate } from "../../src/store/database/migrate.ts";
import { onPostgres } from "../support/database.ts";
import { createEmptyPostgres, openEmptyDatabase } from "../support/empty-database.ts";
import { start, startReady, temporaryFolder } from "../support/process.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const MINUTE_MS = 60_000;
/** For several consecutive processes on a busy machine, ms. */
const timeout = 600_000;

describe("the command line's keys", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const made = (description: string, now = server.clock.now) => createKey(server.database, { type: "CONSOLE", description }, now);
  const ofSystem = { creatorID: "system", creatorName: "GATEHOUSE", creatorEmail: null };
  const bySystem = { lastModifierID: "system", lastModifierName: "GATEHOUSE", lastModifierEmail: null };

  test("are accepted by a running server, and appear in its list like any other key", async () => {
    const { key, secret } = await made("robot");
    expect((await server.client.getKey({ path: { id: key.id } })).data).toEqual({
      id: expect.stringMatching(/^key_\w{22}$/),
      key: null,
      hint: `console-…${secret.slice(-4)}`,
      type: "CONSOLE",
      description: "robot",
      scopes: ["omni_read_write", "can_access_keys"],
      environments: [],
      primaryTargetApp: null,
      secondaryTargetApps: [],
      allowedAddresses: [],
      role: null,
      status: "active",
      expiresTime: null,
      lastUsed: null,
      isOrphaned: false,
      createdTime: server.clock.now,
      ...ofSystem,
      lastModifiedTime: server.clock.now,
      ...bySystem,
      version: 1,
    });
    expect((await server.send("GET", "/console/v1/gates", { key: secret })).status).toBe(200);
  });

  test("have rows in the change log under the operationIds of the corresponding operations", async () => {
    const { key } = await made("logged");
    const deactivated = await deactivate(server.database, key.id, server.clock.now + MINUTE_MS);
    expect(deactivated).toEqual({ ...key, status: "deactivated", lastModifiedTime: server.clock.now + MINUTE_MS, version: 2 });
    const rows = await server.database.prisma.change.findMany({
      where: { entityType: "key", entityID: key.id },
      orderBy: { version: "asc" },
    });
    expect(rows.map(({ operationID, actorID, actorName, version }) => [operationID, actorID, actorName, version])).toEqual([
      ["createKey", "system", "GATEHOUSE", 1],
      ["deactivateKey", "system", "GATEHOUSE", 2],
    ]);
    expect(rows.map(({ before, after }) => [JSON.parse(before ?? "null"), JSON.parse(after ?? "null")])).toEqual([
      [null, key],
      [key, deactivated],
    ]);
  });

  test("do not change if they are deactivated twice", async () => {
    const { key } = await made("once");
    const first = await deactivate(server.database, key.id, server.clock.now);
    expect(await deactivate(server.database, key.id, server.clock.now + MINUTE_MS)).toEqual(first);
    expect(await server.database.prisma.change.count({ where: { entityID: key.id } })).toBe(2);
  });

  test("are listed newest first, with the time of last use", async () => {
    const { key: younger } = await made("younger", server.clock.now + 2 * MINUTE_MS);
    const { key: older } = await made("older", server.clock.now + MINUTE_MS);
    const listed = (await listKeys(server.database)).filter(({ key }) => [younger.id, older.id].includes(key.id));
    expect(listed).toEqual([
      { key: younger, lastUsed: null },
      { key: older, lastUsed: null },
    ]);
  });

  test("are an empty list before the server's first start", async () => {
    const database = await openEmptyDatabase();
    await migrate(database);
    await expect(createKey(database, { type: "CONSOLE", description: "early" })).rejects.toThrow(
      /^The database is empty\. Start the server once/,
    );
    await expect(listKeys(database)).rejects.toThrow(/^The database is empty/);
    await database.close();
  });
});

const KEY = "console-0123456789abcdef";

describe("gatehouse keys", () => {
  const folder = temporaryFolder();
  let env: Record<string, string>;
  let server: Awaited<ReturnType<typeof startReady>>;

  /** Runs beside the server on Postgres. The embedded database is available only after the server has stopped. */
  beforeAll(async () => {
    env = onPostgres ? { DATABASE_URL: await createEmptyPostgres() } : { GATEHOUSE_DATA_DIR: folder.path };
    server = await startReady({ ...env, GATEHOUSE_CONSOLE_KEY: KEY });
    if (!onPostgres) {
      const { code, stdout, stderr } = await gatehouse("keys", "list");
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^The data folder .* is in use by another Gatehouse process\. .*\n$/);
      await server.stop();
    }
  });
  afterAll(() => {
    server.child.kill("SIGKILL");
    folder.remove();
  });

  const gatehouse = (...args: string[]) => start("cli/main.js", env, args).ended;
  const status = async (key: string) => (await fetch(`${server.url}/console/v1/gates`, { headers: { "SERVICE-API-KEY": key } })).status;

  test("create prints only the key, list shows it without its hash, revoke deactivates it", { timeout }, async () => {
    const created = await gatehouse("keys", "create", "--description", "robot");
    const secret = created.stdout.trim();
    const id = created.stderr.match(/Key (key_\w+) \(robot\) is made/)?.[1] ?? "";
    expect([created.code, secret]).toEqual([0, expect.stringMatching(/^console-\w{44}$/)]);
    if (!onPostgres) server = await startReady(env);
    expect(await status(secret)).toBe(200);
    if (!onPostgres) await server.stop();

    const listed = await gatehouse("keys", "list");
    expect(listed.stdout.split("\n")).toEqual([
      expect.stringMatching(/^ID {2,}KEY {2,}DESCRIPTION {2,}STATUS {2,}CREATED {2,}LAST USED$/),
      expect.stringMatching(new RegExp(`^${id} {2}console-…${secret.slice(-4)} {2}robot {8}active {2}\\S+Z {2}\\S+$`)),
      expect.stringMatching(/^key_\w+ {2}console-…\w{4} {2}first key {4}active {2}\S+Z {2}-$/),
      "",
    ]);
    expect(listed.stdout).not.toContain(createHash("sha256").update(secret).digest("hex"));

    const revoked = await gatehouse("keys", "revoke", id);
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringMatching(`^Key ${id} \\(robot\\) is deactivated since \\S+Z\\.\n$`)]);
    if (!onPostgres) server = await startReady(env);
    await waitFor(async () => expect(await status(secret)).toBe(401));
    expect(onPostgres ? await status(KEY) : 200).toBe(200);
    if (!onPostgres) await server.stop();
  });

  test("create creates keys for servers and clients, limited to environments", async () => {
    const limits = ["--environment", "staging", "--environment", "production"];
    const created = await gatehouse("keys", "create", "--type", "client", ...limits);
    expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^client-\w{44}\n$/)]);
    expect(created.stderr).toMatch(/^Key key_\w+ \(client key\) is made\. It is shown this once: keep it\.\n$/);
    expect((await gatehouse("keys", "create", "--type", "server")).stdout).toMatch(/^secret-\w{44}\n$/);
  });

  test("create rejects unknown environments and target apps by name", async () => {
    const limits = ["--environment", "production", "--environment", "canary", "--target-app", "iOS", "--target-app", "Web"];
    expect(await gatehouse("keys", "create", "--type", "server", ...limits)).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        "The request is not valid.",
        "environments[1] references environment canary, which does not exist",
        "targetAppID references target app iOS, which does not exist",
        "secondaryTargetAppIDs[0] references target app Web, which does not exist",
        "",
      ].join("\n"),
    });
  });

  test("revoke rejects an unknown id", async () => {
    expect(await gatehouse("keys", "revoke", "key_absent")).toEqual({ code: 1, stdout: "", stderr: "Key key_absent does not exist.\n" });
  });

  test("people administrator prints only a link, or only its token if the server's URL is unknown", async () => {
    const linked = await start("cli/main.js", { ...env, GATEHOUSE_PUBLIC_URL: "https://flags.example.com" }, ["people", "administrator"])
      .ended;
    expect(linked).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^https:\/\/flags\.example\.com\/welcome#once-\w{44}\n$/),
      stderr: "The link works once, within 72 hours. Open it in a browser.\n",
    });
    expect(await gatehouse("people", "administrator")).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^once-\w{44}\n$/),
      stderr: "The token works once, within 72 hours. Open the page /welcome#TOKEN of your server with it.\n",
    });
  });

  test.each([
    [[], "Which command?"],
    [["keys"], "Unknown command: keys."],
    [["keys", "destroy"], "Unknown command: keys destroy."],
    [["keys", "revoke"], "Unknown command: keys revoke."],
    [["keys", "list", "--type", "client"], "Unknown command: keys list --type client."],
    [["keys", "create", "--descripton", "x"], "Unknown option '--descripton'."],
  ])("%j is answered with the usage", async (args, message) => {
    const { code, stdout, stderr } = await gatehouse(...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.slice(0, message.length)).toBe(message);
    expect(stderr).toContain("Usage: node apps/server/dist/cli/main.js COMMAND\n\n  keys create [OPTION…]");
  });

  test.each([
    [["--description", "a\nb"], "A description has 1 to 1000 characters and no control characters."],
    [["--type", "browser"], "A type is one of console, server, client."],
    [["--scope", "all"], "A scope is one of omni_read_only, omni_read_write, can_access_keys, client_download_config_specs, mcp_write."],
  ])("create refuses %j", async (options, message) => {
    expect(await gatehouse("keys", "create", ...options)).toEqual({ code: 1, stdout: "", stderr: `${message}\n` });
  });

  test("--help prints the usage and needs no database", async () => {
    const { code, stdout } = await start("cli/main.js", { DATABASE_URL: "nonsense" }, ["--help"]).ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("Usage:")]);
  });
});
