import type { Prisma } from "../../generated/prisma/client.ts";

type Models = Prisma.TypeMap["model"];
type ModelName = Prisma.ModelName;

/** `DynamicConfig` → `dynamic_config`, `UnitIDType` → `unit_id_type`, as prisma/schema/ maps models to tables. */
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

/** The type of a column's values in writes. 64-bit integers are numbers. */
export type ColumnValue<T extends Table, Column extends ColumnName<T>> =
  | Exclude<Scalars<T>[Column], bigint>
  | (bigint extends Scalars<T>[Column] ? number : never);

/** The columns of every kind of entity, which the entity store writes. */
type KeptColumn<T extends Table> =
  | "projectID"
  | "ownerType"
  | "ownerID"
  | "version"
  | "createdTime"
  | "entity"
  | "derivation"
  // A table without an id has the name in its primary key.
  | ("id" extends ColumnName<T> ? "id" : "name");

/** The columns that are specific to this table. */
export type OwnColumn<T extends Table> = Exclude<ColumnName<T>, KeptColumn<T>>;
