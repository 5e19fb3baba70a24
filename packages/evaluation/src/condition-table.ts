import { type CompiledCondition, compileCondition } from "./condition.ts";
import type { Condition } from "./ruleset.ts";

type Interned = { condition: CompiledCondition | undefined };

/** By the condition's object, which most often is met again. */
const byObject = new WeakMap<Condition, Interned>();
/** By the content of a condition. Entries that no ruleset holds are garbage collected. */
const byContent = new Map<string, WeakRef<Interned>>();
const forgotten = new FinalizationRegistry<string>((content) => {
  if (byContent.get(content)?.deref() === undefined) byContent.delete(content);
});
/** Longer conditions are not shared: they rarely repeat, and the key would hold their text. Characters. */
const MAX_CONTENT_LENGTH = 1_000;

/** A condition made ready, one for all that say the same: what it answers for a user is found once. Undefined where it is not known here. */
export function internedCondition(condition: Condition): CompiledCondition | undefined {
  let interned = byObject.get(condition);
  if (interned === undefined) {
    interned = ofContent(condition);
    byObject.set(condition, interned);
  }
  return interned.condition;
}

function ofContent(condition: Condition): Interned {
  const { type, targetValue, operator, field, additionalValues, idType } = condition;
  const content = JSON.stringify([type, targetValue, operator, field, additionalValues, idType]);
  const known = byContent.get(content)?.deref();
  if (known !== undefined) return known;
  const interned = { condition: compileCondition(condition) };
  if (content.length <= MAX_CONTENT_LENGTH) {
    byContent.set(content, new WeakRef(interned));
    forgotten.register(interned, content);
  }
  return interned;
}
