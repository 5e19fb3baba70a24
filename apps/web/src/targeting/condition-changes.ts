import { listChange } from "./change.ts";
import { listValues } from "./condition-draft.ts";
import { equal } from "./equal.ts";
import { type Part, text } from "./parts.ts";
import { conditionSentence } from "./sentences.ts";
import type { Condition } from "./types.ts";

export type ConditionChange = { kind: "added" | "removed" | "changed"; parts: Part[] };

/** The changes of a rule's conditions. Conditions have no ids: one that tests the same as before counts as changed. Their order has no effect. */
export function conditionChanges(before: readonly Condition[], after: readonly Condition[]): ConditionChange[] {
  const [gone, come] = withoutEqual(before, after);
  const changes = come.map((condition): ConditionChange => {
    const at = gone.findIndex((one) => testsTheSame(one, condition));
    const [old] = at === -1 ? [] : gone.splice(at, 1);
    if (old === undefined) return { kind: "added", parts: [text("condition added:"), ...conditionSentence(condition)] };
    return { kind: "changed", parts: changedCondition(old, condition) };
  });
  const removed = gone.map(
    (condition): ConditionChange => ({
      kind: "removed",
      parts: [text("condition removed:"), ...conditionSentence(condition)],
    }),
  );
  return [...changes, ...removed];
}

/** The conditions of each list that the other lacks. Of several equal ones, each counts once. */
function withoutEqual(before: readonly Condition[], after: readonly Condition[]): [Condition[], Condition[]] {
  const gone = [...before];
  const come = after.filter((condition) => {
    const at = gone.findIndex((one) => equal(one, condition));
    if (at !== -1) gone.splice(at, 1);
    return at === -1;
  });
  return [gone, come];
}

function testsTheSame(a: Condition, b: Condition): boolean {
  return a.type === b.type && (a.field ?? null) === (b.field ?? null) && (a.customID ?? null) === (b.customID ?? null);
}

function changedCondition(before: Condition, after: Condition): Part[] {
  const isList = Array.isArray(before.targetValue) && Array.isArray(after.targetValue);
  const difference = isList && before.operator === after.operator ? listChange(listValues(before), listValues(after)) : [];
  if (difference.length === 0) return [text("condition"), ...conditionSentence(before), text("→"), ...conditionSentence(after)];
  const words = conditionSentence(after).filter(({ kind }) => kind !== "value" && kind !== "more");
  return [text("condition"), ...words, text(":"), ...difference];
}
