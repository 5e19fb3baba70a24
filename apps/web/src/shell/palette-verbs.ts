// Actions on gates as people type them: a verb, and a part of the name. Pure.
import type { Request } from "../api.ts";

type Query = NonNullable<Request<"listGates">["query"]>;

/** An action on a gate. `id` is the step on its page, and `only` the gates that it can be done to. */
export type Verb = { id: string; label: string; words: readonly string[]; only: Query };

/** The link is copied without opening the page. */
export const COPY_LINK = "copy-link";

const VERBS: readonly Verb[] = [
  { id: "enable", label: "Enable", words: ["enable", "turn on", "switch on"], only: { status: ["Disabled"] } },
  { id: "disable", label: "Disable", words: ["disable", "turn off", "switch off"], only: { status: ["In Progress", "Launched"] } },
  { id: "launch", label: "Launch", words: ["launch"], only: { status: ["In Progress", "Disabled"] } },
  { id: "archive", label: "Archive", words: ["archive"], only: {} },
  { id: "unarchive", label: "Unarchive", words: ["unarchive"], only: { status: ["Archived"] } },
  { id: "delete", label: "Delete", words: ["delete"], only: { includeArchived: true } },
  { id: COPY_LINK, label: "Copy link to", words: ["copy link to", "copy link"], only: { includeArchived: true } },
];

/** The verb that a text begins with, and the rest. Undefined for other texts, such as “enabled”. */
export function findVerb(text: string): { verb: Verb; name: string } | undefined {
  const typed = text.trim().replaceAll(/\s+/g, " ");
  for (const verb of VERBS) {
    const word = verb.words.find((one) => `${typed} `.toLowerCase().startsWith(`${one} `));
    if (word !== undefined) return { verb, name: typed.slice(word.length).trim() };
  }
  return undefined;
}
