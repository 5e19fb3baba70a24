import type { EntityType, OperationId } from "@gatehouse/contract/console";
import type { Table } from "../store/database/table.ts";
import type { Kind, KindIn, Naming } from "../store/entities/kind.ts";
import type { StoreDeps } from "../store/entities/store-deps.ts";
import type { Versioned } from "../store/requests/entity-tag.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import type { Name, Reference } from "./reference.ts";

/** The part of `EvaluatedProject` that the compiler reads an entity from; `scopes` if it only determines the keys' views of the ruleset. */
export type RulesetPart = Exclude<keyof EvaluatedProject, "segmentIDs"> | "scopes";

type Evaluated = { ruleset: RulesetPart | null };

/** The type that the contract's `x-entities` lists. It is the name of the table, unless a kind says otherwise. */
type Typed<Type extends EntityType> = { type: Type };

/** Entities of the kind reference only kinds that can be referenced. */
type Referring<E> = { references: ((entity: E) => Reference[]) | null };

/** A kind of entity, stored in the table `T`, that others cannot reference. */
export type EntityKind<T extends Table, E extends Versioned, Type extends EntityType = Extract<T, EntityType>> = KindIn<T, E> &
  Typed<Type> &
  Evaluated &
  Referring<E> & { named: null };

/** A kind of entity that others can reference, by references of type `As`. */
export type NamedKind<T extends Table, E extends Versioned, As extends string = T> = KindIn<T, E> &
  Typed<Extract<T, EntityType>> &
  Evaluated &
  Referring<E> & { named: Naming<E> & { as: As } };

/** The overrides of entities of one kind. They have no id of their own. */
export type OverridesKind<E extends Versioned, Type extends EntityType = EntityType> = Omit<EntityKind<"overrides", E, Type>, "getID">;

/** The exports in the `index.ts` of a slice with entities. */
export type Slice = {
  // biome-ignore lint/suspicious/noExplicitAny: each slice has entities of its own
  kind: Kind<any> & Evaluated;
  /** Creates the kind's store for one transaction and one project. Its `delete` also deletes the entity's data. */
  createStore(deps: StoreDeps): KindStore;
  operations: SliceOperations;
  handlers: object;
  /** The weights that the server keeps beside entities of the kind. Callers who may read the entity may read them. */
  // biome-ignore lint/suspicious/noExplicitAny: each slice has weights of its own
  weightsKind?: OverridesKind<any>;
} & (WithOverrides | { overridesKind?: undefined });

/** A slice whose entities have overrides, which are separate entities and have an operation that reads them. */
// biome-ignore lint/suspicious/noExplicitAny: each slice has overrides of its own
type WithOverrides = { overridesKind: OverridesKind<any>; operations: { readOverrides: OperationId } };

/** The exports of a slice without entities. */
export type DataSlice = { kind: null; createStore(deps: StoreDeps): object; handlers: object };

/**
 * The operations that create an entity (for tests; null without such an operation), read it, and read its overrides. An operation whose
 * path begins with that of `read` or `readOverrides` addresses the same entity.
 */
export type SliceOperations = { create: OperationId | null; read: OperationId; readOverrides?: OperationId };

/** The methods of every store that renaming a tag, target app or team calls, and reading ahead. */
export type KindStore = {
  /** The entity with this id, or for some kinds this name. */
  find?(id: string): Promise<unknown>;
  listNaming(to: Name): Promise<{ entity: Versioned; places: string[] }[]>;
  // biome-ignore lint/suspicious/noExplicitAny: each store has entities of its own
  replace(before: any, after: any): Promise<unknown>;
};
