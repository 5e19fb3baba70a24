import { NO_ENVIRONMENTS } from "../../console/environments/environment-set.ts";
import { type EvaluatedProject, MAX_INLINE_IDS } from "../../console/evaluated-project.ts";
import { kinds } from "../../console/kinds.ts";
import type { Segment } from "../../console/segments/segment.ts";
import type { Database } from "../../store/database/database.ts";
import { noteLostChanges } from "../../store/database/restores.ts";
import { type Db, reading } from "../../store/database/unit-of-work.ts";
import { type Affected, type Change, createProjectState, type ProjectState } from "../compile/project-state.ts";
import { applyLines } from "../sdk/id-list-file.ts";
import {
  type EntityState,
  type ListPiece,
  type ProjectVersion,
  readChanges,
  readIDs,
  readListPieces,
  readProject,
} from "./project-store.ts";

/** The hashes of a segment's ids, read from the file that SDKs download up to `end`. */
type IDList = { hashes: Set<string>; version: number; end: number };

/** A project in this replica's memory. */
export type LoadedProject = ProjectVersion & {
  /** When this replica read the last change of the ruleset, by its own clock, ms since the epoch. */
  changedAt: number;
  state: ProjectState;
  /** The id lists that are too long for conditions, by segment. */
  lists: Map<string, IDList>;
};

/** An update of a project: its changes since it was last read, or all of it. */
export type ProjectUpdate = ProjectVersion & { isReload: boolean; states: EntityState[]; lists: SegmentList[] };

type SegmentList = { id: string; list: string[] | IDList };

/** The part of a ruleset that entities of each type belong to. */
const PARTS = new Map(kinds.map(({ type, ruleset }) => [type, ruleset]));

/**
 * Reads the changes since `known`, or the whole project. Undefined if the project does not exist. If the project lost changes that are
 * `known`, that is noted first.
 */
export async function readUpdate(database: Database, projectID: string, known?: LoadedProject): Promise<ProjectUpdate | undefined> {
  const changes = known && (await readChangesOrNoteLoss(database, projectID, known));
  const read = changes ?? (await readProject(database, projectID));
  if (!read) return undefined;
  const isReload = changes === undefined;
  const lists = await Promise.all(
    listingSegments(read.states).map(async ({ id, count }) => ({
      id,
      list: await reading(database, (db) => readList(db, projectID, id, count, isReload ? undefined : known?.lists.get(id))),
    })),
  );
  return { ...read, isReload, lists };
}

async function readChangesOrNoteLoss(database: Database, projectID: string, known: LoadedProject) {
  const changes = await readChanges(database, projectID, known);
  if (changes !== "lost") return changes;
  await noteLostChanges(database, projectID, known.restoredTime, known.time);
  return undefined;
}

/** Applies an update synchronously, so that no reader sees half of it. `affected` is undefined if the project was reloaded. */
export function applyUpdate(
  { isReload, states, lists, ...version }: ProjectUpdate,
  changedAt: number,
  known?: LoadedProject,
): { loaded: LoadedProject; affected?: Affected } {
  const changes = [...states.flatMap(toChanges), ...lists.map(toIDsChange)];
  const environments = environmentState(states);
  if (isReload || !known) {
    const state = createProjectState(environmentsIn(environments), changes);
    return { loaded: { ...version, changedAt, state, lists: new Map(lists.flatMap(longList)) } };
  }
  if (environments) known.state.setEnvironments(environmentsIn(environments));
  const affected = known.state.apply(changes);
  for (const { type, id, entity } of states) if (type === "segment" && !entity) known.lists.delete(id);
  for (const { id, list } of lists) {
    if (Array.isArray(list)) known.lists.delete(id);
    else known.lists.set(id, list);
  }
  return { loaded: Object.assign(known, version, { changedAt }), affected };
}

export function toChanges({ type, id, entity }: EntityState): Change[] {
  const part = PARTS.get(type) ?? "scopes";
  if (part === "scopes" || part === "environments") return [];
  const change = { part, id, value: entity ?? undefined };
  return type === "segment" && !entity ? [change, { part: "segmentIDs", id, value: undefined }] : [change];
}

function toIDsChange({ id, list }: SegmentList): Change {
  return { part: "segmentIDs", id, value: Array.isArray(list) ? list : undefined };
}

function longList({ id, list }: SegmentList): [string, IDList][] {
  return Array.isArray(list) ? [] : [[id, list]];
}

export function environmentState(states: EntityState[]): EntityState | undefined {
  return states.findLast(({ type }) => PARTS.get(type) === "environments");
}

export function environmentsIn(state: EntityState | undefined): EvaluatedProject["environments"] {
  return (state?.entity as EvaluatedProject["environments"] | null | undefined) ?? NO_ENVIRONMENTS;
}

type Listing = { id: string; count: number };

export function isIDList({ type }: Segment): boolean {
  return type === "id_list" || type === "user_store_id_list";
}

/** The changed segments that are lists of ids. */
function listingSegments(states: EntityState[]): Listing[] {
  const segments = states.filter(({ type }) => type === "segment").map(({ id, entity }) => [id, entity as Segment | null] as const);
  return segments.flatMap(([id, segment]) => (segment && isIDList(segment) ? [{ id, count: segment.count ?? 0 }] : []));
}

/** The ids of a short list; the hashes of a long one. */
async function readList(
  db: Db,
  projectID: string,
  segmentID: string,
  count: number,
  known: IDList = { hashes: new Set(), version: 0, end: 0 },
): Promise<string[] | IDList> {
  if (count <= MAX_INLINE_IDS) return readIDs(db, projectID, segmentID, MAX_INLINE_IDS);
  const pieces = await readListPieces(db, projectID, segmentID, known.version);
  const goesOn = pieces.length === 0 || pieces[0]?.start === known.end;
  // If the known pieces do not continue, the list was reset and has a new file.
  return goesOn
    ? withPieces(known, pieces)
    : withPieces({ hashes: new Set(), version: 0, end: 0 }, await readListPieces(db, projectID, segmentID, 0));
}

function withPieces(list: IDList, pieces: ListPiece[]): IDList {
  let { version, end } = list;
  for (const piece of pieces) {
    applyLines(list.hashes, piece.lines);
    version = piece.version;
    end = piece.start + piece.lines.length;
  }
  return { hashes: list.hashes, version, end };
}
