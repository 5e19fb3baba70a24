import document from "@gatehouse/contract/console.json" with { type: "json" };
import type { Configuration, Entity } from "../files/documents.ts";
import type { Kind } from "../files/kinds.ts";
import type { Imported, Note } from "./flags.ts";

/** The lists of an export, by the names that Statsig's API and Gatehouse have for them. */
const LISTS: { [name: string]: { kind: Kind; schema: string } } = {
  gates: { kind: "gates", schema: "GateCreate" },
  dynamic_configs: { kind: "dynamicConfigs", schema: "DynamicConfigCreate" },
  dynamicConfigs: { kind: "dynamicConfigs", schema: "DynamicConfigCreate" },
  segments: { kind: "segments", schema: "SegmentCreate" },
  experiments: { kind: "experiments", schema: "ExperimentCreate" },
  layers: { kind: "layers", schema: "LayerCreate" },
  holdouts: { kind: "holdouts", schema: "HoldoutCreate" },
  tags: { kind: "tags", schema: "TagCreate" },
  target_apps: { kind: "targetApps", schema: "TargetAppCreate" },
};

/** Fields that say who made an entity, when, and what became of it. */
const HISTORY =
  /^(creator|created|lastModif|version|status|checksPerHour|typeReason|holdoutIDs|owner|team$|health|startTime|endTime|decision|launchedGroup)/;

/** Reads what Statsig's console API returns: an object with lists by their names, such as `gates` and `dynamic_configs`. */
export function importStatsig(given: unknown): Imported {
  const notes: Note[] = [];
  const configuration: Configuration = {};
  for (const [name, value] of Object.entries(given as object)) {
    const list = LISTS[name];
    if (!list) {
      notes.push({ flag: name, message: "is not a list that can be imported." });
      continue;
    }
    const entities = (Array.isArray(value) ? value : ((value as { data?: unknown[] }).data ?? [])) as Entity[];
    const known = propertiesOf(list.schema);
    const kept = entities
      .filter(({ status }) => String(status).toLowerCase() !== "archived")
      .map((entity) => toEntity(entity, known, notes));
    if (kept.length > 0) configuration[list.kind] = [...(configuration[list.kind] ?? []), ...kept];
  }
  return { configuration, notes };
}

function toEntity(entity: Entity, known: ReadonlySet<string>, notes: Note[]): Entity {
  const flag = String(entity.id ?? entity.name);
  const lost = Object.keys(entity).filter((field) => field !== "id" && !known.has(field) && !HISTORY.test(field));
  if (lost.length > 0) notes.push({ flag, message: `has fields that Gatehouse does not have: ${lost.join(", ")}.` });
  if (entity.status === "active") notes.push({ flag, message: "was running. Start it again in Gatehouse, where users get new groups." });
  const kept = Object.entries(entity).filter(([field]) => (field === "id" || known.has(field)) && !HISTORY.test(field));
  const launched = String(entity.status).toLowerCase() === "launched" ? { status: "Launched" } : {};
  return { ...Object.fromEntries(kept), ...launched };
}

type JsonSchema = { $ref?: string; allOf?: JsonSchema[]; properties?: { [name: string]: unknown } };

function propertiesOf(name: string): ReadonlySet<string> {
  const schemas = document.components.schemas as unknown as { [name: string]: JsonSchema };
  const names = new Set<string>();
  const read = ({ $ref, allOf = [], properties = {} }: JsonSchema) => {
    if ($ref !== undefined) read(schemas[$ref.split("/").at(-1) as string] ?? {});
    for (const part of allOf) read(part);
    for (const property of Object.keys(properties)) names.add(property);
  };
  read(schemas[name] ?? {});
  return names;
}
