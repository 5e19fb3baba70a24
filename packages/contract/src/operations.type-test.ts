// Compiled by `check`, never run: the type errors that the binding must report.
import type { operations, Schema } from "./console.ts";
import type { Handler, Handlers, OperationRequest, OperationResult } from "./operations.ts";

type Env = { now: number };
type Api = Pick<operations, "getGate" | "listGates" | "createGate" | "patchGate" | "archiveGate">;
declare const gate: Schema<"Gate">;
declare const pagination: Schema<"Pagination">;
const result = { message: "Done.", data: gate };

const getGate: Handler<Api["getGate"], Env> = async ({ path, now }) => {
  path.id satisfies string;
  now satisfies number;
  return { status: 200, body: result };
};
const listGates: Handler<Api["listGates"], Env> = async ({ query }) => {
  query.tags satisfies string[] | undefined;
  return { status: 200, body: { message: "Listed.", data: [gate], pagination } };
};
const createGate: Handler<Api["createGate"], Env> = async ({ body }) => {
  body.name satisfies string;
  return { status: 201, body: result };
};
const patchGate: Handler<Api["patchGate"], Env> = async ({ body }) => {
  body.name satisfies string | undefined;
  return { status: 200, body: result };
};
const archiveGate: Handler<Api["archiveGate"], Env> = async ({ body }) => {
  body?.archiveReason satisfies string | undefined;
  // @ts-expect-error: the body may be left out
  body.archiveReason;
  return { status: 200, body: result };
};

export const whole: Handlers<Api, Env> = { getGate, listGates, createGate, patchGate, archiveGate };

// @ts-expect-error: archiveGate has no handler
export const incomplete: Handlers<Api, Env> = { getGate, listGates, createGate, patchGate };

export const misspelt = {
  getGate,
  // @ts-expect-error: no operation has this name
  listGate: listGates,
} satisfies Partial<Handlers<Api, Env>>;

export const undeclaredStatus = {
  // @ts-expect-error: createGate responds with 201
  async createGate() {
    return { status: 200, body: result };
  },
} satisfies Partial<Handlers<Api, Env>>;

export const errorsAreThrown = {
  // @ts-expect-error: a handler throws its errors, also those that the operation declares
  async getGate() {
    return { status: 404, body: { status: 404, code: "not_found", message: "No." } };
  },
} satisfies Partial<Handlers<Api, Env>>;

export const undeclaredReads = {
  async listGates({ path, query }) {
    // @ts-expect-error: listGates has no such query parameter
    query.colour;
    // @ts-expect-error: listGates has no path parameter
    path.id;
    return { status: 200, body: { message: "Listed.", data: [], pagination } };
  },
  async getGate({ query, body }) {
    // @ts-expect-error: getGate has no query parameter
    query.limit;
    // @ts-expect-error: getGate has no body
    body.name;
    return { status: 200, body: result };
  },
} satisfies Partial<Handlers<Api, Env>>;

export const readOnlyField = {
  async createGate({ body }) {
    // The field is read-only, so handlers cannot read it from a body.
    body.createdTime satisfies undefined;
    return { status: 201, body: result };
  },
} satisfies Partial<Handlers<Api, Env>>;

type RequestBody<Id extends keyof Api> = OperationRequest<Api[Id]>["body"];
export const minimal: RequestBody<"createGate"> = { name: "checkout" };
// @ts-expect-error: name is required
export const withoutRequired: RequestBody<"createGate"> = { description: "" };
// @ts-expect-error: a gate has no such field
export const withUnknown: RequestBody<"createGate"> = { name: "checkout", colour: "red" };
// @ts-expect-error: the version is read-only
export const withReadOnly: RequestBody<"patchGate"> = { version: 2 };

type ResponseBody<Id extends keyof Api> = OperationResult<Api[Id]>["body"];
const { version, ...incompleteGate } = gate;
version satisfies number;
// @ts-expect-error: a gate in a response has its version
export const incompleteAnswer: ResponseBody<"getGate"> = { message: "Done.", data: incompleteGate };
// @ts-expect-error: a list in a response has its pagination
export const withoutPagination: ResponseBody<"listGates"> = { message: "Listed.", data: [gate] };
