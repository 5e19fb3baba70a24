import { isListedHost } from "../common/listed-hosts.ts";
import { createVault, type SecretKeys } from "../common/vault.ts";
import { Prisma } from "../generated/prisma/client.ts";
import type { Database } from "../store/database/database.ts";
import type { Warehouses } from "../store/database/db.ts";
import type { Address } from "../store/database/engines.ts";
import { readAddress } from "./address.ts";
import { openClickHouseWarehouse } from "./clickhouse-warehouse.ts";
import { IDENTITY, type Identity, openPostgresWarehouse } from "./postgres-warehouse.ts";
import { WarehouseFailure } from "./warehouse.ts";

/** The operator's settings for warehouses. */
export type WarehouseSettings = {
  /** The hosts that the server may connect to, `host` or `host:port`, in lower case. */
  hosts: readonly string[];
  /** The secret with which credentials are encrypted. Undefined means that none can be stored. */
  secretKey: string | undefined;
} & Pick<SecretKeys, "previousSecretKey">;

const NO_SECRET = "needs GATEHOUSE_SECRET_KEY, with which the server encrypts credentials. It is not set";

function createWarehouses({ hosts, secretKey, previousSecretKey }: WarehouseSettings): Warehouses {
  const vault = secretKey === undefined ? undefined : createVault({ secretKey, previousSecretKey }, "warehouse credentials");
  let own: Identity | undefined;
  return {
    protect(projectID, type, url) {
      if (!vault) return { fault: NO_SECRET };
      const read = readAddress(type, url);
      if ("fault" in read) return read;
      if (!isListedHost(read, hosts)) return { fault: notAllowed(read) };
      const { password: _, ...address } = read;
      return { address, encrypted: vault.encrypt(projectID, url) };
    },

    async open(db, projectID, type, encrypted) {
      const url = vault?.decrypt(projectID, encrypted);
      if (url === undefined)
        throw new WarehouseFailure("refused", "Its credentials were encrypted with another GATEHOUSE_SECRET_KEY. Give them again.");
      const address = readAddress(type, url);
      if ("fault" in address) throw new WarehouseFailure("refused", `Its URL ${address.fault}.`);
      if (!isListedHost(address, hosts)) throw new WarehouseFailure("refused", `Its host ${notAllowed(address)}.`);
      if (address.type === "clickhouse") return openClickHouseWarehouse(address, db.clickhouse?.database);
      own ??= (await db.$queryRaw<Identity[]>(Prisma.raw(IDENTITY)))[0] as Identity;
      return openPostgresWarehouse(address, { ...own, projectID, hasEvents: db.clickhouse === undefined });
    },
  };
}

const notAllowed = ({ host, port }: Address) =>
  `must be one of those in GATEHOUSE_WAREHOUSE_HOSTS, which the operator of the server sets. ${host}:${port} is none of them`;

/** The same database, whose projects can have warehouses. */
export function withWarehouses(database: Database, settings: WarehouseSettings): Database {
  const warehouses = createWarehouses(settings);
  return {
    ...database,
    db: { ...database.db, warehouses },
    transaction: (work, options) => database.transaction((db) => work({ ...db, warehouses }), options),
  };
}
