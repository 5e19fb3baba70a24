import { pages } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const NOW = 1_763_700_000_000;
const log = (...events: { eventName: string; [field: string]: unknown }[]) => server.evaluation.logEvent({ body: { events } });
const list = async (eventName: string) => (await server.client.listEventValues({ path: { eventName } })).data;
describe("listEvents", () => {
  test("200: each name once, in order, with its count, its times and its latest event", async () => {
    await log({ eventName: "names_b", time: 300 }, { eventName: "names_a", time: 200 }, { eventName: "names_b", time: 100 });
    const metadata = { currency: "EUR" };
    await log(
      { eventName: "names_b", time: 50 },
      { eventName: "names_b", time: 900, value: "earlier" },
      { eventName: "names_b", time: 900, value: 5, user: { userID: "alice" }, metadata },
    );
    const { message, data, pagination } = await server.client.listEvents();
    expect(message).toBe("Events listed successfully.");
    expect(data.filter(({ name }) => name.startsWith("names_"))).toEqual([
      {
        ...{ name: "names_a", count: 1, firstTime: 200, lastTime: 200 },
        ...{ timestamp: "200", source: "http_api", value: "", userID: "", metadata: {} },
      },
      {
        ...{ name: "names_b", count: 5, firstTime: 50, lastTime: 900 },
        ...{ timestamp: "900", source: "http_api", value: "5", userID: "alice", metadata },
      },
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

  test("200: a page links to its neighbours, for any characters in the name", async () => {
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
    expect(await server.client.getEventCounts({ path: { eventName: "counted" } })).toMatchObject({
      message: "Event counts read successfully.",
      data: [{ date: "2025-11-21", count: 3 }],
      pagination: { totalItems: 1, nextPage: null, all: "/console/v1/events/counted/counts" },
    });
  });

  test("200: a name without events has no days", async () => {
    expect((await server.client.getEventCounts({ path: { eventName: "never" } })).data).toEqual([]);
  });
});
