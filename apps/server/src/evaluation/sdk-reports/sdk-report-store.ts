import type { Db } from "../../store/database/unit-of-work.ts";
import { OTHER } from "./sdk-name.ts";

/** Names and versions of a key and day. Further ones are stored as one. */
const MAX_NAMES = 100;

/** Requests of one SDK, key, day and outcome. */
export type SdkCount = {
  projectID: string;
  keyID: string;
  /** In UTC, counted from the epoch. */
  day: number;
  sdk: string;
  version: string;
  outcome: number;
  count: number;
  /** The time of the last request, ms since the epoch. */
  lastTime: number;
  detail: string | null;
};

/** Adds counts to the stored ones. Rows are written in the order of their keys, so that replicas do not deadlock. */
export async function storeSdkCounts(db: Db, counts: readonly SdkCount[]): Promise<void> {
  await db.$executeRaw`
    with given as materialized (
      select given.* from json_to_recordset(${JSON.stringify(counts)}::json) as given (
        "projectID" text, "keyID" text, day int, sdk text, version text, outcome int, count bigint, "lastTime" bigint, detail text)
      join key on key."projectID" = given."projectID" and key.id = given."keyID"
    ), stored as materialized (
      select distinct "projectID", "keyID", day, sdk, "sdkVersion" as version from sdk_report
      where ("projectID", "keyID", day) in (select "projectID", "keyID", day from given)
    ), named as materialized (
      select * from stored
      union all (
        select "projectID", "keyID", day, sdk, version from (
          select fresh.*, row_number() over (partition by "projectID", "keyID", day order by sdk, version) as place, (
            select count(*) from stored
            where stored."projectID" = fresh."projectID" and stored."keyID" = fresh."keyID" and stored.day = fresh.day
          ) as known
          from (
            select "projectID", "keyID", day, sdk, version from given except select "projectID", "keyID", day, sdk, version from stored
          ) as fresh
        ) as placed where place + known <= ${MAX_NAMES}::int
      )
    )
    insert into sdk_report as kept ("projectID", "keyID", day, sdk, "sdkVersion", outcome, count, "lastTime", detail)
    select given."projectID", given."keyID", given.day, coalesce(named.sdk, ${OTHER}), coalesce(named.version, ''), outcome,
      sum(count)::bigint, max("lastTime"), (array_agg(detail order by "lastTime" desc) filter (where detail is not null))[1]
    from given left join named on named."projectID" = given."projectID" and named."keyID" = given."keyID" and named.day = given.day
      and named.sdk = given.sdk and named.version = given.version
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict ("projectID", "keyID", day, sdk, "sdkVersion", outcome) do update set
      count = kept.count + excluded.count, "lastTime" = greatest(kept."lastTime", excluded."lastTime"),
      detail = coalesce(excluded.detail, kept.detail)`;
}

/** Deletes the reports of days before one. */
export async function deleteSdkReportsBefore(db: Db, day: number): Promise<void> {
  await db.$executeRaw`delete from sdk_report where day < ${day}`;
}
