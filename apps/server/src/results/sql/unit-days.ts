import type { Term } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import { dayNumber } from "./day-number.ts";
import type { Dialect } from "./dialect.ts";
import { withEventNumbers } from "./event-numbers.ts";
import { type ArrivalDays, eventColumns, loggedTable, unitIDColumn } from "./logged.ts";
import type { Bind } from "./statement.ts";
import { termColumns } from "./term-columns.ts";

// Rows of `unit_day`: what the events of a day of arrival add to the days of units. A row is a head of 64 bits and the amounts that its mask
// names, as doubles, in the order of the terms. Amounts before the first exposure have rows of their own.
//
//   32 bits: the unit  |  15 bits: the day + DAY_OFFSET  |  1 bit: before the exposure  |  16 bits: the mask

/** Days before the first one have numbers below 1. */
export const DAY_OFFSET = 16_384;

/** Units with these shards, from the first to the last one. */
export type Shards = { first: number; last: number };

/** The number of shards of a state's units. Each is read and summed at once. */
export const SHARDS = 64;

/** The shard of a unit. Postgres divides tables by this function, so it stays as it is. */
export const shardExpression = (unitID: string): string => `(hashtextextended(${unitID}, 0) & ${SHARDS - 1})::int`;

type Collected = {
  stateID: bigint;
  shards: Shards;
  arrived: ArrivalDays;
  /** Whether only units are read whose events the state does not have. */
  isOfNewUnits: boolean;
};

/**
 * The statement that stores what events that arrived on some days add to the days of units. Rows are added to those of the same shard and day
 * of arrival.
 */
export function collectQuery(
  terms: readonly Term[],
  preMs: number,
  { stateID, shards, arrived, isOfNewUnits }: Collected,
  { projectID, idType, days, earlierDays, end }: Analysis,
  dialect: Dialect,
  bind: Bind,
): string {
  const numbers = withEventNumbers(terms, dialect, bind);
  const counted = terms.map((term, index) => {
    const { number, countsEither } = termColumns(term, preMs, [], numbers.reading, bind);
    return `, case when ${countsEither()} then ${number} end as x${index}`;
  });
  const folded = terms.map(({ fold }, index) => `, ${foldExpression(fold.by, `x${index}`)} as x${index}`);
  const state = `${bind.text(String(stateID))}::bigint`;
  const ofShards = (column: string) => `${column} between ${bind.integer(shards.first)} and ${bind.integer(shards.last)}`;
  const unitID = unitIDColumn(idType, dialect, bind);
  // Only a part of the units reads only a part of the events.
  const isPart = shards.first > 0 || shards.last < SHARDS - 1;
  return `
with ${loggedTable(terms, { projectID, since: 0, readsKept: true, arrived }, dialect, bind)},
unit ${dialect.shared} (
  select "unitID" as id, unit, shard, since from unit_state
  where "stateID" = ${state} and ${ofShards("shard")}${isOfNewUnits ? ` and not "isCollected"` : ""}
),
hit ${dialect.inlined} (
  select unit.unit, unit.shard, event.arrival, event."time" - unit.since as age, ${dayNumber(`event."time"`, { days, earlierDays }, dialect, bind)} as day,
    ${eventColumns(terms)}
  from logged as event join unit on unit.id = ${unitID}
  where event."time" < ${bind.integer(end)} and event."time" >= unit.since - ${bind.integer(preMs)}
    ${isPart ? `and ${ofShards(shardExpression(unitID))}` : ""}
),
counted ${dialect.inlined} (
  select unit, shard, arrival, day, case when age < 0 then 1 else 0 end as early${counted.join("")} from ${numbers.table()} ${dialect.once}
),
folded ${dialect.inlined} (
  select unit, shard, arrival, (day + ${DAY_OFFSET}) * 2 + early as code${folded.join("")} from counted group by unit, shard, arrival, day, early
)
insert into unit_day ("projectID", "stateID", shard, day, rows)
select ${bind.text(projectID)}, ${state}, shard, arrival, string_agg(${packed(terms.length)}, ''::bytea)
from (select *, ${mask(terms.length)} as mask from folded ${dialect.once}) as masked where mask > 0 group by shard, arrival
on conflict ("stateID", shard, day) do update set rows = unit_day.rows || excluded.rows`;
}

/** Sums of 0 change nothing. A highest or lowest number of 0 does. */
function foldExpression(by: string, x: string): string {
  return by === "sum" ? `nullif(sum(${x}), 0)` : `${by === "min" ? "min" : "max"}(${x})`;
}

const columns = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);

function mask(count: number): string {
  return columns(count)
    .map((x, index) => `case when ${x} is null then 0 else ${2 ** index} end`)
    .join(" + ");
}

function packed(count: number): string {
  const amounts = columns(count).map((x) => ` || case when ${x} is null then ''::bytea else float8send(${x}) end`);
  return `int8send((unit::bigint << 32) | (code::bigint << 16) | mask)${amounts.join("")}`;
}
