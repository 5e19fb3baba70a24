import { NO_ENVIRONMENTS } from "../../console/environments/environment-set.ts";
import type { Segment } from "../../console/segments/segment.ts";
import type { Database } from "../../store/database.ts";
import { type EvaluatedProject, FEW_IDS } from "../compile/evaluated-project.ts";
import { type EntityState, type ListPiece, readChanges, readIDs, readListPieces, readProject } from "./project-store.ts";

/** The hashes of a segment's ids, kept up with the file that SDKs download. */
type IDList = { hashes: Set<string>; version: number; end: number };

type Project = EvaluatedProject & { segmentIDs: Map<string, readonly string[]> };

/** A project as this replica knows it. `seq` is the number of the last change that is in it, `time` the ruleset's time, ms. */
export type LoadedProject = {
  seq: number;
  time: number;
  project: Project;
  /** The lists that are too long to stand in conditions, by segment. */
  lists: Map<string, IDList>;
};

/** Where the entities of each type are, as the change log calls it. What is not here is not evaluated. */
const PLACES = {
  gate: "gates",
  gate_overrides: "gateOverrides",
  dynamic_config: "dynamicConfigs",
  experiment: "experiments",
  experiment_overrides: "experimentOverrides",
  layer: "layers",
  layer_overrides: "layerOverrides",
  segment: "segments",
  holdout: "holdouts",
  holdout_overrides: "holdoutOverrides",
  param_store: "paramStores",
  prompt: "prompts",
} as const satisfies Record<string, keyof EvaluatedProject>;

/** The project as it is now: with what changed since it was loaded, or read anew. Undefined if there is none. */
export async function loadProject(database: Database, projectID: string, known?: LoadedProject): Promise<LoadedProject | undefined> {
  const changes = known && (await readChanges(database, projectID, known.seq));
  const read = changes ?? (await readProject(database, projectID));
  if (!read) return undefined;
  const loaded = changes && known ? known : { seq: 0, time: 0, project: emptyProject(), lists: new Map() };
  const lists = await Promise.all(
    listingSegments(read.states).map(async ({ id, count }) => ({
      id,
      list: await readList(database, projectID, id, count, loaded.lists.get(id)),
    })),
  );
  // Nothing waits from here on: whoever looks sees all of the changes or none.
  for (const state of read.states) put(loaded.project, state);
  for (const { id, list } of lists) putList(loaded, id, list);
  return Object.assign(loaded, { seq: read.seq, time: Math.max(read.time, loaded.time) });
}

function emptyProject(): Project {
  const places = Object.values(PLACES).map((place) => [place, new Map()]);
  return { environments: NO_ENVIRONMENTS, segmentIDs: new Map(), ...Object.fromEntries(places) };
}

function put(project: Project, { type, id, entity }: EntityState): void {
  if (type === "environment_set") project.environments = (entity ?? NO_ENVIRONMENTS) as EvaluatedProject["environments"];
  if (type === "segment" && !entity) project.segmentIDs.delete(id);
  if (!(type in PLACES)) return;
  const entities = project[PLACES[type as keyof typeof PLACES]] as Map<string, object>;
  if (entity) entities.set(id, entity);
  else entities.delete(id);
}

type Listing = { id: string; count: number };

/** The segments that list ids, among entities that changed. The last state of each counts. */
function listingSegments(states: EntityState[]): Listing[] {
  const segments = new Map(states.filter(({ type }) => type === "segment").map(({ id, entity }) => [id, entity as Segment | null]));
  return [...segments].flatMap(([id, segment]) =>
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
  if (count <= FEW_IDS) return readIDs(database, projectID, segmentID, FEW_IDS);
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

function putList(loaded: LoadedProject, segmentID: string, list: string[] | IDList): void {
  const { segmentIDs } = loaded.project;
  if (Array.isArray(list)) {
    segmentIDs.set(segmentID, list);
    loaded.lists.delete(segmentID);
  } else {
    segmentIDs.delete(segmentID);
    loaded.lists.set(segmentID, list);
  }
}
