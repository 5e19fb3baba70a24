import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../common/context.ts";
import { modified } from "../common/stamp.ts";
import type { ReleasePipeline } from "../release-pipelines/release-pipeline.ts";
import type { Stores } from "../stores.ts";
import { type Phase, type Release, subjectOf } from "./release.ts";
import { inRelease, type Releasable } from "./released.ts";

/** A step of a release: its next state, from the phases of its pipeline. */
type Step = (phases: readonly Phase[]) => Release;

const NO_PHASES: Pick<ReleasePipeline, "phases"> = { phases: [] };

/** The phases of a release's pipeline. They cannot change before the release ends. */
export async function phasesOf({ releasePipelines }: Stores, { releasePipelineID }: Release): Promise<readonly Phase[]> {
  return ((await releasePipelines.find(releasePipelineID)) ?? NO_PHASES).phases;
}

/** Makes a step of a release, and writes what it means for the gate or dynamic config. */
export async function moveRelease(stores: Stores, release: Release, step: Step, context: Context): Promise<Release> {
  const phases = await phasesOf(stores, release);
  const next = step(phases);
  const move = <E extends Releasable>(entity: E): E | undefined => {
    const moved = inRelease(entity, next, phases, entity.activeRelease?.before ?? { rules: entity.rules });
    // A phase that waits for its approval changes nothing yet.
    if (next.status === "WAITING_FOR_REVIEW" && isDeepStrictEqual(moved, entity)) return undefined;
    return { ...moved, ...modified(entity, context) };
  };
  const { type, id } = subjectOf(release);
  if (type === "gate") {
    const gate = await stores.gates.get(id);
    const moved = move(gate);
    if (moved) await stores.gates.replace(gate, moved, PLANNED);
  } else {
    const config = await stores.dynamicConfigs.get(id);
    const moved = move(config);
    if (moved) await stores.dynamicConfigs.replace(config, moved, PLANNED);
  }
  return stores.releases.replace(release, next);
}

/** The write belongs to a release that has begun, or to a rollout that a rule plans. */
const PLANNED = { isPlanned: true };
