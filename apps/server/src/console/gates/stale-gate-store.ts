import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { isOf, type Listed } from "../../store/database/listed.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { Computed } from "../../store/entities/kind.ts";
import { activeReviewOf, withActiveReview } from "../reviews/active-review-store.ts";
import type { Gate } from "./gate.ts";
import { computedGateChecks } from "./gate-check-store.ts";
import { type CheckCounts, IN_USE_MS, STALE_AFTER_MS } from "./gate-staleness.ts";

/** A gate of any project that may have become stale or may no longer be stale. */
export type Candidate = { projectID: string; gate: Gate; reason: Reason; checks: CheckCounts; isTargeted: boolean };
type Reason = Gate["typeReason"];

type Row = {
  projectID: string;
  entity: string;
  typeReason: Reason;
  isTargeted: boolean;
  recentOutcomes: number;
  passes: bigint;
  fails: bigint;
  empties: bigint;
  firstTime: bigint | null;
};

/** Candidates per query. */
const BATCH_SIZE = 500;

/** The gates unchanged for STALE_AFTER_MS, and stale gates, with their checks since then. @param now ms since the epoch */
export async function listStaleCandidates(db: Db, now: number, { projectID, after }: Listed<Candidate> = {}): Promise<Candidate[]> {
  const since = now - STALE_AFTER_MS;
  const lately = Prisma.sql`filter (where "hour" >= ${now - IN_USE_MS}::bigint)`;
  const rows = await db.$queryRaw<Row[]>`
    select gate."projectID", gate."entity", gate."typeReason", checks.*, exists (
      select 1 from reference where reference."projectID" = gate."projectID" and "toType" = 'gate' and "toID" = gate."id"
    ) as "isTargeted"
    from gate, lateral (
      select
        coalesce(sum("passes") filter (where "hour" >= ${since}), 0)::bigint as "passes",
        coalesce(sum("fails") filter (where "hour" >= ${since}), 0)::bigint as "fails",
        coalesce(sum("empties") filter (where "hour" >= ${since}), 0)::bigint as "empties",
        (coalesce(sum("passes") ${lately}, 0) > 0)::int + (coalesce(sum("fails") ${lately}, 0) > 0)::int
          + (coalesce(sum("empties") ${lately}, 0) > 0)::int as "recentOutcomes",
        min("hour") as "firstTime"
      from gate_checks where gate_checks."projectID" = gate."projectID" and "gateID" = gate."id"
    ) as checks
    where (gate."projectID", gate."id") > (${after?.projectID ?? ""}, ${after?.gate.id ?? ""})
    and ${isOf(projectID, Prisma.sql`gate."projectID"`)}
    and not "isArchived" and (("createdTime" <= ${since} and "lastModifiedTime" <= ${since} and "type" = 'TEMPORARY') or "typeReason" <> 'NONE')
    order by gate."projectID", gate."id" limit ${BATCH_SIZE}`;
  return rows.map(({ projectID, entity, typeReason, isTargeted, passes, fails, empties, recentOutcomes, firstTime }) => ({
    projectID,
    gate: fromText<Gate>(entity),
    reason: typeReason,
    isTargeted,
    checks: {
      recentOutcomes,
      passes: Number(passes),
      fails: Number(fails),
      empties: Number(empties),
      firstTime: firstTime === null ? null : Number(firstTime),
    },
  }));
}

/** Notes why a gate is stale, unless it has changed since. Staleness is data: the change log does not have it. */
export async function setStaleness(db: Db, { projectID, gate: { id, version } }: Candidate, reason: Reason): Promise<void> {
  await db.$executeRaw`
    update gate set "typeReason" = ${reason} where "projectID" = ${projectID} and "id" = ${id} and "version" = ${version}`;
}

/** Fields that are added to a gate when it is read: its checks in the last hour, its staleness, and its open review. @param now ms since the epoch */
export function laidOverGate(now: number): Computed<Gate> {
  const checks = computedGateChecks(now);
  return {
    column: (gate) => Prisma.sql`jsonb_build_array(${checks.column(gate)}, ${gate}."typeReason", ${activeReviewOf("gate", gate)})`,
    put(gate, laid) {
      const [checksPerHour, typeReason, review] = laid as [number, Reason, Gate["activeReview"] | null];
      const checked = withActiveReview(checks.put(gate, checksPerHour), review ?? null);
      return checked.typeReason === typeReason ? checked : { ...checked, typeReason };
    },
  };
}
