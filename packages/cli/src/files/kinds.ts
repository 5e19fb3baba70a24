import type { Schema } from "@gatehouse/client";
import document from "@gatehouse/contract/console.json" with { type: "json" };

export type Kind = Schema<"ConfiguredKind">;

/** The kinds of configuration, as the contract lists them. */
export const KINDS = document.components.schemas.ConfiguredKind.enum as Kind[];

export const isKind = (name: string): name is Kind => (KINDS as string[]).includes(name);

/** What identifies an entity among those of its kind, as on the server: its ID, or its name if files have no ID. */
export function identify(kind: Kind, { id, name, type }: { [field: string]: unknown }): string {
  if (kind === "metrics") return `${name}::${type}`;
  return String(id ?? name);
}
