import { type Change, listChange } from "./change.ts";
import { type OverridePlace, type OverrideRow, overrideList, type Side, toOverrideRows } from "./override-draft.ts";
import { text, value } from "./parts.ts";
import { unitNoun } from "./sentences.ts";
import type { OverrideLists } from "./types.ts";

const ALWAYS: Readonly<Record<Side, string>> = { pass: "Always pass", fail: "Always fail" };

/** The changes of the lists of passing and failing ids: one for each list that ids came to or left. */
export function overrideChanges(before: OverrideLists, after: OverrideLists, idType: string, words = ALWAYS): Change[] {
  return overrideRowChanges(toOverrideRows(before, idType), toOverrideRows(after, idType), idType, words);
}

/** The changes from one table of overrides to another. */
export function overrideRowChanges(
  before: readonly OverrideRow[],
  after: readonly OverrideRow[],
  idType: string,
  words = ALWAYS,
): Change[] {
  const lists = new Map<string, OverridePlace & { side: Side; before: string[]; after: string[] }>();
  const ensureList = ({ environment, unit, side }: OverrideRow) => {
    const key = JSON.stringify([environment, unit, side]);
    const list = lists.get(key) ?? { environment, unit, side, before: [], after: [] };
    lists.set(key, list);
    return list;
  };
  for (const row of before) ensureList(row).before.push(row.id);
  for (const row of after) ensureList(row).after.push(row.id);
  return [...lists.values()].flatMap((list): Change[] => {
    const difference = listChange(list.before, list.after);
    if (difference.length === 0) return [];
    const place = list.environment === null ? [text("in all environments")] : [text("in"), value(list.environment)];
    const parts = [text(words[list.side]), ...place, text(`(${unitNoun(list.unit)}):`), ...difference];
    return [{ kind: changeKind(list), field: overrideList(list, list.side, idType), parts }];
  });
}

function changeKind({ before, after }: { before: readonly string[]; after: readonly string[] }): Change["kind"] {
  if (after.length > before.length && before.every((id) => after.includes(id))) return "added";
  return before.length > after.length && after.every((id) => before.includes(id)) ? "removed" : "changed";
}
