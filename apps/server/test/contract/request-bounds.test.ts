import { gzipSync } from "node:zlib";
import { type ParameterDescription, valueAt } from "@gatehouse/contract";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Check, checkAll } from "../support/checks.ts";
import { evaluationOperations, fill, neededQuery, operations, requiredAccess, type SweptOperation } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** The numeric URL parameters of an operation. */
function numericParameters({ path, parameters }: SweptOperation): ParameterDescription[] {
  const document = path.startsWith("/console/") ? consoleDocument : evaluationDocument;
  const schemaTypes = ({ schema }: ParameterDescription) => [(valueAt(document, schema) as { type?: string | string[] }).type].flat();
  return parameters.filter((one) => one.in !== "header" && schemaTypes(one).some((type) => type === "integer" || type === "number"));
}

const swept = [...operations, ...evaluationOperations];
type Subject = { operation: SweptOperation };

const NUMBERS: Check<Subject> = {
  title: "a number in its URL must be finite and in its range",
  applies: (operation) => numericParameters(operation).length > 0,
  async run({ operation }) {
    const { method, path, example } = operation;
    const needed = path.startsWith("/console/") ? neededQuery(operation) : "";
    for (const { name, in: where } of numericParameters(operation)) {
      for (const value of ["Infinity", "-Infinity", "1e400", "NaN", "-1", "1e300", "1.5", ""]) {
        const inPath = where === "path";
        if (inPath && value === "") continue;
        // Confidence has fractions.
        if (name === "confidence" && value === "1.5") continue;
        const url = fill(path, inPath ? { [name]: value } : { sdkKey: server.key });
        const query = inPath ? "" : `?${[needed, `${name}=${encodeURIComponent(value)}`].filter(Boolean).join("&")}`;
        const answer = await server.send(method, `${url}${query}`, { body: example });
        expect([name, value, answer.status, answer.body.errors?.[0].property]).toEqual([name, value, 400, name]);
      }
    }
  },
};

/** Longer than an error may be. */
const LONG = "n".repeat(20_000);

async function expectShortErrors({ method, path, example }: SweptOperation, long: string) {
  const [field = "name"] = Object.keys(example ?? {});
  const nested = [{ [field]: long }, { [field]: { [long]: 1 } }, { [field]: [long, { [long]: 1 }] }];
  for (const body of [{ [long]: 1 }, ...nested, { ...example, [field]: long }]) {
    const answer = await server.send(method, fill(path, {}), { body });
    expect(answer.status).toBeLessThan(500);
    // A success can repeat the request's content, as initializeClient does.
    if (answer.status >= 400) expect(answer.text.length).toBeLessThan(10_000);
  }
}

const LONG_TEXTS: Check<Subject> = {
  title: "a long name or text is truncated in the error",
  applies: ({ takesBody }) => takesBody,
  run: ({ operation }) => expectShortErrors(operation, LONG),
};

const INEXACT: Check<Subject> = {
  title: "an integer that a number cannot hold is refused with its place, instead of rounded",
  applies: (operation) => operation.takesBody && operation.path.startsWith("/console/") && requiredAccess(operation) === undefined,
  async run({ operation: { method, path } }) {
    const rawBody = '{"a": [1, {"b": 9007199254740993}], "c": "9007199254740993"}';
    const { status, body } = await server.send(method, fill(path, {}), { rawBody });
    const reason = "since numbers keep integers up to 9007199254740991. Send it as a string";
    const errors = [{ property: "a[1].b", errorMessage: `must not have the integer 9007199254740993, ${reason}` }];
    expect([status, body.errors]).toEqual([400, errors]);
  },
};

const MISSING: Check<Subject> = {
  title: "a missing body does not cause a 5xx",
  applies: ({ takesBody }) => takesBody,
  async run({ operation: { method, path } }) {
    expect((await server.send(method, fill(path, {}))).status).toBeLessThan(500);
  },
};

const bounded = swept.filter((operation) => [NUMBERS, LONG_TEXTS, INEXACT, MISSING].some(({ applies }) => applies(operation)));

describe("every operation that takes a number or a body bounds it", () => {
  test.each(bounded)("$operationId", (operation) => checkAll({ operation }, [NUMBERS, LONG_TEXTS, INEXACT, MISSING]));

  test("with numbers of every such name", () => {
    const names = swept.flatMap((operation) => numericParameters(operation).map(({ name }) => name));
    expect(new Set(names)).toEqual(
      new Set([
        ...["applyAt", "before", "bonferroniPrimaryMetricWeight", "confidence", "days", "end", "endTime", "impact", "limit"],
        ...["nextRolloutBefore", "page", "repeatUntil", "sinceTime", "start", "startTime", "version"],
      ]),
    );
  });
});

describe("a name", () => {
  test("or a text of almost a megabyte is truncated in the error", async () => {
    const createGate = operations.find(({ operationId }) => operationId === "createGate") as SweptOperation;
    await expectShortErrors(createGate, "n".repeat(500_000));
  });

  test("that is long is not compared with known names", async () => {
    const answer = await server.send("POST", "/console/v1/gates", { body: { name: "abc", [`${"n".repeat(100)}x`]: 1, nmae: 1 } });
    expect(answer.body.errors).toEqual([
      { property: `${"n".repeat(100)}…`, errorMessage: "is unknown" },
      { property: "nmae", errorMessage: "is unknown. Did you mean name?" },
    ]);
  });
});

describe("a body", () => {
  test("of 400,000 numeric names is rejected", async () => {
    const rawBody = `{"gateNames":[${"1,".repeat(99_000)}1],"user":{}}`;
    expect(await server.send("POST", "/v1/check_gate", { rawBody })).toMatchObject({
      status: 400,
      body: { errors: [{ property: "gateNames", errorMessage: "must NOT have more than 100 items" }] },
    });
    expect((await server.send("POST", "/v1/check_gate", { rawBody: rawBody.replace("1,", "1,".repeat(301_000)) })).status).toBe(413);
  });

  test("with more than 100 violations gets the first 100, and their number", async () => {
    const body = { name: "abc", isEnabled: 1, tags: Array.from({ length: 99 }, () => 1), targetApps: Array.from({ length: 99 }, () => 1) };
    const answer = await server.send("POST", "/console/v1/gates", { body });
    expect(answer.body.errors).toHaveLength(100);
    expect(answer.body).toMatchObject({ status: 400, message: "The request is not valid.", errorCount: 199 });
  });

  test("that is large waits for earlier ones, and gets 503 if too many wait", { timeout: 900_000 }, async () => {
    const bomb = gzipSync(`{"events":[${"{},".repeat(140_000)}{}]}`);
    const send = () =>
      fetch(`${server.url}/v1/log_event`, {
        method: "POST",
        headers: { "STATSIG-API-KEY": server.key, "Content-Type": "application/json", "Content-Encoding": "gzip" },
        body: new Uint8Array(bomb),
      });
    const answers = await Promise.all(Array.from({ length: 120 }, send));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400, 503]));
    const refused = answers.find(({ status }) => status === 503);
    expect([refused?.headers.get("Retry-After"), await refused?.json()]).toEqual([
      "1",
      { status: 503, code: "unavailable", message: "Too many large bodies are queued. Try again after Retry-After seconds." },
    ]);
    expect((await send()).status).toBe(400);
  });
});
