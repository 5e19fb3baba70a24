// Compares acknowledged writes with stored ones, and the replicas with each other.
import { setTimeout as pause } from "node:timers/promises";
import { ask, KEY } from "./cluster.mjs";
import { countEvaluatedRows, untilEvaluated } from "./evaluations.mjs";
import { counters, PHASES } from "./load.mjs";

/** Replicas must agree within this time. A change usually reaches every replica within a second. */
const AGREEMENT_TIMEOUT_MS = 10_000;
const DELIVERY_TIMEOUT_MS = 180_000;
const COUNTS = `select "value", count(*) as "count" from event where "name" = 'fault_run' group by "value"`;

/** @returns rows of { what, acknowledged, found, lost, doubled }, and whether the replicas agree */
export async function verify({ withQueries, clickhouse, replicas }, account) {
  await untilNoChangeWaits(replicas[0]);
  await untilEvaluated((...request) => read(replicas[0], ...request));
  const rows = await withQueries((query) => compare(query, clickhouse, account));
  return { rows, disagreement: await findDisagreement(replicas, account.updates) };
}

async function compare(query, clickhouse, { gates, scheduled, committed, updates, events, evaluations }) {
  const [created, changed, enabled, advanced] = [
    await countChanges(query, "createGate"),
    await countChanges(query, "patchGate"),
    await countChanges(query, "enableGate"),
    await countChanges(query, "advanceRelease"),
  ];
  const stored = new Set((await query("select id from gate")).map(({ id }) => id));
  const versions = new Map((await query("select id, version from gate")).map(({ id, version }) => [id, version]));
  const counted = clickhouse ? await deliveredEvents(query, clickhouse) : await query(COUNTS);
  const kept = new Map(counted.map(({ value, count }) => [value, Number(count)]));
  const acknowledgedUpdates = sum(Object.values(updates));
  // Version 1 is the creation of the counter.
  const foundUpdates = counters.map((counter) => versions.get(counter) - 1);
  const expectedUpdates = counters.map((counter) => updates[counter]);
  return [
    {
      what: "gates created",
      acknowledged: gates.length,
      found: [...stored].filter((id) => id.startsWith("gate_")).length,
      lost: gates.filter((name) => !stored.has(name)).length,
      doubled: gates.filter((name) => (created.get(name) ?? 0) > 1).length,
    },
    {
      what: "gates updated",
      acknowledged: acknowledgedUpdates,
      found: sum(foundUpdates),
      lost: sum(expectedUpdates.map((expected, index) => Math.max(0, expected - foundUpdates[index]))),
      doubled: sum(expectedUpdates.map((expected, index) => Math.max(0, foundUpdates[index] - expected))),
    },
    {
      what: "scheduled changes made",
      acknowledged: scheduled.length,
      found: gates.filter((name) => changed.has(name)).length,
      lost: scheduled.filter((name) => !changed.has(name)).length,
      doubled: gates.filter((name) => (changed.get(name) ?? 0) > 1).length,
    },
    {
      what: "phases of releases begun or ended",
      acknowledged: gates.length * PHASES.length,
      found: sum(gates.map((name) => advanced.get(name) ?? 0)),
      lost: sum(gates.map((name) => Math.max(0, PHASES.length - (advanced.get(name) ?? 0)))),
      doubled: sum(gates.map((name) => Math.max(0, (advanced.get(name) ?? 0) - PHASES.length))),
    },
    {
      what: "reviews committed",
      acknowledged: committed.length,
      found: committed.filter((name) => enabled.has(name)).length,
      lost: committed.filter((name) => !enabled.has(name)).length,
      doubled: committed.filter((name) => (enabled.get(name) ?? 0) > 1).length,
    },
    compareMarks(await listMarks(query), {
      enableGate: [...enabled.keys()],
      // Other gates are changed at once.
      patchGate: [...changed.keys()].filter((name) => name.startsWith("gate_")),
    }),
    {
      what: "events logged",
      acknowledged: events.length,
      found: kept.size,
      lost: events.filter((value) => !kept.has(value)).length,
      doubled: sum([...kept.values()].map((count) => count - 1)),
    },
    await countEvaluatedRows(query, evaluations),
  ];
}

