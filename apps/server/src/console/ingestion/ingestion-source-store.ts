import { AppError, invalid } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_OWNER } from "../common/listed.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { listIngestedCounts, listIngestedDays } from "./ingested-day-store.ts";
import type { Days } from "./ingested-days.ts";
import type { Dataset, Engine } from "./ingestion-input.ts";
import { type IngestionSource, namedByIngestionSource } from "./ingestion-source.ts";
import { createRunStore } from "./run-store.ts";

/** Rows that were copied from a source are data, which outlives the source. */
export const ingestionSourceKind: EntityKind<"ingestion_source", IngestionSource> = {
  table: "ingestion_source",
  type: "ingestion_source",
  getID: ({ id }) => id,
  references: namedByIngestionSource,
  columns: {
    ...BY_OWNER,
    type: ({ type }) => type,
    dataset: ({ data }) => data.dataset,
    isEnabled: ({ enabled }) => enabled,
  },
  listing: { getName: ({ id }) => id, searchTexts: () => [] },
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

type Address = { type: Engine; dataset: Dataset; source_name?: string | undefined };

/** The most sources that an error names. */
const MOST_NAMED = 20;

export function createIngestionSourceStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, ingestionSourceKind);
  const of = ({ type, dataset }: Address) => [Prisma.sql`type = ${type}`, Prisma.sql`dataset = ${dataset}`];
  return {
    ...store,
    runs: createRunStore(deps),

    /** Newest first. */
    list: (filter: { teamID?: string; ownerID?: string }, window: Window) => store.listWhere(filters.equal(filter), window),

    /**
     * The source of a type and dataset.
     * @throws AppError not_found; invalid_request if there are several and no name is given
     */
    async getByAddress(address: Address): Promise<IngestionSource> {
      const { source_name: name } = address;
      const named = name === undefined ? [] : [Prisma.sql`id = ${name}`];
      const { data, total } = await store.listWhere([...of(address), ...named], { skip: 0, take: MOST_NAMED });
      const [source] = data;
      if (!source) throw missing(address);
      if (total > 1) throw ambiguous(data, total);
      return source;
    },

    /** The existing sources, by name. */
    async findAll(names: readonly string[]): Promise<Map<string, IngestionSource>> {
      if (names.length === 0) return new Map();
      const { data } = await store.listWhere([Prisma.sql`id = any(${[...names]}::text[])`], { skip: 0, take: names.length });
      return new Map(data.map((source) => [source.id, source]));
    },

    /** Days of sources, whether or not these exist. */
    listDays: (asked: Days & { sources?: string[] }) => listIngestedDays(db, { projectID, ...asked }),

    listCounts: (asked: Days & { source?: string; event?: string }) => listIngestedCounts(db, { projectID, ...asked }),

    /** The names of the enabled sources of a dataset, in their order. */
    async listEnabledNames(dataset: Dataset): Promise<string[]> {
      const rows = await db.$queryRaw<{ id: string }[]>`
        select id from ingestion_source where "projectID" = ${projectID} and dataset = ${dataset} and "isEnabled" order by id`;
      return rows.map(({ id }) => id);
    },

    /** At most `most` and one enabled sources of a type and dataset. */
    async listEnabled(address: Address, most: number): Promise<IngestionSource[]> {
      return (await store.listWhere([...of(address), Prisma.sql`"isEnabled"`], { skip: 0, take: most + 1 })).data;
    },
  };
}

function missing({ type, dataset, source_name }: Address): AppError {
  const named = source_name === undefined ? "" : ` with the name ${source_name}`;
  return new AppError("not_found", `An ingestion source of the type ${type} and the dataset ${dataset}${named} does not exist.`);
}

function ambiguous(some: readonly IngestionSource[], total: number): AppError {
  const names = some.map(({ id }) => id).join(", ");
  const others = total > some.length ? " …" : "";
  return invalid([{ property: "source_name", errorMessage: `is required, since there are ${total}: ${names}${others}` }]);
}
