import type { Schema } from "@gatehouse/contract/console";
import { type Decision, type Evaluator, keptWithDecision, objectValue } from "@gatehouse/evaluation";
import type { Flag } from "./changed-flags.ts";

/** The value of a flag for applications. Equal values have equal texts. Undefined if they do not get it. */
export type FlagValue = { value: boolean | Record<string, unknown> | undefined; text: string };

type Place = Pick<Flag, "kind" | "name">;
type Decisions = ReturnType<Evaluator["decisionsFor"]>;

/** Longer values are answered as a text that is cut, in characters of JSON. */
const MAX_SHOWN_LENGTH = 2_000;

const NOTHING: FlagValue = { value: undefined, text: "" };
const ON: FlagValue = { value: true, text: "true" };
/** Applications get the same of a gate that does not exist. */
const OFF: FlagValue = { value: false, text: "false" };

/** Reads the values of flags. Equal objects are equal values; values that are computed for each user are kept by their texts. */
export function createFlagValues() {
  const computed = new Map<string, FlagValue>();
  let length = 0;
  return {
    valueIn(decisions: Decisions, { kind, name }: Place): FlagValue {
      if (kind === "gate") return decisions.gate(name)?.on ? ON : OFF;
      if (kind !== "paramStore") return valueOfDecision(decisions[kind](name));
      const { value, reason } = decisions.paramStore(name);
      if (reason === "not_found") return NOTHING;
      const text = canonical(value);
      length += text.length;
      const known = computed.get(text) ?? { value, text };
      computed.set(text, known);
      return known;
    },

    /** The characters of the values that were computed for each user. */
    computedLength: () => length,
  };
}

/** Whether a spec gives a user the same before and after a change, in all on which other specs can depend. */
export function isSameIn(own: Decisions, other: Decisions, { kind, name }: Place): boolean {
  // Param stores have no dependents.
  if (kind === "paramStore") return false;
  const [first, second] = [own[kind](name), other[kind](name)];
  if (first === second) return true;
  if (first?.reason !== second?.reason || first?.groupName !== second?.groupName) return false;
  return kind === "gate" ? (first?.on ?? false) === (second?.on ?? false) : valueOfDecision(first).text === valueOfDecision(second).text;
}

function valueOfDecision(decision: Decision | undefined): FlagValue {
  return decision ? decidedValue(decision) : NOTHING;
}

/** Serialized once for each decision. */
const decidedValue = keptWithDecision((decision: Decision): FlagValue => {
  const value = objectValue(decision);
  return { value, text: canonical(value) };
});

/** JSON with the keys of objects in order, so that objects that differ in that alone are equal. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A value as responses have it. */
export function shown({ value, text }: FlagValue): Schema<"ShownValue"> {
  if (value === undefined) return null;
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : value;
}
