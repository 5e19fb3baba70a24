import { type Phase, startText } from "../targeting/phases.ts";
import { Badge } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import { durationInWords } from "../ui/time-text.ts";
import { NextStep } from "./next-step.tsx";
import { isActive, type Release } from "./reads.ts";
import { Audience, Soft, type StepState, Timeline, TimelineStep } from "./timeline.tsx";

type Props = { release: Release; phases: readonly Phase[] };

/** The phases of a release: those that have begun, the current one with the time that is left, and those to come. */
export function ReleaseTimeline({ release, phases }: Props) {
  if (!isActive(release)) return <EndedTimeline release={release} />;
  const begun = new Map(release.phases.map(({ phaseID, startTime }) => [phaseID, startTime]));
  const last = phases.at(-1);
  return (
    <Timeline label="Phases">
      {phases.map((phase, index) => {
        const startTime = begun.get(phase.id);
        const isCurrent = phase.id === release.currentPhaseID;
        return (
          <TimelineStep
            key={phase.id}
            title={phase.name}
            state={stateOf(release, isCurrent, startTime)}
            beside={
              <>
                {startTime === undefined ? (
                  <Soft>{startText(phase, phases[index - 1])}</Soft>
                ) : (
                  <Soft>
                    began <Time time={startTime} />
                  </Soft>
                )}
                {isCurrent && startTime !== undefined && <Badge tone="active">Current phase</Badge>}
                {isCurrent && startTime === undefined && <Badge tone="warn">Waiting for approval</Badge>}
              </>
            }
          >
            <Audience of={phase} />
            {isCurrent && <NextStep release={release} phases={phases} />}
          </TimelineStep>
        );
      })}
      <TimelineStep
        title="Everyone"
        beside={
          last !== undefined && <Soft>{last.timeIntervalMs === 0 ? "at once" : `after ${durationInWords(last.timeIntervalMs)}`}</Soft>
        }
      />
    </Timeline>
  );
}

function stateOf({ status }: Release, isCurrent: boolean, startTime: number | undefined): StepState {
  if (!isCurrent) return startTime === undefined ? "next" : "done";
  return status === "IN_PROGRESS" ? "current" : "waiting";
}

function EndedTimeline({ release: { phases, status, endedTime } }: { release: Release }) {
  return (
    <Timeline label="Phases">
      {phases.map(({ phaseID, name, startTime }) => (
        <TimelineStep
          key={phaseID}
          title={name}
          state="done"
          beside={
            <Soft>
              began <Time time={startTime} />
            </Soft>
          }
        />
      ))}
      <TimelineStep
        title={status === "COMPLETED" ? "Everyone" : "Aborted"}
        state={status === "COMPLETED" ? "done" : "waiting"}
        beside={
          endedTime !== null && (
            <Soft>
              <Time time={endedTime} />
            </Soft>
          )
        }
      >
        {status === "ABORTED" && <span>Everyone went back to what they had before the release.</span>}
      </TimelineStep>
    </Timeline>
  );
}
