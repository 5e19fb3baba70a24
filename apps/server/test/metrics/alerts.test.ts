import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createMetric({ body: { name: "revenue", type: "sum", metricEvents: [{ name: "buy", type: "value" }] } });
});
afterAll(() => server.close());

type Body = Parameters<TestServer["client"]["createAlert"]>[0]["body"];

const LOW: Omit<Body, "name"> = {
  alertType: "threshold",
  metrics: { A: { id: "revenue::sum" } },
  condition: "less",
  alertThreshold: 10,
  windowMs: 300_000,
  priority: "P1",
};

const create = async (name: string, given: Partial<Body> = {}) =>
  (await server.client.createAlert({ body: { name, ...LOW, ...given } })).data;
const read = async (id: string) => (await server.client.getAlert({ path: { id } })).data;

describe("createAlert", () => {
  test("creates an alert that was not checked yet, with its defaults", async () => {
    const alert = await create("Low revenue");
    expect(alert).toMatchObject({
      ...LOW,
      id: "low_revenue",
      name: "Low revenue",
      message: "",
      metricGroupBys: {},
      companyID: "default",
      tags: [],
      team: null,
      version: 1,
      ...{ status: null, statusReason: null, value: null, checkedTime: null, lastTriggeredTime: null },
    });
    for (const field of ["warningThreshold", "renotificationConditions", "renotificationWindowMs", "renotificationMessage", "formula"])
      expect(alert).not.toHaveProperty(field);
    expect(await read(alert.id)).toEqual(alert);
    expect(await refusal(create("Low Revenue"))).toMatchObject({ status: 409 });
  });

  test("refuses windows out of bounds, other metrics than one, formulas and groups", async () => {
    const send = (given: object) => server.send("POST", "/console/v1/alerts", { body: { name: "refused", ...LOW, ...given } });
    for (const [given, property] of [
      [{ windowMs: 299_999 }, "windowMs"],
      [{ windowMs: 2_592_000_001 }, "windowMs"],
      [{ metrics: {} }, "metrics.A"],
      [{ metrics: { A: { id: "a::sum" }, B: { id: "b::sum" } } }, "metrics.B"],
      [{ formula: "A / 2" }, "formula"],
      [{ renotificationConditions: ["resolve"] }, "renotificationConditions[0]"],
    ] as const) {
      const { status, body } = await send(given);
      expect([status, body.errors.map((one: { property: string }) => one.property)]).toEqual([400, [property]]);
    }
    // The response of a read may be sent back.
    expect(await send({ metricGroupBys: {} })).toMatchObject({ status: 201 });
  });

  test("refuses a warning that a value does not reach before the alert, and reports without a time or without a condition", async () => {
    const side = "so that the value reaches it first";
    for (const [given, property, errorMessage] of [
      [{ warningThreshold: 10 }, "warningThreshold", `must be greater than alertThreshold, ${side}`],
      [{ warningThreshold: 9 }, "warningThreshold", `must be greater than alertThreshold, ${side}`],
      [{ condition: "greater", warningThreshold: 11 }, "warningThreshold", `must be less than alertThreshold, ${side}`],
      [
        { condition: "not_equal", warningThreshold: 11 },
        "warningThreshold",
        "must be left out or null: a value does not approach the condition not_equal",
      ],
      [{ renotificationConditions: ["warn"] }, "renotificationWindowMs", "is required with renotificationConditions"],
      [{ renotificationWindowMs: 300_000 }, "renotificationWindowMs", "needs renotificationConditions, which say what is reported again"],
    ] as const)
      expect(await refusal(create("refused", given as Partial<Body>))).toEqual(invalid([property, errorMessage]));
  });
});

