import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const loggedReasons = async (id: string) => {
  const { data } = await server.client.listAuditLogs();
  return data.filter(({ entityID }) => entityID === id).map(({ version, reason }) => [version, reason]);
};

test("The reason of a write is in the list of versions and in the audit log", async () => {
  const { data } = await server.client.createGate({ body: { name: "explained" }, query: { reason: "Half of the checkout team asked." } });
  await server.client.patchGate({ path: { id: data.id }, body: { description: "Without a word" } });
  const last = "Größe, “quoted” & 50 %";
  await server.client.patchGate({ path: { id: data.id }, body: { description: "With a reason" }, query: { reason: last } });
  const { data: versions, reasons } = await server.client.listGateVersions({ path: { id: data.id } });
  expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
  expect(reasons).toEqual([
    { version: 3, reason: last },
    { version: 1, reason: "Half of the checkout team asked." },
  ]);
  expect(await loggedReasons(data.id)).toEqual([
    [3, last],
    [2, null],
    [1, "Half of the checkout team asked."],
  ]);
});

test("A reason in the body is kept beside the reason of the request", async () => {
  const { data } = await server.client.createGate({ body: { name: "twice explained" } });
  const path = { id: data.id };
  await server.client.archiveGate({ path, query: { reason: "Cleaning up." }, body: { archiveReason: "No code reads it." } });
  expect((await server.client.listGateVersions({ path })).reasons).toEqual([{ version: 2, reason: "Cleaning up. No code reads it." }]);
});

test("The reason of a batch counts for every change in it", async () => {
  const names = ["first of two", "second of two"];
  const requests = names.map((name) => ({ operationId: "createGate" as const, body: { name } }));
  await server.client.batch({ requests, query: { reason: "Prepared for the launch." } });
  for (const id of ["first_of_two", "second_of_two"]) expect(await loggedReasons(id)).toEqual([[1, "Prepared for the launch."]]);
});
