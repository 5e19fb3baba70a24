import { conflict } from "../../common/errors.ts";
import { title, words } from "../../common/words.ts";
import type { WriteOptions } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { createEnvironmentStore } from "../environments/environment-store.ts";
import type { ReleasePipeline } from "../release-pipelines/release-pipeline.ts";
import { createReleasePipelineStore } from "../release-pipelines/release-pipeline-store.ts";
import { type Phase, type Subject, startRelease } from "./release.ts";
import { createReleaseStore } from "./release-store.ts";
import { contentOf, inRelease, isSameContent, isSameIn, type Releasable, withoutRelease } from "./released.ts";

/** `isPlanned` for a write that belongs to a release that has begun, or to a rollout that a rule plans: it starts no release. */
export type ReleasedWriteOptions = WriteOptions & { isPlanned?: boolean };

type Write<E> = {
  type: Subject["type"];
  /** Null for an entity that is new. */
  before: E | null;
  after: E;
  /** Why metrics cannot guard a release of the entity; undefined if they can. */
  reasonAgainstMetrics(after: E): string | undefined;
};

/**
 * The entity to write: with a release that starts if its rules or its default value change, and it has a pipeline. A release that is in
 * progress stays as it is.
 * @throws AppError conflict if an environment requires a pipeline and the entity has none, or if a release that is in progress forbids the write
 */
export async function withRelease<E extends Releasable>(
  deps: StoreDeps,
  { type, before, after, reasonAgainstMetrics }: Write<E>,
): Promise<E> {
  const active = before?.activeRelease;
  const [own, next] = [contentOf(before), contentOf(after)];
  const isSame = isSameContent(own, next);
  const isLaunched = after.status === "Launched" && before?.status !== "Launched";
  const plain = withoutRelease(after);
  if (active) {
    if (!isSame || isLaunched || after.status === "Archived" || after.idType !== before.idType) throw inProgress(type, before, "changed");
    if (after.releasePipelineID !== before.releasePipelineID) throw inProgress(type, before, "changed", "releasePipelineID");
    return { ...plain, activeRelease: active };
  }
  if (isSame && !isLaunched) return plain;
  const pipeline = await findPipeline(deps, after);
  if (isLaunched || !pipeline) {
    await requireNoPipeline(deps, type, { before, after, isLaunched });
    return plain;
  }
  const subject: Subject = { type, id: after.id };
  for (const phase of pipeline.phases) requireGuardable(phase, subject, reasonAgainstMetrics(after));
  const release = await createReleaseStore(deps).create(startRelease(pipeline, subject, deps.by));
  return inRelease(plain, release, pipeline.phases, before ? own : { rules: [], ...emptyDefault(next) });
}

/** @throws AppError conflict if a release is in progress */
export function requireNoRelease(type: Subject["type"], entity: Releasable): void {
  if (entity.activeRelease) throw inProgress(type, entity, "deleted");
}

function inProgress(type: Subject["type"], { id, activeRelease }: Releasable, participle: string, property = "rules") {
  const message = `${title(type)} ${id} cannot be ${participle} like this while release ${activeRelease?.releaseID} is in progress.`;
  return conflict(`${message} Complete or abort the release first.`, property);
}

/** Reads the pipeline of an entity, and locks it against changes. Undefined without one, and without phases. */
async function findPipeline(deps: StoreDeps, { releasePipelineID }: Releasable): Promise<ReleasePipeline | undefined> {
  if (releasePipelineID === null) return undefined;
  const pipeline = await createReleasePipelineStore(deps).find(releasePipelineID, { lock: true });
  return pipeline && pipeline.phases.length > 0 ? pipeline : undefined;
}

type Unstaged = { before: Releasable | null; after: Releasable; isLaunched: boolean };

/** @throws AppError conflict if the change reaches users of an environment that requires a pipeline */
async function requireNoPipeline(deps: StoreDeps, type: Subject["type"], { before, after, isLaunched }: Unstaged): Promise<void> {
  const { environments } = await createEnvironmentStore(deps).get();
  const [own, next] = [contentOf(before), contentOf(after)];
  const requiring = environments.find(
    ({ name, requiresReleasePipeline }) => requiresReleasePipeline && (isLaunched || !isSameIn(name, own, next)),
  );
  if (!requiring) return;
  const advice = isLaunched
    ? "A launch reaches everyone at once. Release a rule that everyone passes instead."
    : `Set releasePipelineID of ${words(type)} ${after.id} to a pipeline that has phases.`;
  throw conflict(`Environment ${requiring.name} requires a release pipeline. ${advice}`, isLaunched ? "status" : "releasePipelineID");
}

/** @throws AppError conflict if the phase has guardrail metrics and nothing can compare them */
function requireGuardable({ name, guardrailMetrics = [] }: Phase, { type, id }: Subject, reason: string | undefined): void {
  if (guardrailMetrics.length === 0 || reason === undefined) return;
  throw conflict(`Phase ${name} has guardrail metrics, which cannot guard ${words(type)} ${id}: ${reason}`, "releasePipelineID");
}

/** The default value that applications get from a dynamic config that does not exist. */
function emptyDefault({ defaultValue }: { defaultValue?: object }) {
  return defaultValue ? { defaultValue: {}, defaultValueJson5: "{}" } : {};
}
