import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMany, MAX_REFUSAL_MS, maxCost, withBody } from "../support/body-limits.ts";
import { cpuCost } from "../support/cpu.ts";
import { makeNamed } from "../support/fixtures.ts";
import { arrayPlaces, hostileBodies } from "../support/hostile-bodies.ts";
import { needs } from "../support/needs.ts";
import { fill } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Bounds the CPU time of the most expensive bodies. Client and server share one process, so this is not for the embedded database, which would
// also share it.

const timeout = 600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

describe("every operation with a body", needs.postgres, () => {
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
      if (cost > limit && cost > (await maxCost(status, body))) costly.push({ title, status, cost });
    }
    expect(costly).toEqual([]);
  });
});

describe("a check in a handler", needs.postgres, () => {
  const condition = (name: string) => ({ type: "passes_gate", targetValue: name });
  const refused: [string, string, string, unknown][] = [
    [
      "20,000 gates that do not exist",
      "POST",
      "gates",
      { name: "names many", rules: [{ name: "r", passPercentage: 0, conditions: createMany(20_000, (index) => condition(`g${index}`)) }] },
    ],
    [
      "20,000 conditions without operator",
      "POST",
      "gates",
      { name: "wrong", rules: [{ name: "r", passPercentage: 0, conditions: createMany(20_000, () => ({ type: "user_id" })) }] },
    ],
    [
      "rules of one name",
      "POST",
      "gates",
      { name: "equal", rules: createMany(1_000, () => ({ name: "r", passPercentage: 0, conditions: [] })) },
    ],
    [
      "ids that pass and fail",
      "POST",
      "gates/new_checkout/overrides",
      {
        environmentOverrides: createMany(20, (index) => ({
          environment: `e${index}`,
          passingIDs: createMany(2000, (id) => `${id}`),
          failingIDs: createMany(2000, (id) => `${id}`),
        })),
      },
    ],
    [
      "groups that do not exist",
      "POST",
      "experiments/button_wording/overrides",
      { overrides: [], userIDOverrides: createMany(900, (index) => ({ groupID: `g${index}`, ids: createMany(60, String) })) },
    ],
    [
      "parameters of one name",
      "POST",
      "param_stores",
      { name: "equal", parameters: createMany(14_000, () => ({ name: "p", ref_type: "static", param_type: "string", value: 1 })) },
    ],
  ];

  test.each(refused)("rejects %s within its CPU limit", { timeout }, async (_, method, path, body) => {
    const send = () => server.send(method, `/console/v1/${path}`, { body });
    const first = await send();
    expect([first.status, first.body.errors.length]).toEqual([400, expect.toSatisfy((count: number) => count > 0 && count <= 100)]);
    expect(await cpuCost(send, MAX_REFUSAL_MS)).toBeLessThanOrEqual(MAX_REFUSAL_MS);
  });
});
