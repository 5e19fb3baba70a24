// Values that must not grow with the data, and the cost of guarantees. Runs after the comparison, on its server and database.
import { createGates } from "./data.mjs";
import { STORED } from "./gates.mjs";
import { load, median, medianTime, ROUNDS, SECONDS } from "./measure.mjs";
import { call } from "./servers.mjs";

/** So many gates there are afterwards. */
export const ENTITIES = 10_000;
const REFERRERS = 1_000;
const IDS_PER_CALL = 100_000;
const CALLS_PER_MILLION = 10;

/** @param print tells a title, a value and its target */
export async function measureScale(print) {
  print("update with an Idempotency-Key, of the rate without", (await keyedRatio()).toFixed(2), "≥ 0.70");

  const few = await timeList();
  await createGates(STORED, ENTITIES);
  const many = await timeList();
  print(`list 100 gates of ${STORED} by tag and id type`, `${few.toFixed(1)} ms`, "p50 ≤ 15 ms");
  print(`list 100 gates of ${ENTITIES} by tag and id type`, `${many.toFixed(1)} ms`, "p50 ≤ 15 ms");
  print(`list 100 of the ${REFERRERS} gates that name one, of ${ENTITIES}`, `${(await timeReferences()).toFixed(1)} ms`, "p50 ≤ 10 ms");
  print(`add ${IDS_PER_CALL} ids to an id list of a million`, `${((await timeIDs()) / 1000).toFixed(1)} s`, "≤ 3 s");
}

/** In turns, as in the comparison. */
async function keyedRatio() {
  await load("gatehouse", "updateWithKey", 2);
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const keyed = await load("gatehouse", "updateWithKey", SECONDS);
    const plain = await load("gatehouse", "update", SECONDS);
    ratios.push(keyed.rate / plain.rate);
  }
  return median(ratios);
}

function timeList() {
  return medianTime(200, (index) => call("GET", `/gates?tags=tenth%20${index % 10}&idType=userID&limit=100`));
}

async function timeReferences() {
  await call("POST", "/gates", { name: "named by many" });
  const conditions = [{ type: "passes_gate", targetValue: "named_by_many" }];
  for (let index = 0; index < REFERRERS; index++) {
    await call("PATCH", `/gates/gate_${index}`, { rules: [{ name: "named", passPercentage: 100, conditions }] });
  }
  return medianTime(200, () => call("GET", "/gates/named_by_many/gate_references?limit=100"));
}

async function timeIDs() {
  await call("POST", "/segments", { name: "a million", id: "a_million", type: "id_list" });
  const add = (index) => call("PATCH", "/segments/a_million/id_list", { ids: createIDs(index) });
  for (let index = 0; index < CALLS_PER_MILLION; index++) await add(index);
  return medianTime(3, (index) => add(CALLS_PER_MILLION + index));
}

function createIDs(index) {
  return Array.from({ length: IDS_PER_CALL }, (_, position) => `user-${index}-${position}`);
}
