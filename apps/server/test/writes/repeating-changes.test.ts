import type { Schema } from "@gatehouse/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { DAY_MS, DAYS, repeating } from "../support/repeating.ts";
import { HOUR_MS, scheduling } from "../support/scheduling.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const WORKDAYS = DAYS.slice(0, 5);
const nine = (date: string) => Date.parse(`${date}T09:00+01:00`);

const { isEnabled } = scheduling(() => server);
const { begin, nextNine, passTo, setTimeZone } = repeating(() => server);
let count = 0;

beforeEach(begin);

const newGate = async () => (await server.client.createGate({ body: { name: `repeating ${++count}`, isEnabled: false } })).data.id;

/** Enables a gate every day at nine. */
async function everyMorning(id: string, query: { repeatUntil?: number } = {}) {
  const { data } = await server.client.schedule.enableGate({ path: { id }, query: { applyAt: nextNine(), repeat: DAYS, ...query } });
  return data;
}

async function series({ seriesID = "" }: Schema<"ScheduledChange">) {
  return (await server.client.listScheduledChanges({ query: { seriesID } })).data.toReversed();
}

describe("a change with repeat", () => {
  test("is stored with its repetition, and again when it is applied", async () => {
    const id = await newGate();
    const applyAt = nine("2026-03-27");
    const query = { applyAt, repeat: WORKDAYS.toReversed(), repeatUntil: applyAt + 30 * DAY_MS, reason: "Office hours." };
    const { data: change } = await server.client.schedule.enableGate({ path: { id }, query });
    const repeat = { days: WORKDAYS, time: "09:00", timeZone: "Europe/Berlin", until: applyAt + 30 * DAY_MS };
    expect(change).toMatchObject({ repeat, seriesID: change.id, applyAt, query: {}, status: "SCHEDULED" });
    await passTo(applyAt);
    const [first, next, ...others] = await series(change);
    expect(first).toEqual({ ...change, status: "APPLIED", endedTime: applyAt, version: 2 });
    expect(next).toEqual({ ...change, id: next?.id, applyAt: Date.parse("2026-03-30T07:00Z"), createdTime: applyAt });
    expect([next?.id === change.id, others]).toEqual([false, []]);
  });

  test("turns a gate on at nine and off at five, over a change of the clocks and edits by others", async () => {
    const id = await newGate();
    const on = nextNine();
    await server.client.schedule.enableGate({ path: { id }, query: { applyAt: on, repeat: DAYS } });
    const { data: off } = await server.client.schedule.disableGate({ path: { id }, query: { applyAt: on + 8 * HOUR_MS, repeat: DAYS } });
    // The change was tried after the other one, which comes first on each day.
    expect(off.changes[0]?.fields).toContainEqual({ field: "isEnabled", before: true, after: false });
    const states: boolean[] = [];
    for (let day = 0; day < 4; day++) {
      const morning = nextNine();
      for (const time of [morning - 1, morning, morning + 8 * HOUR_MS - 1, morning + 8 * HOUR_MS]) {
        await passTo(time);
        states.push(await isEnabled(id));
      }
      await server.client.patchGate({ path: { id }, body: { description: `Day ${day}.` } });
    }
    expect(states).toEqual(Array.from({ length: 4 }, () => [false, true, true, false]).flat());
  });

  test("makes up for the last missed occurrence of each series, in the order of their times", async () => {
    const id = await newGate();
    const on = nextNine();
    await server.client.schedule.enableGate({ path: { id }, query: { applyAt: on, repeat: DAYS } });
    await server.client.schedule.disableGate({ path: { id }, query: { applyAt: on + 8 * HOUR_MS, repeat: DAYS } });
    await passTo(on + 5 * DAY_MS + 12 * HOUR_MS);
    await server.applyDue();
    expect(await isEnabled(id)).toBe(false);
    const { data: changes } = await server.client.listChanges({ query: { entityType: "gate", entityID: id } });
    expect(changes.map(({ operationID }) => operationID)).toEqual([
      ...["disableGate", "enableGate", "disableGate", "enableGate", "createGate"],
    ]);
  });

  test("is tried after other series at the state that they leave when it is applied", async () => {
    const id = await newGate();
    const on = nextNine();
    await server.client.schedule.enableGate({ path: { id }, query: { applyAt: on, repeat: DAYS } });
    await server.client.schedule.disableGate({ path: { id }, query: { applyAt: on + 8 * HOUR_MS, repeat: DAYS } });
    // At noon in a week, the gate is on, though the series that is applied last today turns it off.
    const { data } = await server.client.schedule.disableGate({ path: { id }, query: { applyAt: on + 7 * DAY_MS + 3 * HOUR_MS } });
    expect(data.changes[0]?.fields).toContainEqual({ field: "isEnabled", before: true, after: false });
  });

  test("ends at repeatUntil", async () => {
    const change = await everyMorning(await newGate(), { repeatUntil: nextNine() + DAY_MS });
    await passTo(change.applyAt);
    await passTo(change.applyAt + DAY_MS);
    expect((await series(change)).map(({ status }) => status)).toEqual(["APPLIED", "APPLIED"]);
  });

  test("goes on after an occurrence that fails, which is kept with its error", async () => {
    const id = await newGate();
    const change = await everyMorning(id);
    await server.client.archiveGate({ path: { id } });
    await passTo(change.applyAt);
    await server.client.unarchiveGate({ path: { id } });
    await passTo(nextNine());
    const [failed, applied, next] = await series(change);
    expect([failed?.status, failed?.error?.code, applied?.status, applied?.error, next?.status]).toEqual([
      ...["FAILED", "conflict", "APPLIED", null, "SCHEDULED"],
    ]);
  });

  test("ends if its entity is gone", async () => {
    const id = await newGate();
    const change = await everyMorning(id);
    await server.client.deleteGate({ path: { id } });
    await passTo(change.applyAt);
    expect((await series(change)).map(({ status, error }) => [status, error?.code])).toEqual([["FAILED", "not_found"]]);
  });

  test("uses the project's time zone at the time of each occurrence", async () => {
    const change = await everyMorning(await newGate());
    await setTimeZone("Asia/Tokyo");
    await passTo(change.applyAt);
    const next = (await series(change)).at(-1);
    const time = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", timeStyle: "short" }).format(next?.applyAt);
    expect([time, next?.repeat?.timeZone]).toEqual(["09:00", "Asia/Tokyo"]);
  });

  test("can be a batch of patches", async () => {
    const [first, second] = [await newGate(), await newGate()];
    const requests = [first, second].map((id) => ({ operationId: "patchGate" as const, path: { id }, body: { isEnabled: true } }));
    const { data } = await server.client.schedule.batch({ requests, query: { applyAt: nextNine(), repeat: DAYS } });
    await passTo(data.applyAt);
    expect([await isEnabled(first), await isEnabled(second)]).toEqual([true, true]);
    expect((await series(data)).map(({ status }) => status)).toEqual(["APPLIED", "SCHEDULED"]);
  });

  const refused = async (path: string, { method = "PUT", body }: { method?: string; body?: object } = {}) => {
    const answer = await server.send(method, `/console/v1${path}`, { body });
    return [answer.status, answer.body.errors];
  };
  const errors = (...given: [property: string, errorMessage: string][]) => [
    400,
    given.map(([property, errorMessage]) => ({ property, errorMessage })),
  ];
  const UNREPEATED =
    "Only PATCH operations, operations without a body, and batches of them can repeat. Others would undo what people change in between.";

  test("is refused without a time, and an end without a repetition", async () => {
    const id = await newGate();
    expect(await refused(`/gates/${id}/enable?repeat=MONDAY`)).toEqual(errors(["repeat", "needs applyAt"]));
    expect(await refused(`/gates/${id}/enable?applyAt=${nextNine()}&repeatUntil=${nextNine()}`)).toEqual(
      errors(["repeatUntil", "needs repeat"]),
    );
  });

  test("is refused on a day that is not listed, and at part of a minute", async () => {
    const applyAt = nine("2026-06-01") - HOUR_MS + 1;
    expect(await refused(`/gates/${await newGate()}/enable?applyAt=${applyAt}&repeat=TUESDAY&repeat=SUNDAY`)).toEqual(
      errors(
        ["applyAt", "must be at a whole minute, since the change repeats"],
        ["applyAt", "is on a MONDAY in Europe/Berlin, and the change repeats on TUESDAY, SUNDAY"],
      ),
    );
  });

  test("is refused for operations that would undo what others change, by their names in a batch", async () => {
    const time = `applyAt=${nextNine()}&repeat=MONDAY`;
    const requests = [
      { operationId: "listTags" },
      { operationId: "createTag", body: { name: `repeated ${count}` } },
      { operationId: "deleteGate", path: { id: await newGate() } },
    ];
    expect(await refused(`/tags?${time}`, { method: "POST", body: { name: "repeated" } })).toEqual(
      errors(["repeat", `is not supported: ${UNREPEATED}`]),
    );
    expect(
      await refused(`/batch?applyAt=${nextNine()}${DAYS.map((day) => `&repeat=${day}`).join("")}`, { method: "POST", body: { requests } }),
    ).toEqual(
      errors(
        ["requests[1].operationId", `cannot repeat: createTag. ${UNREPEATED}`],
        ["requests[2].operationId", `cannot repeat: deleteGate. ${UNREPEATED}`],
      ),
    );
  });
});

