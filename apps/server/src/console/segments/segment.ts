import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { AppError, conflict, invalid, type Violation } from "../../common/errors.ts";
import { newID } from "../../common/identifier.ts";
import { namedInRules, namedLabels } from "../common/named.ts";
import { readRules, type WritableRule } from "../common/rule.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

export type Segment = Schema<"Segment">;
type SegmentCreate = WritableSchema<"SegmentCreate">;
type SegmentPatch = WritableSchema<"SegmentPatch">;

/** The condition types that rules of segments may have. */
const ALLOWED_CONDITION_TYPES: WritableRule["conditions"][number]["type"][] = [
  "app_version",
  "browser_name",
  "browser_version",
  "country",
  "custom_field",
  "email",
  "environment_tier",
  "fails_segment",
  "ip_address",
  "os_name",
  "os_version",
  "passes_segment",
  "unit_id",
  "user_id",
];

const DEFAULTS = {
  description: "",
  idType: "userID",
  isEnabled: true,
  count: 0,
  tags: [],
  targetApps: [],
  holdoutIDs: [],
  team: null,
  teamID: null,
} satisfies Partial<Segment>;

/** Creates a segment. Only name and type are required. @throws AppError invalid_request with every violation under `rules` */
export function newSegment(given: SegmentCreate, context: Context): Segment {
  const { type } = given;
  const violations: Violation[] = [];
  const id = newID("segment", given, violations);
  const rules = readRules(given.rules ?? [], [], context.now, "rules", violations);
  checkHasRules(type, rules, violations);
  if (violations.length > 0) throw invalid(violations);
  return { id, ...DEFAULTS, ...created(context), ...given, rules };
}

/**
 * Changes the given fields.
 * @throws AppError conflict if it is archived; invalid_request with every violation
 */
export function changeSegment(segment: Segment, given: SegmentPatch, context: Context): Segment {
  const violations: Violation[] = [];
  if (given.type !== undefined && given.type !== segment.type) {
    violations.push({ property: "type", errorMessage: `must stay ${segment.type}` });
  }
  const rules = given.rules ? readRules(given.rules, segment.rules, context.now, "rules", violations) : segment.rules;
  checkHasRules(segment.type, rules, violations);
  checkConditionTypes(given.rules ?? [], "rules", violations);
  if (violations.length > 0) throw invalid(violations);
  requireInUse(segment);
  return { ...segment, ...given, rules, ...modified(segment, context) };
}

/**
 * Replaces the segment's rules.
 * @throws AppError invalid_request if its type has no rules, or with every violation; conflict if it is archived
 */
export function changeRules(segment: Segment, given: WritableSchema<"SegmentRules">, context: Context): Segment {
  requireType(segment, "rule_based", "modified");
  const violations: Violation[] = [];
  const [list, place] = Array.isArray(given) ? [given, ""] : [given.rules, "rules"];
  const rules = readRules(list, segment.rules, context.now, place, violations);
  checkConditionTypes(list, place, violations);
  if (violations.length > 0) throw invalid(violations);
  requireInUse(segment);
  return { ...segment, rules, ...modified(segment, context) };
}

/** Takes it out of use: no user is in it. Keeps rules and ids. */
export function archiveSegment(segment: Segment, context: Context): Segment {
  return { ...segment, isEnabled: false, ...modified(segment, context) };
}

/** Takes it back into use. */
export function unarchiveSegment(segment: Segment, context: Context): Segment {
  return { ...segment, isEnabled: true, ...modified(segment, context) };
}

/** The old version as a new one. Versions do not include the segment's ids. */
export function restoreSegment(segment: Segment, old: Segment, context: Context): Segment {
  const { count, holdoutIDs } = segment;
  return { ...old, count, holdoutIDs, ...modified(segment, context) };
}

/** Segments have no other disabled state, so `isEnabled` tells. */
export function isArchived(segment: Segment): boolean {
  return !segment.isEnabled;
}

/** @throws AppError conflict if it is archived */
export function requireInUse(segment: Segment): void {
  if (isArchived(segment)) throw conflict(`Segment ${segment.id} is archived. Unarchive it first.`, "isEnabled");
}

/** The message is the one that existing clients know. @throws AppError invalid_request */
export function requireType(segment: Segment, type: Segment["type"], purpose: "modified" | "read"): void {
  if (segment.type !== type) {
    throw new AppError("invalid_request", `Segment must be of type '${type}' to be ${purpose} on this endpoint`);
  }
}

/** The segment's references. */
export function namedBySegment(segment: Segment): Reference[] {
  return [...namedInRules(segment.rules, "rules"), ...namedLabels(segment)];
}

function checkHasRules(type: Segment["type"], rules: readonly object[], violations: Violation[]): void {
  if (type === "rule_based" || rules.length === 0) return;
  violations.push({ property: "rules", errorMessage: `must be left out with type ${type}` });
}

function checkConditionTypes(rules: WritableRule[], place: string, violations: Violation[]): void {
  for (const [rule, { conditions }] of rules.entries()) {
    for (const [condition, { type }] of conditions.entries()) {
      if (ALLOWED_CONDITION_TYPES.includes(type)) continue;
      const errorMessage = `cannot be ${type} in the rules of a segment. Use one of ${ALLOWED_CONDITION_TYPES.join(", ")}`;
      violations.push({ property: `${place}[${rule}].conditions[${condition}].type`, errorMessage });
    }
  }
}
