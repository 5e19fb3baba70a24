import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createGate({ body: { name: "known gate" } });
});
afterAll(() => server.close());

const gates = "/console/v1/gates";
const refused = (errors: { property: string; errorMessage: string }[]) => ({
  status: 400,
  body: { status: 400, code: "invalid_request", message: "The request is not valid.", errors },
});

describe("a request", () => {
  test("is 404 at an unknown path, with a key inside an API and without one elsewhere", async () => {
    const message = (path: string) => ({
      status: 404,
      body: { status: 404, code: "not_found", message: `The path ${path} does not exist.` },
    });
    expect(await server.send("GET", "/console/v1/gatez")).toMatchObject(message("/console/v1/gatez"));
    expect(await server.send("GET", "/nowhere", { key: null })).toMatchObject(message("/nowhere"));
    expect((await server.send("GET", "/console/v1/gatez", { key: null })).status).toBe(401);
  });

  test("is 405 for a method that its path does not have, with the allowed ones", async () => {
    const answer = await server.send("PUT", `${gates}/known_gate`);
    expect(answer).toMatchObject({
      status: 405,
      body: { code: "method_not_allowed", message: `PUT is not allowed at ${gates}/known_gate.` },
    });
    expect(answer.headers.get("Allow")).toBe("GET, POST, PATCH, DELETE");
  });

  test("is 400 at a path that cannot be decoded", async () => {
    expect(await server.send("GET", `${gates}/%E0%A4%A`)).toMatchObject(
      refused([{ property: "path", errorMessage: "is not valid percent-encoding" }]),
    );
  });

  test("can end its path with a slash", async () => {
    expect((await server.send("GET", `${gates}/`)).status).toBe(200);
  });

  test("can have its key in the header that existing clients send", async () => {
    expect((await server.send("GET", gates, { key: null, headers: { "STATSIG-API-KEY": server.key } })).status).toBe(200);
    expect((await server.send("GET", gates, { key: null, headers: { "STATSIG-API-KEY": `${server.key}x` } })).status).toBe(401);
  });

  test("gets all violations together: of its query and of its body", async () => {
    expect(await server.send("GET", `${gates}?limt=1&limit=0&page=x`)).toMatchObject(
      refused([
        { property: "limt", errorMessage: "is unknown. Did you mean limit?" },
        { property: "limit", errorMessage: "must be >= 1" },
        { property: "page", errorMessage: "must be integer" },
      ]),
    );
  });

  test("gets one violation for a value that can have several types", async () => {
    const conditions = [{ type: "user_id", operator: "any", targetValue: {} }];
    expect(
      await server.send("POST", gates, { body: { name: "x-y", rules: [{ name: "r", passPercentage: 1, conditions }] } }),
    ).toMatchObject(
      refused([{ property: "rules[0].conditions[0].targetValue", errorMessage: "must be array or string or number or null" }]),
    );
  });
});

describe("a query", () => {
  const tag = "* it's (a+b), c/d: 1!";
  beforeAll(async () => {
    for (const name of ["tagged one", "tagged two"]) await server.client.createGate({ body: { name, tags: [tag] } });
  });
  const list = async (query: string) => {
    const { status, body } = await server.send("GET", `${gates}?${query}`);
    return { status, total: body.pagination?.totalItems, nextPage: body.pagination?.nextPage };
  };

  test("can encode a space as + or %20, and leave other characters that URLs allow unencoded", async () => {
    const asForm = new URLSearchParams({ tags: tag, creatorName: "CONSOLE API" }).toString();
    expect(await list(asForm)).toMatchObject({ status: 200, total: 2 });
    expect(await list(`tags=${encodeURIComponent(tag)}`)).toMatchObject({ status: 200, total: 2 });
    expect(await list("tags=*+it's+(a%2Bb),+c/d:+1!")).toMatchObject({ status: 200, total: 2 });
    expect((await server.client.listGates({ query: { tags: [tag] } })).pagination.totalItems).toBe(2);
  });

  test("is preserved in links to other pages", async () => {
    const { nextPage } = await list(`tags=${encodeURIComponent(tag)}&limit=1`);
    expect(await server.send("GET", nextPage)).toMatchObject({ status: 200, body: { pagination: { pageNumber: 2, totalItems: 2 } } });
  });

  test("with null for a nullable filter has no filter", async () => {
    const filters = ["releasePipelineID", "creatorName", "creatorID"].map((name) => `${name}=null`).join("&");
    const { status, total, nextPage } = await list(`tags=${encodeURIComponent(tag)}&${filters}&limit=1`);
    expect({ status, total }).toEqual({ status: 200, total: 2 });
    expect(nextPage).not.toContain("null");
  });
});

