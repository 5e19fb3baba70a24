import { DAY_MS, HOUR_MS, QUARTER_MS, utcDay } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { WaitingBatch } from "./event-batch.ts";

/** A repeated batch or event is recognized for this long. */
const DEDUPLICATION_WINDOW_MS = 10 * 60 * 1000;
/** The longest unit ID that is counted, in bytes. It is part of a primary key. */
const MAX_UNIT_ID_BYTES = 1024;
/** An exposure of a client that is older at its arrival has a wrong clock, and counts as one of its arrival. */
const MAX_AGE_MS = 30 * DAY_MS;
/** The same for one that is so far ahead. */
const MAX_AHEAD_MS = HOUR_MS;
/** The source of events that are copied from a warehouse. No device tells their times. */
const COPIED = "ingestion";

const isTooOld = (now: number) => Prisma.sql`("source" <> ${COPIED} and "time" < ${now - MAX_AGE_MS}::bigint)`;

/** When an experiment takes no more units; null while that is open. */
const closingTime = Prisma.sql`least(
          ("json" ->> 'assignmentStopTime')::bigint, ("json" ->> 'endTime')::bigint,
          ("json" ->> 'startTime')::bigint + ("json" ->> 'allocationDuration')::bigint * ${DAY_MS}::bigint)`;

/**
 * Stores batches with their counts, exposures and receipts in one statement; rows for ClickHouse, in the outbox. It is idempotent: it skips
 * stored batches and events, even of another replica. Rows are written in the order of their keys, so that replicas do not deadlock.
 */
