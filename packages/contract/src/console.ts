import type { Readable, Writable } from "./documented.ts";
import type { components, operations } from "./generated/console.ts";

export type { EntityType } from "./descriptions.ts";
export type { components, operations, paths } from "./generated/console.ts";
export { descriptions } from "./generated/console-descriptions.ts";
export { entityTypes } from "./generated/console-entity-types.ts";
export { permissions } from "./generated/console-permissions.ts";
export { routes } from "./generated/console-routes.ts";

export type OperationId = keyof operations;

type Schemas = components["schemas"];

/** A schema of the contract in responses. */
export type Schema<Name extends keyof Schemas> = Readable<Schemas[Name]>;

/** A schema of the contract in requests: without read-only fields. */
export type WritableSchema<Name extends keyof Schemas> = Writable<Schemas[Name]>;
