import type { Schema } from "@gatehouse/client";
import document from "@gatehouse/contract/console.json" with { type: "json" };

export type Kind = Schema<"ConfiguredKind">;

/** The kinds of configuration, as the contract lists them. */
export const KINDS = document.components.schemas.ConfiguredKind.enum as Kind[];

export const isKind = (name: string): name is Kind => (KINDS as string[]).includes(name);

/** Returns the ID of an entity, or its name if files have no ID. It is unique among the entities of its kind, as on the server. */
export function identify(kind: Kind, { id, name, type }: { [field: string]: unknown }): string {
  if (kind === "settings") return kind;
  if (kind === "metrics") return `${name}::${type}`;
  return String(id ?? name);
}
