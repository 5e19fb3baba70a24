import { describe, expect, test, vi } from "vitest";
import { ConsoleApiError, createConsoleClient, createEvaluationClient } from "../src/index.ts";
import { json, recorder } from "./recorder.ts";

const baseUrl = "http://gatehouse.test";
const apiKey = "console-0123456789abcdef";

function createTestClient(...answers: Parameters<typeof recorder>) {
  const { sent, fetch } = recorder(...answers);
  return { sent, api: createConsoleClient({ baseUrl, apiKey, fetch, retry: { attempts: 1 } }) };
}

const gate = { message: "Gate read successfully.", data: { id: "checkout", version: 3 } };

describe("a request", () => {
  test("has the operation's method and path, the key, and nothing else", async () => {
    const { sent, api } = createTestClient(json(200, gate));
    await api.getGate({ path: { id: "checkout" } });
    expect(sent).toEqual([
      { method: "GET", url: "http://gatehouse.test/console/v1/gates/checkout", headers: { "service-api-key": apiKey }, body: undefined },
    ]);
  });

  test("has the session and the project of a person, and says that it does not come from another site's page", async () => {
    const { sent, fetch } = recorder(json(200, gate));
    await createConsoleClient({ baseUrl, session: "secret", projectID: "shop", fetch }).getGate({ path: { id: "checkout" } });
    expect(sent[0]?.headers).toEqual({
      cookie: "gatehouse_session=secret; __Host-gatehouse_session=secret; __Secure-gatehouse_session=secret",
      "sec-fetch-site": "same-origin",
      "gatehouse-project": "shop",
    });
  });

  test("has no credentials but those that a browser adds, without a key and a session", async () => {
    const { sent, fetch } = recorder(json(200, gate));
    await createConsoleClient({ baseUrl, fetch }).getGate({ path: { id: "checkout" } });
    expect(sent[0]?.headers).toEqual({});
  });

  test("names the client outside of browsers, which name themselves", async () => {
    const { userAgents, fetch } = recorder(json(200, gate));
    await createConsoleClient({ baseUrl, apiKey, fetch }).getGate({ path: { id: "checkout" } });
    vi.stubGlobal("document", {});
    await createConsoleClient({ baseUrl, apiKey, fetch }).getGate({ path: { id: "checkout" } });
    vi.unstubAllGlobals();
    expect(userAgents).toEqual(["gatehouse-client/development", undefined]);
  });

  test("lets a browser send its session to the page's own origin alone", async () => {
    const credentials: string[] = [];
    const fetch = async (request: Request) => {
      credentials.push(request.credentials);
      return Response.json(gate);
    };
    await createConsoleClient({ baseUrl, fetch }).getGate({ path: { id: "checkout" } });
    expect(credentials).toEqual(["same-origin"]);
  });

  test.each([
    ["a session", { session: "secret" }],
    ["a project", { projectID: "shop" }],
  ])("has either a key or a person's credentials: a client with a key and %s is refused", (_, further) => {
    expect(() => createConsoleClient({ baseUrl, apiKey, ...further } as unknown as { baseUrl: string; apiKey: string })).toThrow(
      new TypeError("apiKey excludes session and projectID: a client acts with a key, which has a project of its own, or for a person."),
    );
  });

  test("of a batch has the requests as its body", async () => {
    const { sent, api } = createTestClient(json(200, { message: "Batch executed successfully.", data: [] }));
    const requests = [{ operationId: "getGate" as const, path: { id: "checkout" } }];
    await api.batch({ requests, query: { dryRun: true }, idempotencyKey: "once" });
    expect(sent).toEqual([
      {
        method: "POST",
        url: "http://gatehouse.test/console/v1/batch?dryRun=true",
        headers: { "content-type": "application/json", "idempotency-key": "once", "service-api-key": apiKey },
        body: { requests },
      },
    ]);
  });

  test("of a batch that fails throws the error of the request, with its index", async () => {
    const { api } = createTestClient(json(404, { status: 404, code: "not_found", message: "Gate a does not exist.", index: 3 }));
    const error = await api.batch({ requests: [{ operationId: "getGate", path: { id: "a" } }] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ operationId: "batch", status: 404, code: "not_found", index: 3 });
  });

  test("carries its body as JSON", async () => {
    const { sent, api } = createTestClient(json(201, gate));
    await api.createGate({ body: { name: "Checkout", tags: ["ä"] } });
    expect(sent).toEqual([
      {
        method: "POST",
        url: "http://gatehouse.test/console/v1/gates",
        headers: { "content-type": "application/json", "service-api-key": apiKey },
        body: { name: "Checkout", tags: ["ä"] },
      },
    ]);
  });

  test("encodes path parameters", async () => {
    const { sent, api } = createTestClient(json(200, gate));
    await api.getGate({ path: { id: "a/b ?#ü%" } });
    expect(sent[0]?.url).toBe("http://gatehouse.test/console/v1/gates/a%2Fb%20%3F%23%C3%BC%25");
  });

  test("repeats query parameters that are arrays, encodes them and leaves out undefined ones", async () => {
    const { sent, api } = createTestClient(json(200, { message: "", data: [] }));
    await api.listGates({ query: { tags: ["a&b", "c d"], includeArchived: true, creatorName: undefined, limit: 5 } });
    expect(sent[0]?.url).toBe("http://gatehouse.test/console/v1/gates?tags=a%26b&tags=c%20d&includeArchived=true&limit=5");
  });

  test("sends ifMatch as If-Match", async () => {
    const { sent, api } = createTestClient(json(200, gate));
    await api.deleteGate({ path: { id: "checkout" }, ifMatch: '"3-abc"' });
    expect(sent[0]?.headers).toEqual({ "if-match": '"3-abc"', "service-api-key": apiKey });
  });

  test("sends idempotencyKey as Idempotency-Key", async () => {
    const { sent, api } = createTestClient(json(200, gate));
    await api.deleteGate({ path: { id: "checkout" }, idempotencyKey: "clean-up-7" });
    expect(sent[0]?.headers).toEqual({ "idempotency-key": "clean-up-7", "service-api-key": apiKey });
  });

  test("follows no redirect, which could send the key elsewhere", async () => {
    let redirect: RequestRedirect | undefined;
    const { api } = createTestClient((request) => {
      redirect = request.redirect;
      return new Response(null, { status: 301, statusText: "Moved Permanently", headers: { Location: "https://elsewhere.test/" } });
    });
    await expect(api.createGate({ body: { name: "x" } })).rejects.toThrow("createGate: 301 Moved Permanently");
    expect(redirect).toBe("manual");
  });

  test.each(["", ".", ".."])("is rejected with the path parameter %j, which would address another operation", async (id) => {
    const { sent, api } = createTestClient(json(200, gate));
    await expect(api.deleteGate({ path: { id } })).rejects.toThrow(
      new TypeError(`deleteGate: the path parameter id must name something, and is "${id}".`),
    );
    expect(sent).toEqual([]);
  });

  test("without a required argument is rejected, for callers without types", async () => {
    const { api } = createTestClient(json(200, gate));
    const untyped = api.getGate as unknown as () => Promise<unknown>;
    await expect(untyped()).rejects.toThrow("getGate: the path parameter id must name something, and is undefined.");
  });
});

