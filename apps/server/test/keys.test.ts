import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, listKeys, revoke } from "../src/cli/keys.ts";
import { hashKey } from "../src/console/keys/key.ts";
import { migrate } from "../src/store/migrate.ts";
import { onPostgres } from "./support/database.ts";
import { createEmptyPostgres, openEmptyDatabase } from "./support/empty-database.ts";
import { shownKey, start, startReady, temporaryFolder } from "./support/process.ts";
import { startServer, type TestServer } from "./support/server.ts";

const MINUTE = 60_000;

describe("keys", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const status = async (key: string) => (await server.send("GET", "/console/v1/gates", { key })).status;

  test("a key that is made opens a running server, and once revoked is refused within 500 ms", async () => {
    const { key, secret } = await createKey(server.database, "robot", server.clock.now);
    expect(await status(secret)).toBe(200);
    await revoke(server.database, key.id, server.clock.now);
    expect(await status(secret)).toBe(200);
    server.clock.now += 500;
    expect(await server.send("GET", "/console/v1/gates", { key: secret })).toMatchObject({
      status: 401,
      body: { message: "An active console key is needed in the header SERVICE-API-KEY." },
    });
    expect(await status(server.key)).toBe(200);
  });

  test("that are missing, unknown, of another kind or revoked are refused with one text that does not tell which", async () => {
    const { key, secret } = await createKey(server.database, "refused", server.clock.now);
    await revoke(server.database, key.id, server.clock.now);
    const unknown = `console-${"x".repeat(44)}`;
    const answers = [];
    for (const one of [null, "", unknown, "client-0123456789abcdef", secret]) {
      const { status, body } = await server.send("GET", "/console/v1/gates", { key: one });
      answers.push({ status, body });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({
      status: 401,
      body: { status: 401, code: "unauthorized", message: "An active console key is needed in the header SERVICE-API-KEY." },
    });
  });

  test("are kept as their SHA-256 and nothing else of them", async () => {
    const { key, secret } = await createKey(server.database, "secret", server.clock.now);
    const [row] = await server.database.prisma.$queryRaw<{ text: string }[]>`
      select to_jsonb(one)::text as text from "key" one where "id" = ${key.id}`;
    expect(row?.text).toContain(createHash("sha256").update(secret).digest("hex"));
    expect(row?.text).not.toContain(secret.replace("console-", ""));
  });

  test("each write has its row in the change log, which shows no hash", async () => {
    const { now } = server.clock;
    const { key, secret } = await createKey(server.database, "logged", now);
    await revoke(server.database, key.id, now + MINUTE);
    const rows = await server.database.prisma.change.findMany({
      where: { entityType: "key", entityID: key.id },
      orderBy: { version: "asc" },
    });
    expect(rows.map(({ operationID, actorID, actorName, version }) => [operationID, actorID, actorName, version])).toEqual([
      ["createKey", "system", "GATEHOUSE", 1],
      ["revokeKey", "system", "GATEHOUSE", 2],
    ]);
    const made = { projectID: "default", id: key.id, name: "logged", createdTime: now, revokedTime: null, version: 1 };
    const revoked = { ...made, revokedTime: now + MINUTE, version: 2 };
    expect(rows.map(({ before, after }) => [JSON.parse(before ?? "null"), JSON.parse(after ?? "null")])).toEqual([
      [null, made],
      [made, revoked],
    ]);
    expect(JSON.stringify(rows, (_, value) => String(value))).not.toContain(hashKey(secret));
  });

  test("a key that is revoked already stays as it is", async () => {
    const { key } = await createKey(server.database, "once", server.clock.now);
    const first = await revoke(server.database, key.id, server.clock.now);
    expect(await revoke(server.database, key.id, server.clock.now + MINUTE)).toEqual(first);
    expect(await server.database.prisma.change.count({ where: { entityID: key.id } })).toBe(2);
  });

  test("are listed oldest first", async () => {
    const { key: younger } = await createKey(server.database, "younger", server.clock.now + 2 * MINUTE);
    const { key: older } = await createKey(server.database, "older", server.clock.now + MINUTE);
    const ids = (await listKeys(server.database)).map(({ id }) => id);
    expect(ids.filter((id) => [younger.id, older.id].includes(id))).toEqual([older.id, younger.id]);
  });

  test("there are none before the server's first start", async () => {
    const database = await openEmptyDatabase();
    await migrate(database);
    await expect(createKey(database, "early")).rejects.toThrow(/^The database is empty\. Start the server once/);
    await expect(listKeys(database)).rejects.toThrow(/^The database is empty/);
    await database.close();
  });
});

