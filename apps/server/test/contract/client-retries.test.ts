import { createConsoleClient, createEvaluationClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { storedRows } from "../support/stored-rows.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Options of a client that loses the first response to every request. */
function losingAnswers() {
  const sent = new Map<string, number>();
  const fetch = async (request: Request) => {
    const name = `${request.method} ${request.url}`;
    sent.set(name, (sent.get(name) ?? 0) + 1);
    const answer = await globalThis.fetch(request);
    if (sent.get(name) === 1) throw new TypeError("fetch failed");
    return answer;
  };
  return { baseUrl: server.url, apiKey: server.key, fetch, retry: { delayMs: 1 } };
}

describe("a client that loses responses and retries", () => {
  test("creates, changes and deletes each entity once, and gets the result", async () => {
    const api = createConsoleClient(losingAnswers());
    const created = await api.createGate({ body: { name: "Lossy" } });
    expect(created).toMatchObject({ data: { id: "lossy", version: 1 }, isReplayed: true, etag: expect.stringMatching(/^"1-/) });
    const path = { id: "lossy" };
    const patched = await api.patchGate({ path, body: { description: "Once." }, ifMatch: created.etag ?? "" });
    expect(patched).toMatchObject({ data: { description: "Once.", version: 2 }, isReplayed: true });
    expect(await api.deleteGate({ path })).toEqual({ message: "Gate deleted successfully.", isReplayed: true });
    expect(await server.database.prisma.change.count({ where: { entityType: "gate", entityID: "lossy" } })).toBe(3);
  });

  test("logs each event once", async () => {
    const api = createEvaluationClient(losingAnswers());
    await api.logEvent({ body: { events: [{ eventName: "counted" }] } });
    expect(await storedRows(server.database, "event", { name: "counted" })).toHaveLength(1);
  });
});