describe("rescheduleChange", () => {
  test("200 moves all later occurrences of a change that repeats", async () => {
    const change = await everyMorning(await newGate());
    const applyAt = change.applyAt + 90 * 60_000;
    const { data } = await server.client.rescheduleChange({ path: change, body: { applyAt } });
    expect(data).toEqual({ ...change, applyAt, repeat: { ...change.repeat, time: "10:30" }, version: 2 });
    await passTo(applyAt);
    expect((await series(change)).map(({ repeat }) => repeat?.time)).toEqual(["10:30", "10:30"]);
  });

  test("400 for a day on which the change does not repeat", async () => {
    const id = await newGate();
    const { data } = await server.client.schedule.enableGate({
      path: { id },
      query: { applyAt: nine("2026-06-01") - HOUR_MS, repeat: ["MONDAY"] },
    });
    const call = server.client.rescheduleChange({ path: data, body: { applyAt: data.applyAt + DAY_MS } });
    expect(await refusal(call)).toEqual(invalid(["applyAt", "is on a TUESDAY in Europe/Berlin, and the change repeats on MONDAY"]));
  });
});

describe("cancelScheduledChange", () => {
  test("200 ends the series", async () => {
    const change = await everyMorning(await newGate());
    await passTo(change.applyAt);
    const next = (await series(change)).at(-1) as typeof change;
    await server.client.cancelScheduledChange({ path: next });
    await passTo(next.applyAt);
    expect((await series(change)).map(({ status }) => status)).toEqual(["APPLIED", "CANCELED"]);
  });
});

test("every occurrence is applied exactly once by two servers at the same time", needs.postgres, async () => {
  const replica = await server.replica();
  const id = await newGate();
  const change = await everyMorning(id);
  for (let day = 0; day < 5; day++) {
    server.clock.now = nextNine();
    await Promise.all([server.applyDue(), replica.applyDue(), server.applyDue(), replica.applyDue()]);
    await server.applyDue();
  }
  await replica.close();
  const statuses = (await series(change)).map(({ status }) => status);
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => "APPLIED"), "SCHEDULED"]);
  const { data: changes } = await server.client.listChanges({ query: { entityType: "gate", entityID: id } });
  expect(changes.filter(({ operationID }) => operationID === "enableGate")).toHaveLength(5);
});
