import { Statsig, type StatsigUser } from "@statsig/statsig-node-core";
import type { Answer } from "../support/sdk.ts";
import { toStatsigUser } from "../support/statsig-node-core.ts";
import type { Evaluator } from "./evaluator.ts";
import { parameterValues, type Subject, toKey } from "./subject.ts";

const SILENT = { disableExposureLogging: true };
const NEVER_MS = 3_600_000;

/** The newer generation of SDKs, on the Rust core, which reads the "v2" format. */
export const statsigNodeCoreEvaluator: Evaluator = {
  name: "@statsig/statsig-node-core",
  knows: () => true,
  async start({ url, key, tier, subjects }) {
    const sdk = new Statsig(key, {
      specsUrl: `${url}/v2/download_config_specs`,
      idListsUrl: `${url}/v1/get_id_lists`,
      logEventUrl: `${url}/v1/log_event`,
      ...(tier !== undefined && { environment: tier }),
      enableIdLists: true,
      disableAllLogging: true,
      outputLogLevel: "none",
      waitForCountryLookupInit: true,
      waitForUserAgentInit: true,
      specsSyncIntervalMs: NEVER_MS,
      idListsSyncIntervalMs: NEVER_MS,
    });
    await sdk.initialize();
    const answer = (subject: Subject, user: StatsigUser): Answer => {
      const { kind, name } = subject;
      if (kind === "layer") {
        const layer = sdk.getLayer(user, name, SILENT);
        return { value: parameterValues(subject, (parameter) => layer.getValue(parameter)), ruleID: layer.ruleID };
      }
      if (kind === "store") {
        const store = sdk.getParameterStore(user, name, SILENT);
        return { value: parameterValues(subject, (parameter) => store.getValue<unknown>(parameter)), ruleID: "" };
      }
      if (kind === "config" || kind === "experiment" || kind === "autotune") {
        const config = kind === "config" ? sdk.getDynamicConfig(user, name, SILENT) : sdk.getExperiment(user, name, SILENT);
        return { value: config.value, ruleID: config.ruleID };
      }
      const { value, ruleID } = sdk.getFeatureGate(user, name, SILENT);
      return { value, ruleID };
    };
    return {
      async answers(user) {
        const inCore = toStatsigUser(user);
        return Object.fromEntries(subjects.map((subject) => [toKey(subject), answer(subject, inCore)]));
      },
      stop: async () => void (await sdk.shutdown(1_000)),
    };
  },
};
