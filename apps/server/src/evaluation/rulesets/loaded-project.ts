import { NO_ENVIRONMENTS } from "../../console/environments/environment-set.ts";
import { kinds } from "../../console/kinds.ts";
import type { Segment } from "../../console/segments/segment.ts";
import type { Database } from "../../store/database.ts";
import { type EvaluatedProject, MAX_INLINE_IDS } from "../compile/evaluated-project.ts";
import { type Affected, type Change, createProjectState, type ProjectState } from "../compile/project-state.ts";
import { type EntityState, type ListPiece, type Moment, readChanges, readIDs, readListPieces, readProject } from "./project-store.ts";

/** The hashes of a segment's ids, kept up with the file that SDKs download. */
type IDList = { hashes: Set<string>; version: number; end: number };

/** A project as this replica knows it. `seq` is the number of the last change that is in it, `time` the ruleset's time, ms. */
export type LoadedProject = {
  seq: number;
  time: number;
  state: ProjectState;
  /** The lists that are too long to stand in conditions, by segment. */
  lists: Map<string, IDList>;
};

/** The news of a project: its changes since it was loaded, or all of it. */
export type News = Moment & { isWhole: boolean; states: EntityState[]; lists: SegmentList[] };

type SegmentList = { id: string; list: string[] | IDList };

/** What the entities of each type are to a ruleset. */
const PARTS = new Map(kinds.map(({ type, ruleset }) => [type, ruleset]));

/** Undefined if there is no such project. */
export async function readNews(database: Database, projectID: string, known?: LoadedProject): Promise<News | undefined> {
  const changes = known && (await readChanges(database, projectID, known.seq));
  const read = changes ?? (await readProject(database, projectID));
  if (!read) return undefined;
  const isWhole = changes === undefined;
  const lists = await Promise.all(
    listingSegments(read.states).map(async ({ id, count }) => ({
      id,
      list: await readList(database, projectID, id, count, isWhole ? undefined : known?.lists.get(id)),
    })),
  );
  return { ...read, isWhole, lists };
}

/** The project with the news applied atomically. `affected` is undefined where it was reloaded. */
export function takeOver(news: News, known?: LoadedProject): { loaded: LoadedProject; affected?: Affected } {
  const { seq, time, isWhole, states, lists } = news;
  const changes = [...states.flatMap(toChanges), ...lists.map(toIDsChange)];
  const environments = states.findLast(({ type }) => PARTS.get(type) === "environments");
  if (isWhole || !known) {
    const state = createProjectState(environmentsIn(environments), changes);
    return { loaded: { seq, time: Math.max(time, known?.time ?? 0), state, lists: new Map(lists.flatMap(longList)) } };
  }
  if (environments) known.state.setEnvironments(environmentsIn(environments));
  const affected = known.state.apply(changes);
  for (const { type, id, entity } of states) if (type === "segment" && !entity) known.lists.delete(id);
  for (const { id, list } of lists) {
    if (Array.isArray(list)) known.lists.delete(id);
    else known.lists.set(id, list);
  }
  return { loaded: Object.assign(known, { seq, time: Math.max(time, known.time) }), affected };
}

function toChanges({ type, id, entity }: EntityState): Change[] {
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

function environmentsIn(state: EntityState | undefined): EvaluatedProject["environments"] {
  return (state?.entity as EvaluatedProject["environments"] | null | undefined) ?? NO_ENVIRONMENTS;
}

type Listing = { id: string; count: number };

/** The segments that list ids, among entities that changed. */
function listingSegments(states: EntityState[]): Listing[] {
  const segments = states.filter(({ type }) => type === "segment").map(({ id, entity }) => [id, entity as Segment | null] as const);
  return segments.flatMap(([id, segment]) =>
    segment && (segment.type === "id_list" || segment.type === "user_store_id_list") ? [{ id, count: segment.count ?? 0 }] : [],
  );
}

/** The ids themselves where they are few, else the list of their hashes. */
async function readList(
  database: Database,
  projectID: string,
  segmentID: string,
  count: number,
  known: IDList = { hashes: new Set(), version: 0, end: 0 },
): Promise<string[] | IDList> {
  if (count <= MAX_INLINE_IDS) return readIDs(database, projectID, segmentID, MAX_INLINE_IDS);
  const pieces = await readListPieces(database, projectID, segmentID, known.version);
  const goesOn = pieces.length === 0 || pieces[0]?.start === known.end;
  // The list was emptied meanwhile and has another file.
  return goesOn
    ? withPieces(known, pieces)
    : withPieces({ hashes: new Set(), version: 0, end: 0 }, await readListPieces(database, projectID, segmentID, 0));
}

function withPieces(list: IDList, pieces: ListPiece[]): IDList {
  let { version, end } = list;
  for (const piece of pieces) {
    for (const line of piece.lines.split("\n")) {
      if (line.startsWith("+")) list.hashes.add(line.slice(1));
      else if (line.startsWith("-")) list.hashes.delete(line.slice(1));
    }
    version = piece.version;
    end = piece.start + piece.lines.length;
  }
  return { hashes: list.hashes, version, end };
}
