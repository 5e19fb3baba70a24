import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withoutTables } from "../support/faults.ts";
import { fill, type SweptOperation, scimOperations } from "../support/operations.ts";
import { SCIM, SCIM_TOKEN, scimClient, scimError, sendScim } from "../support/scim.ts";
import { startServer, type TestServer } from "../support/server.ts";

// The statuses that operations of the SCIM API have in common.

let server: TestServer;
let scim: ReturnType<typeof scimClient>;
let user: string;
let group: string;
beforeAll(async () => {
  server = await startServer({ scim: SCIM, publicUrl: "https://flags.example.com" });
  scim = scimClient(server);
  user = (await scim.createUser("someone@example.com")).body.id;
  group = (await scim.createGroup("Some group", [user])).body.id;
});
afterAll(() => server.close());

const declares = (status: number) => scimOperations.filter(({ statuses }) => statuses.includes(String(status)));
const within = ({ path }: SweptOperation, id = path.includes("Groups") ? group : user) =>
  fill(path, { id, name: "User", urn: "urn:ietf:params:scim:schemas:core:2.0:Group" }).replace("/scim/v2", "");
const send = (operation: SweptOperation, path = within(operation), headers: object = {}) =>
  scim.send(operation.method, path, operation.takesBody ? operation.example : undefined, headers);
const eachOf = (operations: SweptOperation[]) => operations.map((operation) => [operation.operationId, operation] as const);

describe("discovery", () => {
  test("says what the server supports, with URLs of the server", async () => {
    const { body } = await scim.send("GET", "/ServiceProviderConfig");
    expect(body).toMatchObject({
      documentationUri: "https://flags.example.com/docs/api/scim",
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: false },
      changePassword: { supported: false },
      patch: { supported: true },
      meta: { location: "https://flags.example.com/scim/v2/ServiceProviderConfig" },
    });
    const types = (await scim.send("GET", "/ResourceTypes")).body.Resources;
    expect(types.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(["/Users", "/Groups"]);
    for (const { id, schema } of types) {
      expect((await scim.send("GET", `/ResourceTypes/${id}`)).body.schema).toBe(schema);
      expect((await scim.send("GET", `/Schemas/${schema}`)).body).toMatchObject({ id: schema, name: id });
    }
    expect((await scim.send("GET", "/Schemas")).body.totalResults).toBe(2);
  });
});

