import { type Config, sessionLimitsOf } from "../config.ts";
import { automatedRollouts } from "./automated-rollouts.ts";
import { deleteEndedAccess } from "./delete-ended-access.ts";
import { deleteOldLeases } from "./delete-old-leases.ts";
import { deleteOldReceipts } from "./delete-old-receipts.ts";
import { deleteOldResponses } from "./delete-old-responses.ts";
import { eventRetention } from "./event-retention.ts";
import type { Job } from "./jobs.ts";
import { scheduledStarts } from "./scheduled-starts.ts";
import { staleExperiments } from "./stale-experiments.ts";
import { staleGates } from "./stale-gates.ts";

export const allJobs = (config: Pick<Config, "eventRetentionDays" | "sessionIdleHours" | "sessionDays">): Job[] => [
  automatedRollouts,
  eventRetention(config.eventRetentionDays),
  deleteEndedAccess(sessionLimitsOf(config)),
  deleteOldLeases,
  deleteOldResponses,
  deleteOldReceipts,
  scheduledStarts,
  staleExperiments,
  staleGates,
];
