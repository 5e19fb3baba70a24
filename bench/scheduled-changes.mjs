// How long the server takes for 1,000 scheduled changes that are due at once.
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./servers.mjs";

const CHANGES = 1_000;
const BATCH = 500;
const HOUR_MS = 3_600_000;
/** Until the changes are due, once all of them have the same time. */
const SOON_MS = 3_000;

/** Changes the first gates, which must exist. */
export async function measureScheduledChanges(print) {
  const later = Date.now() + HOUR_MS;
  const ids = [];
  for (let index = 0; index < CHANGES; index++) {
    const { data } = await call("PATCH", `/gates/gate_${index}?applyAt=${later}`, { description: "Scheduled." });
    ids.push(data.id);
  }
  const applyAt = Date.now() + SOON_MS;
  for (let index = 0; index < CHANGES; index += BATCH) {
    const requests = ids.slice(index, index + BATCH).map((id) => ({ operationId: "rescheduleChange", path: { id }, body: { applyAt } }));
    await call("POST", "/batch", { requests });
  }
  while ((await call("GET", "/scheduled_changes?status=SCHEDULED&limit=1")).data.length > 0) await sleep(100);
  const { data } = await call("GET", `/scheduled_changes?status=APPLIED&limit=${CHANGES}`);
  if (data.length < CHANGES) throw new Error(`Only ${data.length} changes were made.`);
  const seconds = (Math.max(...data.map(({ endedTime }) => endedTime)) - applyAt) / 1_000;
  print(
    `${CHANGES.toLocaleString("en")} scheduled changes due in one second, until the last is made`,
    `${seconds.toFixed(1)} s`,
    "≤ 10.0 s",
  );
}
