import { describe, expect, test } from "vitest";
import { rules as consoleRules } from "../../../spec/console/rules.mjs";
import { rules as evaluationRules } from "../../../spec/evaluation/rules.mjs";
import { completeOperation } from "../../../spec/plugin/complete-operation.mjs";
import { rules as scimRules } from "../../../spec/scim/rules.mjs";

const ofGate = { parameters: [{ $ref: "../components/parameters/id.yaml" }] };
const ofAll = {};
const component = (kind, name) => ({ $ref: `../components/${kind}/${name}.yaml` });

/** An operation as its path file states it. */
function operation({ schema = "GateResult", ...rest } = {}) {
  const content = { "application/json": { schema: component("schemas", schema) } };
  return { tags: ["Gates"], operationId: "doGate", ...rest, responses: { 200: { description: "Done.", content }, ...rest.responses } };
}

/** The operation completed by the rules, in names. */
function completed(rules, item, method, given) {
  const faults = completeOperation(rules, item, method, given);
  const name = ({ $ref }) => /(\w+)\.yaml$/.exec($ref)[1];
  return {
    parameters: (given.parameters ?? []).map(name),
    responses: Object.fromEntries(
      Object.entries(given.responses)
        .filter(([, { $ref }]) => $ref)
        .map(([status, node]) => [status, name(node)]),
    ),
    headers: Object.keys(given.responses[200].headers ?? {}),
    faults,
  };
}

const ALWAYS = { 400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 500: "InternalError", 503: "Unavailable" };
const WRITE = { ...ALWAYS, 202: "Stored", 409: "Conflict", 422: "IdempotencyKeyReused", 429: "TooManyRequests" };
const WRITE_HEADERS = ["Idempotency-Replayed", "RateLimit", "RateLimit-Policy"];
const BODY = { 413: "PayloadTooLarge", 415: "UnsupportedMediaType" };

describe("An operation of the console API", () => {
  test("that reads a list answers the errors that all answer, and nothing else is added", () => {
    const list = operation({ parameters: [component("parameters", "page")], schema: "GateList" });
    expect(completed(consoleRules, ofAll, "get", list)).toEqual({
      parameters: ["project", "page"],
      responses: ALWAYS,
      headers: [],
      faults: [],
    });
  });

  test("that reads one result takes a limit and the only page, unless its path has parameters", () => {
    expect(completed(consoleRules, ofAll, "get", operation({})).parameters).toEqual(["project", "onlyPageLimit", "onlyPage"]);
    expect(completed(consoleRules, ofGate, "get", operation({})).parameters).toEqual(["project"]);
  });

  test("that takes If-None-Match answers 304 and an ETag, and 404 where its path has parameters", () => {
    const read = operation({ parameters: [component("parameters", "ifNoneMatch")] });
    expect(completed(consoleRules, ofGate, "get", read)).toEqual({
      parameters: ["project", "ifNoneMatch"],
      responses: { ...ALWAYS, 304: "NotModified", 404: "NotFound" },
      headers: ["ETag"],
      faults: [],
    });
  });

  test("that creates takes a dry run and an idempotency key, and shows both the ETag and whether the answer is replayed", () => {
    expect(completed(consoleRules, ofAll, "post", operation({ requestBody: {} }))).toEqual({
      parameters: ["project", "dryRun", "impact", "reason", "idempotencyKey", "applyAt", "bypassReview", "requestReview", "reviewers"],
      responses: { ...WRITE, ...BODY },
      headers: ["ETag", ...WRITE_HEADERS],
      faults: [],
    });
  });

  test("that changes what its path names takes If-Match, before its own parameters", () => {
    const removal = operation({ schema: "Message", parameters: [component("parameters", "forceArchive")] });
    expect(completed(consoleRules, ofGate, "delete", removal)).toEqual({
      parameters: [
        "project",
        "dryRun",
        "impact",
        "reason",
        "idempotencyKey",
        "applyAt",
        "bypassReview",
        "requestReview",
        "reviewers",
        "ifMatch",
        "forceArchive",
      ],
      responses: { ...WRITE, 404: "NotFound", 412: "PreconditionFailed" },
      headers: WRITE_HEADERS,
      faults: [],
    });
  });

  test.each([
    ["none", []],
    ["session", [{ Session: [] }]],
  ])("with the permission %s is of no project and no write: it takes neither a dry run nor an idempotency key", (permission, security) => {
    const signIn = operation({ requestBody: {}, "x-permission": permission });
    expect(completed(consoleRules, ofAll, "post", signIn)).toEqual({
      parameters: [],
      responses: { ...ALWAYS, ...BODY, 403: "OtherSite" },
      headers: [],
      faults: [],
    });
    expect(signIn.security).toEqual(security);
  });

  test("that shows something once, or says why it can't be scheduled, is made at once", () => {
    for (const reason of [{ "x-shown-once": ["data.key"] }, { "x-unscheduled": "Its body has a password." }]) {
      const { parameters, responses } = completed(consoleRules, ofAll, "post", operation({ requestBody: {}, ...reason }));
      expect([parameters.includes("applyAt"), responses[202]]).toEqual([false, undefined]);
    }
  });

  test("of administrators is a write of no project", () => {
    const update = operation({ requestBody: {}, "x-permission": "administrator" });
    expect(completed(consoleRules, ofAll, "post", update).parameters).toEqual(["dryRun", "impact", "reason", "idempotencyKey"]);
    expect(update.security).toEqual([{ Session: [] }]);
  });

  test("that takes If-Match by its own path file answers 412", () => {
    const update = operation({ requestBody: {}, parameters: [component("parameters", "ifMatch")] });
    expect(completed(consoleRules, ofAll, "post", update).responses).toEqual({ ...WRITE, ...BODY, 412: "PreconditionFailed" });
  });

  test("keeps the order of a path file: parameters before the body, headers before the content", () => {
    const create = operation({ requestBody: {} });
    completeOperation(consoleRules, ofAll, "post", create);
    expect(Object.keys(create)).toEqual(["tags", "operationId", "parameters", "requestBody", "responses"]);
    expect(Object.keys(create.responses[200])).toEqual(["description", "headers", "content"]);
  });
});

