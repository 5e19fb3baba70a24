import type { OperationId } from "@gatehouse/contract/console";
import { descriptions } from "@gatehouse/contract/console";
import type { Context, PermittedContext, Principal } from "../common/context.ts";
import type { SessionLimits } from "../common/session-limits.ts";
import type { Statement } from "../results/sql/statement.ts";
import type { CheckSchema } from "../schema-checks/schema-check.ts";
import type { ChangeLog } from "../store/change-log/change-log.ts";
import type { AnalysisOptions } from "../store/database/engines.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { readCreationSettings } from "../store/entities/creation-settings.ts";
import { register } from "../store/entities/named-store.ts";
import type { Target, Targets } from "../store/entities/references.ts";
import type { StoreDeps } from "../store/entities/store-deps.ts";
import { type ReadableKind, visibleKinds } from "../store/entities/visible-kinds.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import { entitySlices, slicesByName } from "./kinds.ts";
import type { KindStore, Slice } from "./slice.ts";
import type { ReferableType, Slices } from "./slices.ts";

/** The store of every slice, bound to one transaction and one project. */
export type Stores = { readonly [Name in keyof Slices]: ReturnType<Slices[Name]["createStore"]> } & {
  /** The stores of slices with entities. */
  readonly ofKinds: readonly KindStore[];
};

/** The server's additions to the request of a handler. */
export type Env = { context: Context; stores: Stores };

/** Reads outside a transaction, so that a stream keeps none open. */
export type Read = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>;

/** Runs a statement that reads very many rows, outside any transaction. @throws AppError unavailable if it takes too long */
type Analyse = <Row>(statement: Statement) => Promise<Row[]>;

/** Does work elsewhere that takes as long as an analysis may, in its turn. @throws AppError unavailable if it takes too long */
export type Limited = <T>(work: (options: AnalysisOptions) => Promise<T>) => Promise<T>;

/** `Env` for operations that the contract calls `x-analyses`. */
export type AnalysisEnv = Env & { analyse: Analyse; limited: Limited };

/** `Env` for analyses that read what is evaluated. */
export type ProjectEnv = AnalysisEnv & {
  /** The evaluated part of the caller's project, as of the last committed change. Not in a transaction. @throws AppError unavailable */
  evaluatedProject(): Promise<EvaluatedProject>;
};

/** `Env` for operations that need more of the server. */
export type SchemaEnv = ProjectEnv & {
  /** Checks JSON Schemas of callers. */
  checkSchema: CheckSchema;
  /** When sessions of people end. */
  sessionLimits: SessionLimits;
  /** The URL at which the caller reached the server, with its base path. */
  baseUrl: string;
};

const kinds = entitySlices.flatMap(readableKinds);
const targets = Object.fromEntries(entitySlices.flatMap(referenceTargets)) as Record<ReferableType, Target> satisfies Targets;

/** Creates each store when it is first used. */
class BoundStores {
  readonly deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.deps = deps;
  }

  get ofKinds(): KindStore[] {
    return entitySlices.map(({ createStore }) => createStore(this.deps));
  }
}
for (const [name, { createStore }] of Object.entries(slicesByName)) {
  Object.defineProperty(BoundStores.prototype, name, {
    get(this: BoundStores) {
      const store = createStore(this.deps);
      Object.defineProperty(this, name, { value: store });
      return store;
    },
  });
}

/** The types of entities that a caller may read. */
export function visibleTypes(by: Principal): ReadonlySet<string> {
  return new Set(visibleKinds({ kinds, by }).map(({ type }) => type));
}

type Given = { db: Db; context: PermittedContext; log: ChangeLog };

export function createStores(given: Given): Stores {
  return new BoundStores(createDeps(given)) as unknown as Stores;
}

/** The name of the store of each kind whose rows are found by the id in a path alone, and depend on no other entity. */
const storesFoundByID = new Map(
  Object.entries(slicesByName).flatMap(([name, { kind }]) => (kind && !kind.getName && !kind.computed ? [[kind.type, name] as const] : [])),
);

/** Finds an entity by its id, if that is all its row depends on. */
export async function findByID(stores: Stores, type: string, id: string): Promise<unknown> {
  const name = storesFoundByID.get(type);
  const store = name === undefined ? undefined : (stores as unknown as Record<string, KindStore>)[name];
  return store?.find?.(id);
}

/** Creates the dependencies of a unit of work's stores. */
export function createDeps({ db, context, log }: Given): StoreDeps {
  const { projectID } = context;
  return { db, projectID, log, by: context, targets, kinds, creationSettings: readCreationSettings(db, projectID) };
}

/** The kinds of a slice, each with the required permission of the operation that reads it. */
function readableKinds({ kind, overridesKind, weightsKind, operations: { read, readOverrides } }: Slice): ReadableKind[] {
  const readBy = (id: OperationId) => descriptions[id].permission;
  return [
    { kind, permission: readBy(read) },
    ...(overridesKind && readOverrides ? [{ kind: overridesKind, permission: readBy(readOverrides) }] : []),
    ...(weightsKind ? [{ kind: weightsKind, permission: readBy(read) }] : []),
  ];
}

/** How references to entities of a slice are checked, by their type. */
function referenceTargets({ kind }: Slice): [string, Target][] {
  const { named, table, idColumn = "id" } = kind;
  switch (named?.check) {
    case "exists":
      return [[named.as, { check: "exists", table, idColumn, isArchived: named.isArchived }]];
    case "made":
      return [[named.as, { check: "made", register: (context, references) => register(context, kind, references, named.make) }]];
    case "by its referrer":
    case "may be missing":
      return [[named.as, { check: named.check }]];
    case undefined:
      return [];
  }
}
