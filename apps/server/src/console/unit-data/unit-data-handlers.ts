import { randomUUID } from "node:crypto";
import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Unit } from "../../results/sql/unit-events.ts";
import { recount } from "../segments/segment-ids.ts";
import type { Env } from "../stores.ts";
import { FIRST_POSITION, MAX_PLACES, readContinuation, type UnitDeletion, type UnitPlace, writeContinuation } from "./unit-data.ts";

/** The size of events that a request searches, in MiB. */
const DEFAULT_LIMIT = 64;

export const unitDataHandlers = {
  async deleteUnitData({ body: { unitType, id, after, limit = DEFAULT_LIMIT }, context, stores }) {
    stores.unitData.requireWholeProject();
    const continued = after === undefined ? undefined : readContinuation(after);
    const unit = await stores.unitData.requireUnit({ unitType, id });
    const { receipt, position } = continued ?? { receipt: randomUUID(), position: FIRST_POSITION };
    const { deleted, next: reached, isPending } = await stores.unitData.delete(unit, position, limit);
    const removed = reached ? { count: 0, isComplete: false } : await removeFromSegments(unit, { context, stores });
    deleted.segmentIDs = removed.count;
    const isComplete = reached === undefined && removed.isComplete;
    const next = isComplete ? null : writeContinuation({ receipt, position: reached ?? position });
    const left = isComplete ? await listPlaces(unit, stores) : [];
    const hasDeleted = Object.values(deleted).some((count) => count > 0);
    if (hasDeleted || isComplete || !continued)
      await stores.unitData.note("unit_data", receipt, { unitType: unit.unitType, deleted, isComplete, remaining: left.length });
    const remaining = left.slice(0, MAX_PLACES);
    const data: UnitDeletion = { receipt, unitType: unit.unitType, deleted, next, isPending, remaining, remainingCount: left.length };
    return { status: 200, body: { message: "Unit data deleted successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** Removes the id from the next segments that list it, each of which has a new version. */
async function removeFromSegments(unit: Unit, { context, stores }: Env): Promise<{ count: number; isComplete: boolean }> {
  const segmentIDs = await stores.unitData.listSegments(unit, "");
  for (const segmentID of segmentIDs) {
    const segment = await stores.segments.get(segmentID, { lock: true });
    const removed = await stores.segments.ids.remove(segment, [unit.id]);
    await stores.segments.replace(segment, recount(segment, segment.count - removed, context));
  }
  const isComplete = segmentIDs.length === 0 || (await stores.unitData.listSegments(unit, "")).length === 0;
  return { count: segmentIDs.length, isComplete };
}

async function listPlaces({ id }: Unit, stores: Env["stores"]): Promise<UnitPlace[]> {
  const found: UnitPlace[] = [];
  let page = await stores.unitData.readPlaces(id, undefined);
  found.push(...page.places);
  while (page.next) {
    page = await stores.unitData.readPlaces(id, page.next);
    found.push(...page.places);
  }
  return found;
}
