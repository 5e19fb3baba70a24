// Reads a gate with the SDK of another service, which evaluates in its own process, and says whenever it is another:
//   GATEHOUSE_KEY=secret-… npx --yes pnpm@12 --filter examples read-flags-sdk [GATE] [USER]
import { setTimeout } from "node:timers/promises";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";

const url = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const key = process.env.GATEHOUSE_KEY ?? "";
const [gate = "new_checkout", userID = "alice"] = process.argv.slice(2);

const sdk = new Statsig(key, {
  specsUrl: `${url}/v2/download_config_specs`,
  logEventUrl: `${url}/v1/log_event`,
  idListsUrl: `${url}/v1/get_id_lists`,
  enableIdLists: true,
  specsSyncIntervalMs: 1_000,
});
await sdk.initialize();
const user = new StatsigUser({ userID, custom: { plan: "pro" } });

let last = "";
for (;;) {
  const { value, ruleID } = sdk.getFeatureGate(user, gate);
  const text = `${gate} is ${value} for ${userID} (rule ${ruleID})`;
  if (text !== last) process.stdout.write(`${text}\n`);
  last = text;
  await setTimeout(500);
}
