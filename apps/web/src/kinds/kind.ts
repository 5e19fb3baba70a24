import type { LucideIcon } from "lucide-react";
import type { CallID, Request, RestoreID } from "../api.ts";
import type { Permission } from "../session/account.ts";

/** An operation that lists the entities that contain a text. */
type SearchID = {
  [Id in CallID]: Request<Id> extends { query?: infer Query } ? ("search" extends keyof NonNullable<Query> ? Id : never) : never;
}[CallID];

/** The parts of the navigation. Pages of the settings have a navigation of their own. */
export type PlaceGroup = "release" | "learn" | "data" | "settings";

/** The list of a kind in the navigation. */
export type Place = {
  group: PlaceGroup;
  /** Its address below the project. The page of an entity is below it. */
  path: string;
  label: string;
  icon: LucideIcon;
  shortcut: `g ${string}`;
  /** The permission without which the navigation omits it; null for pages that everyone uses. */
  permission: Permission | null;
};

/** Why and how deleted entities come back. */
export type Restore = {
  operationId: RestoreID;
  permission: Permission;
  /** Whether it can change users' values. */
  isTargeting: boolean;
};

/** How pages show entities of a kind. Navigation, palette, links, live updates, the audit log and tests derive from it. */
export type WebKind = {
  /** The word within a sentence: "dynamic config". */
  noun: string;
  place: Place | null;
  /** The tabs of an entity's page, with their labels; null for a kind whose entities have no page. */
  tabs: Readonly<Record<string, string>> | null;
  /** The page and the tab that show an entity of a kind without a page. */
  partOf?: { type: string; tab: string };
  /** The operations that show an entity, which pages call again after a change. */
  read: CallID;
  versions: Extract<CallID, `list${string}Versions`> | null;
  alsoReads: readonly CallID[];
  /** The operations that delete an entity. Empty if its page stays after a deletion. */
  deletedBy: readonly CallID[];
  /** How a deleted entity comes back; null if it cannot. */
  restore: Restore | null;
  /** Whether entities belong to the server instead of a project. Changes of projects never include them. */
  isOfInstance?: true;
} & ({ list: SearchID; isInPalette: true } | { list: CallID | null; isInPalette: false });
