import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMany, MAX_MS_PER_MIB, maxCost, mib, withBody } from "../support/body-limits.ts";
import { cpuCost } from "../support/cpu.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { needs } from "../support/needs.ts";
import { fill } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type Fillable, fillables } from "../support/valid-bodies.ts";

// Bounds the CPU time of the largest accepted bodies, as `hostile-body-costs.test.ts` does for hostile ones. Not on the embedded database, which runs in
// the same process.

const timeout = 600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

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
  return { status, cost, limit: await maxCost(status, rawBody) };
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

describe("a large body", needs.postgres, () => {
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
            conditions: [{ type: "user_id", operator: "any", targetValue: createMany(95_000, (index) => `u${index}`) }],
          },
        ],
      },
    ],
    [
      "10,000 events",
      "POST",
      "/v1/log_event",
      {
        events: createMany(10_000, (index) => ({
          eventName: `e${index % 50}`,
          user: { userID: `u${index}`, custom: { plan: "pro" } },
          metadata: { page: `/p/${index}`, size: index },
        })),
      },
    ],
    ["10,000 events without a name", "POST", "/v1/log_event", { events: [{ eventName: "one" }, ...createMany(9_999, () => ({}))] }],
  ];

  test.each(accepted)("accepts %s within its CPU limit per MiB", { timeout }, async (_, method, path, body) => {
    const rawBody = JSON.stringify(body);
    const send = () => server.send(method, path, { rawBody });
    expect((await send()).status).toBeLessThan(300);
    const limit = MAX_MS_PER_MIB * mib(rawBody);
    expect(await cpuCost(send, limit)).toBeLessThanOrEqual(limit);
  });
});
