import { gzipSync } from "node:zlib";
import { pages } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "./support/other-project.ts";
import { startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const NOW = 1_763_700_000_000;
const log = (...events: { eventName: string; [field: string]: unknown }[]) => server.evaluation.logEvent({ body: { events } });
const list = async (eventName: string) => (await server.client.listEventValues({ path: { eventName } })).data;

describe("logEvent", () => {
  test("202: a name is enough; an event without a time happened on arrival", async () => {
    expect(await log({ eventName: "bare" })).toEqual({ message: "Events logged successfully.", success: true });
    expect(await list("bare")).toEqual([{ timestamp: String(NOW), name: "bare", source: "http_api", value: "", userID: "", metadata: {} }]);
  });

  test("202: a batch as an SDK sends it, compressed, under the header and with the fields that SDKs send", async () => {
    const response = await fetch(`${server.url}/v1/log_event`, {
      method: "POST",
      headers: {
        "STATSIG-API-KEY": server.key,
        "Content-Type": "application/json; charset=UTF-8",
        "Content-Encoding": "gzip",
        "statsig-event-count": "1",
      },
      body: gzipSync(
        JSON.stringify({
          statsigMetadata: { sdkType: "statsig-node", sdkVersion: "6.5.2", sessionID: "513777c2" },
          events: [
            {
              eventName: "statsig::gate_exposure",
              user: { userID: "alice", email: "a@example.com", custom: { plan: "pro" }, statsigEnvironment: { tier: "staging" } },
              value: null,
              metadata: { gate: "new_checkout", gateValue: "true", nested: { price: 1.5 } },
              time: NOW - 5000,
              secondaryExposures: [],
              statsigMetadata: { currentPage: "/" },
            },
          ],
        }),
      ),
    });
    expect([response.status, await response.json()]).toEqual([202, { message: "Events logged successfully.", success: true }]);
    expect(await list("statsig::gate_exposure")).toEqual([
      {
        timestamp: String(NOW - 5000),
        name: "statsig::gate_exposure",
        source: "statsig-node",
        value: "",
        userID: "alice",
        metadata: { gate: "new_checkout", gateValue: "true", nested: { price: 1.5 } },
      },
    ]);
  });

  test("202: a thousand events in one batch", async () => {
    await log(...Array.from({ length: 1000 }, (_, value) => ({ eventName: `bulk_${value % 2}`, value })));
    const { pagination } = await server.client.listEventValues({ path: { eventName: "bulk_1" } });
    expect(pagination.totalItems).toBe(500);
  });

  test("202: batches of the same names in another order, sent together, are all counted", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `together_${index}`);
    const batches = Array.from({ length: 12 }, (_, index) => (index % 2 ? names : names.toReversed()));
    await Promise.all(batches.map((batch) => log(...batch.map((eventName) => ({ eventName })))));
    const { data } = await server.client.listEvents({ query: { limit: 1000 } });
    expect(data.filter(({ name }) => names.includes(name)).map(({ count }) => count)).toEqual(names.map(() => batches.length));
  });

  test("202: events leave the change log as it is", async () => {
    const { prisma } = server.database;
    const before = await prisma.change.count();
    await log({ eventName: "unlogged" });
    expect(await prisma.change.count()).toBe(before);
  });

  test("400: every violation is named with its place, and nothing of the batch is kept", async () => {
    const answer = await server.send("POST", "/v1/log_event", {
      body: {
        events: [
          { eventName: "refused" },
          { eventName: "" },
          { eventName: "a\nb" },
          { eventName: "\ud800" },
          { eventName: "x".repeat(129) },
          { value: true },
          { eventName: "refused", time: 1.5, user: "alice", metadata: [] },
          { eventName: "refused", time: -1 },
        ],
        stasigMetadata: {},
      },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        { property: "events[1].eventName", errorMessage: "must NOT have fewer than 1 characters" },
        { property: "events[2].eventName", errorMessage: expect.stringContaining("must match pattern") },
        { property: "events[3].eventName", errorMessage: expect.stringContaining("must match pattern") },
        { property: "events[4].eventName", errorMessage: "must NOT have more than 128 characters" },
        { property: "events[5].eventName", errorMessage: "is required" },
        { property: "events[5].value", errorMessage: expect.stringContaining("must be string") },
        { property: "events[6].time", errorMessage: expect.stringContaining("must be integer") },
        { property: "events[6].user", errorMessage: expect.stringContaining("must be object") },
        { property: "events[6].metadata", errorMessage: expect.stringContaining("must be object") },
        { property: "events[7].time", errorMessage: "must be >= 0" },
        { property: "stasigMetadata", errorMessage: "is not known here. Did you mean statsigMetadata?" },
      ]),
    );
    expect(answer.body.errors).toHaveLength(11);
    expect(await list("refused")).toEqual([]);
  });

  test("400: an empty batch, and one of more than a thousand", async () => {
    const refused = async (events: object[]) => (await server.send("POST", "/v1/log_event", { body: { events } })).body.errors;
    expect(await refused([])).toEqual([{ property: "events", errorMessage: "must NOT have fewer than 1 items" }]);
    expect(await refused(Array(1001).fill({ eventName: "many" }))).toEqual([
      { property: "events", errorMessage: "must NOT have more than 1000 items" },
    ]);
  });
});