describe("patchAlert", () => {
  test("changes the given fields, and removes those that are null", async () => {
    const reports: Partial<Body> = {
      renotificationConditions: ["raise"],
      renotificationWindowMs: 600_000,
      renotificationMessage: "Still.",
    };
    const { id } = await create("changed", { warningThreshold: 20, ...reports });
    const body = {
      alertThreshold: 5,
      warningThreshold: null,
      renotificationConditions: [],
      renotificationWindowMs: null,
      renotificationMessage: null,
      tags: ["money"],
    };
    const { data } = await server.client.patchAlert({ path: { id }, body });
    expect(data).toMatchObject({ alertThreshold: 5, condition: "less", tags: ["money"], version: 2 });
    for (const field of ["warningThreshold", "renotificationConditions", "renotificationWindowMs", "renotificationMessage"])
      expect(data).not.toHaveProperty(field);
    expect(await read(id)).toEqual(data);
  });

  test("ignores what the server sets, as a read answers it", async () => {
    const { id } = await create("sent back");
    const body = { ...(await read(id)), status: "alert", value: 5, checkedTime: 1, companyID: "other" };
    const { status } = await server.send("PATCH", `/console/v1/alerts/${id}`, { body });
    expect(status).toBe(200);
    expect(await read(id)).toMatchObject({ status: null, value: null, checkedTime: null, companyID: "default", version: 2 });
  });

  test("checks the whole alert that the change makes", async () => {
    const { id } = await create("checked", { warningThreshold: 20 });
    expect(await refusal(server.client.patchAlert({ path: { id }, body: { alertThreshold: 20 } }))).toEqual(
      invalid(["warningThreshold", "must be greater than alertThreshold, so that the value reaches it first"]),
    );
  });
});

describe("listAlerts", () => {
  test("filters by creator and tags, and finds words of the message", async () => {
    await create("listed", { tags: ["on call", "shop"], message: "Call the provider." });
    const readIDs = async (query: object) => (await server.client.listAlerts({ query })).data.map(({ id }) => id);
    expect(await readIDs({ tags: ["shop", "on call"] })).toEqual(["listed"]);
    expect(await readIDs({ search: "provider" })).toEqual(["listed"]);
    expect(await readIDs({ creatorName: "nobody" })).toEqual([]);
    expect(await readIDs({ creatorID: (await read("listed")).creatorID, tags: ["shop"] })).toEqual(["listed"]);
    expect(await readIDs({ limit: 1, sort: "name" })).toHaveLength(1);
  });
});

describe("an alert's references", () => {
  test("keep its metric and name it where the metric is used", async () => {
    await server.client.createMetric({ body: { name: "kept", type: "sum", metricEvents: [{ name: "buy", type: "value" }] } });
    const { id } = await create("keeps", { metrics: { A: { id: "kept::sum" } } });
    const { data } = await server.client.listReferences({ query: { type: "metric", id: "kept::sum" } });
    expect(data).toMatchObject([{ type: "alert", id }]);
    expect(await refusal(server.client.deleteMetric({ path: { id: "kept::sum" } }))).toMatchObject({
      status: 409,
      message: `Metric kept::sum cannot be deleted: it is referenced by alert ${id}. Use forceArchive to do it anyway.`,
    });
    await server.client.deleteAlert({ path: { id } });
    await server.client.deleteMetric({ path: { id: "kept::sum" } });
  });

  test("may name a metric that does not exist yet, and no team that does not exist", async () => {
    expect(await create("early", { metrics: { A: { id: "later::sum" } } })).toMatchObject({ version: 1 });
    expect(await refusal(create("refused", { teamID: "nobody" }))).toEqual(
      invalid(["teamID", "references team nobody, which does not exist"]),
    );
  });
});

describe("restoreAlertVersion", () => {
  test("brings an earlier version back, and a deleted alert", async () => {
    const { id } = await create("restored");
    await server.client.patchAlert({ path: { id }, body: { alertThreshold: 5 } });
    expect((await server.client.restoreAlertVersion({ path: { id, version: 1 } })).data).toMatchObject({ alertThreshold: 10, version: 3 });
    await server.client.deleteAlert({ path: { id } });
    expect(await refusal(read(id))).toMatchObject({ status: 404 });
    expect((await server.client.listAlertVersions({ path: { id } })).data.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect((await server.client.restoreAlertVersion({ path: { id, version: 2 } })).data).toMatchObject({ alertThreshold: 5, status: null });
  });
});
