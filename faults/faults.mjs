// Three replicas over one Postgres under load, while processes are killed, stopped and paused, connections refused and cut, and the disk
// filled: `pnpm faults [--seconds N] [--seed N] [--clickhouse | --embedded]`. With `--clickhouse`, events are there, and it is killed and paused,
// too. With `--embedded`, one server runs over the embedded database. Every fault happens at least once. Afterwards, each
// replica is restarted in turn behind a balancer. Exits with 1 if something acknowledged is lost or doubled, if a flag could not be read, if the
// replicas disagree, or if a restart cost a request.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isEngineInstalled } from "../engines/clickhouse/start.mjs";
import { startCluster } from "./cluster.mjs";
import { startEmbedded } from "./embedded.mjs";
import { startLoad } from "./load.mjs";
import { report } from "./report.mjs";
import { restartInTurn } from "./rolling.mjs";
import { verify } from "./verify.mjs";

const REPLICAS = 3;
/** The cluster must recover from a fault within this time, ms. */
const RECOVERY_TIMEOUT_MS = 60_000;
/** Undisturbed load before each fault, ms. */
const SETTLE_MS = 500;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    clickhouse: { type: "boolean", default: false },
    embedded: { type: "boolean", default: false },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (!(seconds > 0) || !Number.isInteger(seed)) {
  process.stderr.write("--seconds must be a positive number, and --seed a whole number.\n");
  process.exit(1);
}

const random = randomFrom(seed);
if (values.clickhouse && !isEngineInstalled) {
  process.stderr.write("ClickHouse's engine is not installed. Run pnpm clickhouse.\n");
  process.exit(1);
}
const subject = values.embedded
  ? "One server over the embedded database"
  : `Three replicas over ${values.clickhouse ? "one Postgres and one ClickHouse" : "one Postgres"}`;
process.stdout.write(`${subject}, for ${seconds} s and at least once through every fault, seed ${seed}.\n`);
const cluster = values.embedded ? await startEmbedded() : await startCluster(REPLICAS, { hasClickHouse: values.clickhouse });
let isSound = false;
try {
  const load = await startLoad(cluster);
  const faults = await runFaults(load.account);
  await load.finish();
  const verified = await verify(cluster, load.account);
  const restarts = values.embedded ? undefined : await restartInTurn(cluster);
  isSound = report({ faults, account: load.account, hasVolume: cluster.volume !== undefined, ...verified, restarts });
} finally {
  await cluster.close();
}
process.exitCode = isSound ? 0 : 1;

/** @returns the number of times that each fault happened, and the longest recovery (writes succeed, replicas are ready), ms */
async function runFaults(account) {
  const actions = Object.entries(cluster.actions);
  const faults = Object.fromEntries(actions.map(([title]) => [title, { count: 0, recovery: 0 }]));
  const end = Date.now() + seconds * 1_000;
  for (let round = 0; round === 0 || Date.now() < end; round++) {
    for (const [title, act] of shuffled(actions)) {
      if (round > 0 && Date.now() >= end) break;
      await pause(SETTLE_MS);
      await act(cluster, cluster.replicas[Math.floor(random() * cluster.replicas.length)], account);
      const recovery = await recover(account, title);
      faults[title].count += 1;
      faults[title].recovery = Math.max(faults[title].recovery, recovery);
    }
  }
  return faults;
}

async function recover(account, title) {
  const begin = performance.now();
  while (!(await cluster.isRecovered()) || account.lastWrite < begin) {
    const spent = performance.now() - begin;
    if (spent > RECOVERY_TIMEOUT_MS) {
      account.failures.push(`After "${title}", the cluster did not work again within ${RECOVERY_TIMEOUT_MS} ms`);
      return spent;
    }
    await pause(20);
  }
  return performance.now() - begin;
}

function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
}

/** A seeded random number generator, 0 to 1 (mulberry32). */
function randomFrom(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
