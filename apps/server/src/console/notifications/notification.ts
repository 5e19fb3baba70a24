import type { Schema } from "@gatehouse/contract/console";
import type { EmailContent } from "../../common/email-content.ts";
import { words } from "../../common/words.ts";
import type { CommentedType } from "../comments/commented-types.ts";

export type Notification = Schema<"Notification">;
export type NotificationKind = Schema<"NotificationKind">;
export type NotificationEvent = Schema<"NotificationEvent">;

/** An entity with the name that it had at the time. Null if it had none, or could not be read. */
export type Named = { type: string; id: string; name: string | null };

/** The event of a notification. Its text follows from it, so that the words can change later. */
export type Happening = {
  event: NotificationEvent;
  /** The entity that the link opens. */
  opens: Named;
  /** The comment on it that the link shows. */
  commentID?: string | undefined;
  /** The changed entities, or the entity that is rolled out. Of several, the first one and their number. */
  about: Named;
  aboutCount: number;
  /** The person or key who did it. Null for the server. */
  actorName: string | null;
  /** A comment, a note or a reason. */
  said: string | null;
};

/** Title, text and link of a notification. */
export type Described = Pick<Notification, "title" | "text" | "link">;

const KIND_OF: Record<NotificationEvent, NotificationKind> = {
  ALERT_RAISED: "ALERT",
  ALERT_WARNED: "ALERT",
  ALERT_RESOLVED: "ALERT",
  ALERT_WITHOUT_DATA: "ALERT",
  EXPERIMENT_READY: "EXPERIMENT",
  GUARDRAIL_BROKEN: "GUARDRAIL",
  MENTIONED: "MENTION",
  REVIEW_REQUESTED: "REVIEW",
  REVIEW_APPROVED: "REVIEW",
  REVIEW_REJECTED: "REVIEW",
  REVIEW_COMMENTED: "REVIEW",
  REVIEW_UNAPPROVED: "REVIEW",
  REVIEW_COMMITTED: "REVIEW",
  REVIEW_CANCELED: "REVIEW",
  REVIEW_VALIDATION_FAILED: "REVIEW",
  ROLLOUT_PAUSED_BY_GUARDRAIL: "GUARDRAIL",
  ROLLOUT_NEEDS_APPROVAL: "ROLLOUT",
  ROLLOUT_FINISHED: "ROLLOUT",
  ROLLOUT_PAUSED: "ROLLOUT",
  ROLLOUT_ABORTED: "ROLLOUT",
  SCHEDULED_CHANGE_FAILED: "SCHEDULED_CHANGE",
};

/** In the order of the contract. */
export const NOTIFICATION_KINDS: readonly NotificationKind[] = [...new Set(Object.values(KIND_OF))].sort();

/** The kinds that people get by email until they choose others. */
export const DEFAULT_EMAILED: readonly NotificationKind[] = ["ALERT", "REVIEW"];

export const kindOf = (event: NotificationEvent): NotificationKind => KIND_OF[event];

/** Longer comments and reasons are cut, in characters. */
const MAX_SAID = 300;

/** Title, text and link of what happened in a project. */
export function describeNotification(happening: Happening, projectID: string): Described {
  const { title, text } = TEXTS[happening.event];
  return { title, text: text(toWords(happening)), link: linkTo(happening, projectID) };
}

/** The email about what happened in a project. */
export function notificationEmail(happening: Happening, project: { id: string; name: string }): EmailContent {
  const { title, text, link } = describeNotification(happening, project.id);
  const { about, aboutCount } = happening;
  const more = aboutCount > 1 ? ` and ${aboutCount - 1} more` : "";
  return {
    subject: `[${project.name}] ${title}: ${about.name ?? about.id}${more}`,
    paragraphs: [text],
    link: { label: "Open in Gatehouse", path: link },
    footer: {
      text: `You get this email because of your notification settings in the project ${project.name}.`,
      link: { label: "Change your settings", path: `/projects/${encodeURIComponent(project.id)}/notifications?tab=settings` },
    },
  };
}

type Words = {
  /** `the gate New checkout`, or `3 entities` */
  about: string;
  actor: string;
  /** `a comment on the gate New checkout` */
  comment: string;
  /** ` “Is it translated?”` after a sentence, or empty. */
  quote: string;
  /** ` The value is 3.` after a sentence, or empty. */
  detail: string;
};

function toWords({ opens, about, aboutCount, actorName, said }: Happening): Words {
  const short = said === null ? "" : cut(said.replaceAll(/\s+/gu, " ").trim());
  const subject = aboutCount > 1 ? `${aboutCount} entities, including ${toSubject(about)}` : toSubject(about);
  return {
    about: subject,
    actor: actorName ?? "Someone",
    comment: opens.type === "review" ? `a comment on changes to ${subject}` : `a comment on ${subject}`,
    quote: short && `: “${short}”`,
    detail: short && ` ${short}`,
  };
}

const toSubject = ({ type, id, name }: Named) => `the ${words(type)} ${name ?? id}`;

/** The first half of a letter that UTF-16 has as two. */
const HALF_LETTER = /[\uD800-\uDBFF]$/;

const cut = (text: string) => (text.length > MAX_SAID ? `${text.slice(0, MAX_SAID - 1).replace(HALF_LETTER, "")}…` : text);

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A sentence that ends with what was said, if anything was. */
const saying = (sentence: string, quote: string) => `${sentence}${quote === "" ? "." : quote}`;

