import { gzipSync } from "node:zlib";
import { pages } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "./support/other-project.ts";
import { invalid, refusal, startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const NOW = 1_763_700_000_000;
const log = (...events: { eventName: string; [field: string]: unknown }[]) => server.evaluation.logEvent({ body: { events } });
const list = async (eventName: string) => (await server.client.listEventValues({ path: { eventName } })).data;

describe("logEvent", () => {
  test("202: only the name is required; the time defaults to the arrival", async () => {
    expect(await log({ eventName: "bare" })).toEqual({ message: "Events logged successfully.", success: true });
    expect(await list("bare")).toEqual([{ timestamp: String(NOW), name: "bare", source: "http_api", value: "", userID: "", metadata: {} }]);
  });

  test("202: accepts an SDK's compressed batch, with its header and fields", async () => {
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

  test("202: accepts a thousand events in one batch", async () => {
    await log(...Array.from({ length: 1000 }, (_, value) => ({ eventName: `bulk_${value % 2}`, value })));
    const { pagination } = await server.client.listEventValues({ path: { eventName: "bulk_1" } });
    expect(pagination.totalItems).toBe(500);
  });

  test("202: counts concurrent batches that have the same names in different orders", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `together_${index}`);
    const batches = Array.from({ length: 12 }, (_, index) => (index % 2 ? names : names.toReversed()));
    await Promise.all(batches.map((batch, value) => log(...batch.map((eventName) => ({ eventName, value })))));
    const { data } = await server.client.listEvents({ query: { limit: 1000 } });
    expect(data.filter(({ name }) => names.includes(name)).map(({ count }) => count)).toEqual(names.map(() => batches.length));
  });

  test("202: events do not change the change log", async () => {
    const { prisma } = server.database;
    const before = await prisma.change.count();
    await log({ eventName: "unlogged" });
    expect(await prisma.change.count()).toBe(before);
  });

  test("202: rejects and names an invalid event, and stores the others of its batch", async () => {
    const answer = await server.send("POST", "/v1/log_event", {
      body: {
        events: [
          { eventName: "kept_beside", value: 1 },
          { eventName: "" },
          { eventName: "a\nb" },
          { eventName: "\ud800" },
          { eventName: "x".repeat(129) },
          { value: true },
          { eventName: "refused", value: true },
          { eventName: "refused", user: "alice" },
          { eventName: "refused", metadata: [] },
          { eventName: "refused", time: -1 },
          { eventName: "refused", user: { customIDs: { companyID: {} } } },
          { eventName: "refused", user: { userID: "a\0b" } },
          { eventName: "refused", metadata: { deep: [{ "a\0": 1 }] } },
          { eventName: "refused", metadata: { text: "x".repeat(2 ** 20) } },
          { eventName: "statsig::gate_exposure", metadata: { gate: "a\ud800" } },
          "refused",
          null,
          { eventName: "kept_beside", value: 2 },
        ],
      },
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      message: "Events logged; 16 of 18 refused.",
      success: true,
      refused: [
        { index: 1, reason: "eventName must NOT have fewer than 1 characters" },
        { index: 2, reason: expect.stringMatching(/^eventName must match pattern/) },
        { index: 3, reason: expect.stringMatching(/^eventName must match pattern/) },
        { index: 4, reason: "eventName must NOT have more than 128 characters" },
        { index: 5, reason: "eventName is required" },
        { index: 6, reason: "value must be string or number or null" },
        { index: 7, reason: "user must be object or null" },
        { index: 8, reason: "metadata must be object or null" },
        { index: 9, reason: "time must be >= 0" },
        { index: 10, reason: "user.customIDs.companyID must be string or number or null" },
        { index: 11, reason: expect.stringMatching(/^user.userID must match pattern/) },
        { index: 12, reason: "metadata must have neither U+0000 nor half a surrogate pair, and no number larger than 1.8e308" },
        { index: 13, reason: "metadata must not be larger than 1 MiB" },
        { index: 14, reason: "metadata must have neither U+0000 nor half a surrogate pair, and no number larger than 1.8e308" },
        { index: 15, reason: "an event must be object" },
        { index: 16, reason: "an event must be object" },
      ],
    });
    expect((await list("kept_beside")).map(({ value }) => value)).toEqual(["2", "1"]);
    expect(await list("refused")).toEqual([]);
  });

  test("202: names the first hundred of many rejected events", async () => {
    const events = [{ eventName: "alone" }, ...Array.from({ length: 150 }, () => ({ eventName: 1 }))];
    const { body } = await server.send("POST", "/v1/log_event", { body: { events } });
    expect([body.message, body.refused.length, body.refused.at(-1)]).toEqual([
      "Events logged; 150 of 151 refused.",
      100,
      { index: 100, reason: "eventName must be string" },
    ]);
  });

  test("400: a batch without any valid event, with the place of each event", async () => {
    expect(await refusal(log({ eventName: "" }, { eventName: "x", time: "now" }))).toEqual(
      invalid(["events[0]", "eventName must NOT have fewer than 1 characters"], ["events[1]", "time must be number or null"]),
    );
  });

  test("400: an invalid envelope", async () => {
    const refused = async (body: object) => (await server.send("POST", "/v1/log_event", { body })).body.errors;
    expect(await refused({ events: [] })).toEqual([{ property: "events", errorMessage: "must NOT have fewer than 1 items" }]);
    expect(await refused({ events: Array(10_001).fill({ eventName: "many" }) })).toEqual([
      { property: "events", errorMessage: "must NOT have more than 10000 items" },
    ]);
    expect(await refused({ events: [{ eventName: "refused" }], stasigMetadata: {} })).toEqual([
      { property: "stasigMetadata", errorMessage: "is unknown. Did you mean statsigMetadata?" },
    ]);
    expect(await list("refused")).toEqual([]);
  });
});

describe("registerEvents", () => {
  test("202: accepts a batch like logEvent, and recognizes one that was sent to the other path", async () => {
    const body = { events: [{ eventName: "from_browser" }], statsigMetadata: { sdkType: "javascript-client" } };
    const url = "/v1/rgstr?k=client-key&st=javascript-client&sv=3.33.5&t=1795240820179&sid=ab3737dd&ec=1";
    expect(await server.send("POST", url, { body })).toMatchObject({ status: 202, body: { success: true } });
    expect((await server.send("POST", "/v1/log_event", { body })).status).toBe(202);
    expect((await list("from_browser")).map(({ source }) => source)).toEqual(["javascript-client"]);
  });
});

describe("the evaluation API", () => {
  test("does not affect the console API's paths, and handles its own unknown paths", async () => {
    expect((await server.send("GET", "/console/v1/gates")).status).toBe(200);
    expect(await server.send("GET", "/v1/gates")).toMatchObject({
      status: 404,
      body: { message: "The path /v1/gates does not exist." },
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
  test("200: each name once, in order, with its count and times", async () => {
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

  test("200: paging yields every name while events arrive", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `walked_${index}`);
    await log(...names.map((eventName) => ({ eventName })));
    const met: string[] = [];
    for await (const { name } of pages(server.client.listEvents, { query: { limit: 2 } })) {
      met.push(name);
      await log({ eventName: "walked_0" });
    }
    expect(met.filter((name) => name.startsWith("walked_"))).toEqual(names);
  });

  test("200: a search finds the names that contain it, in upper or lower case", async () => {
    await log({ eventName: "Found 100% here" }, { eventName: "not FOUND 1000" }, { eventName: "lost" });
    const { data, pagination } = await server.client.listEvents({ query: { search: "found 100%" } });
    expect([data.map(({ name }) => name), pagination.totalItems]).toEqual([["Found 100% here"], 1]);
  });
});

describe("listEventValues", () => {
  test("200: latest first by the event's time, then by arrival", async () => {
    await log({ eventName: "order", value: "second", time: 200 }, { eventName: "order", value: "first", time: 100 });
    await log({ eventName: "order", value: "third", time: 200 }, { eventName: "order", value: "fourth", time: 200 });
    expect((await list("order")).map(({ value }) => value)).toEqual(["fourth", "third", "second", "first"]);
  });

  test("200: a page links to its neighbours, whatever characters the name has", async () => {
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

  test("200: only events of one user", async () => {
    const of = (userID: string, ...values: number[]) =>
      values.map((value) => ({ eventName: "by_user", user: { userID }, value, time: value }));
    await log(...of("ann", 1, 3, 4), ...of("ben", 2, 5));
    const path = { eventName: "by_user" };
    const { data, pagination } = await server.client.listEventValues({ path, query: { userID: "ann", limit: 2 } });
    expect(data.map(({ value }) => value)).toEqual(["4", "3"]);
    expect(pagination).toMatchObject({ totalItems: 3, nextPage: "/console/v1/events/by_user?userID=ann&page=2&limit=2" });
    expect((await server.client.listEventValues({ path, query: { userID: "an" } })).data).toEqual([]);
  });

  test("200: only exposures of one gate, of all users or of one", async () => {
    const eventName = "statsig::gate_exposure";
    const of = (gate: string, userID: string) => ({
      eventName,
      user: { userID },
      metadata: { gate, gateValue: "true", ruleID: "default" },
    });
    await log(of("shown", "ann"), of("hidden", "ann"), of("shown", "ben"));
    const found = async (query: { entityID: string; userID?: string }) =>
      (await server.client.listEventValues({ path: { eventName }, query })).data.map(({ userID, metadata }) => [userID, metadata.gate]);
    expect(await found({ entityID: "shown" })).toEqual([
      ["ben", "shown"],
      ["ann", "shown"],
    ]);
    expect(await found({ entityID: "shown", userID: "ann" })).toEqual([["ann", "shown"]]);
    expect((await server.client.listEventValues({ path: { eventName: "by_user" }, query: { entityID: "shown" } })).data).toEqual([]);
  });

  test("200: a filter searches the 10,000 latest events", async () => {
    const rare = { eventName: "searched", user: { userID: "rare" } };
    await log({ ...rare, value: 1, time: 1 });
    for (let part = 0; part < 10; part += 1)
      await log(...Array.from({ length: 1_000 }, () => ({ eventName: "searched", value: part, time: 5 })));
    const values = async () =>
      (await server.client.listEventValues({ path: { eventName: "searched" }, query: { userID: "rare" } })).data.map(({ value }) => value);
    expect(await values()).toEqual([]);
    await log({ ...rare, value: 2, time: 9 });
    expect(await values()).toEqual(["2"]);
  });

  test("200: an unknown name has an empty page", async () => {
    const { data, pagination } = await server.client.listEventValues({ path: { eventName: "never" } });
    expect([data, pagination.totalItems]).toEqual([[], 0]);
  });

  test("400: a limit of more than 1000", async () => {
    const answer = await server.send("GET", "/console/v1/events/order?limit=1001");
    expect(answer.body.errors).toEqual([{ property: "limit", errorMessage: "must be <= 1000" }]);
  });

  test("200: shows none of another project's events", async () => {
    const secret = await makeOtherProject(server);
    await log({ eventName: "mine" });
    const values = await server.send("GET", "/console/v1/events/mine", { key: secret });
    const names = await server.send("GET", "/console/v1/events", { key: secret });
    expect([values.body.data, values.body.pagination.totalItems, names.body.data]).toEqual([[], 0, []]);
  });
});

describe("getEventCounts", () => {
  test("200: each day of arrival with its count, whenever the events happened", async () => {
    await log({ eventName: "counted", time: 1 }, { eventName: "counted" }, { eventName: "counted", time: NOW + 1 });
    expect(await server.client.getEventCounts({ path: { eventName: "counted" } })).toEqual({
      message: "Event counts read successfully.",
      data: [{ date: "2025-11-21", count: 3 }],
    });
  });

  test("200: a name without events has no days", async () => {
    expect((await server.client.getEventCounts({ path: { eventName: "never" } })).data).toEqual([]);
  });
});
