import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

let made = 0;

/**
 * The results of ten units of the control group, exposed on the first day. One of them buys on each of the first four days after its exposure: for
 * 1, 10, 100 and 1,000.
 */
async function countWith(settings: object) {
  made += 1;
  const name = `settings ${made}`;
  const { type } = await pulse.metric(name);
  const id = await pulse.experiment(name, { primaryMetrics: [{ name, type }], ...settings });
  const purchases = [1, 10, 100, 1_000].map((value, day) => ({ value, afterMs: day * DAY_MS + 1_000 }));
  const units = Array.from({ length: 10 }, (_, unit) => ({
    unit: `${made} ${unit}`,
    group: "control",
    purchases: unit === 0 ? purchases : [],
  }));
  const exposed = server.clock.now;
  server.clock.now += 3 * DAY_MS + HOUR_MS;
  await pulse.log(id, units, exposed);
  await pulse.load(id);
  const [{ controlUnits, controlTotal } = {}] = (await pulse.results(id)).primaryMetrics;
  return [controlUnits, controlTotal];
}

const dayAfter = (days: number) => new Date(server.clock.now + days * DAY_MS).toISOString().slice(0, 10);

test.each<[string, () => object, units: number, total: number]>([
  ["no setting: everything", () => ({}), 10, 1_111],
  ["`fixedAnalysisDuration`: events within so many days after the start", () => ({ fixedAnalysisDuration: 2 }), 10, 11],
  ["`analysisEndTime`: events until the end of that day", () => ({ analysisEndTime: dayAfter(1) }), 10, 11],
  ["`cohortedAnalysisDuration`: so many days of each unit", () => ({ cohortedAnalysisDuration: 3 }), 10, 111],
  ["`defaultRollupWindow`: so many days of each unit, if the metric has no window", () => ({ defaultRollupWindow: 1 }), 10, 1],
  [
    "`cohortWaitUntilEndToInclude`: units whose window is over",
    () => ({ defaultRollupWindow: 4, cohortWaitUntilEndToInclude: true }),
    ...([0, 0] as const),
  ],
])("results count with %s", async (_, settings, units, total) => {
  expect(await countWith(settings())).toEqual([units, total]);
});
