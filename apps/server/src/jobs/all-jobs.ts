import type { SessionLimits } from "../common/session-limits.ts";
import type { SecretKeys } from "../common/vault.ts";
import type { SchemaChecker } from "../schema-checks/schema-checker.ts";
import { archiveMetrics } from "./archive-metrics.ts";
import { auditRetention } from "./audit-retention.ts";
import { automatedRollouts } from "./automated-rollouts.ts";
import { autotuneChecks } from "./autotune-checks.ts";
import { changeValidations } from "./change-validations.ts";
import { closeRepeatedEvents } from "./close-repeated-events.ts";
import { dailyIngestion } from "./daily-ingestion.ts";
import { dailyLoads } from "./daily-loads.ts";
import { deleteEndedAccess } from "./delete-ended-access.ts";
import { deleteOldLeases } from "./delete-old-leases.ts";
import { deleteOldReceipts } from "./delete-old-receipts.ts";
import { deleteOldResponses } from "./delete-old-responses.ts";
import { deleteOrphanedComments, deleteOrphanedResultNotes } from "./delete-orphans.ts";
import { deriveColumns } from "./derive-columns.ts";
import { emails } from "./emails.ts";
import { eventRetention } from "./event-retention.ts";
import { experimentHealth } from "./experiment-health.ts";
import { guardrailChecks } from "./guardrail-checks.ts";
import { deleteOldIngestionRuns, ingestionRuns } from "./ingestion-runs.ts";
import type { Job } from "./jobs.ts";
import { deleteNotifications, notifications } from "./notifications.ts";
import { deleteOldPromptEvaluations, promptEvaluations } from "./prompt-evaluations.ts";
import { deleteOldPulseLoads, pulseLoads } from "./pulse-loads.ts";
import { deleteOldReleases, releaseGuardrails, releases } from "./releases.ts";
import { removeDeletedProjects } from "./remove-deleted-projects.ts";
import { renewSecrets } from "./renew-secrets.ts";
import { sampleProject } from "./sample-project.ts";
import { deleteOldReviews, deleteOldScheduledChanges } from "./scheduled-changes.ts";
import { scheduledStarts } from "./scheduled-starts.ts";
import { sealAuditLog } from "./seal-audit-log.ts";
import { staleGates } from "./stale-gates.ts";
import { toplineAlertChecks } from "./topline-alert-checks.ts";
import { turnReviewsOff } from "./turn-reviews-off.ts";
import { deleteOldDeliveries, webhooks } from "./webhooks.ts";

type JobSettings = {
  checkSchema: SchemaChecker["check"];
  auditRetentionDays: number | undefined;
  eventRetentionDays: number;
  sessionLimits: SessionLimits;
} & Partial<Record<keyof SecretKeys, string | undefined>>;

export const allJobs = (settings: JobSettings): Job[] => [
  archiveMetrics,
  auditRetention(settings.auditRetentionDays),
  automatedRollouts,
  autotuneChecks,
  eventRetention(settings.eventRetentionDays),
  experimentHealth,
  changeValidations,
  closeRepeatedEvents,
  dailyIngestion,
  dailyLoads,
  guardrailChecks,
  deriveColumns,
  deleteOldDeliveries,
  deleteNotifications,
  deleteEndedAccess(settings.sessionLimits),
  deleteOldLeases,
  deleteOldResponses,
  deleteOldReceipts,
  deleteOldIngestionRuns,
  deleteOldPromptEvaluations,
  deleteOldPulseLoads,
  deleteOldReleases,
  deleteOldReviews,
  deleteOldScheduledChanges,
  deleteOrphanedComments,
  deleteOrphanedResultNotes,
  emails(),
  ingestionRuns,
  notifications,
  promptEvaluations(settings),
  pulseLoads,
  releaseGuardrails,
  releases,
  removeDeletedProjects(),
  renewSecrets(settings),
  sampleProject,
  scheduledStarts,
  sealAuditLog,
  staleGates,
  turnReviewsOff,
  toplineAlertChecks,
  webhooks,
];
