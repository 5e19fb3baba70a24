import { afterEach, describe, expect, test } from "vitest";
import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { withClient } from "../../src/store/database/client.ts";
import { openPostgres } from "../../src/store/database/database.ts";
import type { Address, Warehouse } from "../../src/store/database/engines.ts";
import { isTransactionPooler } from "../../src/store/database/pooler.ts";
import { openClickHouseWarehouse } from "../../src/warehouse/clickhouse-warehouse.ts";
import { openPostgresWarehouse } from "../../src/warehouse/postgres-warehouse.ts";
import { type LAST_ANSWERS, type SilentServer, startSilentServer, UNTIL_STATEMENT } from "../support/silent-server.ts";

// Every function that takes a signal and calls a driver. The linter forbids drivers' calls elsewhere.

const TIMEOUT_MS = 600_000;
const OWN = { system: "1", name: "gatehouse", projectID: "default", hasEvents: true };
const STATEMENT = { text: "select 1", parameters: [] };

type Call = (port: number, signal: AbortSignal, encryption: Address["encryption"]) => Promise<unknown>;

const ofWarehouse =
  (type: Address["type"], call: (warehouse: Warehouse, options: { timeoutMs: number; signal: AbortSignal }) => Promise<unknown>): Call =>
  (port, signal, encryption) => {
    const address: Address = { type, host: "localhost", port, database: "shop", username: "reader", password: "secret", encryption };
    const warehouse = type === "postgres" ? openPostgresWarehouse(address, OWN) : openClickHouseWarehouse(address, "gatehouse");
    return call(warehouse, { timeoutMs: TIMEOUT_MS, signal });
  };
const createCalls = (type: Address["type"]): Record<string, Call> => ({
  "Warehouse.check": ofWarehouse(type, ({ check }, options) => check(options)),
  "Warehouse.readColumns": ofWarehouse(type, ({ readColumns }, options) => readColumns({ query: "select 1" }, options)),
  "Warehouse.ask": ofWarehouse(type, ({ ask }, options) => ask(STATEMENT, options)),
});

const toUrl = (port: number, encryption: Address["encryption"]) =>
  `postgres://reader:secret@localhost:${port}/shop${encryption === "off" ? "" : "?sslmode=no-verify"}`;

const POSTGRES: Record<string, Call> = {
  ...createCalls("postgres"),
  withClient: (port, signal, encryption) =>
    withClient({ connectionString: toUrl(port, encryption) }, signal, (client) => client.query("select 1")),
  "Database.analyse": (port, signal, encryption) => {
    const database = openPostgres(toUrl(port, encryption));
    return database.analyse("select 1", [], { timeoutMs: TIMEOUT_MS, signal }).finally(database.close);
  },
};
const CLICKHOUSE: Record<string, Call> = {
  ...createCalls("clickhouse"),
  "ClickHouse.ask": (port, signal, encryption) => {
    const clickhouse = openClickHouse(`clickhouse://reader:secret@localhost:${port}/shop?secure=${encryption !== "off"}`);
    return clickhouse.ask("select 1", [], { timeoutMs: TIMEOUT_MS, signal });
  },
};

type Silence = [when: string, lastAnswer: keyof typeof LAST_ANSWERS, encryption: Address["encryption"]];
const SILENCES: Record<Address["type"], Silence[]> = {
  postgres: [
    ["accepts the connection", "nothing", "off"],
    ["agrees to TLS", "tls", "on"],
    ["answers the start", "started", "off"],
  ],
  clickhouse: [
    ["accepts the connection", "nothing", "off"],
    ["accepts a connection of TLS", "nothing", "verified"],
    ["answers the headers", "headers", "off"],
  ],
};

let server: SilentServer;
afterEach(() => server.close());

describe.each([
  ["postgres", POSTGRES],
  ["clickhouse", CLICKHOUSE],
] as const)("a call of %s", (type, calls) => {
  describe.each(Object.entries(calls))("by %s", (_, call) => {
    test.each(SILENCES[type])("is rejected and closes its socket when its signal aborts after a silent server %s", async (...silence) => {
      const [, lastAnswer, encryption] = silence;
      server = await startSilentServer(lastAnswer);
      const caller = new AbortController();
      const reason = new Error("The caller left.");
      const called = expect(call(server.port, caller.signal, encryption)).rejects.toBe(reason);
      await server.reached(1);
      caller.abort(reason);
      await called;
      await server.left();
    });

    test("is rejected and leaves no socket when its signal aborts while the name of the host is looked up", async () => {
      server = await startSilentServer();
      const caller = new AbortController();
      const reason = new Error("The caller left.");
      const called = expect(call(server.port, caller.signal, "off")).rejects.toBe(reason);
      caller.abort(reason);
      await called;
      await server.left();
    });

    test("is rejected without a connection when its signal has aborted before", async () => {
      server = await startSilentServer();
      const reason = new Error("The caller left.");
      await expect(call(server.port, AbortSignal.abort(reason), "off")).rejects.toBe(reason);
      await server.left();
    });
  });
});

test("the connection that cancels a statement of a warehouse is closed if the warehouse is silent", async () => {
  server = await startSilentServer("nothing", [...UNTIL_STATEMENT]);
  const caller = new AbortController();
  const called = POSTGRES["Warehouse.ask"]?.(server.port, caller.signal, "off");
  const rejected = expect(called).rejects.toThrow("The caller left.");
  await server.reached(1);
  caller.abort(new Error("The caller left."));
  await rejected;
  await server.reached(2);
  await server.left();
});

test.each(SILENCES.postgres)("listening ends while a silent server %s", async (...[, lastAnswer, encryption]) => {
  server = await startSilentServer(lastAnswer);
  const database = openPostgres(toUrl(server.port, encryption));
  const listening = database.listen("gatehouse_change", { onMessage: () => {}, onConnected: () => {} });
  await server.reached(1);
  await listening.close();
  await server.left();
  await database.close();
});

test("a database that answers the start and nothing else fails the test for a pooler, which closes its socket", async () => {
  server = await startSilentServer("started");
  await expect(isTransactionPooler(toUrl(server.port, "off"))).rejects.toThrow("Query read timeout");
  await server.left();
});
