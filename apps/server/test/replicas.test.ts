import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { onPostgres } from "./support/database.ts";
import { evaluate } from "./support/ofrep.ts";
import { startServer, type TestServer } from "./support/server.ts";

/** Within what a change made on one replica answers on the others, ms. */
const WITHIN = 1_000;

const forAll = { name: "all", passPercentage: 100, conditions: [{ type: "public" as const }] };
const forNone = { ...forAll, passPercentage: 0 };

let one: TestServer;
let other: TestServer;
beforeEach(async () => {
  one = await startServer();
  other = await one.replica();
  await one.client.createGate({ body: { name: "new_gate", rules: [forNone] } });
  await expectValue(other, false);
});
afterEach(async () => {
  await other.close();
  await one.close();
});

async function expectValue(server: TestServer, value: boolean): Promise<void> {
  const read = async () => (await evaluate(server, "new_gate", { targetingKey: "alice" })).body.value;
  await vi.waitFor(async () => expect(await read()).toBe(value), { timeout: WITHIN, interval: 10 });
}

const flip = (server: TestServer, rule: typeof forAll) => server.client.patchGate({ path: { id: "new_gate" }, body: { rules: [rule] } });

describe("a flip on one replica", () => {
  test("answers on the other within a second, and back", async () => {
    await flip(one, forAll);
    await expectValue(other, true);
    await flip(other, forNone);
    await expectValue(one, false);
  });

  test.skipIf(!onPostgres)("answers on the other within a second after every connection was cut (needs a Postgres server)", async () => {
    await one.database.endConnections();
    await flip(one, forAll);
    await expectValue(other, true);
  });

  test("moves the ruleset's time up, and both replicas tell the same ruleset", async () => {
    const ruleset = async (server: TestServer) => (await server.send("GET", "/v1/download_config_specs")).body;
    const before = await ruleset(one);
    await flip(one, forAll);
    await vi.waitFor(async () => expect((await ruleset(other)).time).toBeGreaterThan(before.time), WITHIN);
    expect(await ruleset(other)).toEqual(await ruleset(one));
    expect((await ruleset(one)).checksum).not.toBe(before.checksum);
  });
});

test("a replica that starts anew tells the same ruleset as the one that has run all along", async () => {
  await flip(one, forAll);
  await expectValue(one, true);
  const fresh = await one.replica();
  const ruleset = async (server: TestServer) => (await server.send("GET", "/v2/download_config_specs")).text;
  expect(await ruleset(fresh)).toBe(await ruleset(one));
  await fresh.close();
});
