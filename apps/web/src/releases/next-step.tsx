import type { Phase } from "../targeting/phases.ts";
import { Time } from "../ui/time.tsx";
import type { Release } from "./reads.ts";
import { nextStep } from "./release-words.ts";

/** What happens next in a release, and when. */
export function NextStep({ release, phases }: { release: Release; phases: readonly Phase[] }) {
  const step = nextStep(release, phases, Date.now());
  if (step === undefined) return null;
  return (
    <span>
      <bdi>{step.before}</bdi>
      {step.time !== undefined && (
        <>
          {" "}
          <Time time={step.time} />
        </>
      )}
      {step.after}
    </span>
  );
}
