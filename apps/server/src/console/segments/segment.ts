import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { AppError, conflict, invalid, type Violation } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { identifier } from "../common/identifier.ts";
import { namedInRules, namedLabels } from "../common/named.ts";
import { readRules, type WritableRule, withIDs } from "../common/rule.ts";
import { created, modified } from "../common/stamp.ts";

export type Segment = Schema<"Segment">;
type SegmentCreate = WritableSchema<"SegmentCreate">;

/** The types of conditions that the rules of a segment may be changed to. */
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

/** A segment made from a name and a type. @throws AppError invalid_request naming every violation under `rules` */
export function newSegment(given: SegmentCreate, context: Context): Segment {
  const { id = segmentIdentifier(given.name), type } = given;
  const violations: Violation[] = [];
  const rules = readRules(given.rules ?? [], [], "rules", violations);
  if (type !== "rule_based" && rules.length > 0) {
    violations.push({ property: "rules", errorMessage: `must be left out with type ${type}` });
  }
  if (violations.length > 0) throw invalid(violations);
  return { id, ...DEFAULTS, ...created(context), ...given, rules };
}

/**
 * The segment with other rules.
 * @throws AppError invalid_request if it is of a type without rules, or naming every violation; conflict if it is archived
 */
export function changeRules(segment: Segment, given: WritableSchema<"SegmentRules">, context: Context): Segment {
  requireType(segment, "rule_based", "modified");
  const violations: Violation[] = [];
  const [list, place] = Array.isArray(given) ? [given, ""] : [given.rules, "rules"];
  const rules = readRules(list, segment.rules, place, violations);
  checkConditionTypes(list, place, violations);
  if (violations.length > 0) throw invalid(violations);
  requireInUse(segment);
  return { ...segment, rules, ...modified(segment, context) };
}

/** Out of use: nobody is in it. Rules and ids are kept. */
export function archiveSegment(segment: Segment, context: Context): Segment {
  return { ...segment, isEnabled: false, ...modified(segment, context) };
}

/** Back in use. */
export function unarchiveSegment(segment: Segment, context: Context): Segment {
  return { ...segment, isEnabled: true, ...modified(segment, context) };
}

/** The segment as it was, as a new version. The ids that it lists are no part of a version. */
export function restoreSegment(segment: Segment, old: Segment, context: Context): Segment {
  const { count, holdoutIDs } = segment;
  return { ...old, count, holdoutIDs, rules: withIDs(old.rules), ...modified(segment, context) };
}

/** A segment is out of use exactly while it is archived. */
export function isArchived(segment: Segment): boolean {
  return !segment.isEnabled;
}

/** @throws AppError conflict if it is archived */
export function requireInUse(segment: Segment): void {
  if (isArchived(segment)) throw conflict(`Segment ${segment.id} is archived. Unarchive it first.`, "isEnabled");
}

/** The text is the one that existing clients know. @throws AppError invalid_request */
export function requireType(segment: Segment, type: Segment["type"], purpose: "modified" | "read"): void {
  if (segment.type !== type) {
    throw new AppError("invalid_request", `Segment must be of type '${type}' to be ${purpose} on this endpoint`);
  }
}

/** What the segment names. */
export function namedBySegment(segment: Segment): Reference[] {
  return [...namedInRules(segment.rules, "rules"), ...namedLabels(segment)];
}

/** A segment's id is its name, made into an id only where it is not one already. */
export function segmentIdentifier(name: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(name) ? name : identifier(name);
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
