import { type CompiledCondition, compileCondition } from "./condition.ts";
import type { Condition } from "./ruleset.ts";

type Interned = { condition: CompiledCondition | undefined };

/** By the condition's object, which is the most frequent hit. */
const byObject = new WeakMap<Condition, Interned>();
/** By the condition's content. Entries that no ruleset references are garbage collected. */
const byContent = new Map<string, WeakRef<Interned>>();
const forgotten = new FinalizationRegistry<string>((content) => {
  if (byContent.get(content)?.deref() === undefined) byContent.delete(content);
});
/** Longer conditions are not shared, since they rarely repeat and their text would be the key. In characters. */
const MAX_CONTENT_LENGTH = 1_000;

/** Compiles a condition, once for all equal ones, so that it is tested once per user. Undefined for an unknown condition. */
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
