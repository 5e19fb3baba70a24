import { EXPOSURE_EVENTS } from "../../results/sql/logged.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { MAX_LENGTH, MAX_READ_EXPOSURES, type RecentUser, toUser, type UserRow } from "./recent-user.ts";

/** Does the same as `recentUsers`. Reads the days of arrival one by one, since no index of ClickHouse has an entity's exposures. */
export async function recentUsersInClickHouse(db: Db, projectID: string, exposed: readonly string[], limit: number): Promise<RecentUser[]> {
  if (exposed.length === 0) return [];
  const { dialect, read } = eventReader(db);
  const days = await read<{ day: number }>(() => `select distinct toInt32(_partition_id) as "day" from event order by "day" desc`);
  const found = new Map<string, RecentUser>();
  let length = 0;
  for (const { day } of days) {
    const rows = await read<UserRow & { total: number }>(
      (bind) => `
select * from (
  select *, sum(lengthUTF8("userID") + ifNull(lengthUTF8("customIDs"), 0) + ifNull(lengthUTF8("userFields"), 0)) over (
    order by "id" desc rows between unbounded preceding and current row) as total
  from (
    select * from (
      select "userID", "customIDs", "environment", "userFields", "id" from event
      where "projectID" = ${bind.text(projectID)} and ${dialect.isIn(`"name"`, bind.texts(EXPOSURE_EVENTS))}
        and ${dialect.isIn(`"exposed"`, bind.texts(exposed))} and "day" = ${bind.integer(day)}
      order by "id" desc limit ${MAX_READ_EXPOSURES}
    ) as seen order by "id" desc limit 1 by "environment", "userID", "customIDs" limit ${limit}
  ) as newest
) as measured where total <= ${bind.integer(MAX_LENGTH - length)} order by "id" desc`,
    );
    for (const { environment, userID, customIDs, userFields } of rows) {
      const key = JSON.stringify([environment, userID, customIDs]);
      if (!found.has(key)) found.set(key, toUser({ environment, userID, customIDs, userFields }));
    }
    length += rows.at(-1)?.total ?? 0;
    if (found.size >= limit || length >= MAX_LENGTH) break;
  }
  return [...found.values()].slice(0, limit);
}
