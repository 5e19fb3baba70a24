import { isDeepStrictEqual } from "node:util";
import { descriptions, type OperationId } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { bodyShape, toCanonical } from "./canonical.ts";
import type { Stored } from "./configuration.ts";
import type { Configured, Entity } from "./configured-kinds.ts";
import type { PlannedRequest } from "./entity-requests.ts";

/** The operations that each change a part of the settings, and keep what their bodies leave out. */
const PARTS = ["updateProjectSettings", "updateRoleSettings", "updateTeamSettings", "updateReviewSettings"] satisfies OperationId[];

/**
 * The requests that change settings. They contain only the changed settings, so a scheduled or reviewed request keeps later changes to the others.
 * Adds a violation for each setting that does not exist.
 */
export function settingsRequests(
  kind: Configured,
  { entity, place }: { entity: Entity; place: string },
  stored: Stored,
  violations: Violation[],
): PlannedRequest[] {
  const current = toCanonical(kind, stored.entity);
  const left = new Map(Object.entries(entity).filter(([field, value]) => value !== undefined && !isDeepStrictEqual(value, current[field])));
  const requests = PARTS.flatMap((operationId): PlannedRequest[] => {
    const { properties } = bodyShape(descriptions[operationId]);
    const changed = [...left].filter(([field]) => properties.has(field));
    if (changed.length === 0) return [];
    for (const [field] of changed) left.delete(field);
    return [{ operationId, body: Object.fromEntries(changed) }];
  });
  for (const field of left.keys())
    violations.push({ property: `configuration.${place}.${field}`, errorMessage: "is not a project setting" });
  return requests.map((one, index) => (index === 0 ? { ...one, ifMatch: stored.tag } : one));
}
