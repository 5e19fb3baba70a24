import type { Unit } from "../../results/sql/unit-events.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { type Deletion, deleteFromClickHouse } from "../events/outbox-store.ts";
import type { ExposureTable, StoredExposure } from "./unit-data.ts";

/** Exposures of a unit, and the last group or rule that was searched, as JSON, if there may be more. */
type ExposurePage = { exposures: StoredExposure[]; next: string | undefined };

/** The columns of the key before the unit. */
const KEYS = { experiment_exposure: ["experimentID", "groupID"], check_exposure: ["entityType", "entityID", "ruleID", "passed"] } as const;
/** The kinds of entities whose exposures each table has, and the condition on the key that tells them apart. */
const OWNERS = {
  experiment_exposure: [
    { table: "experiment", idType: `owner."idType"`, isOwner: "true" },
    { table: "autotune", idType: `owner."idType"`, isOwner: "true" },
  ],
  check_exposure: [
    { table: "gate", idType: `owner."idType"`, isOwner: `"entityType" = 'gate'` },
    { table: "holdout", idType: `(owner."entity"::json ->> 'idType')`, isOwner: `"entityType" = 'holdout'` },
  ],
};
const ID_COLUMNS = { experiment_exposure: `"experimentID"`, check_exposure: `"entityID"` };
/** Groups or rules that one statement looks up. */
const BATCH_SIZE = 1_000;

/** First exposures of a unit, which are stored with the unit ID type of their entity. */
export function createUnitExposureStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const { dialect, read } = eventReader(db);

  /** The ids of the entities of a kind that expose units of the type. */
  function listOwners({ table, idType }: { table: string; idType: string }, { unitType }: Unit): Promise<{ id: string }[]> {
    return readOwn(
      (bind) =>
        `select "id" from "${table}" as owner where "projectID" = ${bind(projectID)} and lower(${idType}) = lower(${bind(unitType)})`,
    );
  }

  /** Reads from the database, wherever exposures are. */
  function readOwn<Row>(write: (bind: (value: string) => string) => string): Promise<Row[]> {
    return eventReader({ ...db, clickhouse: undefined }).read<Row>((bind) => write(bind.text));
  }

  /** Looks the unit up in each group or rule, since no index has units first. */
  async function readFromDatabase(table: ExposureTable, { unitType, id }: Unit, after: string | undefined): Promise<ExposurePage> {
    const columns = KEYS[table].map((column) => `"${column}"`);
    const of = (alias: string) => columns.map((column) => `${alias}.${column}`).join(", ");
    const rows = await read<StoredExposure & { key: string; isOwn: boolean }>((bind) => {
      const project = bind.text(projectID);
      const isAfter =
        after === undefined
          ? "true"
          : `(${columns.join(", ")}) > (select ${columns.join(", ")} from json_populate_record(null::${table}, ${bind.text(after)}::json))`;
      const owners = OWNERS[table].map(
        ({ table: owner, idType, isOwner }) => `(${isOwner} and exists (select from "${owner}" as owner
          where owner."projectID" = ${project} and owner."id" = page.${ID_COLUMNS[table]} and lower(${idType}) = lower(${bind.text(unitType)})))`,
      );
      return `with recursive seen as (
          (select ${columns.join(", ")} from ${table} where "projectID" = ${project} and ${isAfter} order by ${columns.join(", ")} limit 1)
          union all
          select next.* from seen cross join lateral (
            select ${columns.join(", ")} from ${table} as stored where "projectID" = ${project} and (${of("stored")}) > (${of("seen")})
            order by ${columns.join(", ")} limit 1
          ) as next
        ), page as (select * from seen limit ${BATCH_SIZE})
        select page.*, row_to_json(page)::text as key, found."firstTime", found."environment", found."userFields", found."firstTime" is not null as "isOwn"
        from page left join lateral (
          select "firstTime", "environment", "userFields" from ${table} as stored
          where stored."projectID" = ${project} and (${of("stored")}) = (${of("page")}) and "unitID" = ${bind.text(id)}
        ) as found on ${owners.join(" or ")} order by ${of("page")}, found."environment"`;
    });
    const exposures = rows.filter(({ isOwn }) => isOwn).map(({ key: _key, isOwn: _isOwn, ...exposure }) => exposure as StoredExposure);
    return { exposures, next: new Set(rows.map(({ key }) => key)).size === BATCH_SIZE ? rows.at(-1)?.key : undefined };
  }

  async function readFromClickHouse(table: ExposureTable, unit: Unit): Promise<ExposurePage> {
    const columns = KEYS[table].map((column) => `"${column}"`);
    const owned = await Promise.all(
      OWNERS[table].map(async (owner) => ({ ...owner, ids: (await listOwners(owner, unit)).map(({ id }) => id) })),
    );
    const exposures = await read<StoredExposure>((bind) => {
      const isOwn = owned.map(({ isOwner, ids }) => `(${isOwner} and ${dialect.isIn(ID_COLUMNS[table], bind.texts(ids))})`).join(" or ");
      return `select ${columns.join(", ")}, "firstTime", "environment", "userFields" from ${table} final
        where "projectID" = ${bind.text(projectID)} and "unitID" = ${bind.text(unit.id)} and (${isOwn}) order by ${columns.join(", ")}, "environment"`;
    });
    return { exposures, next: undefined };
  }

  const readPage = (table: ExposureTable, unit: Unit, after?: string): Promise<ExposurePage> =>
    db.clickhouse ? readFromClickHouse(table, unit) : readFromDatabase(table, unit, after);

  return {
    readPage,

    /** Deletes the exposures of a table, in a transaction. @returns how many there are */
    async delete(table: ExposureTable, unit: Unit): Promise<number> {
      const key = [...KEYS[table], "unitID"].map((column) => `"${column}"`).join(", ");
      let count = 0;
      let after: string | undefined;
      do {
        const { exposures, next } = await readPage(table, unit, after);
        count += exposures.length;
        if (!db.clickhouse && exposures.length > 0) {
          const rows = JSON.stringify(exposures.map(({ firstTime: _time, ...exposure }) => ({ ...exposure, unitID: unit.id })));
          await readOwn(
            (bind) => `delete from ${table} where "projectID" = ${bind(projectID)}
              and (${key}) in (select ${key} from json_populate_recordset(null::${table}, ${bind(rows)}::json))`,
          );
        }
        after = next;
      } while (after !== undefined);
      return count;
    },

    /** Deletes the exposures of a table from ClickHouse, in a transaction, after all that are acknowledged. */
    async deleteFromClickHouse(table: ExposureTable, unit: Unit): Promise<void> {
      for (const owner of OWNERS[table]) {
        const ids = (await listOwners(owner, unit)).map(({ id }) => id);
        if (ids.length === 0) continue;
        const owned: Deletion["where"] = table === "check_exposure" ? { entityType: owner.table, entityID: ids } : { experimentID: ids };
        await deleteFromClickHouse(db, { table, where: { projectID, ...owned, unitID: unit.id } });
      }
    },
  };
}
