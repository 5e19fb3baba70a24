import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { type EntityPosition, findPlaces, type UnitPlace } from "./unit-data.ts";

type Row = EntityPosition & { entity: string };

/** The kinds whose conditions can list ids of units. */
const WITH_CONDITIONS = ["autotune", "dynamic_config", "experiment", "gate", "holdout", "layer", "segment"];
/** Entities that one statement returns. */
const BATCH_SIZE = 20;
/** Segments that one statement returns. */
const MAX_SEGMENTS = 100;

/** Finds the places of unit ids in the current configuration. */
export function createUnitPlaceStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const selects = WITH_CONDITIONS.map(
    (table) =>
      Prisma.sql`select ${table} as "entityType", "id" as "entityID", "entity" from ${Prisma.raw(table)} where "projectID" = ${projectID}`,
  );
  const configuration = Prisma.sql`
    ${Prisma.join(selects, " union all ")} union all
    select "ownerType" || '_overrides', "ownerID", "entity" from overrides where "projectID" = ${projectID}`;

  return {
    /** The next places after an entity, and the entity that is reached, if there may be more. */
    async readPlaces(id: string, after: EntityPosition | undefined): Promise<{ places: UnitPlace[]; next: EntityPosition | undefined }> {
      const { entityType, entityID } = after ?? { entityType: "", entityID: "" };
      // The id's form in a JSON text.
      const written = JSON.stringify(id).slice(1, -1);
      const rows = await db.$queryRaw<Row[]>`
        select * from (${configuration}) as configured
        where ("entityType", "entityID") > (${entityType}, ${entityID}) and strpos("entity", ${written}) > 0
        order by "entityType", "entityID" limit ${BATCH_SIZE}`;
      const places = rows.flatMap((row) =>
        findPlaces(row.entityType, JSON.parse(row.entity), id).map((property) => ({
          entityType: row.entityType,
          entityID: row.entityID,
          property,
        })),
      );
      return { places, next: rows.length === BATCH_SIZE ? rows.at(-1) : undefined };
    },

    /** The next segments after an id whose list of ids contains the unit. */
    async listSegments({ unitType, id }: { unitType: string; id: string }, after: string): Promise<string[]> {
      const rows = await db.$queryRaw<{ id: string }[]>`
        select segment."id" from segment cross join lateral (
          select from segment_id where segment_id."projectID" = segment."projectID" and "segmentID" = segment."id" and segment_id."id" = ${id} limit 1
        ) as listed
        where segment."projectID" = ${projectID} and segment."id" > ${after} and lower("entity"::json ->> 'idType') = lower(${unitType})
        order by segment."id" limit ${MAX_SEGMENTS}`;
      return rows.map((row) => row.id);
    },
  };
}
