import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid } from "../../common/errors.ts";

export type WarehouseConnection = Schema<"WarehouseConnection">;
type Given = WritableSchema<"WarehouseConnectionUpdate">;
type Engine = NonNullable<WarehouseConnection["type"]>;

const NOTHING = { type: null, host: null, port: null, database: null, username: null, encryption: null, credentialsTime: null };

/** The connection of a project that never had one. */
export const NO_CONNECTION: WarehouseConnection = { ...NOTHING, version: 0 };

const ENGINES = ["postgres", "clickhouse"] as const satisfies readonly Engine[];
const OTHERS = ["bigquery", "snowflake", "databricks", "redshift", "athena"] as const satisfies readonly (keyof Given)[];

/** The engine that a request names, and its URL. @throws AppError invalid_request unless it names one that Gatehouse reads */
export function requireEngine(given: Given): { type: Engine; url: string } {
  const others = OTHERS.filter((name) => given[name] !== undefined);
  if (others.length > 0)
    throw invalid(
      others.map((property) => ({ property, errorMessage: "is no engine that Gatehouse reads. These are postgres and clickhouse" })),
    );
  const [type, second] = ENGINES.filter((name) => given[name] !== undefined);
  if (type === undefined) throw invalid([{ property: "body", errorMessage: "must have postgres or clickhouse" }]);
  if (second !== undefined) throw invalid([{ property: second, errorMessage: `must be left out with ${type}` }]);
  return { type, url: given[type]?.url as string };
}

type Address = Pick<WarehouseConnection, "type" | "host" | "port" | "database" | "username" | "encryption">;

export function connected(before: WarehouseConnection, address: Address, { now }: Context): WarehouseConnection {
  const { type, host, port, database, username, encryption } = address;
  return { type, host, port, database, username, encryption, credentialsTime: now, version: before.version + 1 };
}

export function disconnected(before: WarehouseConnection): WarehouseConnection {
  return { ...NOTHING, version: before.version + 1 };
}
