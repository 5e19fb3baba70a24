// Edits of a release pipeline that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import type { DraftModel, Stored } from "../../saving/draft-model.ts";
import type { Change, DescribedEntity } from "../../targeting/changes.ts";
import { equal } from "../../targeting/equal.ts";
import { subject, text, value } from "../../targeting/parts.ts";
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
export type PipelineDraft = { readonly stored: StoredPipeline; readonly name: string; readonly phases: readonly PhaseDraft[] };
type Parts = { name: string; phases: readonly PhaseParts[] };

const toParts = ({ name, phases }: Pipeline): Parts => ({ name, phases: phases.map(partsOfPhase) });

const draftParts = ({ name, phases }: PipelineDraft): Parts => ({ name, phases: phases.map(fromPhaseDraft) });

export const pipelineModel: DraftModel<StoredPipeline, PipelineDraft, Parts> = {
  getEtag: ({ etag }) => etag,
  storedParts: ({ entity }) => toParts(entity),
  draftParts,
  createDraft: (stored, { name, phases }) => ({ stored, name, phases: phases.map(toPhaseDraft) }),
  countChanges: (draft) =>
    toWriteRequests(draft).length === 0 ? 0 : Math.max(1, describeDraft(draft).flatMap(({ changes }) => changes).length),
  getName: (part) => (part === "name" ? "Name" : "Phases"),
  toText: (part, shown) => (part === "name" ? String(shown) : phasesText(shown as readonly PhaseParts[])),
};

export function toWriteRequests(draft: PipelineDraft): BatchRequest[] {
  const { entity, etag } = draft.stored;
  const [before, after] = [toParts(entity), draftParts(draft)];
  const body: WritableSchema<"ReleasePipelineUpdate"> = {
    ...(before.name !== after.name && { name: after.name }),
    ...(!equal(before.phases, after.phases) && { phases: draft.phases.map(toGivenPhase) }),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "updateReleasePipeline", path: { id: entity.id }, body, ifMatch: etag }];
}

export function findFaults({ name, phases, stored }: PipelineDraft): Fault[] {
  const nameless: Fault = { property: "name", message: "Enter a name.", level: "error" };
  return [...(name.trim() === "" ? [nameless] : []), ...faultsOfPhases(phases, stored.entity.phases)];
}

function described(id: string, before: Parts, after: Parts): DescribedEntity[] {
  const renamed: Change = {
    kind: "changed",
    field: "name",
    parts: [subject("Name"), text(":"), value(before.name), text("→"), value(after.name)],
  };
  const changes = [...(before.name === after.name ? [] : [renamed]), ...phaseChanges(before.phases, after.phases)];
  const title = [text("Release pipeline"), subject(`“${after.name}”`)];
  return changes.length === 0 ? [] : [{ entityType: "release_pipeline", entityID: id, title, changes }];
}

/** The changes of a draft in words. */
export const describeDraft = (draft: PipelineDraft): DescribedEntity[] =>
  described(draft.stored.entity.id, toParts(draft.stored.entity), draftParts(draft));

/** The differences between two versions, in words. */
export const describeVersions = (before: Pipeline, after: Pipeline): DescribedEntity[] =>
  described(after.id, toParts(before), toParts(after));
