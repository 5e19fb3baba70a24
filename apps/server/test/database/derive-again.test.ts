import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveColumns } from "../../src/jobs/derive-columns.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const derive = () => deriveColumns.run({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });

/** Leaves a gate as an earlier server would: without this version's columns and references, and with its own derived data. */
async function leaveAsEarlier(gateID: string) {
  await server.database.db.$executeRaw`
    update gate set "derivation" = 0, "searchText" = '', "searchGrams" = '{}', "sortName" = '', "isArchived" = true where "id" = ${gateID}`;
  await server.database.db.$executeRaw`delete from reference where "fromID" = ${gateID}`;
}

test("data written by an earlier release is found and referenced again, and is the same version", async () => {
  const { data: segment } = await server.client.createSegment({ body: { name: "early adopters", type: "rule_based" } });
  const conditions = [{ type: "passes_segment" as const, targetValue: [segment.id] }];
  const { data: gate } = await server.client.createGate({
    body: { name: "written before", rules: [{ name: "early", passPercentage: 100, conditions }] },
  });
  const find = async () => {
    const { data, pagination } = await server.client.listGates({ query: { search: "written" } });
    return [data.map(({ id }) => id), pagination.totalItems];
  };
  const refusal = () => server.client.deleteSegment({ path: { id: segment.id }, query: { dryRun: true } }).catch((error) => error.status);
  await leaveAsEarlier(gate.id);
  expect(await find()).toEqual([[], 0]);
  expect(await refusal()).not.toBe(409);
  await derive();
  expect(await find()).toEqual([[gate.id], 1]);
  expect(await refusal()).toBe(409);
  expect((await server.client.getGate({ path: { id: gate.id } })).data).toEqual(gate);
  expect((await server.client.listGateVersions({ path: { id: gate.id } })).data).toHaveLength(1);
});

test("more entities than one transaction takes are derived again, while another one writes some of them", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 101; count++) ids.push((await server.client.createGate({ body: { name: `one of many ${count}` } })).data.id);
  for (const id of ids) await leaveAsEarlier(id);
  await Promise.all([derive(), derive(), server.client.patchGate({ path: { id: ids[50] as string }, body: { description: "changed" } })]);
  await derive();
  const { pagination } = await server.client.listGates({ query: { search: "one of many" } });
  expect(pagination.totalItems).toBe(101);
});
