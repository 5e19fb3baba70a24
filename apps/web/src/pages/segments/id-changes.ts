// Changes of a segment's list of IDs. Pure.
import type { Changes, Schema } from "../../api.ts";
import { idCountChange } from "../../entity/id-count.ts";
import type { Change } from "../../targeting/change.ts";
import { type DescribedEntity, describeChanges, entityTitle } from "../../targeting/changes.ts";
import { subject, text, value } from "../../targeting/parts.ts";

/** How the number of IDs changed from one version to another. Versions have no IDs themselves. */
export const idChanges = ({ count: before }: Schema<"Segment">, { count: after }: Schema<"Segment">): Change[] =>
  before === after ? [] : [idCountChange(before, after)];

/** A dry run that removes one ID. Without another number of IDs, it isn't in the list. */
export function removalWords(changes: Changes, segmentID: string, id: string): DescribedEntity[] {
  const isListed = changes.some(
    ({ entityType, entityID, fields }) =>
      entityType === "segment" && entityID === segmentID && fields.some(({ field }) => field === "count"),
  );
  if (!isListed) return describeChanges(changes, []);
  const removal: Change = { kind: "removed", field: "count", parts: [subject("ID"), value(id), text("removed")] };
  return [{ entityType: "segment", entityID: segmentID, title: entityTitle("segment", segmentID), changes: [removal] }];
}

/** The text for a version without a visible change. */
export const unseenChange = ({ type }: Schema<"Segment">): string =>
  type === "rule_based" ? "Saved without changes." : "The number of IDs didn’t change, but the IDs may have.";
