// The register of kinds: the counterpart of the server's `console/slices.ts`.
import type { EntityType as ContractType } from "@gatehouse/contract/console";
import type { CallID } from "../api.ts";
import { dataKinds } from "./data-kinds.ts";
import type { Place, Restore, WebKind } from "./kind.ts";
import { projectKinds } from "./project-kinds.ts";
import { targetingKinds } from "./targeting-kinds.ts";

/** Every kind of entity by the type that the contract gives it in the change log. */
export const kinds = { ...targetingKinds, ...dataKinds, ...projectKinds } satisfies Record<ContractType, WebKind>;

type Kinds = typeof kinds;
export type EntityType = keyof Kinds;

type TypeWith<Property> = { [Type in EntityType]: Kinds[Type] extends Property ? Type : never }[EntityType];
/** The types whose entities have pages. */
export type PagedType = TypeWith<{ place: Place; tabs: object }>;
/** The types whose entities can be deleted and restored. */
export type RestorableType = TypeWith<{ restore: Restore }>;
type HistoryType = TypeWith<{ place: Place; tabs: { history: string } }>;

type CreatedGroup = "release" | "learn";
/** The types of entities in the parts of the navigation where people create them. Releases are started by changes. */
export type CreatedType = Exclude<TypeWith<{ place: { group: CreatedGroup }; tabs: object }>, "release">;

export const isKind = (type: string): type is EntityType => Object.hasOwn(kinds, type);

const CREATED_GROUPS: ReadonlySet<string> = new Set<CreatedGroup>(["release", "learn"]);

const findKind = (type: string): WebKind | undefined => (isKind(type) ? kinds[type] : undefined);

export const hasPage = (type: string): type is PagedType => findKind(type)?.place != null && findKind(type)?.tabs != null;
/** Whether the entity's page shows its versions. */
export const hasHistory = (type: string): type is HistoryType => hasPage(type) && "history" in kinds[type].tabs;
export const isRestorable = (type: string): type is RestorableType => findKind(type)?.restore != null;

/** The types whose lists have a dialog that creates an entity, in the order of the navigation. */
export const CREATED_TYPES = (Object.keys(kinds) as EntityType[]).filter(
  (type): type is CreatedType => hasPage(type) && type !== "release" && CREATED_GROUPS.has(kinds[type].place.group),
);

/** The types whose changes the audit log of a project lists. */
export const AUDITED_TYPES = (Object.keys(kinds) as EntityType[]).filter((type) => !findKind(type)?.isOfInstance);

type PartType = TypeWith<{ partOf: { type: PagedType; tab: string } }>;

/** The page and the tab that show entities of a type without a page. */
export const findHost = (type: string): Kinds[PartType]["partOf"] | undefined =>
  findKind(type)?.partOf as Kinds[PartType]["partOf"] | undefined;

/** The route of an entity's page. */
export const pageRoute = <Type extends PagedType>(type: Type) =>
  `/projects/$projectID/${kinds[type].place.path}/$id` as `/projects/$projectID/${Kinds[Type]["place"]["path"]}/$id`;

/** The word for entities of a type within a sentence, such as `dynamic config`. */
export type Noun = Kinds[EntityType]["noun"];

/** The type of a project's entities by their noun. Undefined for those of the instance. */
export const typeWithNoun = (noun: Noun): EntityType | undefined => AUDITED_TYPES.find((type) => kinds[type].noun === noun);

/** The word for entities of a type within a sentence. The audit log also has types of events. */
export const entityNoun = (type: string): string => findKind(type)?.noun ?? type.replaceAll("_", " ");

/** The same at the start of a sentence or as a label. */
export function entityLabel(type: string): string {
  const noun = entityNoun(type);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
}

// A kind that the contract adds has to be registered: each list of versions belongs to one.
type Registered = Kinds[EntityType]["versions"];
const _everyKindIsRegistered: Exclude<Extract<CallID, `list${string}Versions`>, Registered> extends infer Missing
  ? [Missing] extends [never]
    ? true
    : Missing
  : never = true;
void _everyKindIsRegistered;
