// What applications ask for, all of it with 1,000 gates and the server on one core. Runs before the comparison, which makes more gates.
import { EVENTS_A_BATCH, STORED } from "./gates.mjs";
import { load, median } from "./measure.mjs";

const ROUNDS = 3;
const SECONDS = 5;
/** The part of the highest rate at which latency is looked at. */
const BUSY = 0.8;

/** @param print tells a title, a value and its target */
export async function measureEvaluation(print) {
  const evaluate = await compare("evaluate");
  const unchanged = await compare("unchanged");
  print(`OFREP evaluation (${evaluate.rate.toFixed(0)}/s), of a bare endpoint's rate`, evaluate.ratio.toFixed(2), "≥ 0.60");
  print(`specs download, unchanged (${unchanged.rate.toFixed(0)}/s), of it`, unchanged.ratio.toFixed(2), "≥ 0.70");

  const busy = [];
  for (let round = 0; round < ROUNDS; round++) busy.push(await load("gatehouse", "evaluate", SECONDS, Math.round(evaluate.rate * BUSY)));
  const { p99 } = median(busy, "p99");
  print(`OFREP evaluation at ${BUSY * 100} % of its highest rate, p99`, `${p99} ms`, "< 10 ms");
  print(`initialize of ${STORED} gates`, `${(await rate("initialize")).toFixed(0)}/s`, "≥ 150/s");
  print(`events stored, in batches of ${EVENTS_A_BATCH}`, `${((await rate("logEvents")) * EVENTS_A_BATCH).toFixed(0)}/s`, "≥ 10000/s");
}

/** Both servers in turns, as in the comparison of the console API. */
async function compare(kind) {
  for (const name of ["bare", "gatehouse"]) await load(name, kind, 2);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await load("bare", kind, SECONDS);
    const gatehouse = await load("gatehouse", kind, SECONDS);
    rounds.push({ rate: gatehouse.rate, ratio: gatehouse.rate / bare.rate });
  }
  return { rate: median(rounds, "rate").rate, ratio: median(rounds, "ratio").ratio };
}

async function rate(kind) {
  await load("gatehouse", kind, 2);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push((await load("gatehouse", kind, SECONDS)).rate);
  return median(rounds);
}
