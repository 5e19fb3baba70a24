import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKeyCheck } from "../../src/authentication/key-check.ts";
import { hashSecret } from "../../src/tokens/secret.ts";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const MINUTE_MS = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const MESSAGE = "An active API key is required in the header SERVICE-API-KEY.";
const read = (key: string | null, at: TestServer = server) => at.send("GET", "/console/v1/gates", { key });
const makeReader = (description = "") => makeKey(server, { type: "CONSOLE", description });

describe("keys", () => {
  test("that are missing, unknown, deactivated, deleted or rotated are rejected with the same message", async () => {
    const [deactivated, deleted, rotated] = [await makeReader(), await makeReader(), await makeReader()];
    await server.client.deactivateKey({ path: { id: deactivated.id } });
    await server.client.deleteKey({ path: { id: deleted.id } });
    await server.client.rotateKey({ path: { id: rotated.id } });
    const refused = [null, "", `console-${"x".repeat(44)}`, "client-0123456789abcdef", deactivated.key, deleted.key, rotated.key];
    for (const key of refused) {
      const { status, body } = await read(key);
      expect([status, body]).toEqual([401, { status: 401, code: "unauthorized", message: MESSAGE }]);
    }
  });

  test("that are deactivated, deleted or rotated on one replica are rejected by all after half a second", async () => {
    const other = await server.replica();
    const ending = {
      deactivateKey: (id: string) => server.client.deactivateKey({ path: { id } }),
      deleteKey: (id: string) => server.client.deleteKey({ path: { id } }),
      rotateKey: (id: string) => server.client.rotateKey({ path: { id } }),
    };
    for (const [name, end] of Object.entries(ending)) {
      const { id, key } = await makeReader();
      const statuses = async () => [name, (await read(key)).status, (await read(key, other)).status];
      expect(await statuses()).toEqual([name, 200, 200]);
      await end(id);
      expect(await statuses()).toEqual([name, 200, 200]);
      server.clock.now += 500;
      expect(await statuses()).toEqual([name, 401, 401]);
    }
    await other.close();
  });

  test("are trusted from the start of their lookup, however long it takes", async () => {
    const { id, key } = await makeReader();
    const clock = { now: 1_000_000 };
    const { authenticate } = createKeyCheck(server.database, () => clock.now);
    const lookedUp = authenticate(key, "127.0.0.1");
    clock.now += 500;
    expect((await lookedUp).actor.id).toBe(id);
    await server.client.deactivateKey({ path: { id } });
    await expect(authenticate(key, "127.0.0.1")).rejects.toThrow(MESSAGE);
  });

  test("have target apps by names and ids, since entities reference them by either", async () => {
    const { data: app } = await server.client.createTargetApp({ body: { name: "iOS" } });
    const { id, key } = await makeKey(server, { type: "CLIENT", environments: ["staging"], targetAppID: "iOS" });
    expect(await createKeyCheck(server.database, () => server.clock.now).authenticate(key, "127.0.0.1")).toEqual({
      actor: { id, name: "CONSOLE API", email: null },
      projectID: "default",
      scope: { type: "CLIENT", environments: ["staging"], targetApps: ["iOS", app.id] },
      scopes: [],
      permissions: new Set(),
      grantedBy: "the scopes of the key",
      limits: null,
      publishing: null,
      administersInstance: false,
      worksAnywhere: true,
    });
  });
});

describe("lastUsed", () => {
  const lastUsed = async (id: string) => (await server.client.getKey({ path: { id } })).data.lastUsed;
  const changes = () => server.database.prisma.change.count({ where: { version: { gt: 0 } } });
  const text = (time: number) => new Date(time).toISOString();

  test("is stored once a minute, without a version or a change in the change log", async () => {
    const { id, key } = await makeReader();
    const before = await changes();
    const first = server.clock.now;
    await read(key);
    await waitFor(async () => expect(await lastUsed(id)).toBe(text(first)));
    server.clock.now = first + MINUTE_MS - 1;
    await read(key);
    server.clock.now = first + MINUTE_MS;
    expect(await lastUsed(id)).toBe(text(first));
    await read(key);
    expect(await lastUsed(id)).toBe(text(first));
    server.clock.now += 500;
    await read(key);
    await waitFor(async () => expect(await lastUsed(id)).toBe(text(first + MINUTE_MS + 500)));
    expect((await server.client.getKey({ path: { id } })).data.version).toBe(1);
    expect(await changes()).toBe(before);
    const { data } = await server.client.listKeys({});
    expect(data.find((one) => one.id === id)?.lastUsed).toBe(text(first + MINUTE_MS + 500));
  });

  test("survives a rotation", async () => {
    const { id, key } = await makeReader();
    await read(key);
    await waitFor(async () => expect(await lastUsed(id)).toBe(text(server.clock.now)));
    expect((await server.client.rotateKey({ path: { id } })).data.lastUsed).toBe(text(server.clock.now));
  });

  test("that cannot be stored does not fail the request", async () => {
    const broken = await startServer();
    const { key } = await makeKey(broken, { type: "CONSOLE" });
    await broken.database.prisma.$executeRaw`alter table key add constraint refused check ("lastUsedTime" is null) not valid`;
    expect((await read(key, broken)).status).toBe(200);
    expect(await broken.database.prisma.key.count({ where: { hash: hashSecret(key), lastUsedTime: null } })).toBe(1);
    await broken.close();
  });
});

