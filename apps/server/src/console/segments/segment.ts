import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { invalid, type Violation } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { identifier } from "../common/identifier.ts";
import { namedInRules, namedLabels } from "../common/named.ts";
import { readRules } from "../common/rule.ts";
import { created } from "../common/stamp.ts";

export type Segment = Schema<"Segment">;
type SegmentCreate = WritableSchema<"SegmentCreate">;

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

/** What the segment names. */
export function namedBySegment(segment: Segment): Reference[] {
  return [...namedInRules(segment.rules, "rules"), ...namedLabels(segment)];
}

/** A segment's id is its name, made into an id only where it is not one already. */
export function segmentIdentifier(name: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(name) ? name : identifier(name);
}
