import { type ReactNode, useState } from "react";
import { call } from "../api.ts";
import { explain } from "../explain.ts";
import { durationInWords, roughDuration } from "../targeting/durations.ts";
import { audienceOf, type Phase } from "../targeting/phases.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";
import { useUnreadReason } from "../ui/unread.ts";
import { type Release, readAfterStep } from "./reads.ts";
import { completeConsequence, currentIndex, skipConsequence, subjectOf } from "./release-words.ts";
import { Sentences } from "./timeline.tsx";

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
      <Question
        title={`Skip to ${skipTo.name}?`}
        label="Skip"
        done={`Skipped to ${skipTo.name}`}
        act={() => call("skipRelease", { path, body: { phaseID: skipTo.id } })}
        onClose={onClose}
      >
        <p>{skipConsequence(release, phases, skipTo)}</p>
        <Sentences of={audienceOf(skipTo)} />
      </Question>
    );
  }
  switch (step) {
    case "approve": {
      const phase = phases[currentIndex(release, phases)];
      return (
        <Question
          title={`Approve ${currentPhase}?`}
          label="Approve"
          done="Phase approved"
          act={() => call("approveRelease", request)}
          onClose={onClose}
        >
          <p>The phase begins now{phase && phase.timeIntervalMs > 0 && ` and lasts ${durationInWords(phase.timeIntervalMs)}`}.</p>
          {phase && <Sentences of={audienceOf(phase)} />}
        </Question>
      );
    }
    case "pause":
      return (
        <Question title="Pause release?" label="Pause" done="Release paused" act={() => call("pauseRelease", request)} onClose={onClose}>
          <p>Users keep what they get now. The next phase doesn’t begin until someone resumes the release.</p>
        </Question>
      );
    case "resume":
      return (
        <Question
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
        </Question>
      );
    case "complete":
      return (
        <Question
          title="Complete release?"
          label="Complete"
          done="Release completed"
          act={() => call("completeRelease", { path })}
          onClose={onClose}
        >
          <p>{completeConsequence(release, phases)}</p>
        </Question>
      );
    case "abort":
      return (
        <Question
          title="Abort release?"
          label="Abort release"
          isDangerous
          done="Release aborted"
          act={() => call("abortRelease", { path })}
          onClose={onClose}
        >
          <p>Everyone goes back to what they had before the release. Other changes to the {subjectOf(release).noun} are kept.</p>
        </Question>
      );
  }
}

type QuestionProps = {
  title: string;
  label: string;
  isDangerous?: boolean;
  done: string;
  act: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
};

function Question({ title, label, isDangerous = false, done, act, onClose, children }: QuestionProps) {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const unread = useUnreadReason();
  const confirm = async () => {
    setPending(true);
    setError(undefined);
    try {
      await act();
      toast({ text: done });
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
      // A refused step also says something new, such as that another phase has begun.
      void readAfterStep();
    }
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Back</Button>
          <Button look={isDangerous ? "danger" : "primary"} isPending={isPending} onPress={confirm} disabledReason={unread}>
            {label}
          </Button>
        </>
      }
    >
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      {children}
    </Dialog>
  );
}
