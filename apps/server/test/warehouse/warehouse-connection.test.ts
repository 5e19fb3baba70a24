import dns from "node:dns";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openClickHouseWarehouse } from "../../src/warehouse/clickhouse-warehouse.ts";
import { withWarehouses } from "../../src/warehouse/warehouses.ts";
import { createTestDatabase } from "../support/database.ts";
import { refusal, startOver, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
// A project has one connection: each test starts without one.
beforeEach(async () => {
  await server.database.prisma.warehouseConnection.deleteMany();
  await server.database.prisma.warehouseSecret.deleteMany();
});
afterAll(() => server.close());

const NONE = { type: null, host: null, port: null, database: null, username: null, encryption: null, credentialsTime: null, version: 0 };
const URL = "postgres://reader:s%40cret@warehouse.example.com/shop?sslmode=verify-full";

const connect = (body: object, headers = {}) => server.send("PATCH", "/console/v1/wh_connections", { body, headers });
const findFaults = async (body: object) => (await connect(body)).body.errors;
const secrets = () => server.database.prisma.warehouseSecret.findMany();

describe("getWarehouseConnection", () => {
  test("200: nulls for a project that never had one", async () => {
    const { data, message, etag } = await server.client.getWarehouseConnection({});
    expect([data, message, etag]).toEqual([NONE, "Connection read successfully.", '"0"']);
  });
});

describe("updateWarehouseConnection", () => {
  test("200: keeps where the warehouse is and who reads it, and answers no password", async () => {
    const { data, message, etag } = await server.client.updateWarehouseConnection({ body: { postgres: { url: URL } } });
    expect([message, etag]).toEqual(["Connection updated successfully", '"1"']);
    const kept = {
      ...{ type: "postgres", host: "warehouse.example.com", port: 5432, database: "shop", username: "reader", encryption: "verified" },
      ...{ credentialsTime: server.clock.now, version: 1 },
    };
    expect(data).toEqual(kept);
    expect((await server.client.getWarehouseConnection({})).data).toEqual(kept);
  });

  test("200: takes the place of the one before, with the ports that engines usually have", async () => {
    await connect({ postgres: { url: URL } });
    const { data } = await server.client.updateWarehouseConnection({
      body: { clickhouse: { url: "clickhouse://reader:secret@warehouse.example.com/shop?secure=true" } },
    });
    expect(data).toMatchObject({ type: "clickhouse", port: 8443, encryption: "verified", version: 2 });
    expect(await secrets()).toHaveLength(1);
  });

  test("the password is stored encrypted, and in no entry of the audit log", async () => {
    await connect({ postgres: { url: URL } });
    const [secret] = await secrets();
    expect(secret?.encrypted).toMatch(/^[\w-]{100,}$/);
    const changes = await server.database.prisma.change.findMany({ where: { entityType: "warehouse_connection" } });
    expect(JSON.stringify(changes, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toMatch(/cret/);
    const { data } = await server.client.listAuditLogs({ query: { limit: 1 } });
    expect(data).toMatchObject([{ actionType: "updateWarehouseConnection" }]);
  });

  test("a dry run keeps nothing, and an idempotent repetition answers the same", async () => {
    const dry = await server.send("PATCH", "/console/v1/wh_connections?dryRun=true", { body: { postgres: { url: URL } } });
    expect([dry.status, dry.body.data.version, await secrets()]).toEqual([200, 1, []]);
    const first = await connect({ postgres: { url: URL } }, { "Idempotency-Key": "connect-once" });
    const again = await connect({ postgres: { url: URL } }, { "Idempotency-Key": "connect-once" });
    expect([again.body, again.headers.get("Idempotency-Replayed")]).toEqual([first.body, "true"]);
    expect((await server.client.getWarehouseConnection({})).data.version).toBe(1);
  });

  test("412: with an If-Match of another version", async () => {
    await connect({ postgres: { url: URL } });
    expect((await connect({ postgres: { url: URL } }, { "If-Match": '"7"' })).status).toBe(412);
  });

  test("400: what names no engine, two, or one that Gatehouse does not read", async () => {
    expect(await findFaults({})).toEqual([{ property: "body", errorMessage: "must have postgres or clickhouse" }]);
    const both = { postgres: { url: URL }, clickhouse: { url: "clickhouse://a@warehouse.example.com/b" } };
    expect(await findFaults(both)).toEqual([{ property: "clickhouse", errorMessage: "must be left out with postgres" }]);
    const errorMessage = "is no engine that Gatehouse reads. These are postgres and clickhouse";
    expect(await findFaults({ snowflake: { accountName: "a" }, athena: {} })).toEqual([
      { property: "snowflake", errorMessage },
      { property: "athena", errorMessage },
    ]);
  });

  test.each([
    ["http://reader@warehouse.example.com/shop", "must be a URL such as postgres://reader:password@host:5432/database"],
    ["postgres://reader@warehouse.example.com", "must be a URL such as postgres://reader:password@host:5432/database"],
    ["postgres://warehouse.example.com/shop", "must name a user"],
    ["postgres://reader@warehouse.example.com/shop?host=169.254.169.254", "must have no parameter but sslmode"],
    ["postgres://reader@warehouse.example.com/shop?sslmode=prefer", "must have one of disable, require, verify-full as sslmode"],
    ["postgres://reader:%ff@warehouse.example.com/shop", "has a % that encodes no character"],
    ["postgres://reader%00options%00-csearch_path=x@warehouse.example.com/shop", "must have no control character"],
    ["postgres://reader:%0a@warehouse.example.com/shop", "must have no control character"],
    ["postgres://reader@warehouse.example.com/shop%00", "must have no control character"],
    [
      "postgres://reader@169.254.169.254/latest",
      "must be one of those in GATEHOUSE_WAREHOUSE_HOSTS, which the operator of the server sets. 169.254.169.254:5432 is none of them",
    ],
  ])("400: the URL %s", async (url, errorMessage) => {
    expect(await findFaults({ postgres: { url } })).toEqual([{ property: "postgres.url", errorMessage }]);
    expect((await server.client.getWarehouseConnection({})).data).toEqual(NONE);
  });
});

test.each([
  ["an error", 500],
  ["an answer", 200],
])("no body of a service that isn't ClickHouse is shown: %s", async (_name, status) => {
  const service = createServer((_request, response) => void response.writeHead(status).end("a secret of a service"));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = service.address() as AddressInfo;
    await connect({ clickhouse: { url: `clickhouse://reader@127.0.0.1:${port}/shop` } });
    const reason = "It does not answer as ClickHouse does.";
    expect((await server.client.checkWarehouseConnection({})).data).toEqual({ isUsable: false, reason });
    expect((await server.client.previewMetricSource({ body: { sql: "select 1" } })).data).toEqual({ columns: [], rows: [], reason });
  } finally {
    service.close();
  }
});

test("a redirect of a service is not followed", async () => {
  const reached: string[] = [];
  const internal = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => internal.listen(0, "127.0.0.1", resolve));
  const location = `http://127.0.0.1:${(internal.address() as AddressInfo).port}/latest`;
  const service = createServer((_request, response) => void response.writeHead(307, { location }).end());
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  try {
    await connect({ clickhouse: { url: `clickhouse://reader@127.0.0.1:${(service.address() as AddressInfo).port}/shop` } });
    const reason = "It does not answer as ClickHouse does.";
    expect((await server.client.checkWarehouseConnection({})).data).toEqual({ isUsable: false, reason });
    expect(reached).toEqual([]);
  } finally {
    service.close();
    internal.close();
  }
});

test("a load reads from one server, even if DNS answers change later", async () => {
  const reached: string[] = [];
  const listen = (address: string, port: number) =>
    new Promise<Server>((resolve) => {
      const service = createServer((_request, response) => {
        reached.push(address);
        response.setHeader("Connection", "close").end('{"version":"26.7"}\n');
      }).listen(port, address, () => resolve(service));
    });
  const first = await listen("127.0.0.1", 0);
  const { port } = first.address() as AddressInfo;
  const second = await listen("127.0.0.2", port);
  const lookup = vi.spyOn(dns, "lookup");
  const answer = (address: string) =>
    lookup.mockImplementation(((...args: unknown[]) => {
      (args.at(-1) as (error: null, found: unknown) => void)(null, [{ address, family: 4 }]);
    }) as unknown as typeof dns.lookup);
  try {
    const address = { type: "clickhouse", host: "warehouse.example.com", port, database: "shop", username: "reader" } as const;
    const warehouse = openClickHouseWarehouse({ ...address, password: "", encryption: "off" }, undefined);
    const options = { timeoutMs: 60_000, signal: new AbortController().signal };
    answer("127.0.0.1");
    expect(await warehouse.check(options)).toBe("ClickHouse 26.7");
    answer("127.0.0.2");
    await warehouse.check(options);
    await openClickHouseWarehouse({ ...address, password: "", encryption: "off" }, undefined).check(options);
    expect(reached).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.2"]);
  } finally {
    lookup.mockRestore();
    first.close();
    second.close();
  }
});

// Names are compared without resolving them, so changing a name's address between the check and the connection doesn't help an attacker.
test.each(["localhost", "127.1", "2130706433", "0x7f000001", "127.0.0.1.", "[::ffff:127.0.0.1]", "%31%32%37.0.0.1", "127.0.0.1,10.0.0.7"])(
  "the host %s is not the allowed host 127.0.0.1, although it may lead there",
  async (host) => {
    for (const [engine, scheme] of [
      ["postgres", "postgres"],
      ["clickhouse", "clickhouse"],
    ]) {
      const faults = await findFaults({ [engine as string]: { url: `${scheme}://reader:secret@${host}/shop` } });
      expect(faults).toEqual([{ property: `${engine}.url`, errorMessage: expect.stringMatching(/ is none of them$|^must be a URL/) }]);
    }
  },
);

describe("deleteWarehouseConnection", () => {
  test("200: forgets the connection and its credentials", async () => {
    await connect({ postgres: { url: URL } });
    const { data, message } = await server.client.deleteWarehouseConnection({});
    expect([data, message]).toEqual([{ ...NONE, version: 2 }, "Connection deleted successfully."]);
    expect(await secrets()).toEqual([]);
    expect((await server.client.checkWarehouseConnection({})).data).toEqual({ isUsable: false, reason: "The project has no warehouse." });
  });
});

describe("a server", () => {
  async function withSettings<T>(settings: Parameters<typeof withWarehouses>[1], work: (other: TestServer) => Promise<T>): Promise<T> {
    const database = await createTestDatabase();
    const other = await startOver({ ...database, ...withWarehouses(database, settings), close: database.close });
    return work(other).finally(() => other.close());
  }

  test("without a secret key refuses credentials", async () => {
    await withSettings({ hosts: ["warehouse.example.com"], secretKey: undefined }, async ({ client }) => {
      expect(await refusal(client.updateWarehouseConnection({ body: { postgres: { url: URL } } }))).toMatchObject({
        status: 400,
        errors: [{ errorMessage: "needs GATEHOUSE_SECRET_KEY, with which the server encrypts credentials. It is not set" }],
      });
    });
  });

  test("with another secret key asks for the credentials again, and one that may no longer connect there says so", async () => {
    await connect({ postgres: { url: URL } });
    const { database } = server;
    const check = async (settings: Parameters<typeof withWarehouses>[1]) => {
      const other = await startOver({ ...database, ...withWarehouses(database, settings), close: async () => {} }, server.clock);
      return (await other.client.checkWarehouseConnection({}).finally(() => other.close())).data.reason;
    };
    expect(await check({ hosts: ["warehouse.example.com"], secretKey: "another key" })).toBe(
      "Its credentials were encrypted with another GATEHOUSE_SECRET_KEY. Give them again.",
    );
    expect(await check({ hosts: [], secretKey: "a secret key of at least 32 characters" })).toMatch(
      "Its host must be one of those in GATEHOUSE_WAREHOUSE_HOSTS",
    );
  });
});

describe("createDatabricksConnection", () => {
  test("400: names the engines that work and the one that the project has, and stores nothing", async () => {
    const fault = async () => {
      const body = { token: "secret", host: "shop.example.com", path: "/sql/1.0/warehouses/7f3a" };
      const answer = await server.send("POST", "/console/v1/ingestion/connection/databricks", { body });
      return [answer.status, answer.body.errors];
    };
    const errorMessage = "names Databricks, which Gatehouse does not read. It reads postgres and clickhouse";
    expect(await fault()).toEqual([400, [{ property: "body", errorMessage }]]);
    await connect({ postgres: { url: URL } });
    const before = await server.database.prisma.change.count();
    expect(await fault()).toEqual([400, [{ property: "body", errorMessage: `${errorMessage}. The project is connected to postgres` }]]);
    expect(await server.database.prisma.change.count()).toBe(before);
  });
});
