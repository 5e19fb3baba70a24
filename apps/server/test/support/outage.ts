import { expect } from "vitest";
import { prepareEvaluation } from "./evaluation-operations.ts";
import { makeKey } from "./keys.ts";
import { evaluateAll, listen, streamOf } from "./ofrep.ts";
import { evaluationOperations, type SweptOperation } from "./operations.ts";
import type { TestServer } from "./server.ts";
import { waitFor } from "./wait-for.ts";

/** What keeps events: it answers when they are durable. */
const keepsEvents = ({ statuses }: SweptOperation) => statuses.includes("202");
/** What needs the database each time: files of id lists are read there, and whether a stream's key is active. */
const needsDatabase = (operation: SweptOperation) =>
  keepsEvents(operation) || ["listIDLists", "getIDListFile", "streamFlagChanges"].includes(operation.operationId);

const UNAVAILABLE = { status: 503, code: "unavailable" };

type Answer = { operation: string; status: number; retryAfter: string | null };

/** A server with something to lose, and the questions that an outage of its database is met with. */
export async function prepareOutage(server: TestServer) {
  const callOf = await prepareEvaluation(server);
  /** A key that this server has never seen. */
  let unseen = await makeKey(server);
  const stream = await listen(server, await streamOf(server, server.key));
  await stream.next();
  let changes = 0;

  /** The answers of every operation of the evaluation API to a key. */
  const evaluate = (key: string): Promise<Answer[]> =>
    Promise.all(
      evaluationOperations.map(async (operation) => {
        const { url } = callOf(operation);
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
      // The others are heartbeats.
      if (event === undefined || event.data !== undefined) return event?.data;
    }
  };
  const probe = async (path: string) => (await server.send("GET", path, { key: null })).text;
  /** Whatever was trusted for a moment is to be looked up again. */
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

    /** Nobody can reach the database: flags are read from memory, and everything else is refused for now. */
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

    /** The database can be read, and writes are refused for now. `refused` answers the first write that is. */
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

    /** The database is back: everything works again, and what changes is seen, also by who has listened all the time. */
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
