// What a person can do with a release. Pure.
import type { Schema } from "../api.ts";
import type { Phase } from "../targeting/phases.ts";

type Release = Schema<"Release">;

/** The person, and why they lack a permission; undefined if they have it. */
export type Reader = {
  id: string;
  mayApproveOwn: boolean;
  refusal: (permission: "approve_required_review_release_pipeline_phase" | "launch_or_disable_configs") => string | undefined;
};

/** An action: absent, possible, or impossible for a reason. */
export type Offer = "absent" | { disabledReason: string | undefined };

const OWN = "This is your own change, so someone else has to approve it.";

/** The phases that need an approval, and that going on with a phase would begin without one. @param phaseID null for the end of the release */
export function unapproved(release: Release, phases: readonly Phase[], phaseID: string | null): Phase[] {
  const current = phases.findIndex(({ id }) => id === release.currentPhaseID);
  const first = release.status === "WAITING_FOR_REVIEW" ? current : current + 1;
  const end = phaseID === null ? phases.length : phases.findIndex(({ id }) => id === phaseID);
  return phases.slice(first, end).filter(({ requiredReview }) => requiredReview);
}

/** Why the person can't approve phases of the release; undefined if they can. */
function approvalRefusal({ creatorID }: Pick<Release, "creatorID">, { id, mayApproveOwn, refusal }: Reader): string | undefined {
  return refusal("approve_required_review_release_pipeline_phase") ?? (creatorID === id && !mayApproveOwn ? OWN : undefined);
}

export const approving = (release: Release, reader: Reader): Offer =>
  release.status === "WAITING_FOR_REVIEW" ? { disabledReason: approvalRefusal(release, reader) } : "absent";

/** Whether the release waits for an approval that the person can give. */
export function isToApprove(release: Release, reader: Reader): boolean {
  const offer = approving(release, reader);
  return offer !== "absent" && offer.disabledReason === undefined;
}

/** A pause if the timer runs, or going on after one. */
export const pausing = ({ status }: Release, { refusal }: Reader): Offer =>
  status === "IN_PROGRESS" ? { disabledReason: refusal("launch_or_disable_configs") } : "absent";

export const resuming = ({ status }: Release, { refusal }: Reader): Offer =>
  status === "PAUSED" ? { disabledReason: refusal("launch_or_disable_configs") } : "absent";

/** The later phases, and why the person can't skip to them. */
export function skipping(
  release: Release,
  phases: readonly Phase[],
  reader: Reader,
): { phase: Phase; disabledReason: string | undefined }[] {
  const current = phases.findIndex(({ id }) => id === release.currentPhaseID);
  return phases.slice(current + 1).map((phase) => ({ phase, disabledReason: moveRefusal(release, phases, phase.id, reader) }));
}

export const completing = (release: Release, phases: readonly Phase[], reader: Reader): { disabledReason: string | undefined } => ({
  disabledReason: moveRefusal(release, phases, null, reader),
});

export const aborting = ({ refusal }: Reader): { disabledReason: string | undefined } => ({
  disabledReason: refusal("launch_or_disable_configs"),
});

/** Why the person can't move the release on: whoever skips a phase that needs an approval has to be able to give it. */
function moveRefusal(release: Release, phases: readonly Phase[], phaseID: string | null, reader: Reader): string | undefined {
  const own = reader.refusal("launch_or_disable_configs");
  const [first] = unapproved(release, phases, phaseID);
  const refusal = first && approvalRefusal(release, reader);
  return own ?? (refusal === undefined ? undefined : `“${first?.name}” needs approval. ${refusal}`);
}
