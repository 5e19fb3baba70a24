// Recorded changes of reviews, in words. Pure.
import { type Change, listChange } from "./change.ts";
import { type Part, subject, text, timeValue, value } from "./parts.ts";
import { REVIEW_STATUSES } from "./requirement-words.ts";
import type { EntityChange } from "./types.ts";

const VALIDATIONS: Readonly<Record<string, string>> = { PENDING: "waiting", VALIDATED: "passed", FAILED: "failed" };

type Person = { id: string; name: string; email: string | null };
type Approval = { reviewer: Person; isApproved: boolean; note: string };
type Comment = { author: Person; text: string };

/** The decisions, comments and other events of a review. Fields that follow from others, such as met requirements, are left out. */
export function reviewChanges({ fields }: Pick<EntityChange, "fields">): Change[] {
  const isNew = fields.length > 0 && fields.every(({ before }) => before === null);
  let isRequestSaid = false;
  return fields.flatMap(({ field, before, after }): Change[] => {
    const changed = (...parts: Part[]): Change[] => [{ kind: "changed", field, parts }];
    switch (field) {
      case "approvals":
        return addedTo<Approval>(before, after).map(({ reviewer, isApproved, note }) => ({
          ...{ kind: isApproved ? "added" : "removed", field },
          parts: withQuote([text(isApproved ? "Approved by" : "Rejected by"), subject(nameOf(reviewer))], note),
        }));
      case "comments":
        return addedTo<Comment>(before, after).map(({ author, text: words }) => ({
          ...{ kind: "added", field },
          parts: withQuote([text("Comment by"), subject(nameOf(author))], words),
        }));
      case "reviewers":
        return changed(text("Asked to review:"), ...listChange(listOf<Person>(before).map(nameOf), listOf<Person>(after).map(nameOf)));
      case "applyAt":
        return typeof after === "number" ? changed(subject("Applies at"), timeValue(after)) : [];
      case "validation":
      case "validation.status":
        return changed(subject("Validation"), text(":"), value(validationName(after)));
      case "moved":
        return typeof after === "string" ? changed(subject("Needs another approval"), text(":"), value(after)) : [];
      case "status":
        return isNew ? [] : changed(subject("Status"), text(":"), value(statusOf(before)), text("→"), value(statusOf(after)));
      case "revision":
        return isNew ? [] : changed(subject("Revision"), text(":"), value(String(before)), text("→"), value(String(after)));
      default:
        if (isNew || isRequestSaid || !/^body\b/.test(field)) return [];
        isRequestSaid = true;
        return changed(subject("Request"), text("changed"));
    }
  });
}

const listOf = <Item>(given: unknown): Item[] => (Array.isArray(given) ? given : []);

/** The items at the end of a list that only grows. */
const addedTo = <Item>(before: unknown, after: unknown): Item[] => listOf<Item>(after).slice(listOf(before).length);

const nameOf = ({ id, name, email }: Person): string => name || email || id;

/** Longer quotes are cut, in characters. The review's page has the whole text. */
const MAX_QUOTE = 200;

function withQuote(parts: Part[], quote: string): Part[] {
  if (quote === "") return parts;
  const shown = quote.length > MAX_QUOTE ? `${quote.slice(0, MAX_QUOTE)}…` : quote;
  return [...parts, text(":"), value(`“${shown}”`)];
}

const statusOf = (status: unknown): string => REVIEW_STATUSES[status as keyof typeof REVIEW_STATUSES] ?? String(status);

function validationName(given: unknown): string {
  const status = typeof given === "object" && given !== null ? (given as { status?: unknown }).status : given;
  return VALIDATIONS[String(status)] ?? "none";
}
