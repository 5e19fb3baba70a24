// Compiled by `check`, never run: the mistakes that the register of slices must reject at compile time.
import * as gates from "../../src/console/gates/index.ts";
import { merged } from "../../src/console/merged.ts";
import * as prompts from "../../src/console/prompts/index.ts";
import type { Prompt } from "../../src/console/prompts/prompt.ts";
import { promptKind } from "../../src/console/prompts/prompt-store.ts";
import type { Reference } from "../../src/console/reference.ts";
import type { DataSlice, EntityKind, NamedKind, Slice } from "../../src/console/slice.ts";
import type { KindType } from "../../src/console/slices.ts";
import { tagKind } from "../../src/console/tags/tag-store.ts";
import type { OwnColumn } from "../../src/store/database/table.ts";

/** The whole list, as `stores.ts` expects it. */
type List = { [name: string]: Slice | DataSlice };

export const whole: List = { prompts };

const { references, ...withoutReferences } = promptKind;
references satisfies unknown;
// @ts-expect-error: a kind declares its references, even if it has none
export const namesWhoKnowsWhat: EntityKind<"prompt", Prompt> = withoutReferences;

const { named, ...withoutCheck } = tagKind;
named satisfies unknown;
// @ts-expect-error: a kind that can be referenced declares how its references are checked
export const checkedByNobody: NamedKind<"tag", { id: string; name: string; version: number }> = withoutCheck;

const { ruleset, ...withoutRuleset } = promptKind;
ruleset satisfies unknown;
// @ts-expect-error: a kind declares its part of the ruleset
export const movesWhoKnowsWhat: EntityKind<"prompt", Prompt> = withoutRuleset;

const { needs, ...withoutNeeds } = promptKind;
needs satisfies unknown;
// @ts-expect-error: a kind declares the further permissions that its changes need
export const changedByWhom: EntityKind<"prompt", Prompt> = withoutNeeds;

const { reach, ...withoutReach } = promptKind;
reach satisfies unknown;
// @ts-expect-error: a kind declares what limited keys may write of it
export const writtenByWhom: EntityKind<"prompt", Prompt> = withoutReach;

// @ts-expect-error: the ruleset compiler has no such input
export const readNowhere: EntityKind<"prompt", Prompt> = { ...promptKind, ruleset: "promptings" };

/** A reference to a kind that cannot be referenced. */
// @ts-expect-error: prompts cannot be referenced, so nothing would check it
export const unchecked: Reference = { type: "prompt", id: "greeting", place: "promptID" };
export const checked: Reference = { type: "gate", id: "new_checkout", place: "targetingGateID" };

type Holdout = {
  id: string;
  version: number;
  creatorID: string | null;
  creatorName: string | null;
  teamID: string | null;
  tags: string[];
  isEnabled?: boolean;
};
const kept = {
  type: "holdout",
  getID: () => "",
  references: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: promptKind.reach,
  listing: { getName: () => "", searchTexts: () => [] },
} as const;
export const columns: EntityKind<"holdout", Holdout> = {
  ...kept,
  table: "holdout",
  columns: {
    creatorID: (one) => one.creatorID,
    creatorName: (one) => one.creatorName,
    teamID: (one) => one.teamID,
    tags: (one) => one.tags,
    isEnabled: (one) => one.isEnabled ?? true,
  },
};
const { listing: _listing, ...listedBySomething } = kept;
// @ts-expect-error: nothing says what lists search and sort by
export const listedByNothing: EntityKind<"holdout", Holdout> = { ...listedBySomething, table: "holdout", columns: columns.columns };
export const columnOfNoModel: EntityKind<"holdout", Holdout> = {
  ...kept,
  table: "holdout",
  columns: {
    creatorID: (one) => one.creatorID,
    creatorName: (one) => one.creatorName,
    teamID: (one) => one.teamID,
    tags: (one) => one.tags,
    isEnabled: (one) => one.isEnabled ?? true,
    // @ts-expect-error: the table holdout has no such column
    colour: (one: Holdout) => one.id,
  },
};
export const columnLeftOut: EntityKind<"holdout", Holdout> = {
  ...kept,
  table: "holdout",
  // @ts-expect-error: the column tags is missing
  columns: { creatorID: (one) => one.creatorID, creatorName: (one) => one.creatorName },
};
export const columnOfAnotherType: EntityKind<"holdout", Holdout> = {
  ...kept,
  table: "holdout",
  columns: {
    creatorID: (one) => one.creatorID,
    // @ts-expect-error: the column name is a string
    creatorName: (one) => one.version,
    tags: (one) => one.tags,
    isEnabled: (one) => one.isEnabled ?? true,
  },
};
// @ts-expect-error: the table does not exist
export const tableOfNoModel: EntityKind<"promt", Prompt> = promptKind;
"autotune_weights" satisfies KindType;
// @ts-expect-error: a type that the contract lists needs a slice
"gadget" satisfies KindType;
// @ts-expect-error: the contract lists no such type
export const typeOfNoEntity: EntityKind<"prompt", Prompt> = { ...promptKind, type: "promt" };
"dueTime" satisfies OwnColumn<"gate">;
// @ts-expect-error: the entity store writes it
"version" satisfies OwnColumn<"gate">;

const { handlers, ...withoutHandlers } = prompts;
handlers satisfies object;
// @ts-expect-error: a slice has handlers
export const withoutHandlersList: List = { prompts: withoutHandlers };
const { createStore, ...withoutStore } = prompts;
createStore satisfies unknown;
// @ts-expect-error: a slice has a store
export const withoutStoreList: List = { prompts: withoutStore };
const { kind, ...withoutKind } = prompts;
kind satisfies unknown;
// @ts-expect-error: a slice has a kind, or declares that it has none
export const withoutKindList: List = { prompts: withoutKind };
// @ts-expect-error: renaming a tag must reach the entities of every kind
export const withoutRenaming: List = { prompts: { ...prompts, createStore: () => ({ replace: async () => {} }) } };

const { readOverrides, ...operations } = gates.operations;
readOverrides satisfies string;
// @ts-expect-error: If-Match of overrides would be compared with their gate's version
export const withoutReadingOverrides: List = { gates: { ...gates, operations } };

const listGates = async () => "gates";
const getGate = async () => "gate";
merged({ gates: { listGates }, rules: { getGate } }).getGate satisfies typeof getGate;
// @ts-expect-error: one of two handlers for an operation would silently win
merged({ gates: { listGates, getGate }, rules: { getGate } });
