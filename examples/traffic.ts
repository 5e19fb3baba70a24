// Sends shoppers through an experiment with the SDK of another service, so that there is something to see and to decide:
//   GATEHOUSE_KEY=secret-… npx --yes pnpm@12 --filter examples traffic [EXPERIMENT] [SHOPPERS]
import { createHash } from "node:crypto";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";

const url = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const key = process.env.GATEHOUSE_KEY ?? "";
const [experimentID = "button_color", shoppers = "1000"] = process.argv.slice(2);

/** One shopper in ten buys. In a group that tries something new, it is one in six. */
const PURCHASE_RATE = 1 / 10;
const BETTER_RATE = 1 / 6;
const COUNTRIES = ["NO", "SE", "DK", "DE", "FR"];
const OUTSIDE = "not in it";

/** A number from 0 to 1 that is the same for the same text, so that each run sends the same shoppers. */
const chance = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;

const sdk = new Statsig(key, {
  specsUrl: `${url}/v2/download_config_specs`,
  logEventUrl: `${url}/v1/log_event`,
  idListsUrl: `${url}/v1/get_id_lists`,
  enableIdLists: true,
});
await sdk.initialize();

const groups = new Map<string, { shoppers: number; purchases: number }>();
for (let number = 1; number <= Number(shoppers); number++) {
  const userID = `shopper-${number}`;
  const country = COUNTRIES[number % COUNTRIES.length] ?? "NO";
  const user = new StatsigUser({ userID, country, custom: { plan: number % 4 === 0 ? "pro" : "free" } });
  const { groupName, details } = sdk.getExperiment(user, experimentID);
  if (/Unrecognized|NoValues/.test(details.reason)) {
    await sdk.shutdown();
    throw new Error(`The server has no experiment ${experimentID} that this key may read, or it has not started (${details.reason}).`);
  }
  const name = groupName ?? OUTSIDE;
  const group = groups.get(name) ?? { shoppers: 0, purchases: 0 };
  group.shoppers++;
  sdk.logEvent(user, "view_checkout");
  if (chance(`${userID} buys`) < (name === OUTSIDE || name === "Control" ? PURCHASE_RATE : BETTER_RATE)) {
    group.purchases++;
    sdk.logEvent(user, "purchase", Math.round(2_000 + 8_000 * chance(`${userID} pays`)) / 100, { currency: "EUR" });
  }
  groups.set(name, group);
}
await sdk.flushEvents();
await sdk.shutdown();

const byName = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
for (const [name, { shoppers: seen, purchases }] of byName) process.stdout.write(`${name}: ${seen} shoppers, ${purchases} purchases\n`);
