// The warehouse of a project in words, and the request that connects it. Pure.
import type { BatchRequest, Changes, Schema } from "../../api.ts";
import { describeFields } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";

export type Connection = Schema<"WarehouseConnection">;
export type Engine = NonNullable<Connection["type"]>;

export const ENGINES: Readonly<Record<Engine, { name: string; example: string; encrypts: string }>> = {
  postgres: {
    name: "Postgres",
    example: "postgres://reader:password@host:5432/database",
    encrypts: "Add ?sslmode=require to encrypt the connection, or ?sslmode=verify-full to also check the certificate.",
  },
  clickhouse: {
    name: "ClickHouse",
    example: "clickhouse://reader:password@host:8123/database",
    encrypts: "Use ClickHouse's HTTP interface. Add ?secure=true to encrypt the connection and check the certificate.",
  },
};

export const ENCRYPTIONS: Readonly<Record<NonNullable<Connection["encryption"]>, string>> = {
  off: "Not encrypted",
  on: "Encrypted, certificate not checked",
  verified: "Encrypted, certificate checked",
};

type Shown = Omit<Connection, "version">;

const WORDS: Record<keyof Shown, FieldWords> = {
  type: { label: "Engine", as: "value" },
  host: { label: "Host", as: "value" },
  port: { label: "Port", as: "value" },
  database: { label: "Database", as: "value" },
  username: { label: "User", as: "value" },
  encryption: { label: "Encryption", as: "value" },
  credentialsTime: { label: "Credentials", as: "value" },
};

/** Credentials are described by when they were given. No two are given at once, so the new ones differ. */
function toText(field: keyof Shown, value: unknown, credentials: string): unknown {
  if (value === null || value === undefined) return null;
  if (field === "type") return ENGINES[value as Engine].name;
  if (field === "encryption") return ENCRYPTIONS[value as keyof typeof ENCRYPTIONS];
  return field === "credentialsTime" ? credentials : value;
}

/** A dry run's changes of the connection. The URL is in no change. */
export function describeConnection(changes: Changes): DescribedEntity[] {
  return changes.flatMap(({ entityType, fields }) => {
    if (entityType !== "warehouse_connection") return [];
    const side = (which: "before" | "after") => {
      const values = new Map(fields.map((change) => [change.field, change[which]]));
      const credentials = which === "before" ? "those before" : "those in the URL";
      return Object.fromEntries(
        (Object.keys(WORDS) as (keyof Shown)[]).map((field) => [field, toText(field, values.get(field), credentials)]),
      ) as Record<keyof Shown, unknown>;
    };
    return describeFields(WORDS, { type: entityType, noun: "Warehouse connection", id: "warehouse" }, side("before"), side("after"));
  });
}

/** @param ifMatch the ETag of the connection that is replaced */
export const connectWrite = (engine: Engine, url: string, ifMatch: string): BatchRequest => ({
  operationId: "updateWarehouseConnection",
  body: engine === "postgres" ? { postgres: { url } } : { clickhouse: { url } },
  ifMatch,
});
