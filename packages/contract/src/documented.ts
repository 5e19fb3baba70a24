import type { $Read, $Write } from "openapi-typescript-helpers";

// The helpers of openapi-typescript with the same names rename keys to drop them, which also drops the comments of all fields.

type Markers = $Read<unknown> | $Write<unknown>;

/** Fields of other names hide the names that a schema declares from `keyof`, so these schemas keep no comments. */
type Without<T, Marker extends Markers> = string extends keyof T
  ? { [Key in keyof T as NonNullable<T[Key]> extends Marker ? never : Key]: T[Key] }
  : Pick<T, { [Key in keyof T]-?: NonNullable<T[Key]> extends Marker ? never : Key }[keyof T]>;
type KeysWith<T, Marker extends Markers> = keyof { [Key in keyof T as NonNullable<T[Key]> extends Marker ? Key : never]: true };

/** A schema in responses: without fields that only requests have. Fields keep their comments. */
export type Readable<T> =
  T extends $Write<unknown>
    ? never
    : T extends $Read<infer Value>
      ? Readable<Value>
      : T extends (infer Item)[]
        ? Readable<Item>[]
        : T extends object
          ? { [Key in keyof Without<T, $Write<unknown>>]: Readable<Without<T, $Write<unknown>>[Key]> }
          : T;

/** A schema in requests: without fields that only responses have. Fields keep their comments. */
export type Writable<T> =
  T extends $Read<unknown>
    ? never
    : T extends $Write<infer Value>
      ? Writable<Value>
      : T extends (infer Item)[]
        ? Writable<Item>[]
        : T extends object
          ? { [Key in keyof Without<T, $Read<unknown>>]: Writable<Without<T, $Read<unknown>>[Key]> } & {
              [Key in KeysWith<T, $Read<unknown>>]?: never;
            }
          : T;
