import type { Schema } from "../../api.ts";
import { personName } from "../../session/names.ts";

type Named = Pick<Schema<"Member">, "firstName" | "lastName" | "email">;

/** Whether every word is in the name or the address. */
export function isFound(member: Named, search: string): boolean {
  const text = `${personName(member)} ${member.email}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The addresses in a text: one on each line, or with commas, semicolons or spaces between them. Each counts once. */
export function emailsIn(text: string): string[] {
  const found = text
    .split(/[\s,;]+/)
    .map((one) => one.replace(/^<|>$/g, "").toLowerCase())
    .filter((one) => one !== "");
  return [...new Set(found)];
}
