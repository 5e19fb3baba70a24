import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { needs } from "../support/needs.ts";
import { evaluate } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

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
  await waitFor(async () => expect(await read()).toBe(value));
}

const flip = (server: TestServer, rule: typeof forAll) => server.client.patchGate({ path: { id: "new_gate" }, body: { rules: [rule] } });

describe("a flip on one replica", () => {
  test("takes effect on the other, in both directions", async () => {
    await flip(one, forAll);
    await expectValue(other, true);
    await flip(other, forNone);
    await expectValue(one, false);
  });

  test("takes effect on the other after every connection was closed", needs.postgres, async () => {
    await one.database.endConnections();
    await flip(one, forAll);
    await expectValue(other, true);
  });

  test("raises the ruleset's time, and both replicas serve the same ruleset", async () => {
    const ruleset = async (server: TestServer) => (await server.send("GET", "/v1/download_config_specs")).body;
    await expectValue(one, false);
    const before = await ruleset(one);
    await flip(one, forAll);
    await expectValue(one, true);
    await expectValue(other, true);
    const after = await ruleset(one);
    expect(after.time).toBeGreaterThan(before.time);
    expect(after.checksum).not.toBe(before.checksum);
    expect(await ruleset(other)).toEqual(after);
  });
});

test("after a burst of changes with clocks that go back hours, all replicas serve the same bytes, at no earlier time", async () => {
  const gates = ["gate_c", "gate_a", "gate_b", "gate_d"];
  for (const name of gates) await one.client.createGate({ body: { name, targetApps: name === "gate_a" ? ["web"] : [] } });
  const limited = [await makeKey(one, { environments: ["production"] }), await makeKey(one, { targetAppID: "web" })];
  const keys = [one.key, ...limited.map(({ key }) => key)];
  const tell = async (server: TestServer) =>
    Promise.all(keys.map(async (key) => (await server.send("GET", "/v2/download_config_specs", { key })).text));
  const times = async () => (await Promise.all([tell(one), tell(other)])).flat().map((text) => JSON.parse(text).time as number);
  const before = await times();

  await one.client.deleteGate({ path: { id: "gate_b" } });
  await other.client.createGate({ body: { name: "gate_b" } });
  one.clock.now += 3_600_000;
  const flips = Array.from({ length: 300 }, (_, index) => {
    const rules = [{ ...forAll, passPercentage: index % 100 }];
    const id = gates[index % gates.length] as string;
    return (index % 2 ? one : other).client.patchGate({ path: { id }, body: { rules } }).catch(({ status }) => expect(status).toBe(409));
  });
  await Promise.all(flips);
  const between = await times();
  one.clock.now -= 7_200_000;
  await flip(other, forAll);
  await expectValue(one, true);
  await expectValue(other, true);

  const after = await times();
  expect(Math.min(...between)).toBeGreaterThanOrEqual(Math.max(...before));
  expect(Math.min(...after)).toBeGreaterThan(Math.max(...before));
  const fresh = await one.replica();
  expect(await tell(one)).toEqual(await tell(fresh));
  expect(await tell(other)).toEqual(await tell(fresh));
  await fresh.close();
});

test("a restarted replica has the same ruleset as one that kept running", async () => {
  await flip(one, forAll);
  await expectValue(one, true);
  const fresh = await one.replica();
  const ruleset = async (server: TestServer) => (await server.send("GET", "/v2/download_config_specs")).text;
  expect(await ruleset(fresh)).toBe(await ruleset(one));
  await fresh.close();
});