describe("the evaluation API", () => {
  test("leaves the console API's paths alone, and has its own unknown ones", async () => {
    expect((await server.send("GET", "/console/v1/gates")).status).toBe(200);
    expect(await server.send("GET", "/v1/gates")).toMatchObject({
      status: 404,
      body: { message: "There is nothing at /v1/gates." },
    });
    expect((await server.send("GET", "/v1/log_event")).status).toBe(405);
  });

  test("is documented beside the console API", async () => {
    expect((await server.send("GET", "/openapi/evaluation.json")).body.paths).toHaveProperty(
      ["/v1/log_event", "post", "operationId"],
      "logEvent",
    );
    expect((await server.send("GET", "/docs/evaluation")).body).toContain("Log events");
  });
});

describe("listEvents", () => {
  test("200: each name once, in the order of the names, with its count and times", async () => {
    await log({ eventName: "names_b", time: 300 }, { eventName: "names_a", time: 200 }, { eventName: "names_b", time: 100 });
    await log({ eventName: "names_b", time: 50 }, { eventName: "names_b", time: 900 });
    const { message, data, pagination } = await server.client.listEvents();
    expect(message).toBe("Events listed successfully.");
    expect(data.filter(({ name }) => name.startsWith("names_"))).toEqual([
      { name: "names_a", count: 1, firstTime: 200, lastTime: 200 },
      { name: "names_b", count: 4, firstTime: 50, lastTime: 900 },
    ]);
    expect(pagination).toEqual({
      itemsPerPage: 100,
      pageNumber: 1,
      totalItems: data.length,
      nextPage: null,
      previousPage: null,
      all: "/console/v1/events",
    });
  });

  test("200: a walk over the pages meets every name while events arrive", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `walked_${index}`);
    await log(...names.map((eventName) => ({ eventName })));
    const met: string[] = [];
    for await (const { name } of pages(server.client.listEvents, { query: { limit: 2 } })) {
      met.push(name);
      await log({ eventName: "walked_0" });
    }
    expect(met.filter((name) => name.startsWith("walked_"))).toEqual(names);
  });
});

describe("listEventValues", () => {
  test("200: latest first by the time at which they happened; of one moment the one that came last", async () => {
    await log({ eventName: "order", value: "second", time: 200 }, { eventName: "order", value: "first", time: 100 });
    await log({ eventName: "order", value: "third", time: 200 }, { eventName: "order", value: "fourth", time: 200 });
    expect((await list("order")).map(({ value }) => value)).toEqual(["fourth", "third", "second", "first"]);
  });

  test("200: a page links to its neighbours, whatever the name is", async () => {
    const eventName = "größer / 100 %?";
    await log(...[1, 2, 3].map((value) => ({ eventName, value, time: value })));
    const all = "/console/v1/events/gr%C3%B6%C3%9Fer%20%2F%20100%20%25%3F";
    const { message, data, pagination } = await server.client.listEventValues({ path: { eventName }, query: { limit: 1, page: 2 } });
    expect(message).toBe("Event values listed successfully.");
    expect(data).toEqual([{ timestamp: "2", name: eventName, source: "http_api", value: "2", userID: "", metadata: {} }]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 2,
      totalItems: 3,
      nextPage: `${all}?page=3&limit=1`,
      previousPage: `${all}?page=1&limit=1`,
      all,
    });
    expect((await server.send("GET", pagination.nextPage ?? "")).body.data[0].value).toBe("1");
  });

  test("200: a name that was never seen has an empty page", async () => {
    const { data, pagination } = await server.client.listEventValues({ path: { eventName: "never" } });
    expect([data, pagination.totalItems]).toEqual([[], 0]);
  });

  test("400: a limit of more than 1000", async () => {
    const answer = await server.send("GET", "/console/v1/events/order?limit=1001");
    expect(answer.body.errors).toEqual([{ property: "limit", errorMessage: "must be <= 1000" }]);
  });

  test("200: another project sees none of them", async () => {
    const secret = await makeOtherProject(server);
    await log({ eventName: "mine" });
    const values = await server.send("GET", "/console/v1/events/mine", { key: secret });
    const names = await server.send("GET", "/console/v1/events", { key: secret });
    expect([values.body.data, values.body.pagination.totalItems, names.body.data]).toEqual([[], 0, []]);
  });
});
