import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cpuCost } from "./support/cpu.ts";
import { makeFixture, makeNamed } from "./support/fixtures.ts";
import { arrayPlaces, hostileBodies } from "./support/hostile-bodies.ts";
import { needs } from "./support/needs.ts";
import { evaluationOperations, fill, operations } from "./support/operations.ts";
import { startServer, type TestServer } from "./support/server.ts";
import { type Fillable, fillables } from "./support/valid-bodies.ts";

// Bounds the CPU time of the most expensive bodies, scaled to an idle machine so that a busy one passes too. Client and server share one process.

/** The maximum CPU time of a rejected request, ms. */
const MAX_REFUSAL_MS = 200;
/** The maximum CPU time per MiB of an accepted body, ms. Not measured on the embedded database, which runs in the same process. */
const MAX_MS_PER_MIB = 150;
const MIB = 2 ** 20;
const timeout = 600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

const withBody = [...operations, ...evaluationOperations].filter(({ takesBody }) => takesBody);
const manyOf = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, index) => item(index));
const mib = (body: string) => Math.max(1, Buffer.byteLength(body) / MIB);

describe("every operation with a body", () => {
  test("is covered, including arrays at any depth", () => {
    expect(withBody.length).toBeGreaterThan(70);
    expect(withBody.flatMap(arrayPlaces).length).toBeGreaterThan(withBody.length);
  });

  test.each(withBody)("$operationId: rejects or accepts the most expensive bodies within its CPU limit", { timeout }, async (operation) => {
    const url = fill(operation.path, {});
    // The first request compiles the operation's validator, which must not count.
    await server.send(operation.method, url, { body: [] });
    const costly = [];
    for (const { title, body } of hostileBodies(operation)) {
      let status = 0;
      const limit = MAX_REFUSAL_MS;
      const cost = await cpuCost(async () => ({ status } = await server.send(operation.method, url, { rawBody: body })), limit);
      expect([title, status]).toEqual([title, expect.toSatisfy((code: number) => code < 500)]);
      if (cost > limit && !(status < 300 && cost <= MAX_MS_PER_MIB * mib(body))) costly.push({ title, status, cost });
    }
    expect(costly).toEqual([]);
  });
});

// The evaluation API goes first, since entities of the other operations would grow its responses. Environments go last, since keys reference them.
const order = ({ path }: { path: string }) => (path.startsWith("/console/v1/environments") ? 2 : path.startsWith("/console/") ? 1 : 0);
const lists = fillables(withBody.toSorted((a, b) => order(a) - order(b)));
let made = 0;

/** Sends a body that no earlier request had, to a new entity. */
async function sendFilled({ operation, body }: Fillable) {
  const { example } = operation;
  made += 1;
  const isNamed = !operation.path.includes("{") && example !== undefined && "name" in example;
  const rawBody = body(isNamed ? { ...example, name: `filled ${made}` } : example);
  // Lets the server close idle connections first, so that the request does not use one of them.
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  const fixture = await makeFixture(server, operation.path);
  const url = fill(operation.path, fixture?.parameters ?? {});
  await server.send(operation.method, url, { body: [] });
  let status = 0;
  const cost = await cpuCost(async () => ({ status } = await server.send(operation.method, url, { rawBody })), 0, 1);
  return { status, cost, limit: status < 300 ? MAX_MS_PER_MIB * mib(rawBody) : MAX_REFUSAL_MS };
}

describe("every list and map of a body", needs.postgres, () => {
  test("is covered", () => {
    expect(lists.length).toBeGreaterThan(150);
  });

  test.each(lists.map((list) => ({ ...list, operationId: list.operation.operationId })))(
    "$operationId: accepts the maximum number of valid items in $title within its CPU limit",
    { timeout },
    async (list) => {
      const attempts: Awaited<ReturnType<typeof sendFilled>>[] = [];
      for (let attempt = 0; attempt < 8 && attempts.every(({ cost, limit }) => cost > limit); attempt++)
        attempts.push(await sendFilled(list));
      expect(attempts).toContainEqual(expect.toSatisfy(({ cost, limit }) => cost <= limit));
      expect(attempts.filter(({ status }) => status >= 500)).toEqual([]);
    },
  );
});

describe("a check in a handler", () => {
  const condition = (name: string) => ({ type: "passes_gate", targetValue: name });
  const refused: [string, string, string, unknown][] = [
    [
      "20,000 gates that do not exist",
      "POST",
      "gates",
      { name: "names many", rules: [{ name: "r", passPercentage: 0, conditions: manyOf(20_000, (index) => condition(`g${index}`)) }] },
    ],
    [
      "20,000 conditions without operator",
      "POST",
      "gates",
      { name: "wrong", rules: [{ name: "r", passPercentage: 0, conditions: manyOf(20_000, () => ({ type: "user_id" })) }] },
    ],
    [
      "rules of one name",
      "POST",
      "gates",
      { name: "equal", rules: manyOf(1_000, () => ({ name: "r", passPercentage: 0, conditions: [] })) },
    ],
    [
      "ids that pass and fail",
      "POST",
      "gates/new_checkout/overrides",
      {
        environmentOverrides: manyOf(20, (index) => ({
          environment: `e${index}`,
          passingIDs: manyOf(2000, (id) => `${id}`),
          failingIDs: manyOf(2000, (id) => `${id}`),
        })),
      },
    ],
    [
      "groups that do not exist",
      "POST",
      "experiments/button_wording/overrides",
      { overrides: [], userIDOverrides: manyOf(900, (index) => ({ groupID: `g${index}`, ids: manyOf(60, String) })) },
    ],
    [
      "parameters of one name",
      "POST",
      "param_stores",
      { name: "equal", parameters: manyOf(14_000, () => ({ name: "p", ref_type: "static", param_type: "string", value: 1 })) },
    ],
  ];

  test.each(refused)("rejects %s within its CPU limit", { timeout }, async (_, method, path, body) => {
    const send = () => server.send(method, `/console/v1/${path}`, { body });
    const first = await send();
    expect([first.status, first.body.errors.length]).toEqual([400, expect.toSatisfy((count: number) => count > 0 && count <= 100)]);
    expect(await cpuCost(send, MAX_REFUSAL_MS)).toBeLessThanOrEqual(MAX_REFUSAL_MS);
  });

  const accepted: [string, string, string, unknown][] = [
    [
      "95,000 target values",
      "PATCH",
      "/console/v1/gates/new_search",
      {
        rules: [
          {
            name: "r",
            passPercentage: 0,
            conditions: [{ type: "user_id", operator: "any", targetValue: manyOf(95_000, (index) => `u${index}`) }],
          },
        ],
      },
    ],
    [
      "10,000 events",
      "POST",
      "/v1/log_event",
      {
        events: manyOf(10_000, (index) => ({
          eventName: `e${index % 50}`,
          user: { userID: `u${index}`, custom: { plan: "pro" } },
          metadata: { page: `/p/${index}`, size: index },
        })),
      },
    ],
    ["10,000 events without a name", "POST", "/v1/log_event", { events: [{ eventName: "one" }, ...manyOf(9_999, () => ({}))] }],
  ];

  test.each(accepted)("accepts %s within its CPU limit per MiB", { ...needs.postgres, timeout }, async (_, method, path, body) => {
    const rawBody = JSON.stringify(body);
    const send = () => server.send(method, path, { rawBody });
    expect((await send()).status).toBeLessThan(300);
    const limit = MAX_MS_PER_MIB * mib(rawBody);
    expect(await cpuCost(send, limit)).toBeLessThanOrEqual(limit);
  });
});
