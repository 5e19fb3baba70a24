import type { Readable, Writable } from "./documented.ts";
import type { components, operations } from "./generated/scim.ts";

export type { components, operations, paths } from "./generated/scim.ts";
export { descriptions } from "./generated/scim-descriptions.ts";
export { routes } from "./generated/scim-routes.ts";

export type OperationId = keyof operations;

type Schemas = components["schemas"];

/** A schema of the contract in responses. */
export type Schema<Name extends keyof Schemas> = Readable<Schemas[Name]>;

/** A schema of the contract in requests: without read-only fields. */
export type WritableSchema<Name extends keyof Schemas> = Writable<Schemas[Name]>;
