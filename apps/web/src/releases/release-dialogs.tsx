import { type ComponentProps, useState } from "react";
import { call } from "../api.ts";
import { useProject } from "../session/account.ts";
import { Confirm } from "../shell/confirm.tsx";
import type { Phase } from "../targeting/phases.ts";
import { listed } from "../ui/list-text.ts";
import { durationInWords, roughDuration } from "../ui/time-text.ts";
import { type Release, readAfterStep } from "./reads.ts";
import { completeConsequence, currentIndex, skipConsequence, subjectOf } from "./release-words.ts";
import { Audience } from "./timeline.tsx";

/** A step of a release. */
export type Step = "approve" | "pause" | "resume" | "complete" | "abort" | { skipTo: Phase };

type Props = { step: Step; release: Release; phases: readonly Phase[]; onClose: () => void };

/** Asks for confirmation of a step of a release, and says its consequences. */
export default function ReleaseDialog({ step, release, phases, onClose }: Props) {
  const { id, currentPhase, remainingMs, breaches } = release;
  // The page may show another phase by now, which the reader has not decided about.
  const [phaseID] = useState(release.currentPhaseID ?? "");
  const path = { id };
  const request = { path, body: { phaseID } };
  if (typeof step === "object") {
    const { skipTo } = step;
    return (
      <ReleaseStep
        title={`Skip to ${skipTo.name}?`}
        label="Skip"
        done={`Skipped to ${skipTo.name}`}
        act={() => call("skipRelease", { path, body: { phaseID: skipTo.id } })}
        onClose={onClose}
      >
        <p>{skipConsequence(release, phases, skipTo)}</p>
        <Audience of={skipTo} />
      </ReleaseStep>
    );
  }
  switch (step) {
    case "approve": {
      const phase = phases[currentIndex(release, phases)];
      return (
        <ReleaseStep
          title={`Approve ${currentPhase}?`}
          label="Approve"
          done="Phase approved"
          act={() => call("approveRelease", request)}
          onClose={onClose}
        >
          <p>The phase begins now{phase && phase.timeIntervalMs > 0 && ` and lasts ${durationInWords(phase.timeIntervalMs)}`}.</p>
          {phase && <Audience of={phase} />}
        </ReleaseStep>
      );
    }
    case "pause":
      return (
        <ReleaseStep title="Pause release?" label="Pause" done="Release paused" act={() => call("pauseRelease", request)} onClose={onClose}>
          <p>Users keep what they get now. The next phase doesn’t begin until someone resumes the release.</p>
        </ReleaseStep>
      );
    case "resume":
      return (
        <ReleaseStep
          title="Resume release?"
          label="Resume"
          done="Release resumed"
          act={() => call("resumeRelease", request)}
          onClose={onClose}
        >
          <p>
            “{currentPhase}” continues for {roughDuration(remainingMs ?? 0)}.
            {breaches.length > 0 && " The breached guardrails won’t pause this phase again."}
          </p>
        </ReleaseStep>
      );
    case "complete":
      return (
        <ReleaseStep
          title="Complete release?"
          label="Complete"
          done="Release completed"
          act={() => call("completeRelease", { path })}
          onClose={onClose}
        >
          <p>{completeConsequence(release, phases)}</p>
        </ReleaseStep>
      );
    case "abort":
      return (
        <ReleaseStep
          title="Abort release?"
          label="Abort release"
          isDangerous
          done="Release aborted"
          act={() => call("abortRelease", { path })}
          onClose={onClose}
        >
          <p>Everyone goes back to what they had before the release. Other changes to the {subjectOf(release).noun} are kept.</p>
        </ReleaseStep>
      );
  }
}

/** Whatever a step leads to, the pages of releases and their entities read it again. */
function ReleaseStep({ children, ...props }: Omit<ComponentProps<typeof Confirm>, "onSettled">) {
  const { role, publishesIn } = useProject();
  return (
    <Confirm {...props} onSettled={readAfterStep}>
      {children}
      {publishesIn !== null && (
        <p>
          {publishesIn.length === 0
            ? `With the role ${role}, you can’t change what users get. This step will be refused if it does.`
            : `With the role ${role}, you can only change what users get in ${listed(publishesIn)}. This step will be refused if it changes other environments.`}
        </p>
      )}
    </Confirm>
  );
}
