import { automatedRollouts } from "./automated-rollouts.ts";
import { forgetOldAnswers } from "./forget-answers.ts";
import type { Job } from "./jobs.ts";
import { staleGates } from "./stale-gates.ts";

export const ALL_JOBS: Job[] = [automatedRollouts, forgetOldAnswers, staleGates];
