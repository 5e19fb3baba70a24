// What the limit of writes costs a write: the rate of full updates with it beside that without it, on the same core, in turns.
import { load, median, ROUNDS, SECONDS } from "./measure.mjs";
import { startIdle } from "./servers.mjs";

/** Needs a running Gatehouse without a limit. */
export async function measureWriteLimit(print) {
  const limited = await startIdle("limited");
  const names = ["gatehouse", "limited"];
  for (const name of names) await load(name, "update", 1);
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rates = {};
    // Who goes first alternates, so that neither always follows the other's work.
    for (const name of round % 2 === 0 ? names : names.toReversed()) rates[name] = (await load(name, "update", SECONDS)).rate;
    ratios.push(rates.limited / rates.gatehouse);
  }
  await limited.stop();
  print("full updates with the limit of writes, against those without", median(ratios).toFixed(2), "≥ 0.95");
}
