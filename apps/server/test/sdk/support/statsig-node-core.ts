import type { User } from "@gatehouse/evaluation";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import type { Sdk } from "./sdk.ts";

/** The server SDK on the Rust core. It polls every second, its minimum. */
export const statsigNodeCore: Sdk = {
  name: "@statsig/statsig-node-core",
  async start({ url, serverKey }) {
    const sdk = new Statsig(serverKey, {
      specsUrl: `${url}/v2/download_config_specs`,
      logEventUrl: `${url}/v1/log_event`,
      idListsUrl: `${url}/v1/get_id_lists`,
      enableIdLists: true,
      specsSyncIntervalMs: 1_000,
      idListsSyncIntervalMs: 1_000,
      outputLogLevel: "none",
    });
    await sdk.initialize();
    return {
      async gate(name, user) {
        const { value, ruleID } = sdk.getFeatureGate(toStatsigUser(user), name);
        return { value, ruleID };
      },
      async config(name, user) {
        const { value, ruleID } = sdk.getDynamicConfig(toStatsigUser(user), name);
        return { value, ruleID };
      },
      async experiment(name, user) {
        const { value, ruleID } = sdk.getExperiment(toStatsigUser(user), name);
        return { value, ruleID };
      },
      async layer(name, user, parameter) {
        const layer = sdk.getLayer(toStatsigUser(user), name);
        return { value: layer.get<unknown>(parameter, null), ruleID: layer.ruleID };
      },
      flush: async () => void (await sdk.flushEvents()),
      stop: async () => void (await sdk.shutdown(1_000)),
    };
  },
};

export function toStatsigUser(user: User): StatsigUser {
  return new StatsigUser(user as ConstructorParameters<typeof StatsigUser>[0]);
}
