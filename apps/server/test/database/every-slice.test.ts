import { descriptions } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { fill, neededQuery } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

describe("an entity of every slice", () => {
  test.each(entitySlices.map(({ kind, operations: { read } }) => ({ type: kind.type, read })))(
    "$type is read by $read as it was written",
    async ({ read }) => {
      const { path, parameters } = descriptions[read];
      const fixture = await makeFixture(server, path, undefined, "GET");
      const { status, body } = await server.send("GET", `${fill(path, fixture?.parameters ?? {})}?${neededQuery({ parameters })}`);
      expect([status, body.data]).toEqual([200, expect.objectContaining({ version: expect.any(Number) })]);
    },
  );
});
