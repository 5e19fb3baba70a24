import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consoleOperations } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const NOT_SUPPORTED = "is not supported: ";
const PATH_NAMES = { id: "absent", name: "absent" };
const metric = (warehouseNative: object) => ({ name: "of another server", type: "user_warehouse", warehouseNative });
const create = (warehouseNative: object) => server.send("POST", "/console/v1/metrics", { body: metric(warehouseNative) });
const errorsOf = async (answer: Promise<{ body: { errors: { property: string; errorMessage: string }[] } }>) =>
  (await answer).body.errors.map(({ property, errorMessage }) => `${property} ${errorMessage}`);

type Refusing = {
  "x-refused"?: Record<string, string>;
  properties?: Record<string, Refusing>;
  "x-refused-values"?: Record<string, string>;
};
const schemas = consoleDocument.components.schemas as unknown as Record<string, Refusing>;

describe("a name of another server that the contract refuses", () => {
  const bodies = consoleOperations.flatMap(({ operationId, method, path, bodySchema }) =>
    Object.entries(schemas[bodySchema ?? ""]?.["x-refused"] ?? {}).map(([name, reason]) => ({ operationId, method, path, name, reason })),
  );

  test.each(bodies)("$name in the body of $operationId has the reason", async ({ method, path, name, reason }) => {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => PATH_NAMES[parameter as "id"] ?? "absent");
    expect(await errorsOf(server.send(method, url, { body: { [name]: "x" } }))).toContain(`${name} ${NOT_SUPPORTED}${reason}`);
  });

  const queries = consoleOperations.flatMap(({ operationId, method, path, refusedParameters = {} }) =>
    Object.entries(refusedParameters).map(([name, reason]) => ({ operationId, method, path, name, reason })),
  );

  test.each(queries)("$name in the query of $operationId has the reason", async ({ method, path, name, reason }) => {
    const url = path.replaceAll(/\{\w+\}/g, "absent");
    const body = method === "GET" ? undefined : {};
    const errors = await errorsOf(server.send(method, `${url}?${name}=x`, { body }));
    expect(errors.filter((error) => error.startsWith(`${name} `))).toEqual([`${name} ${NOT_SUPPORTED}${reason}`]);
  });
});

describe("a field of another server's metrics", () => {
  const fields = Object.entries(schemas.WarehouseNative?.properties ?? {}).flatMap(([name, property]) => {
    const reason = (property["x-refused-values"] ?? schemas.WindowInDays?.["x-refused-values"])?.["*"];
    const isRefusing = property["x-refused-values"] !== undefined || JSON.stringify(property).includes("WindowInDays");
    return isRefusing && reason !== undefined ? [{ name, reason }] : [];
  });

  test.each(fields)("$name is refused with the reason, unless it changes nothing", async ({ name, reason }) => {
    const given = { count: 7, boolean: true, list: ["country"] };
    for (const value of Object.values(given)) {
      expect(await errorsOf(create({ aggregation: "count", [name]: value }))).toContain(
        `warehouseNative.${name} ${NOT_SUPPORTED}${reason}`,
      );
    }
  });

  test("is stored with the value that changes nothing, for any aggregation", async () => {
    const nothing = {
      ...{ funnelCountDistinct: "users", funnelTimestampAllowanceMs: 0, funnelTimeToConvert: false, allowNullRatioDenominator: false },
      ...{ onlyIncludeUsersWithConversionEvent: false, customRollupMeasureInMinutes: false, metricBakeDays: 0 },
      ...{ denominatorCustomRollupMeasureInMinutes: false, metricDimensionColumns: [], useLogTransform: false, logTransformBase: null },
      ...{ useSecondaryRetentionEvent: false, surrogateMetricMSE: null, funnelUseExposureAsFirstEvent: false },
      ...{ cupedAttributionWindow: null, funnelEvents: [], denominatorCriteria: [], criteria: [], waitForCohortWindow: false },
    };
    const body = { ...metric({ aggregation: "count", ...nothing }), metricEvents: [{ name: "purchase", type: null }] };
    const answer = await server.send("POST", "/console/v1/metrics", { body });
    expect([answer.status, answer.body.data?.warehouseNative, answer.body.data?.metricEvents]).toEqual([
      201,
      { aggregation: "count", ...nothing },
      [{ name: "purchase", type: "count" }],
    ]);
  });

  test.each([
    ["criteria", { criteria: [{ type: "metadata", column: "a", condition: "sql_filter", values: ["a = 1"] }] }],
    ["criteria", { criteria: [{ type: "metadata", column: "a", condition: "before_exposure" }] }],
    ["aggregations", { aggregation: "ratio", numeratorAggregation: "mean", denominatorAggregation: "percentile" }],
  ])("refuses values of %s with the reason", async (_, given) => {
    const errors = await errorsOf(create({ aggregation: "count", metricSourceName: "rows", ...given }));
    expect(errors.filter((error) => error.includes(NOT_SUPPORTED)).length).toBe(errors.length);
    expect(errors.length).toBeGreaterThan(0);
  });
});

test("a list of names can be sent as its only item, and is answered as a list", async () => {
  const single = { tags: "checkout", targetApps: "web" };
  const listed = { tags: ["checkout"], targetApps: ["web"] };
  const gate = await server.send("POST", "/console/v1/gates", { body: { name: "single items", ...single } });
  expect(gate.body.data).toMatchObject(listed);
  const patched = await server.send("PATCH", "/console/v1/gates/single_items", { body: { targetApps: "mobile" } });
  expect(patched.body.data).toMatchObject({ targetApps: ["mobile"] });
  const config = await server.send("POST", "/console/v1/dynamic_configs", { body: { name: "single items", ...single } });
  expect(config.body.data).toMatchObject(listed);
  const requests = [{ operationId: "createGate", body: { name: "single in a batch", targetApps: "web" } }];
  const batch = await server.send("POST", "/console/v1/batch", { body: { requests } });
  expect(batch.status).toBe(200);
  expect((await server.send("GET", "/console/v1/gates/single_in_a_batch")).body.data).toMatchObject({ targetApps: ["web"] });
  const wrong = await server.send("POST", "/console/v1/gates", { body: { name: "wrong items", targetApps: 7 } });
  expect(wrong.body.errors).toEqual([{ property: "targetApps", errorMessage: "must be array" }]);
});
