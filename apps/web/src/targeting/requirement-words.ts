// Why a change needs a review, and who can approve it, in words. Pure.

import type { Schema } from "@gatehouse/client";
import { listed } from "../ui/list-text.ts";

/** The names of a review's statuses. */
export const REVIEW_STATUSES = {
  PENDING: "Needs approval",
  APPROVED: "Approved",
  COMMITTED: "Published",
  REJECTED: "Rejected",
  CANCELED: "Canceled",
} as const;

type Requirement = Schema<"ReviewRequirement">;

/** The settings of the project that ask for reviews. */
const SETTINGS: Readonly<Record<string, string>> = {
  is_config_review_required: "changes to what users get",
  is_metric_review_required: "changes to metrics",
  is_metric_review_required_on_verified_only: "changes to all metrics",
  is_whn_analysis_only_review_required: "changes to experiments analyzed in the warehouse",
  is_whn_source_review_required: "changes to data sources",
};

/** Who reads about a review: its author, who may or may not approve it, or someone else. */
export type Reader = "author" | "barred author" | "other";

const APPROVALS: Record<Reader, string> = {
  author: "",
  "barred author": " You can’t approve your own change.",
  other: " The author can only approve it if their role allows approving their own changes.",
};

/** Why one requirement asks for a review. @param isOwn whether the reader is the author */
export function requirementText({ kind, name }: Pick<Requirement, "kind" | "name">, isOwn = false): string {
  switch (kind) {
    case "ENVIRONMENT":
      return `Changes to what users get in ${name} need a review.`;
    case "PROJECT":
      return `This project requires a review of ${SETTINGS[name] ?? name}.`;
    case "TEAM":
      return `Changes to entities of the team ${name} need a review.`;
    case "ENTITY":
      return `Changes to ${name} need a review.`;
    case "SAFEGUARD":
      return `This change loosens a review requirement (${SETTINGS[name] ?? name}).`;
    case "AUTHOR":
      return `${isOwn ? "You" : "The author"} asked for a review.`;
    case "PUBLISH":
      return `${isOwn ? "Your" : "The author’s"} role can’t change what users get in ${name}. Someone whose role can must approve this.`;
  }
}

/** Who can approve a requirement; undefined if everyone whose role can approve changes. */
export function approverText({ kind, name, team, people }: Pick<Requirement, "kind" | "name" | "team" | "people">): string | undefined {
  if (kind === "PUBLISH") return `someone whose role can change what users get in ${name}`;
  const group = team === null ? undefined : team.adminsOnly ? `an admin of the team ${team.name}` : `a member of the team ${team.name}`;
  if (people === null) return group;
  const named = listed(
    people.map(({ name, email }) => name || (email ?? "")),
    "or",
  );
  return group === undefined ? named : `${named}, as ${group}`;
}

/** Who can approve the open requirements, as a sentence. */
export function approversText(requirements: readonly Requirement[], reader: Reader = "other"): string {
  const unmet = requirements.filter(({ isMet }) => !isMet);
  if (unmet.length === 0) return "It has every approval that it needs.";
  const limited = [...new Set(merged(unmet, ["PUBLISH"]).flatMap((one) => approverText(one) ?? []))];
  if (limited.length === 0) return `Anyone whose role can approve changes can approve this one.${APPROVALS[reader]}`;
  return `It needs approval from ${limited.join(", and from ")}.`;
}

/** The reasons, each once. Environments share a sentence. @param isOwn whether the reader is the author */
export function reasonTexts(requirements: readonly Requirement[], isOwn = false): string[] {
  return [...new Set(merged(requirements, ["ENVIRONMENT", "PUBLISH"]).map((one) => requirementText(one, isOwn)))];
}

/** Why the reader's own change needs a review, and who can approve it. */
export function ownReviewText(requirements: readonly Requirement[], reader: Exclude<Reader, "other">): string {
  const reasons = reasonTexts(requirements, true);
  // The reason of a PUBLISH requirement says who must approve it.
  const others = requirements.filter(({ kind }) => kind !== "PUBLISH");
  const isSaid = others.length < requirements.length && others.every((one) => one.isMet || approverText(one) === undefined);
  return [...reasons, ...(isSaid ? [] : [approversText(others, reader)])].join(" ");
}

/** The requirements, with one for all environments of each of the given kinds. Those come first. */
function merged(requirements: readonly Requirement[], kinds: readonly Requirement["kind"][]): Requirement[] {
  const ofEnvironments = kinds.flatMap((kind) => {
    const own = requirements.filter((one) => one.kind === kind);
    return own[0] ? [{ ...own[0], name: listed([...new Set(own.map(({ name }) => name))]) }] : [];
  });
  return [...ofEnvironments, ...requirements.filter(({ kind }) => !kinds.includes(kind))];
}

/** The options of a request that is refused unless it asks for a review, since only its author's limits stand against it. */
export const reviewAsked = (requirements: readonly Requirement[]): { review?: { reviewers: never[] } } =>
  requirements.length > 0 && requirements.every(({ kind }) => kind === "PUBLISH") ? { review: { reviewers: [] } } : {};

/** Whether the author's limits stand against a request, which no emergency lifts. */
export const isUnpublished = (requirements: readonly Requirement[]): boolean => requirements.some(({ kind }) => kind === "PUBLISH");
