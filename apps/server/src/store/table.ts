import type { Prisma } from "../generated/prisma/client.ts";

type Models = Prisma.TypeMap["model"];
type ModelName = Prisma.ModelName;

/** `DynamicConfig` → `dynamic_config`, `UnitIDType` → `unit_id_type`: as prisma/schema/ maps models to tables. */
type SnakeCase<Name extends string> = Name extends `${infer Head}ID${infer Tail}`
  ? SnakeCase<`${Head}Id${Tail}`>
  : Name extends `${infer First}${infer Rest}`
    ? `${Lowercase<First>}${WithoutCapitals<Rest>}`
    : Name;
type WithoutCapitals<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WithoutCapitals<Rest>}`
  : "";

/** A table of prisma/schema/ by its name in the database. */
export type Table = SnakeCase<ModelName>;

type ModelOf<T extends Table> = { [Name in ModelName]: SnakeCase<Name> extends T ? Name : never }[ModelName];
type Scalars<T extends Table> = Models[ModelOf<T>]["payload"]["scalars"];

/** A column of a table. */
export type ColumnName<T extends Table> = keyof Scalars<T> & string;

/** What a column may be set to. The database's 64-bit numbers are numbers here. */
export type ColumnValue<T extends Table, Column extends ColumnName<T>> =
  | Exclude<Scalars<T>[Column], bigint>
  | (bigint extends Scalars<T>[Column] ? number : never);

/** The columns that every kind of entity has, and of which the entity store takes care. */
type KeptColumn<T extends Table> =
  | "projectID"
  | "ownerType"
  | "ownerID"
  | "version"
  | "createdTime"
  | "entity"
  // A table without an id has the name in its key.
  | ("id" extends ColumnName<T> ? "id" : "name");

/** The columns that only the entities of this table have. */
export type OwnColumn<T extends Table> = Exclude<ColumnName<T>, KeptColumn<T>>;
