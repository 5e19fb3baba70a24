import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { KEY, pinned, urls } from "./servers.mjs";

/** The load of one kind on one server, from a process of its own: as much as it takes, or `rate` a second. @returns { rate: requests a second, p50, p99: ms } */
export async function load(name, kind, seconds, rate) {
  const run = `${name}-${kind}-${Date.now()}`;
  const options = JSON.stringify({ url: urls[name], seconds, kind, key: KEY, run, rate });
  const [command, args] = pinned(1, process.execPath, [fileURLToPath(new URL("load.mjs", import.meta.url)), options]);
  const { stdout } = await promisify(execFile)(command, args);
  const result = JSON.parse(stdout);
  if (result.failed > 0) throw new Error(`${name} failed ${result.failed} requests of ${kind}`);
  return result;
}

export function median(values, by) {
  const sorted = values.toSorted((a, b) => (by ? a[by] - b[by] : a - b));
  return sorted[Math.floor(sorted.length / 2)];
}

/** The median time of an action that is done again and again, one at a time, ms. */
export async function medianTime(count, action) {
  const times = [];
  for (let index = 0; index < count; index++) {
    const begin = performance.now();
    await action(index);
    times.push(performance.now() - begin);
  }
  return median(times);
}
