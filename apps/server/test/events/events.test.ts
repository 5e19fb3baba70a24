import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

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
        { index: 2, reason: "eventName must not have control characters or unpaired surrogates" },
        { index: 3, reason: "eventName must not have control characters or unpaired surrogates" },
        { index: 4, reason: "eventName must NOT have more than 128 characters" },
        { index: 5, reason: "eventName is required" },
        { index: 6, reason: "value must be string or number or null" },
        { index: 7, reason: "user must be object or null" },
        { index: 8, reason: "metadata must be object or null" },
        { index: 9, reason: "time must be >= 0" },
        { index: 10, reason: "user.customIDs.companyID must be string or number or null" },
        { index: 11, reason: "user.userID must not have the character U+0000 or unpaired surrogates" },
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
    const body = { events: [{ eventName: "from_browser", time: server.clock.now }], statsigMetadata: { sdkType: "javascript-client" } };
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
    expect((await server.send("GET", "/docs/api/evaluation")).body).toContain("Log events");
  });
});
