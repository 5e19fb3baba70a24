import { expect } from "vitest";
import { prepareEvaluation } from "./evaluation-operations.ts";
import { makeKey } from "./keys.ts";
import { evaluateAll, listen, readStreamUrl } from "./ofrep.ts";
import { evaluationOperations, type SweptOperation } from "./operations.ts";
import type { TestServer } from "./server.ts";
import { waitFor } from "./wait-for.ts";

/** Operations that respond after the events are durable. Exceptions of SDKs are counted in memory. */
const keepsEvents = ({ statuses, operationId }: SweptOperation) => statuses.includes("202") && operationId !== "logException";
/** Operations that always query the database, such as for files of id lists, or for the key of a stream. */
const needsDatabase = (operation: SweptOperation) =>
  keepsEvents(operation) || ["listIDLists", "getIDListFile", "streamFlagChanges", "checkRelayKeys"].includes(operation.operationId);

const UNAVAILABLE = { status: 503, code: "unavailable" };

type Answer = { operation: string; status: number; retryAfter: string | null };

/** Prepares a server with data, and returns the assertions for an outage of its database. */
export async function prepareOutage(server: TestServer) {
  const toCall = await prepareEvaluation(server);
  /** A key that this server has not cached. */
  let unseen = await makeKey(server);
  const stream = await listen(server, await readStreamUrl(server, server.key));
  await stream.next();
  let changes = 0;

  /** The responses of every operation of the evaluation API with a key. */
  const evaluate = (key: string): Promise<Answer[]> =>
    Promise.all(
      evaluationOperations.map(async (operation) => {
        const { url } = toCall(operation);
        const response = await fetch(`${server.url}${url.replace(server.key, key)}`, {
          method: operation.method,
          headers: { "X-API-Key": key, "Content-Type": "application/json" },
          ...(operation.takesBody && { body: JSON.stringify(operation.example) }),
        });
        await response.body?.cancel();
        return { operation: operation.operationId, status: response.status, retryAfter: response.headers.get("Retry-After") };
      }),
    );
  const expected = (isAway: boolean, isKnown = true): Answer[] =>
    evaluationOperations.map((operation) => {
      const refused = isAway && (!isKnown || needsDatabase(operation));
      const success = Number(operation.statuses.find((status) => status.startsWith("2")));
      return { operation: operation.operationId, status: refused ? 503 : success, retryAfter: refused ? "1" : null };
    });
  const flags = async () => (await evaluateAll(server, { targetingKey: "alice" })).body.flags;
  const change = () => {
    changes += 1;
    const rule = { name: `rule ${changes}`, passPercentage: 100, conditions: [] };
    return server.send("PATCH", "/console/v1/gates/new_checkout", { body: { rules: [rule] } });
  };
  const nextMessage = async () => {
    for (;;) {
      const event = await stream.next();
      // Events without data are heartbeats.
      if (event === undefined || event.data !== undefined) return event?.data;
    }
  };
  const probe = async (path: string) => (await server.send("GET", path, { key: null })).text;
  /** Lets short-lived caches expire. */
  const passTime = () => {
    server.clock.now += 1_000;
  };
  const failures = () => server.logged.filter((line) => JSON.parse(line).status === 500);

  return {
    change,
    passTime,

    async expectWorking(): Promise<void> {
      passTime();
      expect(await evaluate(server.key)).toEqual(expected(false));
      unseen = await makeKey(server);
    },

    /** Asserts the behaviour without a database: flags are evaluated from memory, and all other requests get 503. */
    async expectAway(): Promise<void> {
      passTime();
      const before = await flags();
      expect(await evaluate(server.key)).toEqual(expected(true));
      expect(await evaluate(unseen.key)).toEqual(expected(true, false));
      const console = await Promise.all([server.send("GET", "/console/v1/gates"), change()]);
      for (const { status, headers, body } of console) {
        expect([status, headers.get("Retry-After"), body]).toEqual([503, "1", expect.objectContaining(UNAVAILABLE)]);
      }
      expect(await flags()).toEqual(before);
      expect([await probe("/readyz"), await probe("/readyz/console")]).toEqual(["ready\ndatabase: away\n", "not ready\ndatabase: away\n"]);
      expect(failures()).toEqual([]);
    },

    /** Asserts the behaviour with a read-only database: writes get 503. `refused` returns the first rejected write. */
    async expectReadOnly(refused: () => Promise<{ status: number; headers: Headers; body: unknown }>): Promise<void> {
      const { status, headers, body } = await refused();
      expect([status, headers.get("Retry-After"), body]).toEqual([503, "1", expect.objectContaining(UNAVAILABLE)]);
      passTime();
      const isRead = (_: unknown, index: number) => !keepsEvents(evaluationOperations[index] as SweptOperation);
      expect((await evaluate(server.key)).filter(isRead)).toEqual(expected(false).filter(isRead));
      expect((await server.send("GET", "/console/v1/gates")).status).toBe(200);
      expect([await probe("/readyz"), await probe("/readyz/console")]).toEqual(Array(2).fill("ready\ndatabase: connected\n"));
      expect(failures()).toEqual([]);
    },

    /** Asserts the recovery: everything works again, and existing streams receive changes. */
    async expectRecovery(): Promise<void> {
      await waitFor(async () => {
        passTime();
        expect((await change()).status).toBe(200);
      });
      const { body } = await server.send("GET", "/console/v1/gates/new_checkout");
      await waitFor(async () => {
        passTime();
        const [flag] = (await flags()).filter(({ key }: { key: string }) => key === "new_checkout");
        expect(flag.variant).toBe(body.data.rules[0].name);
      });
      await waitFor(async () => expect(await evaluate(server.key)).toEqual(expected(false)));
      expect(await evaluate(unseen.key)).toEqual(expected(false));
      expect(await nextMessage()).toMatchObject({ type: "refetchEvaluation" });
      await waitFor(async () => expect(await probe("/readyz/console")).toBe("ready\ndatabase: connected\n"));
      expect(failures()).toEqual([]);
    },

    close: stream.close,
  };
}
