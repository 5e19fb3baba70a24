import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { make, makeArchived, rule } from "../support/dynamic-configs.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const asks = (gate: string, type: "passes_gate" | "fails_gate" = "passes_gate") =>
  rule(`${type} ${gate}`, { conditions: [{ type, targetValue: gate }] });

describe("listGateDynamicConfigReferences", () => {
  const list = (id: string, query: object = {}) => server.client.listGateDynamicConfigReferences({ path: { id }, query });

  test("200: active dynamic configs whose rules reference the gate, newest first, in pages", async () => {
    await server.client.createGate({ body: { name: "asked" } });
    await server.client.createGate({ body: { name: "other" } });
    server.clock.now += 1000;
    const passes = await make(server, "asks passes", { rules: [rule("no gate"), asks("asked")] });
    server.clock.now += 1000;
    const fails = await make(server, "asks fails", { rules: [asks("asked", "fails_gate"), asks("asked"), asks("other")] });
    await make(server, "asks other", { rules: [asks("other")] });
    await makeArchived(server, "asks archived", { rules: [asks("asked")] });
    const path = "/console/v1/gates/asked/dynamic_config_references";
    expect(await list("asked", { limit: 1 })).toMatchObject({
      message: "Dynamic Configs listed successfully.",
      data: [fails],
      pagination: {
        itemsPerPage: 1,
        pageNumber: 1,
        totalItems: 2,
        nextPage: `${path}?page=2&limit=1`,
        previousPage: null,
        all: path,
      },
    });
    expect((await list("asked", { limit: 1, page: 2 })).data).toEqual([passes]);
    expect(await list("asked", { limit: 0 })).toMatchObject({
      data: [],
      pagination: { itemsPerPage: 0, totalItems: 2, nextPage: null, previousPage: null },
    });
  });

  test("200: the reference appears and disappears with the rule", async () => {
    await server.client.createGate({ body: { name: "followed" } });
    const { id } = await make(server, "follows", { rules: [asks("followed")] });
    expect((await list("followed")).data).toHaveLength(1);
    await server.client.patchDynamicConfig({ path: { id }, body: { rules: [] } });
    expect((await list("followed")).data).toEqual([]);
    await server.client.patchDynamicConfig({ path: { id }, body: { rules: [asks("followed")] } });
    expect((await list("followed")).data.map((config) => config.id)).toEqual([id]);
  });

  test("400: a limit over 100", async () => {
    const answer = await server.send("GET", "/console/v1/gates/asked/dynamic_config_references?limit=101");
    expect(answer.body.errors).toEqual([{ property: "limit", errorMessage: "must be <= 100" }]);
  });

  test("404: the gate does not exist", async () => {
    expect(await refusal(list("nope"))).toEqual({ status: 404, code: "not_found", message: "Gate nope does not exist.", errors: [] });
  });
});