const TEXTS: Record<NotificationEvent, { title: string; text: (words: Words) => string }> = {
  ALERT_RAISED: { title: "Alert raised", text: ({ about, detail }) => `${capitalized(about)} was raised.${detail}` },
  ALERT_WARNED: { title: "Alert warning", text: ({ about, detail }) => `${capitalized(about)} is warning.${detail}` },
  ALERT_RESOLVED: { title: "Alert resolved", text: ({ about, detail }) => `${capitalized(about)} was resolved.${detail}` },
  ALERT_WITHOUT_DATA: { title: "Alert without data", text: ({ about, detail }) => `${capitalized(about)} has no data.${detail}` },
  EXPERIMENT_READY: {
    title: "Ready for a decision",
    text: ({ about }) => `${capitalized(about)} ran as long as planned. Check its results and end it.`,
  },
  GUARDRAIL_BROKEN: {
    title: "Guardrail exceeded",
    text: ({ about, detail }) => `In ${about}, a metric got worse than its guardrail allows:${detail}`,
  },
  MENTIONED: {
    title: "You were mentioned",
    text: ({ actor, comment, quote }) => saying(`${actor} mentioned you in ${comment}`, quote),
  },
  REVIEW_REQUESTED: {
    title: "Review requested",
    text: ({ actor, about, quote }) => saying(`${actor} wants to change ${about} and asks for your approval`, quote),
  },
  REVIEW_APPROVED: {
    title: "Review approved",
    text: ({ actor, about, quote }) => saying(`${actor} approved your changes to ${about}`, quote),
  },
  REVIEW_REJECTED: {
    title: "Review rejected",
    text: ({ actor, about, quote }) => saying(`${actor} rejected your changes to ${about}`, quote),
  },
  REVIEW_COMMENTED: {
    title: "New comment",
    text: ({ actor, about, quote }) => saying(`${actor} commented on your changes to ${about}`, quote),
  },
  REVIEW_UNAPPROVED: {
    title: "Approval needed again",
    text: ({ about, detail }) => `Your changes to ${about} need another approval.${detail}`,
  },
  REVIEW_COMMITTED: { title: "Change published", text: ({ actor, about }) => `${actor} published your changes to ${about}.` },
  REVIEW_CANCELED: { title: "Review canceled", text: ({ actor, about }) => `${actor} canceled the review of your changes to ${about}.` },
  REVIEW_VALIDATION_FAILED: {
    title: "Validation failed",
    text: ({ about, quote }) => saying(`Your changes to ${about} failed validation`, quote),
  },
  ROLLOUT_PAUSED_BY_GUARDRAIL: {
    title: "Rollout paused by a guardrail",
    text: ({ about, detail }) => `The rollout of ${about} is paused.${detail}`,
  },
  ROLLOUT_NEEDS_APPROVAL: {
    title: "Release needs approval",
    text: ({ about, quote }) => saying(`The release of ${about} needs your approval for its next phase`, quote),
  },
  ROLLOUT_FINISHED: { title: "Rollout finished", text: ({ about }) => `The rollout of ${about} is complete.` },
  ROLLOUT_PAUSED: { title: "Rollout paused", text: ({ actor, about }) => `${actor} paused the rollout of ${about}.` },
  ROLLOUT_ABORTED: { title: "Rollout aborted", text: ({ actor, about }) => `${actor} aborted the rollout of ${about}.` },
  SCHEDULED_CHANGE_FAILED: {
    title: "Scheduled change failed",
    text: ({ about, detail }) => `Your scheduled change to ${about} failed.${detail}`,
  },
};

/** The pages of the web console that notifications open, by the type of the entity. */
const PAGES: Record<CommentedType | "release" | "review", string> & { [type: string]: string } = {
  alert: "alerts",
  assignment_source: "assignment-sources",
  autotune: "autotunes",
  dashboard: "dashboards",
  dynamic_config: "dynamic-configs",
  entity_property_source: "entity-properties",
  experiment: "experiments",
  gate: "gates",
  holdout: "holdouts",
  ingestion_source: "ingestion-sources",
  layer: "layers",
  metric: "metrics",
  metric_source: "metric-sources",
  param_store: "param-stores",
  prompt: "prompts",
  prompt_dataset: "prompt-datasets",
  qualifying_event: "qualifying-events",
  release: "releases",
  release_pipeline: "release-pipelines",
  review: "reviews",
  segment: "segments",
  team: "teams",
  webhook: "webhooks",
};

/** The page of an entity, or of the one whose overrides it is, from the address of the web console. Undefined if it has none. */
export function pagePath({ type, id }: Pick<Named, "type" | "id">, projectID: string): string | undefined {
  const page = PAGES[type.replace(/_overrides$/, "")];
  return page && `/projects/${encodeURIComponent(projectID)}/${page}/${encodeURIComponent(id)}`;
}

function linkTo({ opens: { type, id }, commentID }: Happening, projectID: string): string {
  const path = pagePath({ type, id }, projectID) ?? `/projects/${encodeURIComponent(projectID)}/scheduled-changes`;
  return commentID === undefined ? path : `${path}?tab=comments&comment=${commentID}`;
}
