// The requests of applications, with 1,000 gates and the server on one core. Runs before the comparison, which creates more gates.
import { EVENTS_PER_BATCH, STORED } from "./gates.mjs";
import { load, measureKind, median, ROUNDS, SECONDS } from "./measure.mjs";

/** The fraction of the highest rate at which latency is measured. */
const LOAD_FACTOR = 0.8;
const KINDS = {
  evaluate: { title: "OFREP evaluation", target: "≥ 0.60" },
  unchanged: { title: "specs download, unchanged", target: "≥ 0.70" },
  initialize: { title: `initialize, ${STORED} gates`, target: "≥ 150/s", hasReference: false },
  logEvents: { title: `batches of ${EVENTS_PER_BATCH} events`, target: "≥ 100/s", hasReference: false },
};

/**
 * @param print tells a title, a value and its target
 * @param pid Gatehouse's
 * @returns rows of the table
 */
export async function measureEvaluation(print, pid) {
  const rows = [];
  for (const [kind, options] of Object.entries(KINDS)) rows.push(await measureKind(kind, options, pid));

  const highest = rows.find(({ kind }) => kind === "evaluate").ours.rate;
  const rate = Math.round(highest * LOAD_FACTOR);
  const [ours, bare] = [[], []];
  // In turns, so that other load on the machine affects both.
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await load("bare", "evaluate", SECONDS, rate));
    ours.push(await load("gatehouse", "evaluate", SECONDS, rate));
  }
  const of = (loads) => median(loads, "p99").p99;
  print(`OFREP evaluation at ${rate}/s, ${LOAD_FACTOR * 100}% of its highest rate, p99`, `${of(ours)} ms`, `< 10 ms; bare ${of(bare)} ms`);
  return rows;
}
