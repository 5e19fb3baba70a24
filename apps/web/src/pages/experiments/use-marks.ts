import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { query } from "../../api.ts";
import type { Mark } from "../../charts/marks.ts";
import { byWhom, changeMarks } from "../../results/change-marks.ts";
import { useNoteMarks } from "../../results/use-note-marks.ts";
import { describeVersions } from "./experiment-draft.ts";
import type { Experiment } from "./states.ts";

/** Enough for the changes of a running experiment. */
const MAX_VERSIONS = 50;
/** Fields that can't change what users get or how it is measured. */
const UNSEEN = /^(name|description|hypothesis|tags|team|teamID|owner|reviewSettings|status|duration)\b/;

/** Names of statuses as events. */
const EVENTS: Partial<Record<Experiment["status"], string>> = {
  active: "Started",
  assignment_stopped: "Assignment stopped",
  experiment_stopped: "Stopped",
  decision_made: "Group shipped",
  abandoned: "Abandoned",
  archived: "Archived",
};

/** The start, the decision and other changes of a running experiment, and the notes on its results, for its charts. */
export function useExperimentMarks({ id, startTime }: Experiment): Mark[] {
  const notes = useNoteMarks("experiment", id);
  const { data } = useQuery(query("listExperimentVersions", { path: { id }, query: { limit: MAX_VERSIONS } }));
  return useMemo(() => [...experimentMarks(data?.data ?? [], startTime), ...notes], [data, startTime, notes]);
}

/** @param versions the latest first */
export function experimentMarks(versions: readonly Experiment[], startTime: number | null): Mark[] {
  if (startTime === null) return [];
  const running = versions.filter(({ lastModifiedTime }) => lastModifiedTime > startTime);
  const steps = versions.flatMap((after, index): Mark[] => {
    const before = versions[index + 1];
    const name = EVENTS[after.status];
    if (name === undefined || before === undefined || before.status === after.status) return [];
    return [{ time: after.lastModifiedTime, name, text: name + byWhom(after) }];
  });
  const start = steps.some(({ name }) => name === EVENTS.active) ? [] : [{ time: startTime, name: "Started", text: "Started" }];
  const last = versions[running.length];
  const changes = changeMarks(
    last === undefined ? running : [...running, last],
    (before, after) => describeVersions(before, after).flatMap((entity) => entity.changes),
    (field) => !UNSEEN.test(field),
  );
  return [...start, ...steps, ...changes];
}
