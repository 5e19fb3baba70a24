import { type StatsigUser as ClientUser, LogLevel, StatsigClient } from "@statsig/js-client";
import type { Application, Sdk } from "./sdk.ts";

/** The browser SDK. It has no background refresh, so an application updates its user to fetch values again. */
export const jsClient: Sdk = {
  name: "@statsig/js-client",
  async start({ url, clientKey, user: first }): Promise<Application> {
    const sdk = new StatsigClient(clientKey, first as ClientUser, {
      networkConfig: { api: `${url}/v1` },
      // By default, it logs only in browsers.
      loggingEnabled: "always",
      logLevel: LogLevel.None,
    });
    await sdk.initializeAsync();
    const refresh = (user: object) => sdk.updateUserAsync(structuredClone(user) as ClientUser);
    return {
      async gate(name, user) {
        await refresh(user);
        const { value, ruleID } = sdk.getFeatureGate(name);
        return { value, ruleID };
      },
      async config(name, user) {
        await refresh(user);
        const { value, ruleID } = sdk.getDynamicConfig(name);
        return { value, ruleID };
      },
      async experiment(name, user) {
        await refresh(user);
        const { value, ruleID } = sdk.getExperiment(name);
        return { value, ruleID };
      },
      async layer(name, user, parameter) {
        await refresh(user);
        const layer = sdk.getLayer(name);
        return { value: layer.get(parameter), ruleID: layer.ruleID };
      },
      flush: () => sdk.flush(),
      stop: () => sdk.shutdown(),
    };
  },
};