describe("An exception in a path file", () => {
  test("is left out of what the rules add, with all that follows from it, and out of the bundle", () => {
    const copy = operation({ requestBody: {}, "x-without": ["ifMatch", 409, "ETag"] });
    const { parameters, responses, headers, faults } = completed(consoleRules, ofGate, "post", copy);
    expect(parameters).toEqual([
      "project",
      "dryRun",
      "impact",
      "reason",
      "idempotencyKey",
      "applyAt",
      "bypassReview",
      "requestReview",
      "reviewers",
    ]);
    const { 409: _, ...others } = WRITE;
    expect(responses).toEqual({ ...others, ...BODY, 404: "NotFound" });
    expect(headers).toEqual(WRITE_HEADERS);
    expect(faults).toEqual([]);
    expect(copy).not.toHaveProperty("x-without");
  });

  test("is a response of its own", () => {
    const own = operation({ requestBody: {}, responses: { 413: component("responses", "PayloadTooLargeIDList") } });
    const { responses, faults } = completed(consoleRules, ofAll, "post", own);
    expect(responses).toEqual({ ...WRITE, ...BODY, 413: "PayloadTooLargeIDList" });
    expect(faults).toEqual([]);
  });

  test("is a fault where no rule adds what it names", () => {
    const read = operation({ "x-without": ["412"] });
    expect(completed(consoleRules, ofGate, "get", read).faults).toEqual([
      { at: ["x-without"], message: "`x-without` names 412, which no rule adds to this operation." },
    ]);
  });
});

