import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("getProject", () => {
  test("200: the project of the key", async () => {
    expect((await server.send("GET", "/console/v1/project")).body).toEqual({
      message: "Project read successfully.",
      data: { id: "default", name: "default" },
    });
    const key = await makeOtherProject(server);
    expect((await server.send("GET", "/console/v1/project", { key })).body.data).toEqual({ id: "other", name: "other" });
  });
});

describe("getCompany", () => {
  test("200: the one company of the instance, the same for every project", async () => {
    const key = await makeOtherProject(server, "third");
    const { body } = await server.send("GET", "/console/v1/company");
    const companyID = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(body).toEqual({
      message: "Company read successfully.",
      data: { companyID, companyName: "Gatehouse", isWarehouseNative: false, orgID: null, orgName: null },
    });
    expect((await server.send("GET", "/console/v1/company", { key })).body).toEqual(body);
  });
});