describe("a key's secret", () => {
  test("appears only in the response that created it: not in the database, the log or a stored response", async () => {
    const headers = (name: string) => ({ headers: { "Idempotency-Key": name } });
    const send = (method: string, path: string, more: object = {}) => server.send(method, `/console/v1/keys${path}`, more);
    const body = { type: "CONSOLE", description: "secret" };
    const { data: made } = (await send("POST", "", { body, ...headers("create") })).body;
    const { data: rotated } = (await send("PATCH", `/${made.key}/rotate`, headers("rotate"))).body;
    await send("GET", `/${rotated.key}`);
    await send("PATCH", `/${rotated.key}`, { body: { description: "changed" } });
    await send("GET", `/${rotated.key}?surprise=1`);
    await read(rotated.key);
    await send("PATCH", `/${rotated.key}/deactivate`);
    await send("DELETE", `/${rotated.key}`);
    const encoded = [...rotated.key].map((character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`).join("");
    const paths = [
      `x${rotated.key}`,
      encoded,
      encoded.replaceAll("%", "%25"),
      encoded.replaceAll("%", "%2525"),
      `${rotated.key}/x?k=${rotated.key}`,
    ];
    for (const path of paths) {
      for (const prefix of ["/console/v1/keys/", "/v1/", "/"]) {
        const { body, text } = await server.send("GET", `${prefix}${path}`);
        if (body.code === "not_found" && body.message.startsWith("The path ")) expect(text).toMatch(/console-…/);
      }
    }
    const kept = await everyRow();
    const logged = server.logged.join("\n");
    expect(logged).toContain("/console/v1/keys/console-…/rotate");
    for (const secret of [made.key, rotated.key].map((key: string) => key.replace("console-", ""))) {
      expect(kept).not.toContain(secret);
      expect(logged).not.toContain(secret);
      expect(decodeURIComponent(decodeURIComponent(decodeURIComponent(logged)))).not.toContain(secret);
    }
    const hashes = [made.key, rotated.key].map(hashSecret);
    const changed = JSON.stringify(await server.database.prisma.change.findMany({ select: { before: true, after: true, reason: true } }));
    for (const hash of hashes) expect(changed).not.toContain(hash);
  });

  test("is stored only as its SHA-256", async () => {
    const { key } = await makeReader("hashed");
    expect(await everyRow()).toContain(hashSecret(key));
  });

  test("is null in a repeat of the request that created it, and in a dry run", async () => {
    const body = { type: "SERVER", description: "shown once" };
    const create = (more: object) => server.send("POST", "/console/v1/keys", { body, ...more });
    const first = await create({ headers: { "Idempotency-Key": "once" } });
    const repeat = await create({ headers: { "Idempotency-Key": "once" } });
    expect(repeat.headers.get("Idempotency-Replayed")).toBe("true");
    expect(repeat.body).toEqual({ ...first.body, data: { ...first.body.data, key: null } });
    const { data, changes } = await server.client.createKey({ query: { dryRun: true }, body: { type: "CLIENT", description: "dry" } });
    expect(data.key).toBeNull();
    expect(changes?.[0]?.fields.map(({ field }) => field)).not.toContain("key");
    const { id, key } = await makeReader();
    const dry = await server.client.rotateKey({ path: { id }, query: { dryRun: true } });
    expect([dry.data.key, dry.changes?.[0]?.fields.map(({ field }) => field)]).toEqual([null, ["hint"]]);
    expect((await read(key)).status).toBe(200);
  });

  /** Every row of every table, as one text. */
  async function everyRow(): Promise<string> {
    const { prisma } = server.database;
    const tables = await prisma.$queryRaw<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
    const texts = tables.map(({ name }) => prisma.$queryRawUnsafe<{ text: string }[]>(`select to_jsonb(t)::text as text from "${name}" t`));
    return (await Promise.all(texts))
      .flat()
      .map(({ text }) => text)
      .join("\n");
  }
});
