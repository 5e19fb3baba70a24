// IDs that the server makes from names, for a preview. Pure.
import { entityID, type NamedType } from "@gatehouse/contract/entity-id";

/** Nouns of kinds that get a random ID if none follows from the name. */
const WITH_RANDOM_IDS: ReadonlySet<string> = new Set(["alert", "dashboard"]);

/** Why the server would refuse a name that becomes an ID, for its characters; undefined if it has only allowed ones. */
export function nameFault(noun: string, name: string): string | undefined {
  return noun !== "gate" || /^[a-z0-9_\-. ]*$/i.test(name.trim())
    ? undefined
    : "Use only letters from a to z, digits, spaces, underscores, hyphens, and periods.";
}

/** The ID that the server makes from a name, or what happens without one. @param noun of a kind whose IDs follow from names: dynamic config */
export function previewID(noun: string, name: string): string | { isRandom: boolean } {
  return entityID(noun.replaceAll(" ", "_") as NamedType, name) ?? { isRandom: WITH_RANDOM_IDS.has(noun) };
}
