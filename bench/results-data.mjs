// An experiment with the exposures and events of a month, written into the database in the shape of its tables: logging them would take long.
import { openDatabase } from "@gatehouse/server/open-database";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Units enter on the first two days. Each has events from 7 days before its exposure to 21 days after it. */
const ENTRY_DAYS = 2;
const EARLIER_DAYS = 7;
const LATER_DAYS = 21;
const EVENTS_PER_UNIT = 10;

const buy = { name: "buy", type: "value" };
const view = { name: "view", type: "count" };
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
 * @returns { reference: ms }
 */
export async function fillResults(where, experimentID, events) {
  const database = await openDatabase({ ...where, databasePooler: "none" });
  try {
    return await database.withSession(async (session) => {
      await store(session, experimentID, events);
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

async function store({ query, script }, experimentID, events) {
  const today = Math.floor(Date.now() / DAY_MS);
  const start = (today - ENTRY_DAYS - LATER_DAYS) * DAY_MS;
  const units = events / EVENTS_PER_UNIT;
  for (let day = start / DAY_MS - EARLIER_DAYS; day < today; day++) {
    const name = `event_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "_")}`;
    await script(`create table if not exists "${name}" partition of event for values from (${day}) to (${day + 1})`);
  }
  // A unit enters at a time that follows from its number.
  const since = `${start} + unit * 7919::bigint % ${ENTRY_DAYS * DAY_MS}`;
  const value = "round(exp(2 + sqrt(-2 * ln(1 - b)) * cos(2 * pi() * c))::numeric, 2)::text";
  await script(`
    select setseed(0.5);
    insert into event ("projectID", "name", "time", "day", "source", "userID", "value", "environment", "metadata", "userFields")
    select 'default', name, time, time / ${DAY_MS}, 'sdk', 'user-' || unit, case when name = 'buy' then ${value} else '' end, 'production',
      '{"sku":"sku ' || unit % 100 || '"}', '{"country":"CH","custom":{"plan":"pro"}}'
    from (
      select unit, b, c, name, ${since} - ${EARLIER_DAYS * DAY_MS} + floor(a * ${(EARLIER_DAYS + LATER_DAYS) * DAY_MS})::bigint as time
      from (
        select floor(random() * ${units})::int as unit, random() as a, random() as b, random() as c,
          case when random() < 0.5 then 'buy' else 'view' end as name
        from generate_series(1, ${events})
      ) as drawn
    ) as event order by time;
    insert into experiment_exposure ("projectID", "experimentID", "groupID", "unitID", "firstTime", "environment", "userFields")
    select 'default', '${experimentID}', case when unit % 2 = 0 then 'control' else 'test' end, 'user-' || unit, ${since}, 'production',
      '{"country":"CH","custom":{"plan":"pro"}}' from generate_series(0, ${units - 1}) as unit;
    analyze event; analyze experiment_exposure`);
  await query(
    `update experiment set entity = replace(entity, '"startTime":' || (entity::json ->> 'startTime'), '"startTime":' || $2::text) where id = $1`,
    [experimentID, String(start)],
  );
}
