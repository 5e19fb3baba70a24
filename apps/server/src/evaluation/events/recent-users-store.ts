import type { Db } from "../../store/database/unit-of-work.ts";
import { recentUsersInClickHouse } from "./clickhouse-recent-users.ts";
import { MAX_LENGTH, MAX_READ_EXPOSURES, type RecentUser, toUser, type UserRow } from "./recent-user.ts";

export type { RecentUser } from "./recent-user.ts";

/** The fewest exposures of an entity that are read at once. */
const MIN_READ = 16;

type Seen = { entity: string; user: string; day: number; id: bigint };
/** How far the exposures of an entity were read: those before this one are left. */
type Cursor = { day: number; id: bigint };

/**
 * The users seen last in exposures of some entities (gates, dynamic configs, experiments), newest first by their arrival. A user counts
 * once in each environment. A gate or holdout that was checked only as a condition of other entities has no exposures: pass those entities
 * too.
 * @param exposed ids of the entities
 */
export async function recentUsers(db: Db, projectID: string, exposed: readonly string[], limit: number): Promise<RecentUser[]> {
  if (db.clickhouse) return recentUsersInClickHouse(db, projectID, exposed, limit);
  const newest = new Map<string, Seen>();
  let unread = new Map<string, Cursor>(exposed.map((entity) => [entity, { day: 2 ** 31 - 1, id: 0n }]));
  let read = 0;
  while (unread.size > 0 && read < MAX_READ_EXPOSURES) {
    const last = nthNewest(newest, limit);
    // The remaining exposures of other entities are older than all users that will be returned.
    const chosen = [...unread].filter(([, { id, day }]) => day === 2 ** 31 - 1 || last === undefined || id > last);
    if (chosen.length === 0) break;
    const count = Math.max(MIN_READ, Math.ceil((2 * limit) / chosen.length));
    const rows = await readExposures(db, projectID, chosen, count);
    read += rows.length;
    const left = new Map(unread);
    for (const [entity] of chosen) left.delete(entity);
    for (const [entity, own] of byEntity(rows)) {
      const end = own.at(-1);
      if (end && own.length === count) left.set(entity, end);
    }
    for (const seen of rows) if (seen.id > (newest.get(seen.user)?.id ?? -1n)) newest.set(seen.user, seen);
    unread = left;
  }
  const found = [...newest.values()].sort(newestFirst).slice(0, limit);
  return found.length === 0 ? [] : readUsers(db, projectID, found);
}

const newestFirst = (a: { id: bigint }, b: { id: bigint }) => (a.id > b.id ? -1 : a.id < b.id ? 1 : 0);

/** The number of the exposure of the last user that would be returned; undefined if there is room for more. */
function nthNewest(newest: Map<string, Seen>, limit: number): bigint | undefined {
  return newest.size < limit ? undefined : [...newest.values()].sort(newestFirst)[limit - 1]?.id;
}

function byEntity(rows: Seen[]): Map<string, Seen[]> {
  const groups = new Map<string, Seen[]>();
  for (const row of rows) {
    const group = groups.get(row.entity);
    if (group) group.push(row);
    else groups.set(row.entity, [row]);
  }
  return groups;
}

/** The next exposures of each entity, newest first. A user is the hash of all that identifies it, since ids may be long. */
function readExposures(db: Db, projectID: string, from: [entity: string, cursor: Cursor][], count: number): Promise<Seen[]> {
  const entities = from.map(([entity]) => entity);
  const days = from.map(([, { day }]) => day);
  const ids = from.map(([, { id }]) => String(id));
  return db.$queryRaw<Seen[]>`
    select named.entity, seen."day", seen."id", md5(concat_ws(E'\n', seen."environment", seen."userID", seen."customIDs")) as "user"
    from unnest(${entities}::text[], ${days}::int[], ${ids}::bigint[]) as named (entity, "day", "id")
    cross join lateral (
      select "day", "id", "environment", "userID", "customIDs" from event
      where "projectID" = ${projectID} and "exposed" = named.entity and ("day", "id") < (named."day", named."id")
      order by "day" desc, "id" desc limit ${count}
    ) as seen
    order by named.entity, seen."day" desc, seen."id" desc`;
}

async function readUsers(db: Db, projectID: string, found: Seen[]): Promise<RecentUser[]> {
  const entities = found.map(({ entity }) => entity);
  const days = found.map(({ day }) => day);
  const ids = found.map(({ id }) => String(id));
  const rows = await db.$queryRaw<UserRow[]>`
    select "userID", "customIDs", "environment", "userFields" from (
      select event.*, sum(length("userID") + coalesce(length("customIDs"), 0) + coalesce(length("userFields"), 0)) over (
        order by event."id" desc rows unbounded preceding) as total
      from unnest(${entities}::text[], ${days}::int[], ${ids}::bigint[]) as found (entity, "day", "id")
      join event on event."projectID" = ${projectID} and "exposed" = found.entity and event."day" = found."day" and event."id" = found."id"
    ) as event where total <= ${MAX_LENGTH} order by event."id" desc`;
  return rows.map(toUser);
}
