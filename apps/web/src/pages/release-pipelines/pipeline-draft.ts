// Edits of a release pipeline that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, type DraftModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import { type FieldWords, fieldChanges, fieldText } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { subject, text } from "../../targeting/parts.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";
import { phaseChanges, phasesText } from "./phase-changes.ts";
import {
  faultsOfPhases,
  fromPhaseDraft,
  type PhaseDraft,
  type PhaseParts,
  partsOfPhase,
  toGivenPhase,
  toPhaseDraft,
} from "./phase-draft.ts";

export type Pipeline = Schema<"ReleasePipeline">;
export type StoredPipeline = Stored<Pipeline>;
type Fields = { name: string } & TeamFields & OwnerFields;
export type PipelineDraft = Fields & { readonly stored: StoredPipeline; readonly phases: readonly PhaseDraft[] };
type Parts = Fields & { phases: readonly PhaseParts[] };

const WORDS: Record<keyof Fields, FieldWords> = { name: { label: "Name", as: "value" }, ...TEAM_WORDS, ...OWNER_WORDS };

const toParts = (pipeline: Pipeline): Parts => ({
  ...{ name: pipeline.name, ...toTeamFields(pipeline), owner: pipeline.owner ?? null },
  phases: pipeline.phases.map(partsOfPhase),
});

const draftParts = ({ stored: _, phases, ...fields }: PipelineDraft): Parts => ({ ...fields, phases: phases.map(fromPhaseDraft) });

export const pipelineModel: DraftModel<StoredPipeline, PipelineDraft, Parts> = {
  getEtag: ({ etag }) => etag,
  storedParts: ({ entity }) => toParts(entity),
  draftParts,
  createDraft: (stored, { phases, ...fields }) => ({ stored, ...fields, phases: phases.map(toPhaseDraft) }),
  countChanges: (draft) =>
    toWriteRequests(draft).length === 0 ? 0 : Math.max(1, describeDraft(draft).flatMap(({ changes }) => changes).length),
  getName: (part) => (part === "phases" ? "Phases" : WORDS[part].label),
  toText: (part, shown) => (part === "phases" ? phasesText(shown as readonly PhaseParts[]) : fieldText(WORDS[part], shown)),
};

export function toWriteRequests(draft: PipelineDraft): BatchRequest[] {
  const { entity, etag } = draft.stored;
  const { phases, ...fields } = changedParts(pipelineModel, draft);
  const body: WritableSchema<"ReleasePipelineUpdate"> = { ...fields, ...(phases && { phases: draft.phases.map(toGivenPhase) }) };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "updateReleasePipeline", path: { id: entity.id }, body, ifMatch: etag }];
}

export function findFaults({ name, phases, stored }: PipelineDraft): Fault[] {
  const nameless: Fault = { property: "name", message: "Enter a name.", level: "error" };
  return [...(name.trim() === "" ? [nameless] : []), ...faultsOfPhases(phases, stored.entity.phases)];
}

function described(id: string, before: Parts, after: Parts): DescribedEntity[] {
  const changes = [...fieldChanges(WORDS, before, after), ...phaseChanges(before.phases, after.phases)];
  const title = [text("Release pipeline"), subject(`“${after.name}”`)];
  return changes.length === 0 ? [] : [{ entityType: "release_pipeline", entityID: id, title, changes }];
}

/** The changes of a draft in words. */
export const describeDraft = (draft: PipelineDraft): DescribedEntity[] =>
  described(draft.stored.entity.id, toParts(draft.stored.entity), draftParts(draft));

/** The differences between two versions, in words. */
export const describeVersions = (before: Pipeline, after: Pipeline): DescribedEntity[] =>
  described(after.id, toParts(before), toParts(after));
