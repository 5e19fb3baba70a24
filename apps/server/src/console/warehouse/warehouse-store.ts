import type { Protected } from "../../store/database/db.ts";
import type { Warehouse } from "../../store/database/engines.ts";
import { matches } from "../../store/database/row.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { WarehouseFailure } from "../../warehouse/warehouse.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { NO_CONNECTION, type WarehouseConnection } from "./warehouse-connection.ts";

/** A project's connection is one entity in one row, whose id is the project's. Its credentials are beside it, in no version. */
export const warehouseKind: EntityKind<"warehouse_connection", WarehouseConnection> = {
  table: "warehouse_connection",
  type: "warehouse_connection",
  idColumn: "projectID",
  getID: (_connection, projectID) => projectID,
  references: () => [],
  columns: {},
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

export function createWarehouseStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, warehouseKind);
  return {
    listNaming: store.listNaming,

    get: async (): Promise<WarehouseConnection> => (await store.find(projectID)) ?? NO_CONNECTION,

    /** Encrypts a URL. @returns the fault of a refused URL, as an error message */
    protect(type: "postgres" | "clickhouse", url: string): Protected | { fault: string } {
      return db.warehouses?.protect(projectID, type, url) ?? { fault: "needs a server that connects warehouses" };
    },

    /** @throws AppError conflict if `before` is outdated */
    replace: (before: WarehouseConnection, after: WarehouseConnection): Promise<WarehouseConnection> =>
      before.version === 0 ? store.create(after, before) : store.replace(before, after),

    /** @param encrypted the URL of the connection; null forgets it */
    async keepCredentials(encrypted: string | null): Promise<void> {
      await db.$executeRaw`delete from warehouse_secret where ${matches({ projectID })}`;
      if (encrypted !== null)
        await db.$executeRaw`insert into warehouse_secret ("projectID", encrypted) values (${projectID}, ${encrypted})`;
    },

    /** The project's warehouse; undefined if it has none. @throws WarehouseFailure if the server may not connect to it */
    async open(): Promise<Warehouse | undefined> {
      const { type } = (await store.find(projectID)) ?? NO_CONNECTION;
      if (type === null) return undefined;
      const [secret] = await db.$queryRaw<{ encrypted: string }[]>`
        select encrypted from warehouse_secret where ${matches({ projectID })}`;
      if (!secret || !db.warehouses) throw new WarehouseFailure("refused", "Its credentials are missing. Give them again.");
      return db.warehouses.open(db, projectID, type, secret.encrypted);
    },
  };
}
