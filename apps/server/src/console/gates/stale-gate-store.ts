import { fromText } from "../../store/change-log/entity-text.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { Gate } from "./gate.ts";
import type { CheckCounts } from "./gate-staleness.ts";

/** A gate of any project that may have become stale or may no longer be stale. */
export type Candidate = { projectID: string; gate: Gate; checks: CheckCounts; isTargeted: boolean };

type Row = {
  projectID: string;
  entity: string;
  isTargeted: boolean;
  passes: bigint;
  fails: bigint;
  empties: bigint;
  firstTime: bigint | null;
};

/** Candidates per query. */
const BATCH_SIZE = 500;

/** The gates that were last changed before `since`, ms since the epoch, and those that are stale, with their checks since then. */
export async function listStaleCandidates(db: Db, since: number, after?: Candidate): Promise<Candidate[]> {
  const rows = await db.$queryRaw<Row[]>`
    select gate."projectID", gate."entity", checks.*, exists (
      select 1 from reference where reference."projectID" = gate."projectID" and "toType" = 'gate' and "toID" = gate."id"
    ) as "isTargeted"
    from gate, lateral (
      select
        coalesce(sum("passes") filter (where "hour" >= ${since}), 0)::bigint as "passes",
        coalesce(sum("fails") filter (where "hour" >= ${since}), 0)::bigint as "fails",
        coalesce(sum("empties") filter (where "hour" >= ${since}), 0)::bigint as "empties",
        min("hour") as "firstTime"
      from gate_checks where gate_checks."projectID" = gate."projectID" and "gateID" = gate."id"
    ) as checks
    where (gate."projectID", gate."id") > (${after?.projectID ?? ""}, ${after?.gate.id ?? ""})
    and not "isArchived" and (("createdTime" <= ${since} and "lastModifiedTime" <= ${since} and "type" = 'TEMPORARY') or "type" = 'STALE')
    order by gate."projectID", gate."id" limit ${BATCH_SIZE}`;
  return rows.map(({ projectID, entity, isTargeted, passes, fails, empties, firstTime }) => ({
    projectID,
    gate: fromText<Gate>(entity),
    isTargeted,
    checks: {
      passes: Number(passes),
      fails: Number(fails),
      empties: Number(empties),
      firstTime: firstTime === null ? null : Number(firstTime),
    },
  }));
}
