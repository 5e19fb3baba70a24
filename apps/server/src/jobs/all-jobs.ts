import type { Config } from "../config.ts";
import { automatedRollouts } from "./automated-rollouts.ts";
import { deleteOldLeases } from "./delete-old-leases.ts";
import { deleteOldReceipts } from "./delete-old-receipts.ts";
import { deleteOldResponses } from "./delete-old-responses.ts";
import { eventRetention } from "./event-retention.ts";
import type { Job } from "./jobs.ts";
import { removeDeletedProjects } from "./remove-deleted-projects.ts";
import { scheduledStarts } from "./scheduled-starts.ts";
import { staleExperiments } from "./stale-experiments.ts";
import { staleGates } from "./stale-gates.ts";

export const allJobs = ({ eventRetentionDays }: Pick<Config, "eventRetentionDays">): Job[] => [
  automatedRollouts,
  eventRetention(eventRetentionDays),
  deleteOldLeases,
  deleteOldResponses,
  deleteOldReceipts,
  removeDeletedProjects,
  scheduledStarts,
  staleExperiments,
  staleGates,
];
