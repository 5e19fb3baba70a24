import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/startup/config.ts";
import { withoutTables } from "../support/faults.ts";
import { fill, type SweptOperation, scimOperations } from "../support/operations.ts";
import { SCIM, SCIM_TOKEN, scimClient, scimError, sendScim } from "../support/scim.ts";
import { startServer, type TestServer } from "../support/server.ts";

// The statuses that operations of the SCIM API have in common, and hostile requests.

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
      documentationUri: "https://flags.example.com/docs/scim",
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

describe("filters", () => {
  test.each([
    [`userName eq "SOMEONE@example.com"`, 1],
    [`emails.value sw "someone@"`, 1],
    [`userName co "meone@" and active eq true`, 1],
    [`not (active eq true) and userName eq "someone@example.com"`, 0],
    [`(userName ew "nobody" or userName ew "one@example.com") and id pr`, 1],
    [`externalId pr and userName eq "someone@example.com"`, 0],
    [`name.givenName eq "Nobody"`, 0],
    [`urn:ietf:params:scim:schemas:core:2.0:User:userName EQ "someone@example.com"`, 1],
    [`userName eq "someone@example.com" and meta.created gt "2020-01-01T00:00:00Z" and meta.lastModified lt "2100-01-01T00:00:00Z"`, 1],
    [`userName eq "someone@example.com' or '1' = '1"`, 0],
    [`userName eq "100%_"`, 0],
    [`displayName eq null and userName eq "someone@example.com"`, 1],
    [`userName ne "someone@example.com" and userName eq "someone@example.com"`, 0],
  ])("%s finds %i", async (filter, total) => {
    expect(await scim.list("/Users", filter)).toMatchObject({ status: 200, body: { totalResults: total } });
  });

  test.each([
    ["", "an attribute is expected at character 1"],
    ["userName", "an operator such as eq is expected at character 9"],
    ["userName eq", "a value is expected at character 12"],
    ['userName is "x"', "an operator such as eq is expected at character 10"],
    ['userName eq "x', "the text from character 12 has no closing quote"],
    ['userName eq "\\u0000"', "a text is not valid JSON, or contains the character U+0000"],
    ['userName eq "x" garbage', "and or or is expected at character 17"],
    ['(userName eq "x"', ") is expected at character 17"],
    ['password eq "x"', "the attribute password is not supported"],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:userName eq "x"', "an attribute is expected at character 1"],
    ["userName eq 5", "username must be compared with a text"],
    ['active gt "true"', "active can only be compared by eq or ne"],
    ['meta.created eq "yesterday"', "meta.created must be compared with a time"],
    ['__proto__ eq "x"', "an attribute is expected at character 1"],
    ['constructor eq "x"', "the attribute constructor is not supported"],
    [`${"(".repeat(11)}id pr${")".repeat(11)}`, "it is nested more than 10 levels deep"],
    [Array(51).fill("id pr").join(" or "), "it has more than 50 comparisons"],
  ])("%s is invalid", async (filter, reason) => {
    expect(await scim.list("/Users", filter)).toMatchObject(scimError(400, "invalidFilter", `The filter is invalid: ${reason}.`));
  });

  test("with brackets after members have one comparison", async () => {
    expect((await scim.list("/Groups", `members.value eq "${user}"`)).body.totalResults).toBe(1);
    expect(await scim.list("/Groups", `members[value eq "a" and value eq "b"]`)).toMatchObject(
      scimError(400, "invalidFilter", "The filter is invalid: brackets after members can only contain one comparison."),
    );
  });

  test("that are too long are refused before they are parsed", async () => {
    expect(await scim.list("/Users", `userName eq "${"x".repeat(1_000)}"`)).toMatchObject(
      scimError(400, "invalidValue", expect.any(String)),
    );
  });
});

