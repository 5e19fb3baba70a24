import { gzipSync } from "node:zlib";
import { type ParameterDescription, valueAt } from "@gatehouse/contract";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluationOperations, fill, neededQuery, operations, type SweptOperation } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** The numeric URL parameters of an operation. */
function numbersOf({ path, parameters }: SweptOperation): ParameterDescription[] {
  const document = path.startsWith("/console/") ? consoleDocument : evaluationDocument;
  const typesOf = ({ schema }: ParameterDescription) => [(valueAt(document, schema) as { type?: string | string[] }).type].flat();
  return parameters.filter((one) => one.in !== "header" && typesOf(one).some((type) => type === "integer" || type === "number"));
}

const numeric = [...operations, ...evaluationOperations].flatMap((operation) =>
  numbersOf(operation).map((parameter) => ({ ...operation, parameter })),
);

describe("a number in a URL", () => {
  test("is covered for every such operation", () => {
    expect(new Set(numeric.map(({ parameter }) => parameter.name))).toEqual(
      new Set([
        ...[
          "before",
          "bonferroniPrimaryMetricWeight",
          "confidence",
          "days",
          "end",
          "endTime",
          "impact",
          "limit",
          "nextRolloutBefore",
          "page",
        ],
        ...["sinceTime", "start", "startTime", "version"],
      ]),
    );
  });

  test.each(numeric)(
    "$operationId: $parameter.name must be finite and in its range",
    async ({ method, path, parameters, parameter: { name, in: where }, example }) => {
      const needed = path.startsWith("/console/") ? neededQuery({ parameters }) : "";
      for (const value of ["Infinity", "-Infinity", "1e400", "NaN", "-1", "1e300", "1.5", ""]) {
        const inPath = where === "path";
        if (inPath && value === "") continue;
        // Confidence has fractions.
        if (name === "confidence" && value === "1.5") continue;
        const url = fill(path, inPath ? { [name]: value } : { sdkKey: server.key });
        const query = inPath ? "" : `?${[needed, `${name}=${encodeURIComponent(value)}`].filter(Boolean).join("&")}`;
        const answer = await server.send(method, `${url}${query}`, { body: example });
        expect([value, answer.status, answer.body.errors?.[0].property]).toEqual([value, 400, name]);
      }
    },
  );
});

describe("a name or text of a megabyte", () => {
  const long = "n".repeat(1_000_000);
  const bodies = (field: string) => [{ [long]: 1 }, { [field]: long }, { [field]: { [long]: long } }, { [field]: [long, { [long]: 1 }] }];

  test.each([...operations, ...evaluationOperations].filter(({ takesBody }) => takesBody))(
    "$operationId: is truncated in the error",
    async ({ method, path, example }) => {
      const [field = "name"] = Object.keys(example ?? {});
      for (const body of [...bodies(field), { ...example, [field]: long }]) {
        const answer = await server.send(method, fill(path, {}), { body });
        expect([answer.status, answer.text.length]).toEqual([
          expect.toSatisfy((status: number) => status < 500),
          expect.toSatisfy((length: number) => length < 10_000),
        ]);
      }
    },
  );

  test("is not compared with known names", async () => {
    const answer = await server.send("POST", "/console/v1/gates", { body: { name: "abc", [`${"n".repeat(100)}x`]: 1, nmae: 1 } });
    expect(answer.body.errors).toEqual([
      { property: `${"n".repeat(100)}…`, errorMessage: "is unknown" },
      { property: "nmae", errorMessage: "is unknown. Did you mean name?" },
    ]);
  });
});

describe("a body", () => {
  test.each([...operations, ...evaluationOperations].filter(({ takesBody }) => takesBody))(
    "$operationId: that is missing does not cause a 5xx",
    async ({ method, path }) => {
      expect((await server.send(method, fill(path, {}))).status).toBeLessThan(500);
    },
  );

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

  test("that is large waits for earlier ones, and gets 503 if too many wait", { timeout: 180_000 }, async () => {
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
