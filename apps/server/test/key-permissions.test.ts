import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf } from "./support/faults.ts";
import { insufficient, makeKey } from "./support/keys.ts";
import { fill, operations, writes } from "./support/operations.ts";
import { startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
let keys: Record<"client" | "server" | "reader" | "writer" | "keyReader", string>;
beforeAll(async () => {
  server = await startServer();
  const keyOf = async (given: Parameters<typeof makeKey>[1]) => (await makeKey(server, given)).key;
  keys = {
    client: await keyOf({ type: "CLIENT" }),
    server: await keyOf({ type: "SERVER" }),
    reader: await keyOf({ type: "CONSOLE", scopes: ["omni_read_only"] }),
    writer: await keyOf({ type: "CONSOLE", scopes: ["omni_read_write"] }),
    keyReader: await keyOf({ type: "CONSOLE", scopes: ["omni_read_only", "can_access_keys"] }),
  };
});
afterAll(() => server.close());

const isConsole = ({ path }: { path: string }) => path.startsWith("/console/");
const isOnKeys = ({ path }: { path: string }) => path.startsWith("/console/v1/keys");

describe("every operation of the console API", () => {
  test.each(operations.filter(isConsole))("$operationId: 403 to keys of other types", async ({ method, path, statuses, example }) => {
    expect(statuses).toContain("403");
    for (const key of [keys.client, keys.server]) {
      const { status, body } = await server.send(method, fill(path, {}), { key, body: example });
      expect([status, body]).toEqual([403, insufficient("a key of the type CONSOLE")]);
    }
  });

  test("403 to keys of other types also where there is nothing", async () => {
    const { status, body } = await server.send("GET", "/console/v1/nowhere", { key: keys.client });
    expect([status, body]).toEqual([403, insufficient("a key of the type CONSOLE")]);
  });
});

describe("every write of the console API", () => {
  test.each(writes.filter((operation) => !isOnKeys(operation)))(
    "$operationId: 403 to a key that only reads, whatever the rest of the request is",
    async ({ method, path }) => {
      const before = await rowsOf(server.database);
      for (const query of ["", "?dryRun=true", "?surprise=1"]) {
        const { status, body } = await server.send(method, `${fill(path, {})}${query}`, { key: keys.reader, body: { surprise: 1 } });
        expect([status, body]).toEqual([403, insufficient("a key with the scope omni_read_write")]);
      }
      expect(await rowsOf(server.database)).toEqual(before);
    },
  );

  test.each(writes.filter(isOnKeys))("$operationId: 403 to a key that only reads, with can_access_keys too", async ({ method, path }) => {
    const { status, body } = await server.send(method, fill(path, {}), { key: keys.keyReader, body: {} });
    expect([status, body]).toEqual([403, insufficient("a key with the scope omni_read_write")]);
  });
});

describe("every operation on keys", () => {
  test.each(operations.filter(isOnKeys))("$operationId: 403 without can_access_keys", async ({ method, path, example }) => {
    const { status, body } = await server.send(method, fill(path, {}), { key: keys.writer, body: example });
    expect([status, body]).toEqual([403, insufficient("a key with the scope can_access_keys")]);
  });

  test("names every scope that is missing", async () => {
    const { body } = await server.send("POST", "/console/v1/keys", { key: keys.reader, body: {} });
    expect(body).toEqual(insufficient("a key with the scope omni_read_write and can_access_keys"));
  });
});

describe("a console key", () => {
  test("that only reads reads; with can_access_keys it reads keys too", async () => {
    const statusOf = async (path: string, key: string) => (await server.send("GET", path, { key })).status;
    expect([await statusOf("/console/v1/gates", keys.reader), await statusOf("/console/v1/keys", keys.keyReader)]).toEqual([200, 200]);
  });

  test("that only writes writes", async () => {
    const { status } = await server.send("POST", "/console/v1/gates", { key: keys.writer, body: { name: "written" } });
    expect(status).toBe(201);
  });

  test("is refused within half a second what a change of its scopes takes away", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    const write = async () => (await server.send("POST", "/console/v1/tags?dryRun=true", { key, body: { name: "tried" } })).status;
    expect(await write()).toBe(200);
    await server.client.patchKey({ path: { id }, body: { scopes: ["omni_read_only"] } });
    server.clock.now += 500;
    expect(await write()).toBe(403);
  });
});
