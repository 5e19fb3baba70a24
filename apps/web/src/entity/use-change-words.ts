import { useQueries, useQuery } from "@tanstack/react-query";
import { type Changes, query } from "../api.ts";
import { findHost, hasHistory, hasPage, kinds } from "../kinds/kinds.ts";
import { membersRequest } from "../session/members.ts";
import { personName } from "../session/names.ts";
import { useKeyNames } from "../shell/actor-name.tsx";
import { useEnvironmentNames } from "../shell/environments.ts";
import { type Base, changedEnvironments, changeWords } from "../targeting/change-words.ts";
import type { DescribedEntity } from "../targeting/changes.ts";
import { statesOf } from "../targeting/entity-states.ts";
import { fieldName, type KnownNames } from "../targeting/field-words.ts";
import { subject, text } from "../targeting/parts.ts";
import { idCountChange } from "./id-count.ts";
import { MAX_NAMED, nameInChange, type Review, reviewTitle, SINGLE } from "./review-title.ts";

type Change = Changes[number];
/** A change, the entity's version before or after it, if that is known, and whether the entity's versions are read: not those of a deleted one. */
type VersionedChange = Change & { version?: number | null | undefined; isRead?: boolean };
type Versions = { data: readonly ({ version: number } & object)[] };

/** Versions read to find the one that was changed. */
const MAX_VERSIONS = 50;
const MAX_LISTED = 1_000;
/** Entities whose versions are read. The changes of others are described by field. */
const MAX_ENTITIES = 20;

/** Names of people, teams and release pipelines, and the descriptions of keys, by their IDs. */
export function useNames(): KnownNames {
  const keys = useKeyNames();
  const { data: members } = useQuery(query("listUsers", membersRequest));
  const { data: teams } = useQuery(query("listTeams", { query: { limit: MAX_LISTED } }));
  const { data: pipelines } = useQuery(query("listReleasePipelines", { query: { limit: MAX_LISTED, sort: "name" } }));
  return Object.fromEntries([
    ...Object.entries(keys),
    ...(members?.data ?? []).map((member) => [member.id, personName(member)]),
    ...(teams?.data ?? []).map(({ id, name }) => [id, name]),
    ...(pipelines?.data ?? []).flatMap(({ id, name, phases }) => [
      [id, name],
      ...phases.flatMap((phase) => phase.rules.flatMap((rule) => (rule.id === undefined ? [] : [[rule.id, phase.name]]))),
    ]),
  ]);
}

/**
 * The words of changes, each as the page of its entity would review it. Changes of unknown entities are described by field.
 * @param names by the IDs that changes have
 * @returns the words of each change, and the environments where users may get something else
 */
export function useChangeWords(
  changes: readonly VersionedChange[],
  names: KnownNames,
): { described: DescribedEntity[][]; environments: string[] } {
  const all = useEnvironmentNames();
  const bases = useBases(changes);
  return {
    described: changes.map((change, index) => changeWords(change, bases[index], names, all)),
    environments: [...new Set(changes.flatMap((change, index) => changedEnvironments(change, bases[index], all) ?? []))],
  };
}

/** A recorded change. Long values are cut. */
type RecordedChange = Omit<VersionedChange, "fields"> & { fields: readonly (Change["fields"][number] & { isCut: boolean })[] };

/** The words of the fields of each recorded change. Fields with cut values are only named. */
export function useRecordedWords(changes: readonly RecordedChange[], names: KnownNames): DescribedEntity["changes"][] {
  const known = changes.map(({ fields, ...change }) => ({ ...change, fields: fields.filter(({ isCut }) => !isCut) }));
  const { described } = useChangeWords(known, names);
  return changes.map((change, index) => [
    ...idChanges(change),
    // The sentence about the change says that the entity was created.
    ...(described[index] ?? []).flatMap((entity) => entity.changes).filter(({ field }) => field !== ""),
    ...change.fields.flatMap(({ field, isCut }) => (isCut ? [longChange(field)] : [])),
  ]);
}

