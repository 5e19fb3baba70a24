import type { User } from "@gatehouse/evaluation";
import { StatsigServer, type StatsigUser } from "statsig-node";
import type { Sdk } from "./sdk.ts";

/** The server SDK in JavaScript. It polls every 5 s, its minimum. */
export const statsigNode: Sdk = {
  name: "statsig-node",
  async start({ url, serverKey }) {
    const sdk = new StatsigServer(serverKey, {
      api: `${url}/v1`,
      rulesetsSyncIntervalMs: 5_000,
      idListsSyncIntervalMs: 30_000,
      loggingIntervalMs: 1_000,
      postLogsRetryBackoff: 100,
    });
    await sdk.initializeAsync();
    return {
      async gate(name, user) {
        const { value, ruleID } = sdk.getFeatureGate(toStatsigUser(user), name);
        return { value, ruleID };
      },
      async config(name, user) {
        const config = sdk.getConfig(toStatsigUser(user), name);
        return { value: config.value, ruleID: config.getRuleID() };
      },
      async experiment(name, user) {
        const experiment = sdk.getExperiment(toStatsigUser(user), name);
        return { value: experiment.value, ruleID: experiment.getRuleID() };
      },
      async layer(name, user, parameter) {
        const layer = sdk.getLayer(toStatsigUser(user), name);
        return { value: layer.get<unknown>(parameter, null), ruleID: layer.getRuleID() };
      },
      flush: () => sdk.flush(),
      stop: () => sdk.shutdownAsync(1_000),
    };
  },
};

/** A copy, since the SDK writes its environment into the given user. */
export function toStatsigUser(user: User): StatsigUser {
  return structuredClone(user) as StatsigUser;
}
