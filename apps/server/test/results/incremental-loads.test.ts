import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { utcDay } from "../../src/common/utc-day.ts";
import { needs } from "../support/needs.ts";
import { type Buyer, DAY_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { unitDataOn } from "../support/unit-data.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  // At noon, so that hours later is the same day.
  server.clock.now = utcDay(server.clock.now) * DAY_MS + DAY_MS / 2;
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
});
afterAll(() => server.close());

let id: string;
let made = 0;
/** Twelve units of each group bought something for 10 on the first day and on the second day, and results were loaded on the third. */
beforeEach(async () => {
  made++;
  id = await pulse.experiment(`incremental ${made}`, { primaryMetrics: [{ name: "Revenue", type: "sum" }] });
  server.clock.now += 1;
  for (let day = 0; day < 2; day++) {
    await pulse.log(id, buyers(10), server.clock.now);
    server.clock.now += DAY_MS;
  }
  await pulse.load(id);
  expect(await totals()).toEqual([240, 240]);
});

const buyers = (value: number): Buyer[] =>
  ["control", "test"].flatMap((group) =>
    Array.from({ length: 12 }, (_, unit) => ({ unit: `${made} ${group} ${unit}`, group, purchases: [{ value, afterMs: 1 }] })),
  );

const totals = async () => {
  const { primaryMetrics } = await pulse.results(id);
  return primaryMetrics.flatMap(({ controlTotal, testTotal }) => [controlTotal, testTotal]);
};

/** Deletes the events of the first day as nothing else does, so that only loads that read all events again miss them. */
const loseFirstDay = async () => {
  const first = utcDay(server.clock.now) - 2;
  await server.database.db.$executeRaw`delete from event where day = ${first} and name = 'buy'`;
};

const post = async (path: string, body: object) => {
  const { status } = await server.send("POST", `/console/v1/${path}`, { body });
  expect(status).toBeLessThan(300);
};

/** Resets the experiment, starts it, and has its units buy again, since it counts only what happens after its start. */
const startAgain = async () => {
  await server.client.resetExperiment({ path: { id } });
  await server.client.startExperiment({ path: { id } });
  server.clock.now += 1;
  await pulse.log(id, buyers(10), server.clock.now);
  server.clock.now += 2;
};

const stateIDs = async () => {
  const rows = await server.database.db.$queryRaw<{ id: bigint }[]>`select id from load_state where "subjectID" = ${id} order by id`;
  return rows.map((row) => Number(row.id));
};