describe("a body", () => {
  const post = (rawBody: string, headers?: Record<string, string>) => server.send("POST", gates, { rawBody, ...(headers && { headers }) });

  test("that is not JSON is rejected with the place of the error", async () => {
    expect((await post('{"name":')).body).toMatchObject({ message: "The body is not valid JSON.", errors: [{ property: "body" }] });
  });

  test("that is missing is rejected", async () => {
    expect(await server.send("POST", gates)).toMatchObject(refused([{ property: "body", errorMessage: "is required" }]));
  });

  test("in another character set is rejected, not misread", async () => {
    expect((await post('{"name":"latin"}', { "Content-Type": "application/json; charset=latin1" })).status).toBe(415);
    expect((await post('{"name":"utf-8"}', { "Content-Type": "application/json; charset=utf-8" })).status).toBe(201);
  });

  test("that is nested more than 100 levels deep is rejected", async () => {
    const nested = (depth: number) => `{"name":"deep ${depth}","rules":[],"tags":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(await post(nested(100))).toMatchObject(
      refused([{ property: "body", errorMessage: "must not be nested more than 100 levels deep" }]),
    );
    expect((await post(nested(99))).body.errors[0].property).toBe("tags[0]");
  });

  test("with U+0000, which the database cannot store, is rejected with its place", async () => {
    expect(await post('{"name":"nul","tags":["a","b\\u0000"],"reviewSettings":{"x\\u0000":1}}')).toMatchObject(
      refused([
        { property: "tags[1]", errorMessage: "must not contain the character U+0000" },
        { property: "reviewSettings.x\\u0000", errorMessage: "must not have the character U+0000 in its name" },
      ]),
    );
    expect(await server.send("GET", `${gates}/a%00b`)).toMatchObject(
      refused([{ property: "path", errorMessage: "must not contain the character U+0000" }]),
    );
  });

  test("with a number that overflows, which would be stored as null, is rejected with its place", async () => {
    const rule = '{"name":"r","passPercentage":1,"conditions":[],"returnValue":{"big":1e308,"bigger":[1e309]}}';
    expect(await post(`{"name":"huge","rules":[${rule}]}`)).toMatchObject(
      refused([{ property: "rules[0].returnValue.bigger[0]", errorMessage: "must not be larger than 1.8e308" }]),
    );
  });

  test("can have a property __proto__ in a free-form object, which is stored", async () => {
    const returnValue = '{"__proto__":{"a":1},"constructor":2,"z":1,"a":2}';
    const { body } = await post(`{"name":"proto","rules":[{"name":"r","passPercentage":1,"conditions":[],"returnValue":${returnValue}}]}`);
    const response = await fetch(`${server.url}${gates}/proto`, { headers: { "SERVICE-API-KEY": server.key } });
    expect(body.data.id).toBe("proto");
    expect(await response.text()).toContain(`"returnValue":${returnValue}`);
  });

  test("can have fields that the server sets, which are validated and then ignored", async () => {
    const patch = (body: object) => server.send("PATCH", `${gates}/known_gate`, { body });
    const { body } = await patch({ description: "kept", id: "other", createdTime: 5, version: 99, status: "Archived", holdoutIDs: ["h"] });
    expect(body.data).toMatchObject({
      id: "known_gate",
      description: "kept",
      createdTime: 1_763_700_000_000,
      version: 2,
      status: "In Progress",
      holdoutIDs: [],
    });
    expect(await patch({ createdTime: "5" })).toMatchObject(refused([{ property: "createdTime", errorMessage: "must be integer" }]));
  });
});
