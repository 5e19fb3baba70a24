import { valueAt } from "@gatehouse/contract";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { evaluationOperations, fill, neededQuery, operations, type SweptOperation } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { bodyValues, bodyWith } from "../support/valid-bodies.ts";

// Every time that a request can have is in the contract as `format: unix-milliseconds`, or is listed here.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

const FORMAT = "unix-milliseconds";
const SECONDS = 1_763_600_000;
const COMPLAINT = `must be in milliseconds since the epoch, but ${SECONDS} looks like a time in seconds. In milliseconds it is ${SECONDS}000`;

type Schema = { type?: string | string[]; format?: string; description?: string };
/** A value of a request: its name, its place, and how to send it. */
type Sent = { operation: SweptOperation; name: string; at: string; schema: Schema };

const swept = [...operations, ...evaluationOperations];
const toPlace = (place: string[]) => place.reduce((text, step) => (step === "*" ? `${text}[0]` : text ? `${text}.${step}` : step), "");

const inBodies = swept.flatMap((operation) =>
  bodyValues(operation).map((value) => ({ operation, ...value, name: value.place.at(-1) ?? "", at: toPlace(value.place) })),
);
const inQueries = swept.flatMap((operation) =>
  operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => ({ operation, name, at: name, schema: valueAt(findDocument(operation), schema) as Schema })),
);
const conditions = inBodies.filter(({ place, name }) => name === "operator" && place.at(-3) === "conditions");

function findDocument({ path }: SweptOperation): object {
  return path.startsWith("/console/") ? consoleDocument : evaluationDocument;
}

const isNumber = ({ type }: Schema) => [type].flat().some((one) => one === "number" || one === "integer");
const isTime = ({ schema }: Sent) => schema.format === FORMAT;
const looksLikeTime = ({ name, schema }: Sent) =>
  isNumber(schema) &&
  (/(time|timestamp|date|before|after|since|until|start|end|expires)$/i.test(name) ||
    (schema.description ?? "").includes("since the epoch"));

/** Numbers that look like times without having the format, and why. */
const NO_TIMES: Record<string, string> = {
  customRollUpStart: "days since the first exposure",
  customRollUpEnd: "days since the first exposure",
  denominatorCustomRollupStart: "days since the first exposure",
  denominatorCustomRollupEnd: "days since the first exposure",
  retentionEnd: "days since the first exposure",
  before: "the number of a change",
  sinceTime: "the time of a ruleset, as the server sent it",
  clientTime: "the clock of a device, which is not stored",
  receivedTime: "the clock of a relay, which read its events as a server does",
  lastTime: "the clock of a relay, which counted the requests",
  time: "a time of a custom exposure, which can be a text too: its handler checks it",
};

test("every number of a request that looks like a time has the format, or is known to be none", () => {
  const others = [...inBodies, ...inQueries].filter((sent) => looksLikeTime(sent) && !isTime(sent));
  expect(new Set(others.map(({ name }) => name))).toEqual(new Set(Object.keys(NO_TIMES)));
  expect(others.filter(({ name }) => name === "time").map(({ operation, at }) => [operation.operationId, at])).toEqual([
    ["logCustomExposure", "exposures[0].time"],
    // As the server sent it.
    ["downloadRelayRuleset", "time"],
  ]);
});

const complaint = (property: string) => expect.arrayContaining([{ property, errorMessage: COMPLAINT }]);

describe("a time in seconds is refused, with its place and the time in milliseconds", () => {
  test.each(inQueries.filter(isTime))("as $name of $operation.operationId", async ({ operation, name }) => {
    const others = { parameters: operation.parameters.filter((one) => one.name !== name) };
    const query = [neededQuery(others), `${name}=${SECONDS}`].filter(Boolean).join("&");
    const { status, body } = await server.send(operation.method, `${fill(operation.path, {})}?${query}`);
    expect([status, body.errors]).toEqual([400, complaint(name)]);
  });

  const inContract = inBodies.filter((sent) => isTime(sent) && sent.operation.path.startsWith("/console/"));
  test.each(inContract)("as $at of $operation.operationId", async ({ operation, place, at }) => {
    const { status, body } = await server.send(operation.method, fill(operation.path, {}), { body: bodyWith(operation, place, SECONDS) });
    expect([status, body.errors]).toEqual([400, complaint(at)]);
  });

  test.each(conditions)("as the target of a condition of $operation.operationId at $at", async ({ operation, place }) => {
    const { method, path } = operation;
    const fixture = await makeFixture(server, path, undefined, method);
    const condition = { type: "time", operator: "after", targetValue: SECONDS };
    const sent = bodyWith(operation, place.slice(0, -1), condition) as { rules: object[] };
    if (operation.operationId === "patchGateRules") {
      const rule = { id: "patched", name: "patched", passPercentage: 0, conditions: [] };
      await server.client.addGateRule({ path: { id: fixture?.parameters.id ?? "" }, body: rule });
      sent.rules = [{ ...sent.rules[0], id: rule.id }];
    }
    const { status, body } = await server.send(method, fill(path, fixture?.parameters ?? {}), { body: sent });
    expect([status, body.errors]).toEqual([400, complaint(toPlace([...place.slice(0, -1), "targetValue"]))]);
  });

  const ofEvents = inBodies.filter((sent) => isTime(sent) && !sent.operation.path.startsWith("/console/"));
  test.each(ofEvents)("as $at of $operation.operationId, which refuses the event", async ({ operation, place }) => {
    const query = operation.parameters.some(({ name }) => name === "k") ? `?k=${server.key}` : "";
    const { status, body } = await server.send(operation.method, `${operation.path}${query}`, {
      body: bodyWith(operation, place, SECONDS),
    });
    expect([status, body.errors]).toEqual([400, [{ property: "events[0]", errorMessage: `time ${COMPLAINT}` }]]);
  });

  test("as the time of a custom exposure, as a number or as text", async () => {
    const exposures = [SECONDS, `${SECONDS}`].map((time) => ({ gateName: "g", passes: true, ruleID: "r", time }));
    const { status, body } = await server.send("POST", "/v1/log_custom_exposure", { body: { exposures } });
    const errors = [0, 1].map((index) => ({ property: `exposures[${index}].time`, errorMessage: COMPLAINT }));
    expect([status, body.errors]).toEqual([400, errors]);
  });
});
