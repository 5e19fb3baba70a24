import { MAX_INLINE_IDS } from "../../console/evaluated-project.ts";
import { kinds } from "../../console/kinds.ts";
import type { Segment } from "../../console/segments/segment.ts";
import type { Entry } from "../../store/change-log/change-log.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { isIDList } from "../rulesets/loaded-project.ts";
import { type EntityState, readIDs, readListPieces } from "../rulesets/project-store.ts";
import { asPlanned } from "./planned.ts";

/** The changes of a transaction to a ruleset. */
export type Proposal = {
  /** The last state of each entity. */
  states: EntityState[];
  /** The ids of segments: all of a short list; of a long one, the lines that its file would get. */
  lists: ProposedList[];
};

export type ProposedList = { id: string; ids: string[] } | ProposedLines;

/** `isWhole` tells whether the lines are the whole file. */
export type ProposedLines = { id: string; lines: string[]; isWhole: boolean };

const EVALUATED = new Set(kinds.filter(({ ruleset }) => ruleset !== null && ruleset !== "scopes").map(({ type }) => type));

/** Reads in a transaction the effect of its writes so far on the project's ruleset. */
export async function readProposal(db: Db, projectID: string, entries: readonly Entry[]): Promise<Proposal> {
  const written = entries.filter(({ type }) => EVALUATED.has(type));
  const last = new Map(written.map((entry) => [`${entry.type} ${entry.id}`, entry]));
  const states = Array.from(last.values(), ({ type, id, after }) => ({ type, id, entity: after }));
  const lists: ProposedList[] = [];
  for (const { type, id, entity } of states) {
    if (type !== "segment" || !entity || !isIDList(entity as Segment)) continue;
    const first = written.find((entry) => entry.type === type && entry.id === id);
    lists.push(await readProposedList(db, projectID, entity as Segment, first?.before?.version ?? 0));
  }
  return { states, lists };
}

/** The evaluated entities before or after changes, as they are or as they are planned to be, without the ids of segments. */
export function statesOf(changes: readonly Entry[], when: "before" | "after", as: "planned" | "present"): Proposal {
  const evaluated = changes.filter(({ type }) => EVALUATED.has(type));
  const stateOf = (entity: Entry["after"]) => entity && (as === "planned" ? asPlanned(entity) : entity);
  return { states: evaluated.map(({ type, id, [when]: entity }) => ({ type, id, entity: stateOf(entity) })), lists: [] };
}

/** @param since the segment's version before the transaction */
async function readProposedList(db: Db, projectID: string, { id, count = 0 }: Segment, since: number): Promise<ProposedList> {
  if (count <= MAX_INLINE_IDS) return { id, ids: await readIDs(db, projectID, id, MAX_INLINE_IDS) };
  const pieces = await readListPieces(db, projectID, id, since);
  return { id, lines: pieces.map(({ lines }) => lines), isWhole: pieces[0]?.start === 0 };
}