test("A path file that repeats a parameter, a response or a header of the rules has a fault at each", () => {
  const update = operation({
    parameters: [component("parameters", "forceArchive"), component("parameters", "ifMatch")],
    responses: { 404: component("responses", "NotFound") },
  });
  update.responses[200].headers = { ETag: component("headers", "ETag") };
  const { parameters, faults } = completed(consoleRules, ofGate, "put", update);
  expect(parameters).toEqual([
    "project",
    "dryRun",
    "impact",
    "reason",
    "idempotencyKey",
    "applyAt",
    "bypassReview",
    "requestReview",
    "reviewers",
    // A request without a body repeats.
    ...["repeat", "repeatUntil"],
    "forceArchive",
    "ifMatch",
  ]);
  expect(faults.map(({ at }) => at)).toEqual(
    expect.arrayContaining([
      ["parameters", 1],
      ["responses", "404"],
      ["responses", "200", "headers", "ETag"],
    ]),
  );
  expect(faults).toHaveLength(3);
});

describe("An operation of the evaluation API", () => {
  const EVALUATION = {
    400: "BadRequest",
    401: "KeyNeeded",
    403: "AddressForbidden",
    429: "RequestLimitReached",
    500: "InternalError",
    503: "Unavailable",
  };

  test("takes its key in the query, and with a body what SDKs say of it there", () => {
    expect(completed(evaluationRules, ofAll, "post", operation({ requestBody: {} }))).toEqual({
      parameters: ["k", "se", "gz", "statsigEncoded"],
      responses: { ...EVALUATION, 413: "PayloadTooLarge", 415: "BodyNotUnderstood" },
      headers: ["X-Request-Id"],
      faults: [],
    });
  });

  test("that is for servers answers 403, and 304 where it takes the ruleset that the caller has", () => {
    const download = operation({ "x-server-keys-only": true, parameters: [component("parameters", "heldRuleset")] });
    expect(completed(evaluationRules, ofAll, "get", download)).toEqual({
      parameters: ["k", "heldRuleset"],
      responses: { ...EVALUATION, 304: "RulesetNotModified", 403: "Forbidden" },
      headers: ["Cache-Control", "ETag", "Vary", "X-Request-Id"],
      faults: [],
    });
  });

  test("that downloads a ruleset by the key in its path has the headers of CDNs", () => {
    const download = operation({ parameters: [component("parameters", "heldRuleset")] });
    expect(completed(evaluationRules, ofGate, "get", download)).toEqual({
      parameters: ["heldRuleset"],
      responses: { ...EVALUATION, 304: "CachedRulesetNotModified" },
      headers: ["Cache-Control", "ETag", "Vary", "CDN-Cache-Control", "X-Request-Id"],
      faults: [],
    });
  });

  test("of OFREP answers errors in OFREP's shape", () => {
    expect(completed(evaluationRules, ofAll, "post", { ...operation({ requestBody: {} }), tags: ["OFREP"] })).toEqual({
      parameters: [],
      responses: {
        400: "FlagBadRequest",
        401: "FlagUnauthorized",
        403: "FlagAddressForbidden",
        413: "FlagPayloadTooLarge",
        415: "FlagUnsupportedMediaType",
        429: "FlagLimitReached",
        500: "FlagInternalError",
        503: "FlagUnavailable",
      },
      headers: ["X-Request-Id"],
      faults: [],
    });
  });
});

describe("An operation of the SCIM API", () => {
  const SCIM = {
    400: "ScimBadRequest",
    401: "ScimUnauthorized",
    429: "ScimTooManyRequests",
    500: "ScimInternalError",
    503: "ScimUnavailable",
  };

  test("takes its body as two media types, and a write can conflict", () => {
    const body = { schema: {} };
    const create = operation({ requestBody: { content: { "application/scim+json": body } } });
    expect(completed(scimRules, ofAll, "post", create)).toEqual({
      parameters: [],
      responses: { ...SCIM, 409: "ScimConflict", 413: "ScimPayloadTooLarge", 415: "ScimUnsupportedMediaType" },
      headers: ["X-Request-Id"],
      faults: [],
    });
    expect(create.requestBody.content).toEqual({ "application/scim+json": body, "application/json": body });
  });

  test("that describes the server needs no database", () => {
    expect(completed(scimRules, ofAll, "get", { ...operation({}), tags: ["Discovery"] }).responses).toEqual({
      401: "ScimUnauthorized",
      429: "ScimTooManyRequests",
    });
  });
});