describe("a load of an experiment that was loaded before", needs.ownEvents, () => {
  test("reads only what arrived since", async () => {
    await loseFirstDay();
    await pulse.log(id, buyers(5), server.clock.now);
    server.clock.now += 2;
    expect((await pulse.load(id)).finishedState).toBe("success");
    expect(await totals()).toEqual([300, 300]);
    const [metric] = (await pulse.results(id, { series: true })).primaryMetrics;
    expect(metric?.series?.map(({ controlMean }) => controlMean)).toEqual([10, 20, 25]);
  });

  test("counts totals once if the transaction that reads them is repeated", async () => {
    await pulse.log(id, buyers(5), server.clock.now);
    server.clock.now += 2;
    const transaction: typeof server.database.transaction = async (work, options) => {
      await server.database.transaction(work, { ...options, dryRun: true });
      return server.database.transaction(work, options);
    };
    await server.client.startExperimentPulseLoad({ path: { id }, body: {} });
    await pulse.run({ database: { ...server.database, transaction } });
    expect(await totals()).toEqual([300, 300]);
    const [row] = await server.database.db.$queryRaw<{ arrivals: string }[]>`select arrivals from load_state where "subjectID" = ${id}`;
    const arrivals: { totals: number[][] }[] = JSON.parse(row?.arrivals ?? "");
    // The number of the day, and what all units bought on it. Events that arrived before the start have none.
    expect(arrivals.flatMap((one) => one.totals)).toEqual([
      [1, 240],
      [2, 240],
      [3, 120],
    ]);
  });

  test("reads a day again whose events have changed, and counts each event once", async () => {
    const yesterday = server.clock.now - DAY_MS;
    await server.database.db.$executeRaw`
      insert into event ("projectID", name, time, day, source, "userID", value, environment, metadata)
      values ('default', 'buy', ${yesterday + 5}, ${utcDay(yesterday)}, 'copied', ${`${made} test 0`}, '7', 'production', '{}')`;
    await server.database.db.$executeRaw`
      update event_count set count = count + 1 where "projectID" = 'default' and name = 'buy' and day = ${utcDay(yesterday)}`;
    for (let round = 0; round < 2; round++) {
      await pulse.load(id);
      expect(await totals()).toEqual([240, 247]);
    }
  });

  test("leaves out a unit that has seen two groups by now, and counts one from its first exposure on, even if that arrives late", async () => {
    const [late, crossed] = [`${made} late`, `${made} test 0`];
    const time = server.clock.now - 1.5 * DAY_MS;
    await pulse.log(id, [{ unit: late, group: "control", purchases: [{ value: 100, afterMs: 1_000 }] }], server.clock.now);
    server.clock.now += 2_000;
    await pulse.load(id);
    expect(await totals()).toEqual([340, 240]);
    await pulse.log(id, [{ unit: late, group: "control", purchases: [{ value: 1_000, afterMs: 1_000 }] }], time);
    await pulse.log(id, [{ unit: crossed, group: "control", purchases: [] }], server.clock.now);
    server.clock.now += 2_000;
    await pulse.load(id);
    expect(await totals()).toEqual([1_340, 220]);
    const [metric] = (await pulse.results(id, { series: true })).primaryMetrics;
    expect(metric?.series?.map(({ controlUnits }) => controlUnits)).toEqual([12, 13, 13]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a metric", () => post("metrics/Revenue::sum", { metricEvents: ["buy", "other"].map((name) => ({ name, type: "value" })) })],
    ["the time zone", () => post("settings/project", { name: "default", visibility: "OPEN", timeZone: "Asia/Tokyo" })],
    ["an analysis setting", () => server.client.patchExperiment({ path: { id }, body: { defaultRollupWindow: 30 } })],
    ["the start", startAgain],
  ])("reads all events again after a change of %s", async (_, change) => {
    const before = await stateIDs();
    await change();
    await loseFirstDay();
    expect((await pulse.load(id)).finishedState).toBe("success");
    expect(await totals()).toEqual([120, 120]);
    expect(await stateIDs()).not.toEqual(before);
  });

  test("that is begun twice at once stores each event once", async () => {
    await pulse.log(id, buyers(5), server.clock.now);
    server.clock.now += 2;
    const { database } = server;
    let isFirst = true;
    /** Before a load reads the new events, another one does. */
    const raced = {
      ...database,
      async transaction<T>(...given: Parameters<typeof database.transaction<T>>): Promise<T> {
        const result = await database.transaction(...given);
        if (isFirst) {
          isFirst = false;
          await database.db.$executeRaw`update load_state set version = version + 1 where "subjectID" = ${id}`;
        }
        return result;
      },
    };
    await server.client.startExperimentPulseLoad({ path: { id }, body: {} });
    await pulse.run({ database: raced });
    expect(isFirst).toBe(false);
    expect(await totals()).toEqual([300, 300]);
  });

  test("is over the day's arrivals again if it was interrupted", async () => {
    await pulse.log(id, buyers(5), server.clock.now);
    server.clock.now += 2;
    const { database } = server;
    const { data } = await server.client.startExperimentPulseLoad({ path: { id }, body: {} });
    // The server stops at each of its transactions, one after the other.
    for (let last = 1; ; last++) {
      const stopping = new AbortController();
      let begun = 0;
      const stopped = {
        ...database,
        transaction<T>(...given: Parameters<typeof database.transaction<T>>): Promise<T> {
          if (++begun === last) stopping.abort();
          return database.transaction(...given);
        },
      };
      await pulse.run({ database: stopped, stopping: stopping.signal });
      const load = (await server.client.getExperimentPulseLoad({ path: { id, dagID: data.dagID } })).data;
      if (load.finishedState !== undefined) break;
    }
    expect(await totals()).toEqual([300, 300]);
  });
});

describe("a unit whose data is deleted", needs.ownEvents, () => {
  test("has left what loads stored, and results without a pass over all events", async () => {
    const unit = `${made} test 0`;
    const count = async () => {
      const [row] = await server.database.db.$queryRaw<{ units: number; bytes: number }[]>`
        select (select count(*) from unit_state where "unitID" = ${unit})::int as units,
          (select sum(octet_length(rows)) from unit_day join load_state on load_state.id = "stateID" where "subjectID" = ${id})::int as bytes`;
      return row;
    };
    const before = await count();
    expect(before?.units).toBeGreaterThan(0);
    const states = await stateIDs();
    await unitDataOn(server).delete(unit);
    // Two days with an amount each.
    expect(await count()).toEqual({ units: 0, bytes: (before?.bytes ?? 0) - 2 * 16 });
    await loseFirstDay();
    await pulse.load(id);
    expect(await totals()).toEqual([240, 220]);
    expect(await stateIDs()).toEqual(states);
  });

  test("takes its part in the results of units of other types with it", async () => {
    await server.client.createUnitIDType({ body: { name: "companyID" } }).catch(() => {});
    expect(await stateIDs()).not.toEqual([]);
    const event = { eventName: "buy", user: { userID: "somebody", customIDs: { companyID: "acme" } }, value: 1, time: server.clock.now };
    await server.evaluation.logEvent({ body: { events: [event] } });
    await unitDataOn(server).delete("acme", "companyID");
    expect(await stateIDs()).toEqual([]);
  });
});
