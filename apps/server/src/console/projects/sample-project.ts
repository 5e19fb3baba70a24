import type { Schema } from "@gatehouse/contract/console";

type SampleProject = Schema<"SampleProject">;

/** The name of the sample project: a made-up shop. */
export const SAMPLE_NAME = "Harbor Lane (sample)";
/** The days that its data covers. The last one is that of its creation. */
export const SAMPLE_DAYS = 40;
/** Steps of a day: changes of entities, then events. */
const STEPS_PER_DAY = 2;
/** The number of steps that store data. The step after them computes the results. */
export const SAMPLE_STEPS = SAMPLE_DAYS * STEPS_PER_DAY;

/** How far the sample project is loaded. Times are ms. */
export type SampleProgress = { projectID: string; endTime: number; step: number; readyTime: number | null };

/** The action of a step, and its day, counted from the first one. */
export function toSampleStep(step: number): { day: number; action: "changes" | "events" } {
  return { day: Math.floor(step / STEPS_PER_DAY), action: step % STEPS_PER_DAY === 0 ? "changes" : "events" };
}

export function toSampleProject(progress: SampleProgress | undefined): SampleProject {
  const days = SAMPLE_DAYS;
  if (!progress) return { id: null, state: "absent", loadedDays: 0, days };
  const { projectID: id, step, readyTime } = progress;
  return { id, state: readyTime === null ? "loading" : "ready", loadedDays: Math.floor(step / STEPS_PER_DAY), days };
}
