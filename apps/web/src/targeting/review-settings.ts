// Whether changes of an entity need a review, and who can approve them, as drafts have it. Pure.

import type { Schema } from "@gatehouse/client";
import { listed } from "../ui/list-text.ts";
import type { FieldWords } from "./field-changes.ts";

export type ReviewSettings = Schema<"ReviewSettings">;
export type ReviewFields = { reviewSettings: ReviewSettings };

/** How every kind names the field in the review, in conflicts and in the history. */
export const REVIEW_WORDS = { reviewSettings: { label: "Reviews", as: "review" } } as const satisfies Record<
  keyof ReviewFields,
  FieldWords
>;

/** The settings of an entity that may leave them out. */
export const toReviewSettings = (given: ReviewSettings | undefined): ReviewSettings => ({
  requiredReview: given?.requiredReview ?? false,
  allowedReviewers: given?.allowedReviewers ?? [],
});

/** “required from Ada (ada@example.com)”, as people read it. */
export function reviewSettingsText(given: unknown): string {
  const { requiredReview, allowedReviewers = [] } = toReviewSettings((given ?? undefined) as ReviewSettings | undefined);
  const people = listed(
    allowedReviewers.map(({ name, email }) => (name === "" ? email : `${name} (${email})`)),
    "or",
  );
  if (!requiredReview) return people === "" ? "not required" : `not required (reviewers: ${people})`;
  return people === "" ? "required" : `required from ${people}`;
}