export async function storeBatches(db: Db, batches: WaitingBatch[], now: number): Promise<void> {
  const heads = JSON.stringify(
    batches.map(({ number, projectID, source, key, keptForMs = 0 }) => ({ b: number, p: projectID, s: source, k: key, w: keptForMs })),
  );
  const rows = `[${batches.map((batch) => batch.rows).join(",")}]`;
  await db.$executeRaw`
    with batch as materialized (
      select b, p as "projectID", s as "source", k as "key", w as "keptFor"
      from json_to_recordset(${heads}::json) as head (b int, p text, s text, k text, w bigint)
    ), logged as materialized (
      select event.*, batch."projectID", batch."source", batch."key" from rows from (
        json_to_recordset(${rows}::json) as (
          b int, k text, n text, t bigint, u text, v text, e text, x text, r text, g text, c json, m json, f json, y json, h json)
      ) with ordinality as event (
        b, "eventKey", "name", "time", "userID", "value", "environment", "exposed", "ruleID", "gateValue", "customIDs", "metadata",
        "userFields", "secondaryExposures", "checks", "place")
      join batch using (b)
    ), receipt as (
      insert into event_receipt as kept ("projectID", "key", "time")
      select "projectID", "key", ${now}::bigint + "keptFor" from (
        select "projectID", "key", "keptFor" from batch
        union select "projectID", "eventKey", 0 from logged where "eventKey" is not null
      ) as known order by 1, 2
      on conflict ("projectID", "key") do update set "time" = excluded."time" where kept."time" <= ${now - DEDUPLICATION_WINDOW_MS}::bigint
      returning "projectID", "key"
    ), fresh as materialized (
      select * from logged
      where exists (select from receipt where receipt."projectID" = logged."projectID" and receipt."key" = logged."key")
      and ("eventKey" is null
        or exists (select from receipt where receipt."projectID" = logged."projectID" and receipt."key" = logged."eventKey"))
    ), counted as (
      insert into event_count as kept ("projectID", "name", "day", "count", "firstTime", "lastTime")
      select "projectID", "name", ${utcDay(now)}::int, count(*), min("time"), max("time") from fresh group by 1, 2 order by 1, 2
      on conflict ("projectID", "name", "day") do update set
        "count" = kept."count" + excluded."count",
        "firstTime" = least(kept."firstTime", excluded."firstTime"),
        "lastTime" = greatest(kept."lastTime", excluded."lastTime")
    ), checks as materialized (
      select fresh."projectID", case when ${isTooOld(now)} then ${now}::bigint else least("time", ${now}::bigint) end as "time", "environment",
        "userFields", "type", one."id", "rule", "passed", "unit"
      from fresh cross join lateral json_to_recordset("checks") as one ("type" text, "id" text, "rule" text, "passed" boolean, "unit" text)
      where "checks" is not null
    ), checked as (
      insert into gate_checks as kept ("projectID", "gateID", "hour", "environment", "passes", "fails", "empties")
      select checks."projectID", checks."id", "time" / ${HOUR_MS}::bigint * ${HOUR_MS}::bigint, "environment",
        count(*) filter (where "passed"), count(*) filter (where not "passed"), count(*) filter (where "passed" is null)
      from checks join gate on gate."projectID" = checks."projectID" and gate."id" = checks."id"
      where checks."type" = 'gate' group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict ("projectID", "gateID", "hour", "environment") do update set
        "passes" = kept."passes" + excluded."passes",
        "fails" = kept."fails" + excluded."fails",
        "empties" = kept."empties" + excluded."empties"
    ), checked_by_rule as (
      insert into gate_rule_checks as kept ("projectID", "gateID", "hour", "environment", "ruleID", "passes", "fails")
      select checks."projectID", checks."id", "time" / ${HOUR_MS}::bigint * ${HOUR_MS}::bigint, "environment", "rule",
        count(*) filter (where "passed"), count(*) filter (where not "passed")
      from checks join gate on gate."projectID" = checks."projectID" and gate."id" = checks."id"
      where checks."type" = 'gate' and "rule" is not null and "passed" is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict ("projectID", "gateID", "hour", "environment", "ruleID") do update set
        "passes" = kept."passes" + excluded."passes",
        "fails" = kept."fails" + excluded."fails"
    ), unit_checks as (
      select distinct on (1, 2, 3, 4, 5, 6, 7) "projectID", "type", "id", "rule", "passed", "unit", "environment", "time", "userFields"
      from checks where "unit" is not null order by 1, 2, 3, 4, 5, 6, 7, "time"
    ), shown as materialized (
      select "projectID", "source", "name", "exposed", "ruleID", "userID", "customIDs", "time" as "statedTime", least("time", ${now}::bigint) as "time",
        "environment", "userFields", ${isTooOld(now)} as "isTooOld"
      from fresh
      where "exposed" is not null and "name" in ('statsig::config_exposure', 'statsig::layer_exposure')
    ), config_checked as (
      insert into dynamic_config_checks as kept ("projectID", "configID", "hour", "checks")
      select shown."projectID", "exposed", shown."time" / ${HOUR_MS}::bigint * ${HOUR_MS}::bigint, count(*)
      from shown join dynamic_config as config on config."projectID" = shown."projectID" and config."id" = "exposed"
      where shown."name" = 'statsig::config_exposure' group by 1, 2, 3 order by 1, 2, 3
      on conflict ("projectID", "configID", "hour") do update set "checks" = kept."checks" + excluded."checks"
    ), experiments as materialized (
      select known."projectID", "id", "idType", "createdTime", "groups", "trials", ("json" ->> 'startTime')::bigint as "startTime",
        ("json" ->> 'resetTime')::bigint as "resetTime", ${closingTime} as "closingTime"
      from (select distinct "projectID", "exposed" from shown) as named
      cross join lateral (
        select experiment."projectID", "id", "idType", "createdTime", "json", "json" -> 'groups' as "groups",
          lower(coalesce("json" -> 'enabledNonProdEnvironments', '[]')::text)::jsonb as "trials"
        from experiment cross join lateral (select "entity"::jsonb as "json") as parsed
        where experiment."projectID" = named."projectID" and "id" = "exposed"
        union all select autotune."projectID", "id", "idType", "createdTime", "json", "json" -> 'variants', null
        from autotune cross join lateral (select "entity"::jsonb as "json") as parsed
        where autotune."projectID" = named."projectID" and "id" = "exposed"
      ) as known
    ), experiment_checked as (
      insert into experiment_checks as kept ("projectID", "experimentID", "hour", "checks")
      select shown."projectID", "exposed", shown."time" / ${HOUR_MS}::bigint * ${HOUR_MS}::bigint, count(*)
      from shown join experiments on experiments."projectID" = shown."projectID" and experiments."id" = "exposed"
      group by 1, 2, 3 order by 1, 2, 3
      on conflict ("projectID", "experimentID", "hour") do update set "checks" = kept."checks" + excluded."checks"
    ), met_groups as materialized (
      select shown."projectID", "exposed", "ruleID", unit."id" as "unit", "environment", "statedTime", "time", "userFields",
        coalesce("startTime", 0) as "run", least("closingTime", met_group."disabledTime") as "closingTime",
        case
          when octet_length(coalesce(unit."id", '')) not between 1 and ${MAX_UNIT_ID_BYTES}::int then 'withoutUnitID'
          when "startTime" is null and not jsonb_exists("trials", "environment") then 'beforeStart'
          when "statedTime" >= "createdTime" and "statedTime" < "resetTime" then 'formerRun'
          when "statedTime" < "startTime" and ("source" = ${COPIED} or "trials" is null) then 'beforeStart'
          when "statedTime" < "startTime" or "isTooOld" or "statedTime" > ${now + MAX_AHEAD_MS}::bigint then 'corrected'
          else 'asStated'
        end as "kind"
      from shown
      join experiments on experiments."projectID" = shown."projectID" and experiments."id" = "exposed"
      join lateral jsonb_to_recordset("groups") as met_group ("id" text, "disabledTime" bigint) on met_group."id" = "ruleID"
      cross join lateral (
        select case when lower("idType") = 'userid' then "userID" else (
          select value from json_each_text("customIDs") where lower(key) = lower("idType") order by key = "idType" desc limit 1
        ) end as "id"
      ) as unit
    ), tally as (
      insert into exposure_tally as kept ("projectID", "experimentID", "run", "environment", "kind", "exposures")
      select "projectID", "exposed", "run", "environment", "kind", count(*) from met_groups group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict ("projectID", "experimentID", "run", "environment", "kind") do update set "exposures" = kept."exposures" + excluded."exposures"
    ), meetings as (
      select distinct on (1, 2, 3, 4, 5) "projectID", "exposed", "ruleID", "unit" as "id", "environment", entering."time", "userFields"
      from met_groups cross join lateral (select case "kind" when 'corrected' then ${now}::bigint else met_groups."time" end as "time") as entering
      where "kind" in ('asStated', 'corrected') and ("closingTime" is null or entering."time" < "closingTime")
      order by 1, 2, 3, 4, 5, entering."time", "statedTime"
    ), ${db.clickhouse ? sendingRows(now) : storingRows(now)}`;
}

