// Runs a shop whose shoppers are known, and shows the findings of Gatehouse about them: an experiment with a known effect, and one without any.
//   GATEHOUSE_CONSOLE_KEY=console-… npx --yes pnpm@12 --filter examples shop [SHOPPERS] [SUFFIX]
// With SHOP_DATABASE_URL, a Postgres where it may create tables, the shop also keeps its orders there, and a metric reads them: Gatehouse connects
// to it by SHOP_READER_URL.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createConsoleClient, type Schema } from "@gatehouse/client";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import { openOrders } from "./shop-orders.ts";

const baseUrl = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const apiKey = process.env.GATEHOUSE_CONSOLE_KEY ?? "";
const api = createConsoleClient({ baseUrl, apiKey });
const [shoppers = "2000", run = Date.now().toString(36)] = process.argv.slice(2);
const count = Number(shoppers);

/** The share of shoppers who are regulars, how many of them and of the others buy, and how many times more do by the better button. */
const REGULARS = 0.3;
const REGULAR_RATE = 0.75;
const OTHER_RATE = 0.1;
const EFFECT = 1.3;
const AVERAGE = REGULARS * REGULAR_RATE + (1 - REGULARS) * OTHER_RATE;
const SHOPPERS_PER_FLUSH = 250;
/** How long no shopper may arrive before no more are expected, ms. */
const PATIENCE_MS = 20_000;

const percent = (share: number) => (100 * share).toFixed(1);
const say = (text: string) => process.stdout.write(`${text}\n`);
/** A number from 0 to 1 that is the same for the same text. */
const chance = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;

say("1. What is measured, and two experiments");
const { data: revenue } = await api.createMetric({
  body: { name: `Revenue ${run}`, type: "sum", directionality: "increase", metricEvents: [{ name: `purchase ${run}`, type: "value" }] },
});
const { data: buyers } = await api.createMetric({
  body: { name: `Buyers ${run}`, type: "event_user", directionality: "increase", metricEvents: [{ name: `purchase ${run}` }] },
});
const { SHOP_DATABASE_URL: databaseUrl, SHOP_READER_URL: readerUrl } = process.env;
const orders = databaseUrl && readerUrl ? await openOrders(api, run, databaseUrl, readerUrl) : undefined;
/** The change that the shop wants to find, in percent: results say when they can. */
const PLANNED_CHANGE = 10;
const metrics = [revenue, buyers, ...(orders ? [orders.metric] : [])].map(({ name, type }) => ({
  ...{ name, type, hypothesizedValue: PLANNED_CHANGE },
}));

async function start(name: string): Promise<string> {
  const groups = ["control", "test"].map((id) => ({ id, name: id, size: 50, parameterValues: { group: id } }));
  const body = {
    name: `${name} ${run}`,
    groups,
    controlGroupID: "control",
    allocation: 100,
    primaryMetrics: metrics,
    // The shop looks at once, so its verdicts must hold at every look.
    sequentialTesting: true,
    status: "active" as const,
  };
  return (await api.createExperiment({ body })).data.id;
}
const better = await start("Better button");
const same = await start("Same button twice");
const { data: key } = await api.createKey({ body: { type: "SERVER", description: `the shop ${run}` } });

const specsUrl = `${baseUrl}/v2/download_config_specs`;
await served([better, same]);

const sdk = new Statsig(key.key ?? "", {
  specsUrl,
  logEventUrl: `${baseUrl}/v1/log_event`,
});
await sdk.initialize();
const buildUser = (number: number) => new StatsigUser({ userID: `shopper ${run} ${number}` });

const pickRate = (number: number) => (chance(`${run} regular ${number}`) < REGULARS ? REGULAR_RATE : OTHER_RATE);

/** Each shopper has a purse: big spenders will spend much again. */
const pay = (number: number) => {
  const amount = Math.round(2_000 + 18_000 * chance(`${run} purse ${number}`) ** 3) / 100;
  sdk.logEvent(buildUser(number), `purchase ${run}`, amount, { currency: "EUR" });
  orders?.add(`shopper ${run} ${number}`, amount);
};

/** Lets each shopper visit, and sends their events in parts that the SDK can keep. */
async function visit(act: (number: number) => void): Promise<void> {
  for (let number = 1; number <= count; number++) {
    act(number);
    if (number % SHOPPERS_PER_FLUSH === 0) await sdk.flushEvents();
  }
  await sdk.flushEvents();
  await orders?.flush();
}