describe("a result", () => {
  test("is the body and the entity's etag", async () => {
    const { api } = createTestClient(json(200, gate, { ETag: '"3-abc"' }));
    expect(await api.getGate({ path: { id: "checkout" } })).toEqual({ ...gate, etag: '"3-abc"' });
  });

  test("is only the body if the ETag is missing", async () => {
    const { api } = createTestClient(json(200, gate));
    expect(await api.getGate({ path: { id: "checkout" } })).toEqual(gate);
  });

  test("is marked if it is that of an earlier request", async () => {
    const { api } = createTestClient(json(200, gate, { ETag: '"3-abc"', "Idempotency-Replayed": "true" }));
    const answer = await api.patchGate({ path: { id: "checkout" }, body: {}, idempotencyKey: "x" });
    expect(answer).toEqual({ ...gate, etag: '"3-abc"', isReplayed: true });
  });

  test.each([
    ["204", () => new Response(null, { status: 204 })],
    ["an empty 200", () => new Response("", { status: 200 })],
    ["a 200 of length 0", () => new Response(null, { status: 200, headers: { "Content-Length": "0" } })],
  ])("is undefined after %s", async (_, answer) => {
    const { api } = createTestClient(answer);
    expect(await api.deleteGate({ path: { id: "checkout" } })).toBeUndefined();
  });
});