/** The end of the statement that stores the events `fresh`, the units of `unit_checks` and those of `meetings` in the database. */
const storingRows = (now: number) => Prisma.sql`
    stored as (
      insert into event ("projectID", "name", "time", "day", "source", "userID", "customIDs", "value", "environment", "exposed", "ruleID", "metadata",
        "userFields", "secondaryExposures")
      select "projectID", "name", "time", ${utcDay(now)}::int, "source", "userID", "customIDs", "value", "environment", "exposed", "ruleID", "metadata",
        "userFields", "secondaryExposures"
      from fresh order by "place"
    ), checked_units as (
      insert into check_exposure as kept (
        "projectID", "entityType", "entityID", "ruleID", "passed", "unitID", "environment", "firstTime", "userFields")
      select * from unit_checks as checks
      -- A look-up for each check. As a join, it would read the whole table.
      where "time" < coalesce((
        select known."firstTime" from check_exposure as known
        where known."projectID" = checks."projectID" and known."entityType" = checks."type" and known."entityID" = checks."id"
          and known."ruleID" = checks."rule" and known."passed" = checks."passed" and known."unitID" = checks."unit"
          and known."environment" = checks."environment"
      ), 9223372036854775807)
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict ("projectID", "entityType", "entityID", "ruleID", "passed", "unitID", "environment") do update set
        "firstTime" = excluded."firstTime", "userFields" = excluded."userFields"
      where excluded."firstTime" < kept."firstTime"
    ), met as (
      insert into experiment_exposure as kept ("projectID", "experimentID", "groupID", "unitID", "environment", "firstTime", "userFields")
      select * from meetings order by 1, 2, 3, 4, 5
      on conflict ("projectID", "experimentID", "groupID", "unitID", "environment") do update set
        "firstTime" = excluded."firstTime", "userFields" = excluded."userFields"
      where excluded."firstTime" < kept."firstTime"
      returning kept.*, xmax = 0 as "isNew"
    )
    insert into experiment_exposure_count as kept ("projectID", "experimentID", "groupID", "day", "quarter", "environment", "units")
    select "projectID", "experimentID", "groupID", "firstTime" / ${DAY_MS}::bigint, "firstTime" % ${DAY_MS}::bigint / ${QUARTER_MS}::bigint,
      "environment", count(*)
    from met where "isNew" group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict ("projectID", "experimentID", "groupID", "day", "quarter", "environment") do update set "units" = kept."units" + excluded."units"`;

/** The same that leaves them in the outbox as rows of ClickHouse's tables, each a line of JSON. */
const sendingRows = (now: number) => Prisma.sql`
    lines as (
      select
        (
          select string_agg(row_to_json(line)::text, E'\\n' order by "id") from (
            select "projectID", "name", "time", nextval(pg_get_serial_sequence('event', 'id')) as "id", ${utcDay(now)}::int as "day", "source", "userID",
              "customIDs"::text, "value", "environment", "exposed", "ruleID", "metadata"::text, "userFields"::text, "secondaryExposures"::text
            from (select * from fresh order by "place") as ordered
          ) as line
        ) as events,
        (
          select string_agg(row_to_json(line)::text, E'\\n') from (
            select "projectID", "exposed" as "experimentID", "ruleID" as "groupID", "id" as "unitID", "time" as "firstTime", "environment",
              "userFields"::text from meetings
          ) as line
        ) as met,
        (
          select string_agg(row_to_json(line)::text, E'\\n') from (
            select "projectID", "type" as "entityType", "id" as "entityID", "rule" as "ruleID", "passed", "unit" as "unitID", "time" as "firstTime",
              "environment", "userFields"::text from unit_checks
          ) as line
        ) as checked
    )
    insert into event_outbox ("events", "experimentExposures", "checkExposures", "size")
    select events, met, checked, length(events) + coalesce(length(met), 0) + coalesce(length(checked), 0) from lines where events is not null`;

/** Deletes receipts that are older than the deduplication window. */
export async function deleteExpiredReceipts(db: Db, now: number): Promise<void> {
  await db.$executeRaw`delete from event_receipt where "time" <= ${now - DEDUPLICATION_WINDOW_MS}::bigint`;
}
