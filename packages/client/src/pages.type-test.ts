// Compiled by `check`, never run: the types that `pages` accepts and yields.
import type { operations } from "@gatehouse/contract/console";
import type { ConsoleClient } from "./clients.ts";
import type { Methods } from "./method.ts";
import { type ListMethod, pages } from "./pages.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Yielded<Iterator> = Iterator extends AsyncGenerator<infer Item> ? Item : never;
const proof = <_ extends true>() => {};

type Answer<Body> = { 200: { headers: never; content: { "application/json": Body } } };
type Listed = { message: string; data: { id: string }[]; pagination: { nextPage: string | null } };
declare const api: Methods<{
  listReferences: { parameters: { path: { id: string }; query?: { limit?: number; page?: number } }; responses: Answer<Listed> };
  listUnpaginated: { parameters: { query?: { limit?: number; page?: number } }; responses: Answer<Omit<Listed, "pagination">> };
  listWhole: { parameters: { query?: never }; responses: Answer<Listed> };
  getOne: { parameters: { path: { id: string } }; responses: Answer<{ message: string; data: { id: string } }> };
}>;
declare const consoleApi: ConsoleClient;

const gates = pages(consoleApi.listGates, { query: { tags: ["checkout"], limit: 10 }, signal: AbortSignal.timeout(1000) });
proof<Equal<Yielded<typeof gates>["id"], string>>();
pages(consoleApi.listGates);
// @ts-expect-error: a query parameter that the list does not have
pages(consoleApi.listGates, { query: { tag: ["checkout"] } });
// @ts-expect-error: a query parameter of another type
pages(consoleApi.listGates, { query: { limit: "10" } });

const references = pages(api.listReferences, { path: { id: "checkout" } });
proof<Equal<Yielded<typeof references>, { id: string }>>();
// @ts-expect-error: the path parameter is missing
pages(api.listReferences);

const unpaginated = pages(api.listUnpaginated);
proof<Equal<Yielded<typeof unpaginated>, { id: string }>>();

// @ts-expect-error: a list without page parameters has no pages
pages(api.listWhole);
// @ts-expect-error: not a list
pages(api.getOne, { path: { id: "checkout" } });
// @ts-expect-error: not a list
pages(consoleApi.createGate, { body: { name: "checkout" } });

/** The operations that have a method. */
type Callable = Extract<keyof operations, keyof ConsoleClient>;
/** Every operation of the contract that returns an array. */
type Lists = {
  [Id in Callable]: Awaited<ReturnType<ConsoleClient[Id]>> extends { data: unknown[] } ? Id : never;
}[Callable];
/**
 * Lists that `pages` does not accept: four return arrays with one item for each request, change, user or address, one answers nothing but refusals, and the
 * others require query parameters.
 */
type Unpageable = { [Id in Lists]: ConsoleClient[Id] extends ListMethod ? never : Id }[Lists];
type Known =
  | "applyProject"
  | "batch"
  | "createDatabricksConnection"
  | "evaluateUsers"
  | "getMetricValue"
  | "inviteUsers"
  | "listComments"
  | "listIngestionEventCounts"
  | "listIngestionEventDeltas"
  | "listIngestionStatuses"
  | "listMetricValues"
  | "listReferences"
  | "listResultNotes";
proof<Equal<Unpageable, Known>>();
