import { describe, expect, it } from "vitest";
import type { Phase } from "../targeting/phases.ts";
import { aborting, approving, completing, pausing, type Reader, resuming, skipping } from "./offers.ts";
import type { Release } from "./reads.ts";
import { actionText, completeConsequence, nextStep, skipConsequence } from "./release-words.ts";

const HOUR_MS = 3_600_000;
const phase = (id: string, requiredReview = false): Phase => ({
  id,
  name: id.toUpperCase(),
  timeIntervalMs: HOUR_MS,
  requiredReview,
  rules: [],
});
const phases = [phase("a"), phase("b"), phase("c", true), phase("d")];
const release = (given: Partial<Release> = {}): Release =>
  ({
    ...{ id: "r", gateID: "g", releasePipelineID: "p", creatorID: "author", status: "IN_PROGRESS", currentPhase: "A", currentPhaseID: "a" },
    ...{
      currentPhaseEndTime: 5 * HOUR_MS,
      remainingMs: null,
      phases: [{ phaseID: "a", name: "A", startTime: 0 }],
      breaches: [],
      actions: [],
    },
    ...given,
  }) as Release;
const waiting = release({ status: "WAITING_FOR_REVIEW", currentPhase: "C", currentPhaseID: "c", currentPhaseEndTime: null });
const reader = (id: string, given: Partial<Reader> = {}): Reader => ({ id, mayApproveOwn: false, refusal: () => undefined, ...given });
const refused = (permission: string) => reader("other", { refusal: (asked) => (asked === permission ? "No." : undefined) });
const OWN = "This is your own change, so someone else has to approve it.";

describe("the next step of a release", () => {
  it("is the phase after the current one, or everyone", () => {
    expect(nextStep(release(), phases, 0)).toEqual({ before: "“B” begins", time: 5 * HOUR_MS, after: "." });
    expect(nextStep(release({ currentPhaseID: "b" }), phases, 0)?.before).toBe("“C” can be approved");
    expect(nextStep(release({ currentPhaseID: "d" }), phases, 0)?.before).toBe("Everyone gets the change");
  });

  it("comes shortly if its time has passed, as while guardrails are checked", () => {
    expect(nextStep(release(), phases, 5 * HOUR_MS)).toEqual({ before: "“B” begins shortly." });
  });

  it("waits for an approval or for the end of a pause", () => {
    expect(nextStep(waiting, phases, 0)).toEqual({ before: "Waiting for approval of “C”." });
    expect(nextStep(release({ status: "PAUSED", remainingMs: 90 * 60_000 }), phases, 0)).toEqual({
      before: "Paused with 1 hour left in “A”.",
    });
    expect(nextStep(release({ status: "ABORTED" }), phases, 0)).toBeUndefined();
  });
});

describe("what a person can do with a release", () => {
  it("depends on its status", () => {
    const found = [release(), release({ status: "PAUSED" }), waiting].map((one) =>
      [approving(one, reader("other")), pausing(one, reader("other")), resuming(one, reader("other"))].map((offer) => offer !== "absent"),
    );
    expect(found).toEqual([
      [false, true, false],
      [false, false, true],
      [true, false, false],
    ]);
  });

  it("excludes the approval of one's own change, also by a skip or by completing it", () => {
    expect(approving(waiting, reader("author"))).toEqual({ disabledReason: OWN });
    expect(approving(waiting, reader("author", { mayApproveOwn: true }))).toEqual({ disabledReason: undefined });
    const skips = skipping(release(), phases, reader("author")).map(({ phase: { id }, disabledReason }) => [id, disabledReason]);
    expect(skips).toEqual([
      ["b", undefined],
      ["c", undefined],
      ["d", `“C” needs approval. ${OWN}`],
    ]);
    expect(completing(release(), phases, reader("author"))).toEqual({ disabledReason: `“C” needs approval. ${OWN}` });
    expect(completing(waiting, phases, reader("other"))).toEqual({ disabledReason: undefined });
  });

  it("takes the permissions that the server asks for", () => {
    expect(approving(waiting, refused("approve_required_review_release_pipeline_phase"))).toEqual({ disabledReason: "No." });
    expect(aborting(refused("launch_or_disable_configs"))).toEqual({ disabledReason: "No." });
    expect(pausing(release(), refused("launch_or_disable_configs"))).toEqual({ disabledReason: "No." });
  });
});

describe("the words about a release", () => {
  it("name the phases that begin with a skip, and an approval that is left", () => {
    expect(skipConsequence(release(), phases, phases[1] as Phase)).toBe("The users of “B” get the change now.");
    expect(skipConsequence(release(), phases, phases[2] as Phase)).toBe("“B” begins now. The release then waits for approval of “C”.");
    expect(skipConsequence(release(), phases, phases[3] as Phase)).toBe("“B” and “C” begin now. The users of “D” get the change now.");
    expect(completeConsequence(waiting, phases)).toBe("Everyone gets the change now. This also approves “C”.");
  });

  it("say what happened", () => {
    const words = (["STARTED", "PAUSED", "UNPAUSED", "APPROVED_FOR", "SKIPPED", "FULL_ROLL_OUT", "ABORTED"] as const).map((type) =>
      actionText({ type, phaseID: "a" }, (id) => id.toUpperCase()),
    );
    expect(words).toEqual([
      "started the release",
      "paused the release in “A”",
      "resumed the release in “A”",
      "approved “A”",
      "skipped to “A”",
      "completed the release, so everyone got the change",
      "aborted the release, so everyone went back to what they had before",
    ]);
  });
});
