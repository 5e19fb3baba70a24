import { StatsigOnDeviceEvalClient, type StatsigUser } from "@statsig/js-on-device-eval-client";
import type { Application, Sdk } from "./sdk.ts";

/** The SDK for evaluation on the device. It has no background refresh, so an application fetches the ruleset again. */
export const jsOnDeviceEvalClient: Sdk = {
  name: "@statsig/js-on-device-eval-client",
  async start({ url, rulesetKey }): Promise<Application> {
    const sdk = new StatsigOnDeviceEvalClient(rulesetKey, {
      networkConfig: { api: `${url}/v1` },
      // By default, it logs only in browsers.
      loggingEnabled: "always",
      logLevel: 0,
    });
    await sdk.initializeAsync();
    const fresh = async (user: object) => {
      await sdk.updateAsync();
      return structuredClone(user) as StatsigUser;
    };
    return {
      async gate(name, user) {
        const { value, ruleID } = sdk.getFeatureGate(name, await fresh(user));
        return { value, ruleID };
      },
      async config(name, user) {
        const { value, ruleID } = sdk.getDynamicConfig(name, await fresh(user));
        return { value, ruleID };
      },
      async experiment(name, user) {
        const { value, ruleID } = sdk.getExperiment(name, await fresh(user));
        return { value, ruleID };
      },
      async layer(name, user, parameter) {
        const layer = sdk.getLayer(name, await fresh(user));
        return { value: layer.get(parameter), ruleID: layer.ruleID };
      },
      flush: () => sdk.flush(),
      stop: () => sdk.shutdown(),
    };
  },
};