describe("gatehouse keys", () => {
  const folder = temporaryFolder();
  let env: Record<string, string>;
  let server: Awaited<ReturnType<typeof startReady>>;

  /** On Postgres beside the running server; the embedded database is free once the server has ended. */
  beforeAll(async () => {
    env = onPostgres ? { DATABASE_URL: await createEmptyPostgres() } : { GATEHOUSE_DATA_DIR: folder.path };
    server = await startReady(env);
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

  test("create prints the key alone, list shows it without its hash, revoke ends it", async () => {
    const created = await gatehouse("keys", "create", "--name", "robot");
    const secret = created.stdout.trim();
    const id = created.stderr.match(/Key (key_\w+) \(robot\) is made/)?.[1] ?? "";
    expect([created.code, secret]).toEqual([0, expect.stringMatching(/^console-\w{44}$/)]);
    if (!onPostgres) server = await startReady(env);
    expect(await status(secret)).toBe(200);
    if (!onPostgres) await server.stop();

    const listed = await gatehouse("keys", "list");
    expect(listed.stdout.split("\n")).toEqual([
      expect.stringMatching(/^ID {2,}NAME {2,}CREATED {2,}REVOKED$/),
      expect.stringMatching(/^key_\w+ {2}first key {2}\S+Z {2}-$/),
      expect.stringMatching(new RegExp(`^${id} {2}robot {6}\\S+Z {2}-$`)),
      "",
    ]);
    expect(listed.stdout).not.toContain(hashKey(secret));

    const revoked = await gatehouse("keys", "revoke", id);
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringMatching(`^Key ${id} \\(robot\\) is revoked since \\S+Z\\.\n$`)]);
    if (!onPostgres) server = await startReady(env);
    await expect.poll(() => status(secret)).toBe(401);
    expect(onPostgres ? await status(shownKey(server.stdout) ?? "") : 200).toBe(200);
    if (!onPostgres) await server.stop();
  });

  test("revoke names an id that does not exist", async () => {
    expect(await gatehouse("keys", "revoke", "key_absent")).toEqual({ code: 1, stdout: "", stderr: "Key key_absent does not exist.\n" });
  });

  test.each([
    [[], "Which command?"],
    [["keys"], "There is no command keys."],
    [["keys", "destroy"], "There is no command keys destroy."],
    [["keys", "revoke"], "There is no command keys revoke."],
    [["keys", "list", "--name", "x"], "There is no command keys list --name x."],
    [["keys", "create", "--nam", "x"], "Unknown option '--nam'."],
  ])("%j is answered with the usage", async (args, message) => {
    const { code, stdout, stderr } = await gatehouse(...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.slice(0, message.length)).toBe(message);
    expect(stderr).toContain("Usage:\n  gatehouse keys create [--name NAME]");
  });

  test("create refuses a name that a table cannot show", async () => {
    const { code, stderr } = await gatehouse("keys", "create", "--name", "a\nb");
    expect([code, stderr]).toEqual([1, "A name has 1 to 100 characters and no control characters.\n"]);
  });

  test("--help prints the usage and needs no database", async () => {
    const { code, stdout } = await start("cli/main.js", { DATABASE_URL: "nonsense" }, ["--help"]).ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("Usage:")]);
  });
});
