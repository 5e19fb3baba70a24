import { automatedRollouts } from "./automated-rollouts.ts";
import { forgetOldAnswers } from "./forget-answers.ts";
import type { Job } from "./jobs.ts";
import { scheduledStarts } from "./scheduled-starts.ts";
import { staleExperiments } from "./stale-experiments.ts";
import { staleGates } from "./stale-gates.ts";

export const ALL_JOBS: Job[] = [automatedRollouts, forgetOldAnswers, scheduledStarts, staleExperiments, staleGates];
