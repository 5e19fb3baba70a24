import { describe, expect, inject, test, vi } from "vitest";
import { openDatabase } from "../../src/startup/open-database.ts";
import { openPostgres } from "../../src/store/database/database.ts";
import { isTransactionPooler } from "../../src/store/database/pooler.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";
import { startReady } from "../support/process.ts";
import { startServer } from "../support/server.ts";
import { databaseUrl } from "../support/template-database.ts";
import { waitFor } from "../support/wait-for.ts";

/** The address of the same database without the pooler. */
function directUrl(url: string): string {
  const template = inject("template");
  if (template.kind !== "postgres") throw new Error("TEST_DATABASE_URL is not set.");
  return databaseUrl(template.url, new URL(url).pathname.slice(1));
}

test("a direct connection is not mistaken for a pooler", needs.postgres, async () => {
  expect(await isTransactionPooler(directUrl(await createEmptyPostgres()))).toBe(false);
});

describe("behind a transaction pooler", needs.pooler, () => {
  test("the server detects the pooler, logs how it finds changes, and writes over every connection", async () => {
    const url = await createEmptyPostgres();
    const server = await startReady({
      DATABASE_URL: url,
      GATEHOUSE_CONSOLE_KEY: "console-0123456789abcdef",
      GATEHOUSE_CHANGE_POLL_MS: "250",
    });
    expect(server.stderr).toBe(
      "The database is behind a transaction pooler. No notification can arrive: changes are polled every 250 ms. " +
        "DATABASE_DIRECT_URL would let them arrive.\n",
    );
    const headers = { "SERVICE-API-KEY": "console-0123456789abcdef", "Content-Type": "application/json" };
    const create = (index: number) =>
      fetch(`${server.url}/console/v1/gates`, { method: "POST", headers, body: JSON.stringify({ name: `gate ${index}`, tags: ["all"] }) });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => create(index)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await server.stop()).code).toBe(0);
  });

  test("a direct address carries migrations and notifications", async () => {
    const url = await createEmptyPostgres();
    const messages: string[] = [];
    const config = { databaseUrl: url, databaseDirectUrl: directUrl(url), dataDir: "memory" };
    const database = await openDatabase(config, { onPooler: (meaning) => messages.push(meaning) });
    expect(messages).toEqual(["Migrations and notifications go to DATABASE_DIRECT_URL."]);
    const heard: string[] = [];
    const connected = vi.fn();
    const listening = database.listen("said", { onMessage: (payload) => heard.push(payload), onConnected: connected });
    await waitFor(() => expect(connected).toHaveBeenCalled());
    await database.db.$executeRaw`select pg_notify('said', 'something')`;
    await waitFor(() => expect(heard).toEqual(["something"]));
    await listening.close();
    await database.close();
  });

  test("a statement has its timeout, which does not stay with the pooler's connection", async () => {
    const url = await createEmptyPostgres();
    const pooled = openPostgres(url, { isPooled: true });
    const limit = () => pooled.db.$queryRaw`show statement_timeout`;
    expect(await limit()).toEqual([{ statement_timeout: "30s" }]);
    const inTransaction = await pooled.transaction((db) => db.$queryRaw`show statement_timeout`, { dryRun: false, onCommit: () => {} });
    expect(inTransaction).toEqual([{ statement_timeout: "30s" }]);
    const left = await pooled.withSession(({ query }) => query("show statement_timeout"));
    expect(left).toEqual([{ statement_timeout: "0" }]);
    await pooled.close();
  });

  test("a flip on one replica reaches another without a notification", async () => {
    const one = await startServer();
    const other = await one.replica();
    const evaluate = async () =>
      (await other.send("POST", "/ofrep/v1/evaluate/flags/flipped", { body: { context: { targetingKey: "alice" } } })).body.value;
    const rule = { name: "all", passPercentage: 0, conditions: [{ type: "public" as const }] };
    await one.client.createGate({ body: { name: "flipped", rules: [rule] } });
    await waitFor(async () => expect(await evaluate()).toBe(false));
    await one.client.patchGate({ path: { id: "flipped" }, body: { rules: [{ ...rule, passPercentage: 100 }] } });
    await waitFor(async () => expect(await evaluate()).toBe(true));
    await other.close();
    await one.close();
  });
});
