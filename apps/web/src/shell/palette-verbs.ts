// Actions on entities as people type them: a verb, and a part of the name. Pure.
import type { Request } from "../api.ts";

/** The lists in which entities are found, by their kind. */
type Lists = { gate: "listGates"; dynamic_config: "listDynamicConfigs"; experiment: "listExperiments"; segment: "listSegments" };
export type ActedType = keyof Lists;

/** An action on entities. `id` is the step on their pages, and `on` has the entities that it can be done to, by their kind. */
export type Verb = {
  id: string;
  label: string;
  words: readonly string[];
  on: { [Type in ActedType]?: NonNullable<Request<Lists[Type]>["query"]> };
};

/** The link is copied without opening the page. */
export const COPY_LINK = "copy-link";

const ENDED = ["decision_made", "abandoned"] as const;

const VERBS: readonly Verb[] = [
  { id: "enable", label: "Enable", words: ["enable", "turn on", "switch on"], on: { gate: { status: ["Disabled"] } } },
  { id: "disable", label: "Disable", words: ["disable", "turn off", "switch off"], on: { gate: { status: ["In Progress", "Launched"] } } },
  { id: "launch", label: "Launch", words: ["launch"], on: { gate: { status: ["In Progress", "Disabled"] } } },
  { id: "start", label: "Start", words: ["start"], on: { experiment: { status: ["setup"] } } },
  {
    id: "decide",
    label: "Ship a group of",
    words: ["decide", "ship a group of", "ship"],
    on: { experiment: { status: ["active", "assignment_stopped", "experiment_stopped"] } },
  },
  {
    id: "archive",
    label: "Archive",
    words: ["archive"],
    on: { gate: {}, dynamic_config: {}, experiment: { status: [...ENDED] }, segment: {} },
  },
  {
    id: "unarchive",
    label: "Unarchive",
    words: ["unarchive"],
    on: { gate: { status: ["Archived"] }, dynamic_config: { status: ["Archived"] }, experiment: { status: ["archived"] } },
  },
  {
    id: "delete",
    label: "Delete",
    words: ["delete"],
    on: { gate: { includeArchived: true }, dynamic_config: {}, experiment: {}, segment: {} },
  },
  {
    id: COPY_LINK,
    label: "Copy link to",
    words: ["copy link to", "copy link"],
    on: { gate: { includeArchived: true }, dynamic_config: {}, experiment: {}, segment: {} },
  },
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
