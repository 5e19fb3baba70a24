import { StatsigServer, type StatsigUser } from "statsig-node";
import type { Answer } from "../support/sdk.ts";
import { toStatsigUser } from "../support/statsig-node.ts";
import type { Evaluator } from "./evaluator.ts";
import { parameterValues, type Subject, toKey } from "./subject.ts";

const SILENT = { disableExposureLogging: true };

/** The older generation of SDKs, which reads the "v1" format and does not support param stores. */
export const statsigNodeEvaluator: Evaluator = {
  name: "statsig-node",
  knows: ({ kind }) => kind !== "store",
  async start({ url, key, tier, subjects }) {
    const sdk = new StatsigServer(key, {
      api: `${url}/v1`,
      ...(tier !== undefined && { environment: { tier } }),
      disableAllLogging: true,
      disableDiagnostics: true,
      disableRulesetsSync: true,
      disableIdListsSync: true,
    });
    await sdk.initializeAsync();
    const answer = (subject: Subject, user: StatsigUser): Answer => {
      const { kind, name } = subject;
      if (kind === "layer") {
        const layer = sdk.getLayer(user, name, SILENT);
        return { value: parameterValues(subject, (parameter) => layer.get<unknown>(parameter, null)), ruleID: layer.getRuleID() };
      }
      if (kind === "config" || kind === "experiment" || kind === "autotune") {
        const config = kind === "config" ? sdk.getConfig(user, name, SILENT) : sdk.getExperiment(user, name, SILENT);
        return { value: config.value, ruleID: config.getRuleID() };
      }
      const { value, ruleID } = sdk.getFeatureGate(user, name, SILENT);
      return { value, ruleID };
    };
    return {
      async answers(user) {
        return Object.fromEntries(subjects.map((subject) => [toKey(subject), answer(subject, toStatsigUser(user))]));
      },
      stop: () => sdk.shutdownAsync(),
    };
  },
};