/** The change of the number of a segment’s IDs. The log does not record the IDs. */
function idChanges({ entityType, fields }: RecordedChange): DescribedEntity["changes"] {
  const count = entityType === "segment" ? fields.find(({ field }) => field === "count") : undefined;
  if (typeof count?.before !== "number" || typeof count.after !== "number") return [];
  return [idCountChange(count.before, count.after)];
}

const longChange = (field: string) => ({ kind: "changed" as const, field, parts: [subject(fieldName(field)), text("changed")] });

/** The entities in the states before or after their changes. Undefined for new ones, and for those whose versions aren't known. */
function useBases(changes: readonly VersionedChange[]): (Base | undefined)[] {
  const read = changes.slice(0, MAX_ENTITIES);
  const versions = useQueries({ queries: read.map(versionsQuery) });
  const overrides = useQueries({ queries: read.map((change) => overridesQuery("getGateOverrides", change)) });
  const gates = useQueries({ queries: read.map((change) => overridesQuery("getGate", change)) });
  return read.map((change, index) => {
    const [lists, gate] = [overrides[index]?.data?.data, gates[index]?.data?.data];
    if (change.entityType === "gate_overrides" && lists !== undefined && gate !== undefined)
      return { entity: lists, idType: (gate as { idType: string }).idType };
    const entity = versionOf(change, (versions[index]?.data as Versions | undefined)?.data ?? []);
    return entity && { entity };
  });
}

function versionsQuery(change: VersionedChange) {
  const { entityType: type, entityID: id } = change;
  const operation = hasHistory(type) ? kinds[type].versions : undefined;
  // Each kind's operation takes the path of a gate's.
  const read = (operation ?? "listGateVersions") as "listGateVersions";
  return { ...query(read, { path: { id }, query: { limit: MAX_VERSIONS } }), enabled: operation !== undefined && needsEntity(change) };
}

const overridesQuery = (operation: "getGate" | "getGateOverrides", change: VersionedChange) => ({
  ...query(operation, { path: { id: change.entityID } }),
  enabled: change.entityType === "gate_overrides" && needsEntity(change),
});

/** Types whose changes have their own words. Changes of other types name the items of lists. */
const DESCRIBED: readonly string[] = ["gate", "gate_overrides", "dynamic_config", "segment"];

/** Whether the words of a change need the entity, and the entity exists. A prompt's live version is named. */
function needsEntity({ entityType, fields, isRead = true }: VersionedChange): boolean {
  const isWhole = fields.some(({ field }) => field === "id");
  return (
    isRead && !isWhole && fields.some(({ field }) => DESCRIBED.includes(entityType) || field.includes("[") || field === "liveVersionID")
  );
}

/** The version in one of a change's states: the expected one, or else the newest that fits. */
function versionOf({ fields, version }: VersionedChange, versions: Versions["data"]): object | undefined {
  const fits = versions.filter((one) => statesOf(fields, one) !== undefined);
  return fits.find((one) => one.version === version) ?? fits[0];
}

/** The names of a review's entities, in their order. Undefined for kinds with one entity in a project. */
export function useReviewedNames(review: Review, limit = MAX_ENTITIES): (string | undefined)[] {
  const known = useNames();
  const { entities } = review;
  const inChange = entities.map((one) => known[one.entityID] ?? nameInChange(review, one));
  const read = useQueries({
    queries: entities.slice(0, limit).map(({ entityType, entityID }, index) => ({
      // Each of these operations takes the path of a gate's.
      ...query((readerOf(entityType) ?? "getGate") as "getGate", { path: { id: entityID } }),
      enabled: readerOf(entityType) !== undefined && inChange[index] === undefined,
    })),
  });
  return entities.map(({ entityType, entityID }, index) =>
    SINGLE.includes(entityType) ? undefined : (inChange[index] ?? (read[index]?.data?.data.name || entityID)),
  );
}

export const useReviewTitle = (review: Review): string => reviewTitle(review, useReviewedNames(review, MAX_NAMED));

/** The operation that reads the entity, or the one that a part belongs to. */
function readerOf(type: string): string | undefined {
  const whole = hasPage(type) ? type : findHost(type)?.type;
  return whole === undefined ? undefined : kinds[whole].read;
}