describe("hostile bodies", () => {
  const operation = (one: object) => ({ Operations: [one] });
  const cases: [string, unknown, string, string | RegExp][] = [
    ["no JSON", "{", "invalidSyntax", /^The body .+/],
    ["no object", "null", "invalidValue", /body must be object/],
    ["no operations", { Operations: [] }, "invalidValue", /Operations must NOT have fewer than 1 items/],
    [
      "too many operations",
      { Operations: Array(1_001).fill({ op: "add", path: "active", value: true }) },
      "invalidValue",
      /more than 1000 items/,
    ],
    ["another operation", operation({ op: "move", path: "active" }), "invalidSyntax", "op must be add, replace or remove."],
    ["a path that is none", operation({ op: "replace", path: "na me..x", value: 1 }), "invalidPath", "The path na me..x is invalid."],
    [
      "a filter that is none",
      operation({ op: "replace", path: "emails[type].value", value: "x" }),
      "invalidFilter",
      /an operator such as eq/,
    ],
    ["removing without a path", operation({ op: "remove" }), "noTarget", "A remove operation needs a path."],
    ["changing the ID", operation({ op: "replace", path: "id", value: "x" }), "mutability", "id can't be changed."],
    ["removing active", operation({ op: "remove", path: "active" }), "mutability", "active can't be removed. Set it to false."],
    ["removing the name", operation({ op: "remove", path: "userName" }), "invalidValue", "userName is required."],
    ["a value that is no object", operation({ op: "replace", value: "active" }), "invalidValue", "value must be an object."],
    [
      "a text for a truth value",
      operation({ op: "replace", path: "active", value: "maybe" }),
      "invalidValue",
      "active must be true or false.",
    ],
    [
      "a list for a name",
      operation({ op: "replace", path: "name.givenName", value: ["x"] }),
      "invalidValue",
      "name.givenName must be a text.",
    ],
    [
      "a long name",
      operation({ op: "replace", value: { displayName: "x".repeat(201) } }),
      "invalidValue",
      "displayName must have at most 200 characters.",
    ],
    [
      "control characters",
      operation({ op: "replace", value: { name: { givenName: "a\nb" } } }),
      "invalidValue",
      "name.givenName must not have control characters.",
    ],
    [
      "no address",
      operation({ op: "replace", value: { userName: "none", emails: [{ value: "none" }] } }),
      "invalidValue",
      "userName, or the primary value of emails, must be an e-mail address of at most 254 ASCII characters.",
    ],
  ];

  test.each(cases)("PATCH with %s", async (_, body, scimType, detail) => {
    const message = typeof detail === "string" ? detail : expect.stringMatching(detail);
    expect(await scim.send("PATCH", `/Users/${user}`, body)).toMatchObject(scimError(400, scimType, message));
  });

  test.each(["none", "someone@", "üser@example.com", "a b@example.com", `${"x".repeat(250)}@example.com`])(
    "a userName that is not an address is refused: %s",
    async (userName) => {
      expect(await scim.createUser(userName)).toMatchObject(scimError(400, "invalidValue", expect.any(String)));
    },
  );

  test("prototypes stay as they are, and names of attributes are not case-sensitive", async () => {
    const text = `{"USERNAME":"proto@example.com","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"Name":{"GIVENNAME":"Ada","__proto__":{"x":1}}}`;
    const created = await scim.send("POST", "/Users", text);
    expect(created).toMatchObject({ status: 201, body: { userName: "proto@example.com", name: { givenName: "Ada" } } });
    const patched = await scim.send(
      "PATCH",
      `/Users/${created.body.id}`,
      `{"operations":[{"OP":"Add","value":{"__proto__":{"polluted":true},"name":{"__proto__":{"polluted":true}},"DISPLAYNAME":"x"}},{"op":"add","path":"__proto__.polluted","value":true},{"op":"add","path":"constructor.prototype","value":true}]}`,
    );
    // A path that no attribute can have is an error.
    expect(patched).toMatchObject(scimError(400, "invalidPath", "The path __proto__.polluted is invalid."));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("10,000 members are refused", async () => {
    const members = Array.from({ length: 10_000 }, (_, index) => ({ value: `m${index}` }));
    const tooMany = scimError(400, "invalidValue", expect.stringContaining("more than 500"));
    expect(await scim.send("POST", "/Groups", { displayName: "Huge", members })).toMatchObject(tooMany);
    expect(await scim.patch(`/Groups/${group}`, { op: "add", path: "members", value: members })).toMatchObject(tooMany);
    const operations = members.map((member) => ({ op: "add", path: "members", value: [member] }));
    expect(await scim.patch(`/Groups/${group}`, ...operations.slice(0, 1_000), ...operations)).toMatchObject({ status: 400 });
  });
});

describe("the settings", () => {
  const read = (env: Record<string, string>) => readConfig(env).scim;
  const [one, two] = ["a".repeat(32), "b".repeat(40)] as [string, string];

  test("take one or two tokens, and roles of groups with the syntax of roles of claims", () => {
    expect(read({ GATEHOUSE_SCIM_TOKENS: one })).toEqual({ tokens: [one], roles: undefined });
    expect(read({ GATEHOUSE_SCIM_TOKENS: `${one}, ${two}`, GATEHOUSE_SCIM_ROLES: "Flag leads=Admin,it=administrator" })).toEqual({
      tokens: [one, two],
      roles: [
        ["Flag leads", "Admin"],
        ["it", "administrator"],
      ],
    });
    expect(read({})).toBeUndefined();
  });

  test.each([
    [{ GATEHOUSE_SCIM_TOKENS: "short" }, "GATEHOUSE_SCIM_TOKENS must be one token"],
    [{ GATEHOUSE_SCIM_TOKENS: [one, two, one].join() }, "GATEHOUSE_SCIM_TOKENS must be one token"],
    [{ GATEHOUSE_SCIM_ROLES: "leads=Admin" }, "GATEHOUSE_SCIM_ROLES needs GATEHOUSE_SCIM_TOKENS"],
    [{ GATEHOUSE_SCIM_TOKENS: one, GATEHOUSE_SCIM_ROLES: "leads" }, "GATEHOUSE_SCIM_ROLES must be pairs"],
    [
      {
        GATEHOUSE_SCIM_TOKENS: one,
        GATEHOUSE_SCIM_ROLES: "leads=Admin",
        GATEHOUSE_PUBLIC_URL: "https://flags.example.com",
        GATEHOUSE_OIDC_ISSUER: "https://idp.example.com",
        GATEHOUSE_OIDC_CLIENT_ID: "id",
        GATEHOUSE_OIDC_CLIENT_SECRET: "secret",
        GATEHOUSE_OIDC_ALLOWED_DOMAINS: "example.com",
        GATEHOUSE_OIDC_ROLE_CLAIM: "groups",
        GATEHOUSE_OIDC_ROLES: "leads=Admin",
      },
      "GATEHOUSE_OIDC_ROLE_CLAIM and GATEHOUSE_SCIM_ROLES can't both be set",
    ],
  ])("are refused: %j", (env, fault) => {
    expect(() => readConfig(env)).toThrow(fault);
  });
});
