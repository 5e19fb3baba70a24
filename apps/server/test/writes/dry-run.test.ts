import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const rule = (name: string, passPercentage: number) => ({ name, passPercentage, conditions: [] });

describe("a dry run", () => {
  test("shows each changed field before and after, without the audit fields", async () => {
    const { data } = await server.client.createGate({ body: { name: "dry", rules: [rule("One", 10), rule("Two", 20)] } });
    const rules = data.rules.map((one, index) => (index === 1 ? { ...one, passPercentage: 50 } : one));
    const answer = await server.client.patchGate({
      path: { id: data.id },
      query: { dryRun: true },
      body: { rules, tags: ["new"], team: "core" },
    });
    expect(answer.data).toMatchObject({ version: 2, tags: ["new"] });
    expect(answer.changes?.filter(({ entityType }) => entityType === "gate")).toEqual([
      {
        entityType: "gate",
        entityID: "dry",
        fields: [
          { field: "tags", before: [], after: ["new"] },
          { field: "team", before: null, after: "core" },
          { field: "rules[1].passPercentage", before: 20, after: 50 },
        ],
      },
    ]);
    expect((await server.client.getGate({ path: { id: data.id } })).data).toEqual(data);
  });

  test("shows null before a creation and after a deletion", async () => {
    const created = await server.client.createGate({ query: { dryRun: true }, body: { name: "never made" } });
    const fields = created.changes?.[0]?.fields ?? [];
    expect(fields).toContainEqual({ field: "name", before: null, after: "never made" });
    expect(fields.every(({ before }) => before === null)).toBe(true);
    const { data } = await server.client.createGate({ body: { name: "never gone" } });
    const deleted = await server.client.deleteGate({ path: { id: data.id }, query: { dryRun: true } });
    expect(deleted.changes?.[0]?.fields).toContainEqual({ field: "name", before: "never gone", after: null });
  });

  test("fails with the same errors as the write", async () => {
    const body = { name: "refused", rules: [{ ...rule("One", 1), conditions: [{ type: "passes_gate", targetValue: "nowhere" }] }] };
    expect((await server.send("POST", "/console/v1/gates?dryRun=true", { body })).status).toBe(400);
    expect((await server.send("PUT", "/console/v1/gates/nowhere/disable?dryRun=true")).status).toBe(404);
  });
});
