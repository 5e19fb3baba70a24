import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import { type StatsigUser as OlderUser, type StatsigOptions, StatsigServer } from "statsig-node";
import type { User } from "../../src/index.ts";
import { type Served, serveRuleset } from "./sdk-server.ts";

/** The official SDKs of both generations with the same ruleset, live. */
export type Sdks = { older: StatsigServer; newer: Statsig; stop(): Promise<void> };

const KEY = "secret-key";
const NEVER_MS = 3_600_000;

/** The older generation compares days in the zone of the process; the newer one in UTC. */
process.env.TZ = "UTC";

export async function startSdks(served: Served, callbacks: StatsigOptions["evaluationCallbacks"] = {}): Promise<Sdks> {
  const { url, close } = await serveRuleset(served);
  const older = new StatsigServer(KEY, {
    api: `${url}/v1`,
    disableAllLogging: true,
    disableDiagnostics: true,
    disableRulesetsSync: true,
    disableIdListsSync: true,
    evaluationCallbacks: callbacks,
  });
  const newer = new Statsig(KEY, {
    specsUrl: `${url}/v2/download_config_specs`,
    idListsUrl: `${url}/v1/get_id_lists`,
    logEventUrl: `${url}/v1/log_event`,
    enableIdLists: true,
    disableAllLogging: true,
    outputLogLevel: "none",
    waitForCountryLookupInit: true,
    waitForUserAgentInit: true,
    specsSyncIntervalMs: NEVER_MS,
    idListsSyncIntervalMs: NEVER_MS,
  });
  const [olderStarted, newerStarted] = await Promise.all([older.initializeAsync(), newer.initialize()]);
  if (!olderStarted.success || !newerStarted.isSuccess) throw new Error(`An SDK did not start: ${newerStarted.error ?? "the older one"}`);
  return {
    older,
    newer,
    async stop() {
      await Promise.all([older.shutdownAsync(), newer.shutdown(1_000)]);
      await close();
    },
  };
}

/** A user as either generation takes it. */
export type Asked = { older: OlderUser; newer: StatsigUser };

export function toAsked(user: User): Asked {
  // A copy, since the SDK writes its environment into the user that it is given.
  return { older: structuredClone(user) as OlderUser, newer: new StatsigUser(user as ConstructorParameters<typeof StatsigUser>[0]) };
}

/** Answers are compared, and need not be logged. */
export const SILENT = { disableExposureLogging: true };
