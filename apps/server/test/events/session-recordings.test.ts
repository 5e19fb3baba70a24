import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** A slice of a recording as the plugin `@statsig/session-replay` sends it, of the largest size. */
const slice = (index: number) => ({
  eventName: "statsig::session_recording",
  value: "513777c2-a598-4a9d-871f-96378dfbcf4d",
  metadata: { rrweb_events: "x".repeat(2 ** 20), sliced_id: "s", slice_index: `${index}`, slice_count: "2", slice_byte_size: `${2 ** 20}` },
});
const REASON = "recordings of sessions are not stored";
const register = (...events: object[]) =>
  server.send("POST", "/v1/rgstr", { body: { events, statsigMetadata: { sdkType: "javascript-client" } } });
const names = async () => (await server.client.listEvents()).data.map(({ name }) => name);
const refusedSoFar = async () => {
  const { text } = await server.send("GET", "/metrics", { key: null });
  return Number(/^gatehouse_events_refused (\d+)$/m.exec(text)?.[1]);
};

describe("a recording of a session", () => {
  test("is not stored, and its batch is 202, so that SDKs do not send it again", async () => {
    const { status, body } = await register(slice(0), slice(1));
    expect([status, body]).toEqual([
      202,
      {
        message: "Events logged; 2 of 2 refused.",
        success: true,
        refused: [
          { index: 0, reason: REASON },
          { index: 1, reason: REASON },
        ],
      },
    ]);
    expect(await names()).toEqual([]);
  });

  test("does not affect the other events of its batch", async () => {
    const { status, body } = await register({ eventName: "seen" }, slice(0));
    expect([status, body.refused]).toEqual([202, [{ index: 1, reason: REASON }]]);
    expect(await names()).toEqual(["seen"]);
  });

  test("is not made by SDKs, which initialize tells so", async () => {
    const { body } = await server.send("POST", "/v1/initialize", { body: { user: { userID: "alice" } } });
    expect(body).toMatchObject({ can_record_session: false, recording_blocked: true });
  });
});

test("refused events are counted, and logged once a minute for each project", async () => {
  const before = await refusedSoFar();
  server.clock.now += 60_000;
  server.logged.length = 0;
  const large = { eventName: "large", metadata: { text: "x".repeat(2 ** 20) } };
  expect((await register({ eventName: "small" }, large)).body.refused).toEqual([
    { index: 1, reason: "metadata must not be larger than 1 MiB" },
  ]);
  await register({ eventName: "small again" }, large, slice(0));
  expect((await refusedSoFar()) - before).toBe(3);
  const warnings = server.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "Events were refused.");
  expect(warnings).toMatchObject([{ projectID: "default", events: 1, reason: "metadata must not be larger than 1 MiB" }]);
});
