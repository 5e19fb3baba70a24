import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { evaluate } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
  await server.client.createSegment({ body: { name: "beta users", type: "id_list" } });
  const conditions = [{ type: "passes_segment" as const, targetValue: "beta_users" }];
  await server.client.createGate({ body: { name: "new_gate", rules: [{ name: "beta", passPercentage: 100, conditions }] } });
});
afterEach(() => server.close());

const path = { id: "beta_users" };
const add = (...ids: string[]) => server.client.addSegmentIDs({ path, body: { ids } });
const remove = (...ids: string[]) => server.client.removeSegmentIDs({ path, body: { ids } });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);

/** The gate's values for the users, once the server has received the last change. */
async function expectValues(values: Record<string, boolean>): Promise<void> {
  const read = async (targetingKey: string) => [targetingKey, (await evaluate(server, "new_gate", { targetingKey })).body.value];
  await waitFor(async () => {
    expect(Object.fromEntries(await Promise.all(Object.keys(values).map(read)))).toEqual(values);
  });
}

const listNames = async () => Object.keys((await server.send("GET", "/v1/download_config_specs")).body.id_lists);

describe("a segment that lists few ids", () => {
  test("passes exactly these ids, case-sensitively", async () => {
    await add("alice", "Bob");
    await expectValues({ alice: true, Bob: true, bob: false, carol: false });
    await remove("alice");
    await expectValues({ alice: false, Bob: true });
    expect(await listNames()).toEqual([]);
  });
});

describe("a segment that lists more than a thousand ids", () => {
  test("passes added ids and no removed ones, and is a list that SDKs download", async () => {
    await add(...numbered(1_500));
    await expectValues({ "user-0": true, "user-1499": true, "user-1500": false });
    expect(await listNames()).toEqual(["beta_users"]);
    await add("user-1500", "Alice");
    await remove("user-0");
    await expectValues({ "user-0": false, "user-1499": true, "user-1500": true, Alice: true, alice: false });
  });

  test("passes only the new ids after a reset", async () => {
    await add(...numbered(1_500));
    await expectValues({ "user-0": true });
    await server.client.resetSegmentIDList({ path, body: { ids: numbered(1_200).map((id) => `new-${id}`) } });
    await expectValues({ "user-0": false, "new-user-0": true, "new-user-1199": true });
  });

  test("is part of the ruleset again when it is short", async () => {
    await add(...numbered(1_100));
    await expectValues({ "user-0": true });
    await remove(...numbered(1_090));
    await expectValues({ "user-0": false, "user-1089": false, "user-1090": true });
    expect(await listNames()).toEqual([]);
    await add(...numbered(1_050));
    await expectValues({ "user-0": true, "user-1060": false, "user-1090": true });
  });

  test("is the same for a replica that loads it from the start", async () => {
    await add(...numbered(1_200));
    await expectValues({ "user-1": true });
    await remove("user-1");
    await expectValues({ "user-1": false, "user-2": true });
    const replica = await server.replica();
    const { body } = await evaluate(replica, "new_gate", { targetingKey: "user-1" });
    const { body: second } = await evaluate(replica, "new_gate", { targetingKey: "user-2" });
    expect([body.value, second.value]).toEqual([false, true]);
    await replica.close();
  });
});
