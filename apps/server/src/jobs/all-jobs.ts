import type { Config } from "../config.ts";
import { automatedRollouts } from "./automated-rollouts.ts";
import { eventRetention } from "./event-retention.ts";
import { forgetOldAnswers } from "./forget-answers.ts";
import { forgetOldLeases } from "./forget-leases.ts";
import { forgetOldReceipts } from "./forget-receipts.ts";
import type { Job } from "./jobs.ts";
import { scheduledStarts } from "./scheduled-starts.ts";
import { staleExperiments } from "./stale-experiments.ts";
import { staleGates } from "./stale-gates.ts";

export const allJobs = ({ eventRetentionDays }: Pick<Config, "eventRetentionDays">): Job[] => [
  automatedRollouts,
  eventRetention(eventRetentionDays),
  forgetOldAnswers,
  forgetOldLeases,
  forgetOldReceipts,
  scheduledStarts,
  staleExperiments,
  staleGates,
];
