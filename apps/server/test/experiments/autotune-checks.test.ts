import type { RulesetV1 } from "@gatehouse/evaluation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { autotuneChecks } from "../../src/jobs/autotune-checks.ts";
import { startedAutotune } from "../support/autotunes.ts";
import { HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

const MINUTE_MS = 60_000;
const check = () => autotuneChecks.run(pulse.env());
const read = async (id: string) => (await server.client.getAutotune({ path: { id } })).data;
const learned = async (id: string) =>
  Object.fromEntries(
    (await read(id)).progress?.variants.map(({ id: variant, units, outcomes, mean }) => [variant, { units, outcomes, mean }]) ?? [],
  );

type Logged = { unit: string; at: number; name?: string; value?: string | number; metadata?: object };

/** Logs events of units at times, ms: exposures to the variant in `metadata.ruleID`, unless they have a name. */
async function log(autotune: string, events: readonly (Logged & { shown?: string; tier?: string })[]): Promise<void> {
  const toEvent = ({ unit, at, name, value, metadata, shown, tier = "production" }: (typeof events)[number]) => ({
    eventName: shown ? "statsig::config_exposure" : (name ?? "purchase"),
    user: { userID: unit, statsigEnvironment: { tier } },
    time: at,
    ...(value !== undefined && { value }),
    metadata: shown ? { config: autotune, ruleID: shown } : (metadata ?? {}),
  });
  for (let index = 0; index < events.length; index += 400)
    await server.evaluation.logEvent({ body: { events: events.slice(index, index + 400).map(toEvent) } });
}

/** Units that saw a variant. The first ones had an outcome a minute later. */
const buildUnits = (variant: string, count: number, outcomes: number, at: number) =>
  Array.from({ length: count }, (_, index) => [
    { unit: `${variant} ${index}`, at, shown: variant },
    ...(index < outcomes ? [{ unit: `${variant} ${index}`, at: at + MINUTE_MS }] : []),
  ]).flat();

describe("a check of an autotune", () => {
  test("counts a unit once its window is over, and an outcome for the variant that was shown last before it, within its window", async () => {
    const { id } = await startedAutotune(server, "credited");
    const start = server.clock.now;
    server.clock.now += 3 * HOUR_MS;
    await log(id, [
      // Before any variant, in the window, and after it.
      { unit: "one", at: start + 1 },
      { unit: "one", at: start + 10, shown: "blue" },
      { unit: "one", at: start + 20 },
      { unit: "late", at: start + 10, shown: "blue" },
      { unit: "late", at: start + 10 + HOUR_MS },
      // From one variant to the other, and back: each has its outcome.
      { unit: "both", at: start + 10, shown: "blue" },
      { unit: "both", at: start + 20, shown: "green" },
      { unit: "both", at: start + 30 },
      { unit: "back", at: start + 10, shown: "blue" },
      { unit: "back", at: start + 20, shown: "green" },
      { unit: "back", at: start + 30, shown: "blue" },
      { unit: "back", at: start + 40 },
      // Its window is not over; of another environment, variant or event.
      { unit: "open", at: server.clock.now - HOUR_MS + 1, shown: "green" },
      { unit: "open", at: server.clock.now - HOUR_MS + 2 },
      { unit: "dev", at: start + 10, shown: "green", tier: "development" },
      { unit: "odd", at: start + 10, shown: "prestart" },
      { unit: "other", at: start + 10, shown: "green" },
      { unit: "other", at: start + 20, name: "visit" },
    ]);
    await check();
    expect(await learned(id)).toEqual({
      blue: { units: 4, outcomes: 2, mean: 0.5 },
      green: { units: 3, outcomes: 1, mean: 1 / 3 },
    });
    server.clock.now += HOUR_MS;
    await check();
    expect((await learned(id)).green).toEqual({ units: 4, outcomes: 2, mean: 0.5 });
  });

  test("adds the numbers of a unit's outcomes up, of events with the text that is asked for", async () => {
    const { id } = await startedAutotune(server, "valued", {
      optimizationParameter: "value",
      valueColumn: "price",
      metadataField: "shop",
      successEventValue: "online",
    });
    const at = server.clock.now;
    server.clock.now += 2 * HOUR_MS;
    const metadata = (price: number | string, shop = "online") => ({ price, shop });
    await log(id, [
      { unit: "a", at, shown: "blue" },
      { unit: "a", at: at + 1, metadata: metadata(2.5) },
      { unit: "a", at: at + 2, metadata: metadata("4") },
      { unit: "a", at: at + 3, metadata: metadata("much") },
      { unit: "a", at: at + 4, metadata: metadata(100, "market") },
      { unit: "b", at, shown: "blue" },
    ]);
    await check();
    expect((await learned(id)).blue).toEqual({ units: 2, outcomes: 1, mean: 3.25 });
  });

  test("shares traffic by weight only from 100 units a variant, and every replica's ruleset has it without a new version", async () => {
    const { id, version } = await startedAutotune(server, "weighed", { explorationWindowRate: 0.1, winnerThreshold: "99%" });
    const at = server.clock.now;
    const bounds = async () => {
      const { body } = await server.send("GET", "/v1/download_config_specs");
      const spec = (body as RulesetV1).dynamic_configs.find(({ name }) => name === id);
      return spec?.rules.map(({ conditions }) => conditions[0]?.targetValue);
    };
    await expect.poll(bounds).toEqual([500, 1000]);
    await log(id, [...buildUnits("blue", 100, 5, at), ...buildUnits("green", 99, 20, at)]);
    server.clock.now += 2 * HOUR_MS;
    await check();
    expect((await read(id)).progress?.variants.map(({ probabilityOfBest, share }) => [probabilityOfBest, share])).toEqual([
      [null, 50],
      [null, 50],
    ]);
    await log(id, [{ unit: "green 99", at, shown: "green" }]);
    server.clock.now += HOUR_MS;
    await check();
    const { progress, ...after } = await read(id);
    const [blue, green] = progress?.variants ?? [];
    expect(green?.probabilityOfBest).toBeGreaterThan(0.99);
    // 5% of the traffic is the floor of each.
    expect(blue?.share).toBeCloseTo(5, 0);
    expect(after).toMatchObject({ version, winner: null });
    await expect.poll(bounds).toEqual([Math.round((blue?.share ?? 0) * 10), 1000]);
    const { data: changes } = await server.client.listChanges({ query: { entityType: "autotune_weights", entityID: id } });
    expect(changes).toHaveLength(1);
  });

  test("happens once an hour, on one of two replicas that run at once", async () => {
    const { id } = await startedAutotune(server, "hourly");
    const checkedTime = async () => (await read(id)).progress?.checkedTime;
    const first = server.clock.now;
    await Promise.all([check(), check()]);
    expect(await checkedTime()).toBe(first);
    server.clock.now += HOUR_MS - 1;
    await check();
    expect(await checkedTime()).toBe(first);
    server.clock.now += 1;
    await check();
    expect(await checkedTime()).toBe(server.clock.now);
  });

  test("decides after the exploration window alone; a reset forgets everything, and late exposures of the old run", async () => {
    const { id } = await startedAutotune(server, "decided");
    const at = server.clock.now;
    await log(id, [...buildUnits("blue", 300, 15, at), ...buildUnits("green", 300, 60, at)]);
    server.clock.now += 24 * HOUR_MS - 1;
    await check();
    expect(await read(id)).toMatchObject({ winner: null, progress: { variants: [{ share: 50 }, { share: 50 }] } });
    server.clock.now += HOUR_MS;
    await check();
    expect(await read(id)).toMatchObject({
      winner: { id: "green", name: "Green" },
      decisionTime: server.clock.now,
      decisionReason: "The variant is the best with a probability of 99.99%, and the threshold is 95%.",
      lastModifierName: "GATEHOUSE",
      progress: { variants: [{ share: 0 }, { share: 100, units: 300, outcomes: 60 }] },
    });
    await server.client.resetAutotune({ path: { id } });
    await server.client.startAutotune({ path: { id } });
    await log(id, [{ unit: "blue 1", at, shown: "blue" }]);
    server.clock.now += 2 * HOUR_MS;
    await check();
    expect(await learned(id)).toEqual({ blue: { units: 0, outcomes: 0, mean: null }, green: { units: 0, outcomes: 0, mean: null } });
  });

  test("keeps what the last check of each day found, and a reset forgets it", async () => {
    const { id } = await startedAutotune(server, "kept");
    const days = async () => (await server.client.listAutotuneDays({ path: { id } })).data;
    const checked: number[] = [];
    const checkAt = async (time: number) => {
      server.clock.now = time;
      await check();
      checked.unshift(time);
    };
    const midnight = Math.ceil(server.clock.now / (24 * HOUR_MS)) * 24 * HOUR_MS;
    await checkAt(midnight + HOUR_MS);
    await log(id, buildUnits("blue", 4, 1, midnight + HOUR_MS));
    await checkAt(midnight + 23 * HOUR_MS);
    await log(id, buildUnits("green", 2, 1, midnight + 23 * HOUR_MS));
    await checkAt(midnight + 26 * HOUR_MS);
    const day = midnight / HOUR_MS / 24;
    const blue = { id: "blue", units: 4, outcomes: 1, mean: 0.25, probabilityOfBest: null, share: 50 };
    const green = { id: "green", units: 0, outcomes: 0, mean: null, probabilityOfBest: null, share: 50 };
    const dateOf = (number: number) => new Date(number * 24 * HOUR_MS).toISOString().slice(0, 10);
    expect(await days()).toEqual([
      { date: dateOf(day + 1), checkedTime: checked[0], variants: [blue, { ...green, units: 2, outcomes: 1, mean: 0.5 }] },
      { date: dateOf(day), checkedTime: checked[1], variants: [blue, green] },
    ]);
    await server.client.resetAutotune({ path: { id } });
    expect(await days()).toEqual([]);
  });
});
