// The cost of the write limit per write: how many gates a server creates with it, compared with one without it. Both are loaded at the same
// time and share a core, so that a slowdown of the machine meets both.
import { load, median, SECONDS } from "./measure.mjs";
import { startIdle } from "./servers.mjs";

const ROUNDS = 9;

const WARM_UP_ROUNDS = 2;

/** Starts both servers, so that they are equally warm: no Gatehouse may run. Leaves many gates behind. */
export async function measureWriteLimit(print) {
  const servers = [await startIdle("gatehouse"), await startIdle("limited")];
  const ratio = async () => {
    const [unlimited, limited] = await Promise.all(["gatehouse", "limited"].map((name) => load(name, "create", SECONDS)));
    return limited.rate / unlimited.rate;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await ratio();
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) ratios.push(await ratio());
  await Promise.all(servers.map((server) => server.stop()));
  print("gates created with the limit of writes, against those without", median(ratios).toFixed(2), "≥ 0.95");
}
