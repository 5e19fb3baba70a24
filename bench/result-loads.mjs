// Loads of an experiment's results through the API.
import { setTimeout as sleep } from "node:timers/promises";

import { EXPERIMENT, METRICS } from "./results-data.mjs";

const POLL_MS = 500;
const ZONES = ["UTC", "Europe/Zurich"];

/** Creates the experiment `bench_results` and its metrics. */
export async function createExperiment(call) {
  for (const metric of METRICS) await call("POST", "/metrics", metric);
  const primaryMetrics = METRICS.map(({ name, type }) => ({ name, type }));
  await call("POST", "/experiments", { ...EXPERIMENT, primaryMetrics });
}

/** Loads everything. @returns how long its statements took, ms @throws if it fails */
export async function runLoad(call, path) {
  const { data } = await beginLoad(call, path);
  for (;;) {
    await sleep(POLL_MS);
    const { data: found } = await call("GET", `${path}/pulse_load_history/${data.dagID}`);
    if (found.finishedState === undefined) continue;
    if (found.finishedState !== "success") throw new Error(`The load ended with ${JSON.stringify(found.metrics)}.`);
    return found.jobs.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0);
  }
}

/** Begins a load once the server's own load of the day is over. */
async function beginLoad(call, path) {
  for (;;) {
    try {
      return await call("POST", `${path}/load_pulse`, { refresh: "full" });
    } catch (error) {
      if (!error.message.includes("is loading already")) throw error;
      await sleep(POLL_MS);
    }
  }
}

/** Lets the next load read all events: it has days of another time zone. */
export async function requireFullLoad(call) {
  const { name, visibility, timeZone } = (await call("GET", "/settings/project")).data;
  const other = ZONES.find((zone) => zone !== timeZone);
  await call("POST", "/settings/project", { name, visibility, timeZone: other });
}
