import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { KEY, urls } from "./servers.mjs";
import { pinned, residentMemory } from "./system.mjs";

export const ROUNDS = 3;
export const SECONDS = 3;
const WARM_UP_SECONDS = 2;
const MEMORY_INTERVAL_MS = 100;
/** The largest share of time that the load generator may be busy. Beyond it, latencies would be its own. */
const MAX_SENDER_BUSY = 0.9;

/**
 * The load of one kind on one server, from a separate process, by callers that take the encoding. The rate is the highest possible,
 * or `rate` a second, whether or not earlier requests are answered.
 * @returns { rate: requests a second, count: requests, p50, p99: ms }
 * @throws if a request fails, or the sender itself could not keep up with the rate
 */
export async function load(name, kind, seconds, rate, encoding) {
  const run = `${name}-${kind}-${Date.now()}`;
  const options = JSON.stringify({ url: urls[name], seconds, kind, key: KEY, run, rate, encoding });
  const [command, args] = pinned(1, process.execPath, [fileURLToPath(new URL("load.mjs", import.meta.url)), options]);
  const { stdout } = await promisify(execFile)(command, args);
  const result = JSON.parse(stdout);
  if (result.failed > 0) throw new Error(`${name} failed ${result.failed} requests of ${kind}`);
  if (result.busy > MAX_SENDER_BUSY) throw new Error(`The sender of ${kind} was too busy to measure the latency of ${name}.`);
  return result;
}

/**
 * One row of the table: Gatehouse's highest rate, its latency at half of that rate, and its memory during and after the load. Rounds
 * take turns with the reference, if any, so that a change of the machine's speed meets both. The median round counts.
 * @param pid Gatehouse's
 */
export async function measureKind(kind, { title, target, hasReference = true }, pid) {
  const names = hasReference ? ["bare", "gatehouse"] : ["gatehouse"];
  const peak = watchMemory(pid);
  const results = { bare: [], gatehouse: [] };
  for (const name of names) await load(name, kind, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) results[name].push(await load(name, kind, SECONDS));
  }
  const ours = median(results.gatehouse, "rate");
  const memory = { peak: peak.stop(), after: residentMemory(pid) };
  const half = await load("gatehouse", kind, SECONDS, Math.max(1, Math.round(ours.rate / 2)));
  const ratios = hasReference ? results.gatehouse.map(({ rate }, round) => rate / results.bare[round].rate) : [];
  return { kind, title, target, bare: hasReference && median(results.bare, "rate"), ours, half, memory, ratio: median(ratios) };
}

/** Watches the largest resident set of a process, MB. */
function watchMemory(pid) {
  let largest = residentMemory(pid);
  const timer = setInterval(() => {
    largest = Math.max(largest, residentMemory(pid));
  }, MEMORY_INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      return largest;
    },
  };
}

export function median(values, by) {
  const sorted = values.toSorted((a, b) => (by ? a[by] - b[by] : a - b));
  return sorted[Math.floor(sorted.length / 2)];
}

/** The median time of a repeated action, one at a time, ms. */
export async function medianTime(count, action) {
  const times = [];
  for (let index = 0; index < count; index++) {
    const begin = performance.now();
    await action(index);
    times.push(performance.now() - begin);
  }
  return median(times);
}
