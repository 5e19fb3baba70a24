import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { identifier } from "../common/identifier.ts";
import { toRules } from "../common/rule.ts";
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

/** @throws AppError invalid_request if rules are given that its type does not take */
export function newSegment(given: SegmentCreate, context: Context): Segment {
  const { id = segmentId(given.name), type, rules = [] } = given;
  if (type !== "rule_based" && rules.length > 0) {
    throw invalid([{ property: "rules", errorMessage: `must be left out with type ${type}` }]);
  }
  return { id, ...DEFAULTS, ...created(context), ...given, rules: toRules(rules) };
}

/** A segment's id is its name, made into an id only where it is not one already. */
export function segmentId(name: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(name) ? name : identifier(name);
}
