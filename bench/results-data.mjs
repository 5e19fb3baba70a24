// An experiment with the exposures and events of a month, written into the database in the shape of its tables: logging them would take long.
import { openDatabase } from "@gatehouse/server/open-database";
import { KEY } from "./servers.mjs";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Units enter on the first two days. Each has events from 7 days before its exposure to 21 days after it. */
export const BRIEF = { entryDays: 2, laterDays: 21 };
/** Units enter on each of 31 days, of which today is the last. The events of each day are those of any units. */
export const MONTH = { entryDays: 31, laterDays: 0 };
const EARLIER_DAYS = 7;
const EVENTS_PER_UNIT = 10;
const EVENTS_PER_BATCH = 1_000;
/** From the entry of a unit to that of the next one, which is on the first day again after the last one. */
const ENTRY_STEP_MS = 1_000_003;

const buy = { name: "buy", type: "value" };
const view = { name: "view", type: "count" };
/** The experiment of the metrics. */
export const EXPERIMENT = {
  name: "bench results",
  groups: ["control", "test"].map((id) => ({ id, name: id, size: 50 })),
  ...{ controlGroupID: "control", allocation: 100, status: "active" },
};
/** One of each kind. Half of the events are purchases, with a lognormal value as a text. */
export const METRICS = [
  { name: "revenue", type: "sum", metricEvents: [buy] },
  { name: "views", type: "event_count_custom", metricEvents: [view] },
  { name: "buyers", type: "event_user", metricEvents: [{ name: "buy", type: "count" }] },
  { name: "revenue per view", type: "ratio", metricEvents: [buy, view] },
  { name: "order", type: "user_warehouse", metricEvents: [buy], warehouseNative: { aggregation: "mean", winsorizationHigh: 0.999 } },
];

/** The minimum that a result needs: the sum of each unit. */
const SUM_OF_UNITS = `select "userID", sum("value"::double precision) as sum from event
  where "projectID" = 'default' and "name" = 'buy' group by "userID"`;

/**
 * Stores the events, whose experiment exists, and times the sums of all units. No server may run on an embedded database.
 * @param where `databaseUrl`, or `dataDir` of an embedded database
 * @param shape `BRIEF` or `MONTH`
 * @returns { reference: ms }
 */
export async function fillResults(where, experimentID, events, shape = BRIEF) {
  const database = await openDatabase({ ...where, databasePooler: "none" });
  try {
    return await database.withSession(async (session) => {
      await store(session, experimentID, events, shape);
      const times = [];
      for (let round = 0; round < 5; round++) {
        const begin = performance.now();
        await session.query(`select count(*), sum(sum) from (${SUM_OF_UNITS}) as unit`);
        times.push(performance.now() - begin);
      }
      return { reference: Math.min(...times) };
    });
  } finally {
    await database.close();
  }
}

async function store({ query, script }, experimentID, events, { entryDays, laterDays }) {
  const today = Math.floor(Date.now() / DAY_MS);
  const isUntilToday = laterDays === 0;
  const lastDays = isUntilToday ? entryDays - 1 : entryDays + laterDays;
  const start = (today - lastDays) * DAY_MS;
  const units = events / EVENTS_PER_UNIT;
  for (let day = start / DAY_MS - EARLIER_DAYS; day < today; day++) {
    const name = `event_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "_")}`;
    await script(`create table if not exists "${name}" partition of event for values from (${day}) to (${day + 1})`);
  }
  // A unit enters at a time that follows from its number.
  const since = `${start} + unit * ${ENTRY_STEP_MS}::bigint % ${entryDays * DAY_MS}`;
  const days = EARLIER_DAYS + (isUntilToday ? lastDays : laterDays);
  const earliest = `${isUntilToday ? start : since} - ${EARLIER_DAYS * DAY_MS}`;
  const value = "round(exp(2 + sqrt(-2 * ln(1 - b)) * cos(2 * pi() * c))::numeric, 2)::text";
  await script(`
    select setseed(0.5);
    insert into event ("projectID", "name", "time", "day", "source", "userID", "value", "environment", "metadata", "userFields")
    select 'default', name, time, time / ${DAY_MS}, 'sdk', 'user-' || unit, case when name = 'buy' then ${value} else '' end, 'production',
      '{"sku":"sku ' || unit % 100 || '"}', '{"country":"CH","custom":{"plan":"pro"}}'
    from (
      select unit, b, c, name, ${earliest} + floor(a * ${days * DAY_MS})::bigint as time
      from (
        select floor(random() * ${units})::int as unit, random() as a, random() as b, random() as c,
          case when random() < 0.5 then 'buy' else 'view' end as name
        from generate_series(1, ${events})
      ) as drawn
    ) as event order by time;
    insert into experiment_exposure ("projectID", "experimentID", "groupID", "unitID", "firstTime", "environment", "userFields")
    select 'default', '${experimentID}', case when unit % 2 = 0 then 'control' else 'test' end, 'user-' || unit, ${since}, 'production',
      '{"country":"CH","custom":{"plan":"pro"}}' from generate_series(0, ${units - 1}) as unit
      where ${since} < ${today * DAY_MS};
    insert into event_count ("projectID", "name", "day", "count", "firstTime", "lastTime")
    select "projectID", "name", "day", count(*), min("time"), max("time") from event group by "projectID", "name", "day";
    analyze event; analyze experiment_exposure; analyze event_count`);
  // Otherwise the first load would write what a vacuum writes.
  await query("vacuum");
  await query(
    `update experiment set entity = replace(entity, '"startTime":' || (entity::json ->> 'startTime'), '"startTime":' || $2::text) where id = $1`,
    [experimentID, String(start)],
  );
}

/**
 * Logs what happens on the day after those of a month of events: the exposures of units that enter, and events of any units.
 * @param url of the server
 * @returns how many events and exposures there are
 */
export async function logNextDay(url, experimentID, events) {
  const { entryDays } = MONTH;
  const units = events / EVENTS_PER_UNIT;
  const ofDay = Math.round(events / (entryDays - 1 + EARLIER_DAYS));
  const now = Date.now();
  const time = (index) => now - Math.floor(((now % DAY_MS) * index) / ofDay);
  const entering = Array.from({ length: units }, (_, unit) => unit).filter(
    (unit) => (unit * ENTRY_STEP_MS) % (entryDays * DAY_MS) >= (entryDays - 1) * DAY_MS,
  );
  const user = (unit) => ({ userID: `user-${unit}`, statsigEnvironment: { tier: "production" }, custom: { plan: "pro" } });
  const exposures = entering.map((unit, index) => {
    const group = unit % 2 === 0 ? "control" : "test";
    const metadata = { config: experimentID, ruleID: group };
    return { eventName: "statsig::config_exposure", user: user(unit), value: group, metadata, time: time(index) };
  });
  const others = Array.from({ length: ofDay }, (_, index) => {
    const unit = (index * 7_919) % units;
    const metadata = { sku: `sku ${unit % 100}` };
    const what = index % 2 === 0 ? { eventName: "buy", value: (index % 5_000) / 100 } : { eventName: "view" };
    return { ...what, user: user(unit), metadata, time: time(index) };
  });
  const all = [...exposures, ...others];
  for (let at = 0; at < all.length; at += EVENTS_PER_BATCH) {
    const response = await fetch(new URL("/v1/log_event", url), {
      method: "POST",
      headers: { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" },
      body: JSON.stringify({ events: all.slice(at, at + EVENTS_PER_BATCH) }),
    });
    if (!response.ok) throw new Error(`log_event: ${response.status} ${await response.text()}`);
  }
  return { events: ofDay, exposures: exposures.length };
}
