import type { Schema } from "@gatehouse/contract/console";
import { type Decision, type Evaluator, keptWithDecision, objectValue } from "@gatehouse/evaluation";
import type { Flag } from "./changed-flags.ts";

/** What applications get of a flag. Equal values have equal texts. Undefined if they do not get it. */
export type FlagValue = { value: boolean | Record<string, unknown> | undefined; text: string };

type Decisions = ReturnType<Evaluator["decisionsFor"]>;

/** Longer values are answered as a text that is cut, in characters of JSON. */
const MAX_SHOWN_LENGTH = 2_000;

const NOTHING: FlagValue = { value: undefined, text: "" };
const ON: FlagValue = { value: true, text: "true" };
/** Applications get the same of a gate that does not exist. */
const OFF: FlagValue = { value: false, text: "false" };

export function valueIn(decisions: Decisions, { kind, name }: Flag): FlagValue {
  if (kind === "gate") return decisions.gate(name)?.on ? ON : OFF;
  if (kind === "paramStore") {
    const { value, reason } = decisions.paramStore(name);
    return reason === "not_found" ? NOTHING : { value, text: canonical(value) };
  }
  const decision = decisions[kind](name);
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
