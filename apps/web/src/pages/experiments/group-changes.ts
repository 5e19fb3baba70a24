// Changes of an experiment's groups, in words. Pure.
import { percentage } from "../../charts/format.ts";
import type { Change } from "../../targeting/change.ts";
import { equal } from "../../targeting/equal.ts";
import { type FieldWords, fieldChanges } from "../../targeting/field-changes.ts";
import { type Part, subject, text, value } from "../../targeting/parts.ts";
import { parseObject } from "../../targeting/values.ts";
import type { GroupDraft } from "./experiment-draft.ts";
import type { Experiment } from "./states.ts";

/** Properties of a group that the page does not edit. */
type Unedited = Pick<Experiment["groups"][number], "disabled" | "foreignGroupID" | "highlighted">;
export type DescribedGroup = GroupDraft & Partial<Unedited>;

const OTHERS = {
  description: { label: "description", as: "value" },
  disabled: { label: "disabled", as: "value" },
  foreignGroupID: { label: "ID in the assignment source", as: "value" },
  highlighted: { label: "highlighted", as: "value" },
} as const satisfies Record<keyof Unedited | "description", FieldWords>;

const title = ({ name }: GroupDraft): Part[] => [text("Group"), subject(`“${name}”`)];
const isSame = (one: GroupDraft, other: GroupDraft) => (one.id === null ? one.name === other.name : one.id === other.id);

/** The changes from one list of groups to another, each group with everything that it has. */
export function groupChanges(before: readonly DescribedGroup[], after: readonly DescribedGroup[]): Change[] {
  const changed = after.flatMap((group) => {
    const old = before.find((one) => isSame(group, one));
    return old === undefined ? addedGroup(group) : changesOfGroup(old, group);
  });
  const removed = before.filter((old) => !after.some((group) => isSame(group, old)));
  return [...changed, ...removed.map((group): Change => ({ kind: "removed", field: "groups", parts: [...title(group), text("removed")] }))];
}

function addedGroup(group: DescribedGroup): Change[] {
  const added: Change = {
    ...{
      kind: "added",
      field: "groups",
      parts: [...title(group), text("added with"), value(percentage(group.size)), text("and these values")],
    },
    diff: { before: "", after: group.values },
  };
  return [added, ...otherChanges({}, group)];
}

function changesOfGroup(old: DescribedGroup, group: DescribedGroup): Change[] {
  const change = (parts: Part[]): Change => ({ kind: "changed", field: "groups", parts });
  return [
    ...(old.name === group.name ? [] : [change([...title(old), text(": renamed to"), subject(`“${group.name}”`)])]),
    ...(old.size === group.size
      ? []
      : [change([...title(group), text(": size"), value(percentage(old.size)), text("→"), value(percentage(group.size))])]),
    ...(equal(parseObject(old.values), parseObject(group.values))
      ? []
      : [{ ...change([...title(group), text(": values changed")]), diff: { before: old.values, after: group.values } }]),
    ...otherChanges(old, group),
  ];
}

const otherChanges = (old: Partial<DescribedGroup>, group: DescribedGroup): Change[] =>
  fieldChanges(OTHERS, described(old), described(group)).map((one) => ({
    ...one,
    field: "groups",
    parts: [...title(group), text(":"), ...one.parts],
  }));

/** Groups without a description have an empty one, and only disabled ones say so. */
const described = ({ description, disabled, highlighted, foreignGroupID }: Partial<DescribedGroup>) => ({
  ...{ description: description || null, foreignGroupID: foreignGroupID || null },
  ...{ disabled: disabled || null, highlighted: highlighted || null },
});