/** The gates of committed reviews and applied scheduled changes, with the operation that changed them. */
function listMarks(query) {
  return query(`
    select substr(key, 6) as gate, 'enableGate' as operation from review, unnest("entityKeys") as key where status = 'COMMITTED'
    union all select substr(key, 6), 'patchGate' from scheduled_change, unnest("entityKeys") as key where status = 'APPLIED'`);
}

/** Whether each mark has its effect, and each effect its mark. @param changed the gates that each operation changed */
function compareMarks(marks, changed) {
  const made = Object.entries(changed).flatMap(([operation, gates]) => gates.map((gate) => `${operation} ${gate}`));
  const marked = marks.map(({ gate, operation }) => `${operation} ${gate}`);
  const [withEffect, withMark] = [new Set(made), new Set(marked)];
  return {
    what: "reviewed and scheduled changes marked as made",
    acknowledged: marked.length,
    found: made.length,
    lost: marked.filter((one) => !withEffect.has(one)).length,
    doubled: made.filter((one) => !withMark.has(one)).length,
  };
}

/** How often an operation changed each gate. */
async function countChanges(query, operationID) {
  const rows = await query(
    `select "entityID" as id, count(*)::int as count from change where "entityType" = 'gate' and "operationID" = '${operationID}' group by 1`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Waits until no scheduled change waits for its time, and no release for its next phase. */
async function untilNoChangeWaits(replica) {
  const end = Date.now() + DELIVERY_TIMEOUT_MS;
  for (const list of ["scheduled_changes?status=SCHEDULED", "release_pipeline_triggers?status=IN_PROGRESS"]) {
    for (;;) {
      const { pagination } = await read(replica, "GET", `/console/v1/${list}&limit=1`);
      if (pagination.totalItems === 0) break;
      if (Date.now() > end)
        throw new Error(`${pagination.totalItems} changes still wait after ${DELIVERY_TIMEOUT_MS} ms: GET /console/v1/${list}`);
      await pause(100);
    }
  }
}

/** Waits until all events that the database holds for ClickHouse are sent: a killed replica's batch is sent again after a minute. */
async function deliveredEvents(query, clickhouse) {
  const end = Date.now() + DELIVERY_TIMEOUT_MS;
  for (;;) {
    const [{ count }] = await query("select count(*)::int as count from event_outbox");
    if (count === 0) return ask(clickhouse, COUNTS);
    if (Date.now() > end) throw new Error(`${count} groups of events were not sent to ClickHouse within ${DELIVERY_TIMEOUT_MS} ms.`);
    await pause(100);
  }
}

/** The differences between the replicas, or from the last acknowledged writes. Undefined without any. */
async function findDisagreement(replicas, updates) {
  const end = Date.now() + AGREEMENT_TIMEOUT_MS;
  for (;;) {
    const rulesets = await Promise.all(replicas.map((replica) => read(replica, "GET", "/v2/download_config_specs")));
    const shown = await Promise.all(
      replicas.flatMap((replica) =>
        counters.map(async (counter) => {
          const { variant } = await read(replica, "POST", `/ofrep/v1/evaluate/flags/${counter}`, { context: { targetingKey: "alice" } });
          return Number(variant) === updates[counter]
            ? []
            : [`replica ${replica.number} shows ${counter} ${variant}, not ${updates[counter]}`];
        }),
      ),
    );
    const wrong = shown.flat();
    const checksums = new Set(rulesets.map(({ checksum }) => checksum));
    if (checksums.size > 1) wrong.push(`the replicas have ${checksums.size} different rulesets`);
    if (wrong.length === 0) return undefined;
    if (Date.now() > end) return wrong.join("; ");
    await pause(100);
  }
}

async function read(replica, method, path, body) {
  const response = await fetch(`${replica.url}${path}`, {
    method,
    headers: { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
