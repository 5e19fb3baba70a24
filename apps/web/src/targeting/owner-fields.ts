// The person who owns an entity, as drafts have it. Pure.
import type { Schema } from "@gatehouse/client";
import type { FieldWords } from "./field-changes.ts";

/** An owner as entities name it; null for none. */
export type Owner = Schema<"Owner">;
export type OwnerFields = { owner: Owner };

/** How every kind names the field in the review, in conflicts and in the history. */
export const OWNER_WORDS = { owner: { label: "Owner", as: "owner" } } as const satisfies Record<keyof OwnerFields, FieldWords>;

/** An owner as people read it; empty for none. */
export function ownerText(owner: unknown): string {
  if (typeof owner !== "object" || owner === null) return "";
  const { ownerName, ownerEmail, ownerID } = owner as NonNullable<Owner>;
  return ownerName || ownerEmail || ownerID || "";
}
