// Edits of a segment's rules that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import type { DraftModel, Stored } from "../../saving/draft-model.ts";
import { changesOf, type KnownEntity } from "../../targeting/changes.ts";
import { isChanged, type RulesDraft, toDraft, toRules } from "../../targeting/rule-draft.ts";
import { rulesText } from "../../targeting/sentences.ts";

export type Segment = Schema<"Segment">;
export type StoredSegment = Stored<Segment>;
export type SegmentDraft = { readonly stored: StoredSegment; readonly rules: RulesDraft };
type Parts = { rules: Segment["rules"] };

const rulesOf = (rules: RulesDraft) => toRules(rules) as Segment["rules"];

export const segmentModel: DraftModel<StoredSegment, SegmentDraft, Parts> = {
  etagOf: ({ etag }) => etag,
  storedParts: ({ entity }) => ({ rules: rulesOf(toDraft(entity.rules)) }),
  draftParts: ({ rules }) => ({ rules: rulesOf(rules) }),
  draftOf: (stored, { rules }) => ({ stored, rules: toDraft(rules) }),
  countChanges: (draft) => (bodyOf(draft) === undefined ? 0 : Math.max(1, knownEntities(draft).flatMap(changesOf).length)),
  nameOf: () => "Rules",
  textOf: (_, value, { entity }) => rulesText(value as Segment["rules"], entity.idType, "member"),
};

/** What a save would send. Undefined if nothing differs. */
export function bodyOf({ stored, rules }: SegmentDraft): { rules: WritableSchema<"Segment">["rules"] } | undefined {
  return isChanged(rules, stored.entity.rules) ? { rules: rulesOf(rules) } : undefined;
}

export function writeOf(draft: SegmentDraft): BatchRequest[] {
  const body = bodyOf(draft);
  const { entity, etag } = draft.stored;
  return body ? [{ operationId: "updateSegmentRules", path: { id: entity.id }, body, ifMatch: etag }] : [];
}

/** The segment as it would be. */
export const previewOf = ({ stored: { entity }, rules }: SegmentDraft): Segment => ({ ...entity, rules: rulesOf(rules) });

/** Both states, to put the difference into words. */
export function knownEntities(draft: SegmentDraft): KnownEntity[] {
  const { entity } = draft.stored;
  return [{ type: "segment", id: entity.id, before: entity, after: previewOf(draft) }];
}
