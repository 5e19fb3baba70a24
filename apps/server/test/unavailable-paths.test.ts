import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const experiments = "/console/v1/experiments";
const names = consoleDocument.paths[experiments].post["x-unavailable"];
const unavailable = (method: string, path: string) => ({
  status: 404,
  body: { status: 404, code: "not_found", message: `${method} ${path} is not available here.` },
});
const SOURCE = { name: "orders", sql: "select 1", timestampColumn: "at", experimentIDColumn: "e", groupIDColumn: "g", idTypeMapping: [] };

describe("a path that this server does not support", () => {
  test.each(names)("%s: is 404 for any method and subpath, and does not address an experiment", async (name) => {
    const path = `${experiments}/${name}`;
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const body = method === "GET" ? undefined : SOURCE;
      expect(await server.send(method, path, { body })).toMatchObject(unavailable(method, path));
      expect(await server.send(method, `${path}/orders`, { body })).toMatchObject(unavailable(method, `${path}/orders`));
      expect(await server.send(method, `${path}/overrides`, { body })).toMatchObject(unavailable(method, `${path}/overrides`));
    }
    expect((await server.send("GET", path, { key: null })).status).toBe(401);
  });

  test.each(names)("%s: addresses an experiment of this name, if there is one", async (name) => {
    const { data } = await server.client.createExperiment({ body: { name: name.replaceAll("_", " ") } });
    expect(data.id).toBe(name);
    const path = { id: name };
    expect((await server.client.getExperiment({ path })).data).toEqual(data);
    expect((await server.client.patchExperiment({ path, body: { description: "reached" } })).data.description).toBe("reached");
    expect((await server.client.getExperimentOverrides({ path })).data.version).toBe(0);
    await server.client.deleteExperiment({ path });
    expect(await server.send("GET", `${experiments}/${name}`)).toMatchObject(unavailable("GET", `${experiments}/${name}`));
  });
});
