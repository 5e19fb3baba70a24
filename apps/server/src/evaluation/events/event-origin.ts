import type { EvaluatedProject } from "../../console/evaluated-project.ts";

/** The project of the key that sends events, and the settings of its evaluations. */
export type EventOrigin = {
  project: EvaluatedProject;
  /** The time of the project's ruleset, ms since the epoch. Another content has another time. */
  time: number;
  /** The environment of users without one. Null if the key reaches none. */
  defaultEnvironment: string | null;
};
