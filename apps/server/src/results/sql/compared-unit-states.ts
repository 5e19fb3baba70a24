import type { Analysis } from "./analysis.ts";
import { andComplete } from "./compared-units.ts";
import type { Dialect } from "./dialect.ts";
import { type ExposureSource, exposures } from "./exposed.ts";
import type { Bind } from "./statement.ts";
import { SHARDS, type Shards, shardExpression } from "./unit-days.ts";

/** The rows that a synchronization changed. */
export type SynchronizedRow = { removed: number; added: number; moved: number };

type Synchronized = {
  stateID: bigint;
  shards: Shards;
  nextUnit: number;
  /** Whether the state has read no arrivals yet, so that units have nothing to catch up on. */
  isEmpty: boolean;
};

/**
 * The statement that makes `unit_state` agree with the exposures of some shards. Units that are new, that have another first exposure than
 * before, or whose events were not collected to the end get new numbers. Rows of their former numbers count for nobody.
 */
export function synchronizeQuery(
  { stateID, shards, nextUnit, isEmpty }: Synchronized,
  analysis: Analysis & { exposureSource: ExposureSource },
  dialect: Dialect,
  bind: Bind,
): string {
  const { days, end, exposureSource, ...scope } = analysis;
  const startTime = days[0] ?? 0;
  const state = `${bind.text(String(stateID))}::bigint`;
  const ofShards = (column: string) => `${column} between ${bind.integer(shards.first)} and ${bind.integer(shards.last)}`;
  const isPart = shards.first > 0 || shards.last < SHARDS - 1;
  const exposed = exposures({ ...scope, exposureSource, startTime, endTime: end }, dialect, bind);
  const key = `"stateID" = ${state} and unit_state.shard = changed.shard and unit_state."unitID" = changed.id`;
  return `
with present ${dialect.shared} (
  select unit as id, min(grp) as grp, min("time") as since from (${exposed}) as exposure
  ${isPart ? `where ${ofShards(shardExpression("unit"))}` : ""}
  group by unit having min(grp) = max(grp) and min("time") >= ${bind.integer(startTime)}${andComplete(exposureSource, startTime, "unit", "min(grp)", dialect, bind)}
),
changed ${dialect.shared} (
  select coalesce(present.id, known."unitID") as id, coalesce(known.shard, ${shardExpression("present.id")}) as shard, present.grp, present.since,
    case when present.id is null then 'removed'
      when known."unitID" is null or known.since <> present.since or not known."isCollected" then 'added'
      else 'moved' end as change
  from present full join (
    select * from unit_state where "stateID" = ${state} and ${ofShards("shard")}
  ) as known on known."unitID" = present.id
  where known."groupID" is distinct from present.grp or known.since is distinct from present.since or not known."isCollected"
),
removed as (
  delete from unit_state using changed where ${key} and change = 'removed' returning 1
),
moved as (
  update unit_state set "groupID" = changed.grp from changed where ${key} and change = 'moved' returning 1
),
added as (
  insert into unit_state as stored ("projectID", "stateID", shard, "unitID", unit, "groupID", since, "isCollected")
  select ${bind.text(scope.projectID)}, ${state}, shard, id, ${bind.integer(nextUnit)}::int - 1 + row_number() over (), grp, since, ${isEmpty}
  from changed where change = 'added'
  on conflict ("stateID", shard, "unitID") do update set unit = excluded.unit, "groupID" = excluded."groupID", since = excluded.since,
    "isCollected" = excluded."isCollected"
  returning 1
)
select (select count(*) from removed)::int as removed, (select count(*) from added)::int as added, (select count(*) from moved)::int as moved`;
}
