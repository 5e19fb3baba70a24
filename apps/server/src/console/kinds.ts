import { entityTypes } from "@gatehouse/contract/console";
import type { Kind } from "../store/entities/kind.ts";
import type { DataSlice, RulesetPart, Slice } from "./slice.ts";
import { type KindType, slices } from "./slices.ts";

/** The properties of every kind. Kinds of overrides have no `getID`, since overrides have no id of their own. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of all entities
export type AnyKind = Omit<Kind<any>, "getID"> & { ruleset: RulesetPart | null };

/** The slices by name. A slice that leaves anything out is a type error here. */
export const slicesByName: { readonly [name: string]: Slice | DataSlice } = slices;

/** The slices that have entities. */
export const entitySlices: readonly Slice[] = Object.values(slicesByName).filter((slice): slice is Slice => slice.kind !== null);

/** Every kind of entity, overrides among them. */
export const kinds: readonly AnyKind[] = entitySlices.flatMap(({ kind, overridesKind, weightsKind }) => [
  kind,
  ...(overridesKind ? [overridesKind] : []),
  ...(weightsKind ? [weightsKind] : []),
]);

// Each type that the contract lists has a slice. The types of kinds are checked where the kinds are: `slice.ts`.
entityTypes satisfies readonly KindType[];