say(`2. ${count} shoppers, who buy as before, and then see a group of each experiment`);
await visit((number) => {
  if (chance(`${run} bought before ${number}`) < pickRate(number)) pay(number);
});
await visit((number) => {
  const group = sdk.getExperiment(buildUser(number), better).getValue("group", "none");
  sdk.getExperiment(buildUser(number), same).getValue("group", "none");
  if (chance(`${run} buys ${number}`) < pickRate(number) * (group === "test" ? EFFECT : 1)) pay(number);
});
await sdk.shutdown();
await api.deleteKey({ path: { id: key.id } });

say("3. What Gatehouse finds");
say(`   ${percent(AVERAGE)}% of the control buy, and ${percent(AVERAGE * EFFECT)}% of those who see the better button.`);
await show("Better button", better, 100 * (EFFECT - 1));
await show("Same button twice", same, 0);
await orders?.close();

/** Waits until the SDKs' downloads have the experiments, which is a moment after they are stored. */
async function served(ids: string[]): Promise<void> {
  for (;;) {
    const answer = await fetch(specsUrl, { headers: { "statsig-api-key": key.key ?? "" } });
    const ruleset = await answer.text();
    if (answer.ok && ids.every((id) => ruleset.includes(JSON.stringify(id)))) return;
    await sleep(50);
  }
}

async function show(title: string, id: string, trueLift: number): Promise<void> {
  await arrived(id);
  await load(id);
  const { data } = await api.getExperimentPulseResults({ path: { id }, query: { control: "control", test: "test" } });
  const { data: experiment } = await api.getExperiment({ path: { id } });
  say(`   ${title}: ${experiment.healthCheckStatus}`);
  for (const { description } of experiment.healthChecks.filter(({ type }) => type === "has_balanced_exposures")) say(`     ${description}`);
  for (const metric of data.primaryMetrics) {
    say(`     ${describe(metric, trueLift)}`);
    say(`       ${describeDetection(metric)}`);
  }
  const { recommendation = "none", reasons = [] } = data.scorecard ?? {};
  say(`     Scorecard: ${recommendation}`);
  for (const { message } of reasons) say(`       ${message.replaceAll(` ${run}`, "")}`);
}

/** Waits until every shopper is counted in a group, or until no more arrive: an SDK discards events that it cannot send. */
async function arrived(id: string): Promise<void> {
  let [most, since] = [0, Date.now()];
  while (Date.now() - since < PATIENCE_MS) {
    const { data } = await api.getExperimentCumulativeExposures({ path: { id } });
    const seen = data.reduce((sum, { results }) => sum + (results.at(-1)?.exposures ?? 0), 0);
    if (seen >= count) return;
    if (seen > most) [most, since] = [seen, Date.now()];
    await sleep(200);
  }
  say(`   Only ${most} of ${count} shoppers arrived.`);
}

async function load(id: string): Promise<void> {
  const { data: started } = await api.startExperimentPulseLoad({ path: { id }, body: {} });
  for (;;) {
    const { data } = await api.getExperimentPulseLoad({ path: { id, dagID: started.dagID } });
    if (data.finishedState === "success") return;
    const reasons = data.metrics.flatMap(({ metricID, reason }) => (reason === undefined ? [] : [` ${metricID}: ${reason}`]));
    if (data.finishedState) throw new Error(`The load of ${id} ended: ${data.finishedState}.${reasons.join("")}`);
    await sleep(200);
  }
}

function describe(metric: Schema<"PulseMetric">, trueLift: number): string {
  const {
    metricName,
    percentChange = Number.NaN,
    percentInterval,
    sequentialPercentInterval,
    verdict: tested,
    isSignificant,
    cuped,
  } = metric;
  // The bounds of the deciding test, which hold at every look.
  const [lower = Number.NaN, upper = Number.NaN] = sequentialPercentInterval ?? percentInterval ?? [];
  const pValue = tested?.pValue ?? Number.NaN;
  const verdict = isSignificant === undefined ? "not enough data" : isSignificant ? "significant" : "not significant";
  const reduced = cuped?.isUsed ? `, variance reduced by ${Math.round(100 * (cuped.varianceReduction ?? 0))}%` : "";
  const found = `${percentChange.toFixed(1)}% (${lower.toFixed(1)} to ${upper.toFixed(1)})`;
  return `${metricName.replace(` ${run}`, "")}: true lift ${trueLift.toFixed(1)}%, found ${found}, p = ${pValue.toPrecision(2)}, ${verdict}${reduced}`;
}

function describeDetection({ percentMinimumDetectableEffect: percent, detection }: Schema<"PulseMetric">): string {
  if (percent === undefined || !detection) return "no detectable effect yet";
  const { target } = detection;
  const planned = target?.isReached ? "reached" : target?.date ? `expected on ${target.date}` : (target?.reason ?? "not known");
  return `detects ${percent.toFixed(1)}% with ${100 * detection.power}% power; the planned ${target?.percent}%: ${planned}`;
}
