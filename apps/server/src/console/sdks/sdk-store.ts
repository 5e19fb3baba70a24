import { utcDay } from "../../common/utc-day.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { SdkReport } from "./sdk.ts";

/** The days that a list shows, with today. */
const DAYS = 30;
/** The days whose requests and errors it counts, with today. */
const COUNTED_DAYS = 7;

/** Reads the counts that the evaluation API stores. */
export function createSdkStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /** Every SDK that reported in the last days, by key. Deleted keys have no type. @param now ms since the epoch */
    async list(now: number): Promise<SdkReport[]> {
      const today = utcDay(now);
      const countedSince = today - COUNTED_DAYS;
      return db.$queryRaw<SdkReport[]>`
        select report.*, key.type as "keyType", coalesce(key.environments, '{}') as environments,
          key.entity::json ->> 'description' as "keyDescription"
        from (
          select sdk, version, "keyID", min(first)::int as "firstDay", max("lastTime")::float8 as "lastTime",
            coalesce(sum(count) filter (where outcome >= 0), 0)::float8 as requests,
            coalesce(json_agg(json_build_object('outcome', outcome, 'count', count, 'lastTime', "lastError", 'detail', detail))
              filter (where outcome <> 0 and count > 0), '[]') as errors
          from (
            select sdk, "sdkVersion" as version, "keyID", outcome, min(day) as first, max("lastTime") as "lastTime",
              coalesce(sum(count) filter (where day > ${countedSince}::int), 0)::float8 as count, max("lastTime")::float8 as "lastError",
              (array_agg(detail order by day desc))[1] as detail
            from sdk_report where "projectID" = ${projectID} and day > ${today - DAYS}::int group by 1, 2, 3, 4
          ) as by_outcome
          group by 1, 2, 3
        ) as report
        left join key on key."projectID" = ${projectID} and key.id = report."keyID"`;
    },
  };
}