describe("an error", () => {
  const failure = (call: Promise<unknown>): Promise<ConsoleApiError> =>
    call.then(
      () => expect.unreachable(),
      (error) => error,
    );
  const fields = ({ name, operationId, status, code, message, errors, requestId }: ConsoleApiError) => {
    return { name, operationId, status, code, message, errors, requestId };
  };

  test("has the status, the code, every violation and the request's id", async () => {
    const errors = [
      { property: "name", errorMessage: "must not be empty" },
      { property: "rules[0].passPercentage", errorMessage: "must be <= 100" },
    ];
    const body = { status: 400, code: "invalid_request", message: "The request is not valid.", errors };
    const { api } = createTestClient(json(400, body, { "X-Request-Id": "0193a7c2" }));
    const error = await failure(api.createGate({ body: { name: "" } }));
    expect(error).toBeInstanceOf(ConsoleApiError);
    expect(fields(error)).toEqual({
      name: "ConsoleApiError",
      operationId: "createGate",
      status: 400,
      code: "invalid_request",
      message: "createGate: 400 The request is not valid.\n  name: must not be empty\n  rules[0].passPercentage: must be <= 100",
      errors,
      requestId: "0193a7c2",
    });
  });

  test("of the server names the request, so that the operator can find it in the log, and has the response headers", async () => {
    const body = { status: 500, code: "internal_error", message: "The server failed." };
    const { api } = createTestClient(json(500, body, { "X-Request-Id": "0193a7c2" }));
    const { message, headers } = await failure(api.getGate({ path: { id: "checkout" } }));
    expect([message, headers.get("Content-Type")]).toEqual(["getGate: 500 The server failed. (request 0193a7c2)", "application/json"]);
  });

  test("of OFREP has its errorDetails as message", async () => {
    const { fetch } = recorder(json(404, { key: "x", errorCode: "FLAG_NOT_FOUND", errorDetails: "Flag x does not exist." }));
    const api = createEvaluationClient({ baseUrl, apiKey, fetch });
    await expect(api.evaluateFlag({ path: { key: "x" }, body: { context: { targetingKey: "a" } } })).rejects.toMatchObject({
      message: "evaluateFlag: 404 Flag x does not exist.",
      status: 404,
      code: undefined,
    });
  });

  test("that is a conflict does not repeat its message", async () => {
    const message = "Gate checkout already exists.";
    const errors = [{ property: "id", errorMessage: message }];
    const { api } = createTestClient(json(409, { status: 409, code: "conflict", message, errors }));
    const error = await failure(api.createGate({ body: { name: "checkout" } }));
    expect(fields(error)).toMatchObject({ status: 409, message: `createGate: 409 ${message}`, errors });
  });

  test("without violations has an empty list of them", async () => {
    const { api } = createTestClient(json(404, { status: 404, code: "not_found", message: "Gate nope does not exist." }));
    expect(fields(await failure(api.getGate({ path: { id: "nope" } })))).toEqual({
      name: "ConsoleApiError",
      operationId: "getGate",
      status: 404,
      code: "not_found",
      message: "getGate: 404 Gate nope does not exist.",
      errors: [],
      requestId: undefined,
    });
  });

  test.each([
    ["HTML", new Response("<html>Bad Gateway</html>", { status: 502, statusText: "Bad Gateway" }), "createGate: 502 Bad Gateway"],
    ["nothing, over HTTP/2", new Response(null, { status: 502 }), "createGate: 502"],
    ["JSON in another format", json(502, { errors: "none", message: { text: "x" } }), "createGate: 502"],
    ["JSON null", json(502, null), "createGate: 502"],
  ])("of a proxy that answers %s has the status and no code", async (_, answer, message) => {
    const { api } = createTestClient(answer);
    const error = await failure(api.createGate({ body: { name: "x" } }));
    expect(error).toBeInstanceOf(ConsoleApiError);
    expect(fields(error)).toMatchObject({ status: 502, code: undefined, message, errors: [] });
  });

  test("is a success that is not JSON, such as a login page", async () => {
    const { api } = createTestClient(new Response("<html>Sign in</html>", { status: 200 }));
    const error = await failure(api.getGate({ path: { id: "checkout" } }));
    expect(error).toBeInstanceOf(ConsoleApiError);
    expect(error.message).toBe("getGate: 200 The answer is not JSON.");
  });

  test("of the network is the one that fetch throws", async () => {
    const refused = new TypeError("fetch failed");
    const { api } = createTestClient(refused);
    expect(await failure(api.getGate({ path: { id: "checkout" } }))).toBe(refused);
  });
});
