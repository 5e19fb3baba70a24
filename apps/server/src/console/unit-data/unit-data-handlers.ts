import { randomUUID } from "node:crypto";
import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Unit } from "../../results/sql/unit-events.ts";
import { recount } from "../segments/segment-ids.ts";
import type { Env } from "../stores.ts";
import {
  FIRST_POSITION,
  MAX_PLACES,
  readContinuation,
  type UnitDeletion,
  type UnitDeletionRequest,
  type UnitPlace,
  writeContinuation,
} from "./unit-data.ts";

/** The size of events that a request searches, in MiB. */
const DEFAULT_LIMIT = 64;

export const unitDataHandlers = {
  async deleteUnitData({ body, context, stores }) {
    stores.unitData.requireWholeProject();
    const data = await deletePart(body, { context, stores });
    return { status: 200, body: { message: "Unit data deleted successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** Deletes a part of the stored data about a unit, in a transaction. @throws AppError invalid_request */
export async function deletePart(
  { unitType, id, after, limit = DEFAULT_LIMIT }: UnitDeletionRequest,
  { context, stores }: Env,
): Promise<UnitDeletion> {
  const continued = after === undefined ? undefined : readContinuation(after);
  const unit = await stores.unitData.requireUnit({ unitType, id });
  const { receipt, position } = continued ?? { receipt: randomUUID(), position: FIRST_POSITION };
  const { deleted: rows, next: reached, isPending } = await stores.unitData.delete(unit, position, limit);
  const removed = reached ? { count: 0, isComplete: false } : await removeFromSegments(unit, { context, stores });
  const deleted = { ...rows, segmentIDs: removed.count };
  const isComplete = reached === undefined && removed.isComplete;
  const places = isComplete ? await listPlaces(unit, stores) : [];
  const hasDeleted = Object.values(deleted).some((count) => count > 0);
  if (hasDeleted || isComplete || !continued)
    await stores.unitData.note("unit_data", receipt, { unitType: unit.unitType, deleted, isComplete, remaining: places.length });
  return {
    ...{ receipt, unitType: unit.unitType, deleted, isPending },
    next: isComplete ? null : writeContinuation({ receipt, position: reached ?? position }),
    ...{ remaining: places.slice(0, MAX_PLACES), remainingCount: places.length },
  };
}

/** Removes the id from the next segments that list it. Each of them gets a new version. */
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
