import { createEvaluator, type RulesetV1 } from "@gatehouse/evaluation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { autotuneChecks } from "../../src/jobs/autotune-checks.ts";
import { startedAutotune } from "../support/autotunes.ts";
import { HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

// A shop whose units get variants from the server's ruleset, and buy as the variant makes them. The clock is moved, and the job runs every hour.

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

const RATES: Record<string, number> = { blue: 0.1, green: 0.25, red: 0.1 };
const UNITS_PER_HOUR = 90;
const MINUTE_MS = 60_000;
const HOURS = 40;

/** Whether a unit buys follows from its number: of each hundred, the first ones do. */
const buys = (unit: number, variant: string) => (unit * 37) % 100 < (RATES[variant] as number) * 100;

test("the variant with the best rate gets ever more traffic, and wins after the exploration; all units then get it", async () => {
  const { client, clock, evaluation } = server;
  const variants = Object.keys(RATES).map((id) => ({ id, name: id, json: { color: id } }));
  const { id } = await startedAutotune(server, "shop", {
    variants,
    explorationWindowRate: 0.3,
    longtermExplorationAllocation: 0.3,
    winnerThreshold: "99%",
  });
  const read = async () => (await client.getAutotune({ path: { id } })).data;
  const specs = async () => (await server.send("GET", "/v1/download_config_specs")).body as RulesetV1;
  const boundsIn = ({ dynamic_configs }: RulesetV1) =>
    dynamic_configs.find(({ name }) => name === id)?.rules.map(({ conditions }) => Number(conditions[0]?.targetValue));
  /** The ruleset, once it has the shares that the console answers. */
  const current = async () => {
    const variants = (await read()).progress?.variants ?? [];
    const shares = variants.map((_, index) => Math.round(10 * variants.slice(0, index + 1).reduce((sum, { share }) => sum + share, 0)));
    await expect.poll(async () => boundsIn(await specs())).toEqual(shares);
    return createEvaluator(await specs());
  };
  const seen: Record<string, number>[] = [];
  let unit = 0;
  let hours = 0;
  for (; hours < HOURS && (await read()).winner === null; hours++) {
    const evaluator = await current();
    const counts: Record<string, number> = { blue: 0, green: 0, red: 0 };
    const events = Array.from({ length: UNITS_PER_HOUR }, () => {
      const user = { userID: `unit ${unit++}` };
      const variant = evaluator.config(id, user).ruleID;
      counts[variant] = (counts[variant] ?? 0) + 1;
      const exposure = { eventName: "statsig::config_exposure", user, time: clock.now, metadata: { config: id, ruleID: variant } };
      return [exposure, ...(buys(unit, variant) ? [{ eventName: "purchase", user, time: clock.now + MINUTE_MS }] : [])];
    }).flat();
    seen.push(counts);
    clock.now += 2 * MINUTE_MS;
    await evaluation.logEvent({ body: { events } });
    clock.now += HOUR_MS - 2 * MINUTE_MS;
    await autotuneChecks.run(pulse.env());
    // Every variant goes on getting its floor: a third of 30%.
    for (const { share } of (await read()).progress?.variants ?? []) if ((await read()).winner === null) expect(share).toBeGreaterThan(9.8);
  }
  const { winner, decisionReason, progress } = await read();
  expect(winner).toEqual({ id: "green", name: "green" });
  expect(decisionReason).toMatch(/^The variant is the best with a probability of (?:99\.\d+|100)%, and the threshold is 99%\.$/);
  // Not before the day of exploration.
  expect(hours).toBe(24);
  // The first hour is divided equally, the last ones are not.
  expect(seen[0]?.green).toBeLessThan(UNITS_PER_HOUR / 2);
  expect(seen.at(-1)?.green).toBeGreaterThan((2 * UNITS_PER_HOUR) / 3);
  // The learned values are near the truth.
  const byID = Object.fromEntries(progress?.variants.map((one) => [one.id, one]) ?? []);
  expect(byID.green?.mean).toBeCloseTo(0.25, 1);
  expect(byID.blue?.mean).toBeCloseTo(0.1, 1);
  expect([byID.blue?.share, byID.green?.share, byID.red?.share]).toEqual([0, 100, 0]);

  const decided = await current();
  for (let number = 0; number < 200; number++)
    expect(decided.config(id, { userID: `later ${number}` })).toMatchObject({ value: { color: "green" }, ruleID: "green" });
  expect(await server.evaluation.getConfigValue({ body: { configName: id, user: { userID: "asked" } } })).toMatchObject({
    value: { color: "green" },
    rule_id: "green",
  });
  expect(await server.evaluation.evaluateFlag({ path: { key: id }, body: { context: { targetingKey: "asked" } } })).toMatchObject({
    value: { color: "green" },
    variant: "green",
    metadata: { kind: "autotune", ruleID: "green" },
  });
  const { dynamic_configs: configs } = (await server.send("POST", "/v1/initialize", { body: { user: { userID: "asked" }, hash: "none" } }))
    .body;
  expect(configs[id]).toMatchObject({ value: { color: "green" }, rule_id: "green", group_name: "green" });
});
