import type { Kind } from "./page-search.ts";

/** What each kind of notification is called, and what it reports. */
export const KINDS = {
  REVIEW: { label: "Reviews", help: "Someone asks for your approval, or something happens to a review that you requested." },
  MENTION: { label: "Mentions", help: "Someone mentions you in a comment." },
  ROLLOUT: { label: "Rollouts", help: "A release needs your approval, your rollout finishes, or someone pauses or aborts it." },
  GUARDRAIL: {
    label: "Guardrails",
    help: "A metric of your gate or experiment gets worse than its guardrail allows, or a guardrail pauses your rollout.",
  },
  ALERT: { label: "Alerts", help: "An alert of yours is raised, warns, has no data or is resolved." },
  EXPERIMENT: { label: "Experiments", help: "An experiment of yours ran as long as planned." },
  SCHEDULED_CHANGE: { label: "Scheduled changes", help: "A change that you scheduled failed." },
} as const satisfies Record<Kind, { label: string; help: string }>;