describe("each operation", () => {
  test.each(eachOf(declares(401)))("%s: 401 without a token or with another one", async (_, operation) => {
    const refused = scimError(401, undefined, "A token of GATEHOUSE_SCIM_TOKENS is needed, as Authorization: Bearer.");
    for (const Authorization of ["", "Basic abc", `Bearer ${SCIM_TOKEN}x`]) {
      const answer = await send(operation, within(operation), { Authorization });
      expect(answer).toMatchObject(refused);
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    }
  });

  test.each(eachOf(scimOperations.filter(({ path }) => path.includes("{"))))("%s: 404 for what doesn't exist", async (_, operation) => {
    const path = within(operation).replace(/[^/]+$/, "absent");
    expect(await send(operation, path)).toMatchObject(scimError(404, undefined, expect.stringContaining("absent does not exist.")));
  });

  test.each(eachOf(declares(400)))("%s: 400 for a request that is not valid", async (_, { operationId, ...operation }) => {
    const path = within({ operationId, ...operation });
    if (operation.takesBody) return expect(await scim.send(operation.method, path, [])).toMatchObject({ status: 400 });
    const wrong = path.includes("/", 1) ? path.replace(/[^/]+$/, "%zz") : `${path}?count=many`;
    expect(await scim.send(operation.method, wrong)).toMatchObject(scimError(400, "invalidValue", expect.any(String)));
  });

  test.each(eachOf(declares(415)))("%s: 415 for other media types, and accepts application/json", async (_, operation) => {
    expect(await send(operation, within(operation), { "Content-Type": "text/plain" })).toMatchObject(
      scimError(415, undefined, "The body must be sent as application/scim+json or application/json, in UTF-8."),
    );
    const { status } = await send(operation, within(operation, "absent"), { "Content-Type": "application/json" });
    expect([201, 400, 404, 409]).toContain(status);
  });

  test.each(eachOf(declares(413)))("%s: 413 for a body that is too large", async (_, operation) => {
    const body = JSON.stringify({ padding: "x".repeat(operation.maxBytes) });
    expect(await scim.send(operation.method, within(operation), body)).toMatchObject(
      scimError(413, undefined, "The body is larger than 1 MiB."),
    );
  });

  test("409 for an address or a name that another resource has", async () => {
    await scim.createUser("taken@example.com");
    await scim.createGroup("Taken");
    const bodies: Record<string, object> = {
      createScimUser: { userName: "taken@example.com" },
      updateScimUser: { userName: "taken@example.com" },
      patchScimUser: { Operations: [{ op: "replace", value: { userName: "taken@example.com" } }] },
      createScimGroup: { displayName: "taken" },
      updateScimGroup: { displayName: "taken" },
      patchScimGroup: { Operations: [{ op: "replace", value: { displayName: "taken" } }] },
    };
    for (const operation of declares(409).filter(({ operationId }) => operationId in bodies))
      expect(await scim.send(operation.method, within(operation), bodies[operation.operationId])).toMatchObject(
        scimError(409, "uniqueness", expect.any(String)),
      );
  });

  test("500 with a hidden cause if the server fails", async () => {
    const failing = await startServer({ scim: SCIM });
    await withoutTables(failing.database, async () => {
      for (const operation of declares(500)) {
        const body = operation.takesBody ? operation.example : undefined;
        expect(await sendScim(failing, operation.method, within(operation), body)).toMatchObject(
          scimError(500, undefined, "The request failed. The server's log has the cause under the X-Request-Id of this response."),
        );
      }
    });
    await failing.close();
  });

  test("503 with Retry-After while the database is away", async () => {
    const away = await startServer({ scim: SCIM });
    await away.database.cutOff();
    for (const operation of declares(503)) {
      const body = operation.takesBody ? operation.example : undefined;
      const answer = await sendScim(away, operation.method, within(operation), body);
      expect.soft(answer).toMatchObject(scimError(503, undefined, "The database cannot be reached. Try again shortly."));
      expect.soft(answer.headers.get("Retry-After")).toBe("1");
    }
    expect((await sendScim(away, "GET", "/ServiceProviderConfig")).status).toBe(200);
    await away.close();
  });

  test("429 after 100 requests with a wrong token from an address, except for requests with a right one", async () => {
    const flooded = await startServer({ scim: SCIM });
    const headers = { Authorization: `Bearer ${"x".repeat(40)}` };
    for (let times = 0; times < 100; times += 1) expect((await sendScim(flooded, "GET", "/Users", undefined, headers)).status).toBe(401);
    for (const operation of declares(429)) {
      const body = operation.takesBody ? operation.example : undefined;
      const answer = await sendScim(flooded, operation.method, within(operation), body, headers);
      expect(answer).toMatchObject(
        scimError(429, undefined, "There were too many requests with a wrong token. Try again after Retry-After seconds."),
      );
      expect(answer.headers.get("Retry-After")).toBe("900");
    }
    expect((await sendScim(flooded, "GET", "/Users")).status).toBe(200);
    const { body } = await flooded.send("GET", "/console/v1/instance/audit_logs?actionType=authenticateScim");
    expect(body.data).toMatchObject([{ updatedBy: "ANONYMOUS", reason: "A request to the SCIM API had a wrong token." }]);
    expect(flooded.logged.some((line) => line.includes("x".repeat(40)))).toBe(false);
    flooded.clock.now += 15 * 60 * 1000;
    expect((await sendScim(flooded, "GET", "/Users", undefined, headers)).status).toBe(401);
    await flooded.close();
  });

  test("429 beyond the limit of writes", async () => {
    const limited = await startServer({ scim: SCIM, writeLimit: { writes: 1, windowMs: 3_600_000 } });
    const own = scimClient(limited);
    expect((await own.createUser("first@example.com")).status).toBe(201);
    expect(await own.createUser("second@example.com")).toMatchObject(
      scimError(429, undefined, "The limit of 1 writes in 3600 seconds is reached. Try again after Retry-After seconds."),
    );
    await limited.close();
  });
});

describe("without GATEHOUSE_SCIM_TOKENS", () => {
  test("the API does not exist, not even for browsers", async () => {
    const without = await startServer();
    const all: Record<string, string>[] = [{ Authorization: `Bearer ${SCIM_TOKEN}` }, { Accept: "text/html" }];
    for (const headers of all) {
      const answer = await without.send("GET", "/scim/v2/Users", { key: null, headers });
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found", message: "The path /scim/v2/Users does not exist." } });
    }
    await without.close();
  });
});

describe("requests that no operation has", () => {
  test.each([
    ["GET", "/Me", 404],
    ["POST", "/Bulk", 404],
    ["GET", "/users", 404],
    ["PUT", "/Users", 405],
    ["POST", "/ServiceProviderConfig", 405],
  ])("%s %s: %i", async (method, path, status) => {
    expect(await scim.send(method, path)).toMatchObject(scimError(status, undefined, expect.any(String)));
  });
});
