import pino from "pino";
import type { JobEnv } from "../../src/jobs/jobs.ts";
import { pulseLoads } from "../../src/jobs/pulse-loads.ts";
import type { TestServer } from "./server.ts";

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * A unit with its group and its purchases: their value, and the time after its exposure, negative if before. `fields` are those of the user
 * when it is exposed.
 */
export type Buyer = { unit: string; group: string; purchases: { value: number; afterMs: number }[]; fields?: object };

/** A user's check of a gate or holdout, and the value of the user's purchase a second later. */
export type Checked = { unit: string; passed: boolean; ruleID?: string; value?: number; environment?: string };

const BATCH = 400;

export function pulseOn(server: TestServer) {
  const env = () => ({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });

  return {
    env,

    /** Makes an experiment that has started, with the groups control and test. */
    async experiment(name: string, given: object = {}): Promise<string> {
      const groups = ["control", "test"].map((id) => ({ id, name: id, size: 50 }));
      const body = { name, groups, controlGroupID: "control", allocation: 100, status: "active" as const, ...given };
      return (await server.client.createExperiment({ body })).data.id;
    },

    metric: async (name: string, given: object = {}) =>
      (await server.client.createMetric({ body: { name, type: "sum", metricEvents: [{ name: "buy", type: "value" }], ...given } })).data,

    /** Logs the exposures of units at a time, and their purchases. */
    async log(experiment: string, buyers: readonly Buyer[], time: number): Promise<void> {
      const events = buyers.flatMap(({ unit, group, purchases, fields }) => [
        {
          eventName: "statsig::config_exposure",
          user: { userID: unit, ...fields },
          metadata: { config: experiment, ruleID: group },
          ...{ time, value: group },
        },
        ...purchases.map(({ value, afterMs }) => ({ eventName: "buy", user: { userID: unit }, value, time: time + afterMs })),
      ]);
      for (let at = 0; at < events.length; at += BATCH)
        await server.evaluation.logEvent({ body: { events: events.slice(at, at + BATCH) } });
    },

    /** Logs the checks of users of a gate or holdout now. An hour goes by. */
    async logChecks(gate: string, checked: readonly Checked[]): Promise<void> {
      const time = server.clock.now;
      const events = checked.flatMap(({ unit, passed, ruleID = "half", value = 0, environment = "production" }) => {
        const user = { userID: unit, statsigEnvironment: { tier: environment } };
        const metadata = { gate, gateValue: String(passed), ruleID };
        return [
          { eventName: "statsig::gate_exposure", user, metadata, time },
          ...(value > 0 ? [{ eventName: "buy", user, value, time: time + 1_000 }] : []),
        ];
      });
      server.clock.now += HOUR_MS;
      await server.evaluation.logEvent({ body: { events } });
    },

    /** Runs the loads that wait. */
    run: (given: Partial<JobEnv> = {}) => pulseLoads.run({ ...env(), ...given }),

    /** Loads an experiment, and returns the outcome. */
    async load(id: string, body: object = {}) {
      const { data } = await server.client.startExperimentPulseLoad({ path: { id }, body });
      await pulseLoads.run(env());
      return (await server.client.getExperimentPulseLoad({ path: { id, dagID: data.dagID } })).data;
    },

    async results(id: string, query: object = {}) {
      const asked = { control: "control", test: "test", ...query };
      return (await server.client.getExperimentPulseResults({ path: { id }, query: asked })).data;
    },
  };
}
