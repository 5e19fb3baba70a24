import { StatsigClient } from "statsig-js";
import type { Page } from "./page.ts";

// A page whose script is bundled for a browser. The SDK has no background refresh, so the page updates its user to fetch values again.

type User = Parameters<StatsigClient["updateUser"]>[0];

let sdk: StatsigClient;

const page: Page = {
  async start({ url, clientKey, user }) {
    sdk = new StatsigClient(clientKey, user as User, { api: `${url}/v1` });
    await sdk.initializeAsync();
  },
  async gate(name, user) {
    await sdk.updateUser(user as User);
    const gate = sdk.getFeatureGate(name);
    return { value: gate.getValue(), ruleID: gate.getRuleID() };
  },
  async config(name, user) {
    await sdk.updateUser(user as User);
    const config = sdk.getConfig(name);
    return { value: config.value, ruleID: config.getRuleID() };
  },
  async experiment(name, user) {
    await sdk.updateUser(user as User);
    const experiment = sdk.getExperiment(name);
    return { value: experiment.value, ruleID: experiment.getRuleID() };
  },
  async layer(name, user, parameter) {
    await sdk.updateUser(user as User);
    const layer = sdk.getLayer(name);
    return { value: layer.get<unknown>(parameter, null), ruleID: layer.getRuleID() };
  },
  async flush() {
    sdk.flushEvents();
  },
  async stop() {
    sdk.shutdown();
  },
};
Object.assign(globalThis, { page });
