import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeOperations } from "../scripts/describe-operations.mjs";

const [console, evaluation, scim] = ["console", "evaluation", "scim"].map((api) => {
  const document = JSON.parse(readFileSync(new URL(`../generated/${api}.json`, import.meta.url), "utf8"));
  return describeOperations(document, api);
});

const ERROR = "#/components/schemas/Error";
const MIB = 2 ** 20;

test("A read is described by its place, what it takes and the schemas of its answers", () => {
  expect(console.getGate).toEqual({
    operationId: "getGate",
    method: "get",
    path: "/console/v1/gates/{id}",
    isWrite: false,
    opensBy: "key",
    permission: "read",
    isForServers: false,
    parameters: [
      expect.objectContaining({ name: "id", in: "path", isRequired: true, isNullable: false, schema: "#/components/parameters/id/schema" }),
      expect.objectContaining({ name: "GATEHOUSE-PROJECT", in: "header", isRequired: false }),
      expect.objectContaining({ name: "If-None-Match", in: "header", isRequired: false }),
    ],
    isBatchable: true,
    takesIfMatch: false,
    takesIfNoneMatch: true,
    takesApplyAt: false,
    takesIdempotencyKey: false,
    statuses: [200, 304, 400, 401, 403, 404, 500, 503],
    answers: { 200: "#/components/schemas/GateResult", 400: ERROR, 401: ERROR, 403: ERROR, 404: ERROR, 500: ERROR, 503: ERROR },
    answersJSON: true,
    answersLines: false,
  });
});

test("A key needs no permission to deactivate itself, and no other operation has this exception", () => {
  const open = Object.values(console).filter(({ opensOnOwnKey }) => opensOnOwnKey);
  expect(open.map(({ operationId, permission }) => [operationId, permission])).toEqual([["deactivateKey", "manage_keys"]]);
  for (const { parameters } of open) expect(parameters).toContainEqual(expect.objectContaining({ name: "id", in: "path" }));
});

test("A write is described with its body, the permission that it needs and what it shows once", () => {
  expect(console.createKey).toMatchObject({ isWrite: true, permission: "manage_keys", shownOnce: ["data.key"] });
  expect(console.createKey).toMatchObject({ takesIdempotencyKey: true, takesIfMatch: false, takesApplyAt: false });
  expect(console.patchGate).toMatchObject({ takesIdempotencyKey: true, takesIfMatch: true, takesApplyAt: true });
  expect(console.patchGate).not.toHaveProperty("shownOnce");
  expect(console.deleteKey).not.toHaveProperty("body");
  expect(console.createGate.body).toEqual({
    isRequired: true,
    schema: "#/components/schemas/GateCreate",
    example: "#/paths/~1console~1v1~1gates/post/requestBody/content/application~1json/examples/nameOnly/value",
    maxBytes: MIB,
    maxValues: 100_000,
    refusesEmpty: false,
    checksItemsSingly: false,
  });
});

test("What the contract says of a body beside its schema is described", () => {
  expect(console.removeSegmentIDs.body).toMatchObject({ maxBytes: 16 * MIB, maxValues: 150_000, refusesEmpty: true });
  expect(console.archiveGate.body).toMatchObject({ isRequired: false });
  expect(evaluation.logEvent.body).toMatchObject({ maxBytes: 10 * MIB, checksItemsSingly: true });
});

test("Failures are pages where a person comes with a browser", () => {
  expect(Object.keys(console).filter((name) => console[name].answersPages)).toEqual(["startSingleSignOn", "finishSingleSignOn"]);
  expect(Object.values(evaluation).some(({ answersPages }) => answersPages)).toBe(false);
});

describe("An operation of the evaluation API", () => {
  test("changes no configuration and takes no key for repeats, whatever its method is", () => {
    expect(Object.values(evaluation).filter(({ isWrite, takesIdempotencyKey }) => isWrite || takesIdempotencyKey)).toEqual([]);
  });

  test("is open to the keys, the permission or the token that the contract says", () => {
    expect(evaluation.getConfigSpecs).toMatchObject({
      opensBy: "key",
      isForServers: true,
      clientScope: "client_download_config_specs",
    });
    expect(evaluation.listIDLists).toMatchObject({ isForServers: true });
    expect(evaluation.listIDLists).not.toHaveProperty("clientScope");
    expect(evaluation.streamFlagChanges).toMatchObject({ opensBy: "token", isForServers: false });
  });

  test("answers JSON, a file or a stream", () => {
    const others = Object.values(evaluation).filter(({ answersJSON }) => !answersJSON);
    expect(others.map(({ operationId }) => operationId)).toEqual(["streamFlagChanges", "getIDListFile"]);
    expect(evaluation.getIDListFile.answers).not.toHaveProperty("200");
    expect(evaluation.getIDListFile.answers).toHaveProperty("404");
  });
});

test("An operation of the SCIM API is described by its own media type", () => {
  expect(scim.updateScimGroup).toMatchObject({
    isWrite: true,
    isBatchable: false,
    takesApplyAt: false,
    takesIdempotencyKey: false,
    body: { schema: "#/components/schemas/ScimGroupRequest", example: "#/components/examples/LeadsRequest/value" },
    answers: { 200: "#/components/schemas/ScimGroup", 404: "#/components/schemas/ScimError" },
    answersJSON: true,
  });
  expect(scim.deleteScimUser).toMatchObject({ isWrite: true, answersJSON: false });
});

test("Each address that the contract calls a URI is one that a page can link: no script is", () => {
  const found = [];
  const collect = (node, place) => {
    if (typeof node !== "object" || node === null) return;
    if (node.format === "uri") found.push([place, node.pattern]);
    for (const [name, child] of Object.entries(node)) collect(child, `${place}/${name}`);
  };
  for (const api of ["console", "evaluation", "scim"])
    collect(JSON.parse(readFileSync(new URL(`../generated/${api}.json`, import.meta.url), "utf8")), api);
  expect(found.length).toBeGreaterThan(1);
  expect(found.filter(([place, pattern]) => pattern !== "^https?://" && !place.includes("/headers/"))).toEqual([]);
});
