// Edits of a segment that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, type DraftModel, type Stored } from "../../saving/draft-model.ts";
import { entityChanges, type KnownEntity } from "../../targeting/changes.ts";
import { type FieldWords, fieldText } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { isChanged, type RulesDraft, toDraft, toRules, toWrittenRules } from "../../targeting/rule-draft.ts";
import { rulesText } from "../../targeting/sentences.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";

export type Segment = Schema<"Segment">;
export type StoredSegment = Stored<Segment>;
type Fields = Pick<Segment, "name" | "description" | "tags"> & TeamFields & OwnerFields;
export type SegmentDraft = { readonly stored: StoredSegment; readonly rules: RulesDraft; readonly fields: Fields };
type Parts = Fields & { rules: Segment["rules"] };

const WORDS: Record<keyof Fields, FieldWords> = {
  name: { label: "Name", as: "text" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const toSegmentRules = (rules: RulesDraft) => toRules(rules) as Segment["rules"];
const toFields = (segment: Segment): Fields => {
  const { name, description, tags } = segment;
  return { name, description, tags, ...toTeamFields(segment), owner: segment.owner ?? null };
};

/** The part of a version that decides who is in the segment. */
export const toTargeting = ({ rules, isEnabled, idType }: Segment) => ({ flag: { rules, isEnabled, idType } });

export const setFields = (draft: SegmentDraft, fields: Partial<Fields>): SegmentDraft => ({
  ...draft,
  fields: { ...draft.fields, ...fields },
});

export const segmentModel: DraftModel<StoredSegment, SegmentDraft, Parts> = {
  getEtag: ({ etag }) => etag,
  storedParts: ({ entity }) => ({ ...toFields(entity), rules: toSegmentRules(toDraft(entity.rules)) }),
  draftParts: ({ fields, rules }) => ({ ...fields, rules: toSegmentRules(rules) }),
  createDraft: (stored, { rules, ...fields }) => ({ stored, fields, rules: toDraft(rules) }),
  countChanges: (draft) =>
    toPatchBody(draft) === undefined ? 0 : Math.max(1, knownEntities(draft).flatMap((one) => entityChanges(one)).length),
  getName: (part) => (part === "rules" ? "Rules" : WORDS[part].label),
  toText: (part, value, { entity }) => {
    if (part === "rules") return rulesText(value as Segment["rules"], entity.idType, "member");
    return fieldText(WORDS[part], value);
  },
};

/** The body of a save. Undefined without differences. */
export function toPatchBody(draft: SegmentDraft): WritableSchema<"SegmentPatch"> | undefined {
  const { rules: _, ...fields } = changedParts(segmentModel, draft);
  const body = {
    ...fields,
    ...(isChanged(draft.rules, draft.stored.entity.rules) && { rules: toWrittenRules(draft.rules) as Segment["rules"] }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
}

export function toWriteRequests(draft: SegmentDraft): BatchRequest[] {
  const body = toPatchBody(draft);
  const { entity, etag } = draft.stored;
  return body ? [{ operationId: "patchSegment", path: { id: entity.id }, body, ifMatch: etag }] : [];
}

/** The segment as it would be. */
export const toPreview = ({ stored: { entity }, fields, rules }: SegmentDraft): Segment => ({
  ...entity,
  ...fields,
  rules: toSegmentRules(rules),
});

/** Both states, to put the difference into words. */
export function knownEntities(draft: SegmentDraft): KnownEntity[] {
  const { entity } = draft.stored;
  return [{ type: "segment", id: entity.id, before: entity, after: toPreview(draft) }];
}
