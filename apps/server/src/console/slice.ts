import type { OperationId } from "@gatehouse/contract/console";
import type { EvaluatedProject } from "../evaluation/compile/evaluated-project.ts";
import type { ReferableType } from "../reference.ts";
import type { Versioned } from "../store/entity-tag.ts";
import type { Kind, KindIn, Naming } from "../store/kind.ts";
import type { StoreDeps } from "../store/store-deps.ts";
import type { Table } from "../store/table.ts";

/** What an entity is to a ruleset: where the compiler reads it, or `scopes`, by which keys see some of the ruleset and not the rest. */
export type RulesetPart = Exclude<keyof EvaluatedProject, "segmentIDs"> | "scopes";

type Evaluated = { ruleset: RulesetPart | null };

/** A kind of entity, kept in the table `T`, that no other can name. */
export type EntityKind<T extends Table, E extends Versioned> = KindIn<T, E> & Evaluated & { named: null };

/** A kind of entity that others name: by references of the type `As`. */
export type NamedKind<T extends Table, E extends Versioned, As extends string = T> = KindIn<T, E> &
  Evaluated & { named: Naming<E> & { as: As } };

/** The overrides of entities of one kind. They have no id of their own. */
export type OverridesKind<E extends Versioned> = Omit<EntityKind<"overrides", E>, "idOf">;

/** What a slice with entities says of itself: the exports of its `index.ts`. */
export type Slice = {
  // biome-ignore lint/suspicious/noExplicitAny: each slice has entities of its own
  kind: Kind<any> & Evaluated;
  /** The store of the kind, in one transaction and one project. What is deleted with an entity, its `delete` deletes. */
  createStore(deps: StoreDeps): KindStore;
  operations: SliceOperations;
  handlers: object;
} & (WithOverrides | { overridesKind?: undefined });

/** The overrides of a slice's entities are entities of their own, which an operation reads. */
// biome-ignore lint/suspicious/noExplicitAny: each slice has overrides of its own
type WithOverrides = { overridesKind: OverridesKind<any>; operations: { readOverrides: OperationId } };

/** What a slice without entities says of itself. */
export type DataSlice = { kind: null; createStore(deps: StoreDeps): object; handlers: object };

/**
 * The operations by which tests make an entity, if there is one, and everybody reads an entity and its overrides. Operations under the path of
 * one that reads are about what it reads.
 */
export type SliceOperations = { create: OperationId | null; read: OperationId; readOverrides?: OperationId };

/** What every store of a kind can do: new names of others come into its entities by it. */
export type KindStore = {
  listNaming(to: { type: ReferableType; id: string }): Promise<{ entity: Versioned; places: string[] }[]>;
  // biome-ignore lint/suspicious/noExplicitAny: each store has entities of its own
  replace(before: any, after: any): Promise<unknown>;
};
