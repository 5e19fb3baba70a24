// The only module with the client. Pages name operations; requests, the cache and refusals are handled here.
import {
  type BatchRequest,
  ConsoleApiError,
  type ConsoleClient,
  changes,
  createConsoleClient,
  type OperationId,
  ReviewRequiredError,
  type Schema,
} from "@gatehouse/client";
import { routes } from "@gatehouse/contract/console";
import { QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { serverURL } from "./base-path.ts";

export { type BatchRequest, ConsoleApiError, ReviewRequiredError, type Schema, type WritableSchema } from "@gatehouse/client";

type Calls = Omit<ConsoleClient, "raw" | "schedule">;
export type CallID = keyof Calls;
export type Request<Id extends CallID> = NonNullable<Parameters<Calls[Id]>[0]>;
export type Answer<Id extends CallID> = Awaited<ReturnType<Calls[Id]>>;

/** A person waits: one retry is enough. */
const RETRY = { attempts: 2 };
const STALE_MS = 10_000;

const clients = new Map<string | undefined, ConsoleClient>();
let currentProject: string | undefined;

/** Without the browser's cache: an entity's ETag does not cover data that the server adds, such as its health and its checks. */
const fetchNew = (request: globalThis.Request) => fetch(request, { cache: "no-store" });

function client(projectID: string | undefined): ConsoleClient {
  const known = clients.get(projectID);
  if (known) return known;
  const made = createConsoleClient({
    baseUrl: serverURL(),
    retry: RETRY,
    fetch: fetchNew,
    ...(projectID !== undefined && { projectID }),
  });
  clients.set(projectID, made);
  return made;
}

/** Says for which project requests are from now on. Answers are kept for each project apart. */
export function enterProject(projectID: string | undefined): void {
  currentProject = projectID;
}

export const currentProjectID = (): string | undefined => currentProject;

const sessionListeners = new Set<() => void>();

/** Calls the listener when the server no longer knows the session. @returns a function that removes it */
export function onSessionEnd(listener: () => void): () => void {
  sessionListeners.add(listener);
  return () => sessionListeners.delete(listener);
}

type Review = Schema<"Review">;
const reviewListeners = new Set<(review: Review) => void>();

/** Calls the listener when the server stored a write as a review instead of making it. @returns a function that removes it */
export function onReviewRequested(listener: (review: Review) => void): () => void {
  reviewListeners.add(listener);
  return () => reviewListeners.delete(listener);
}

/** Sign-in itself answers 401 to a wrong password. */
const SIGN_IN: readonly string[] = ["createSession", "finishPasskeySignIn", "checkToken", "redeemToken"] satisfies OperationId[];

function noteError(error: unknown): void {
  if (error instanceof ConsoleApiError && error.status === 401 && !SIGN_IN.includes(error.operationId))
    for (const listener of sessionListeners) listener();
  if (error instanceof ReviewRequiredError) {
    for (const listener of reviewListeners) listener(error.review);
    void invalidate("listReviews", "listChanges");
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteError }),
  // The client itself retries repeatable requests.
  defaultOptions: {
    queries: { retry: false, staleTime: STALE_MS, networkMode: "always" },
    mutations: { retry: false, networkMode: "always" },
  },
});

const clientMethod = <Id extends CallID>(projectID: string | undefined, operationId: Id) =>
  client(projectID)[operationId] as unknown as (request: Request<Id> | undefined) => Promise<Answer<Id>>;

/** Calls an operation for the current project. @throws ConsoleApiError, ReviewRequiredError, or the error of `fetch` without an answer */
export async function call<Id extends CallID>(operationId: Id, ...[request]: Parameters<Calls[Id]>): Promise<Answer<Id>> {
  try {
    return await clientMethod(currentProject, operationId)(request as Request<Id> | undefined);
  } catch (error) {
    noteError(error);
    throw error;
  }
}

/** An operation of the person or the instance as a query: the same in every project. */
export function instanceQuery<Id extends CallID>(operationId: Id, ...[request]: Parameters<Calls[Id]>) {
  return queryOptions<Answer<Id>, Error, Answer<Id>, readonly [Id, undefined, Request<Id> | undefined]>({
    queryKey: [operationId, undefined, request as Request<Id> | undefined] as const,
    queryFn: ({ signal }) => clientMethod(undefined, operationId)({ ...(request as object | undefined), signal } as Request<Id>),
  });
}

/** An operation as a query: `useQuery(query("getGate", { path: { id } }))`. Its key is the operation's name, the project and the request. */
export function query<Id extends CallID>(operationId: Id, ...[request]: Parameters<Calls[Id]>) {
  const projectID = currentProject;
  return queryOptions<Answer<Id>, Error, Answer<Id>, readonly [Id, string | undefined, Request<Id> | undefined]>({
    queryKey: [operationId, projectID, request as Request<Id> | undefined] as const,
    queryFn: ({ signal }) => clientMethod(projectID, operationId)({ ...(request as object | undefined), signal } as Request<Id>),
  });
}

/** Reads the shown data of these operations again, in every project. */
export const invalidate = (...ids: CallID[]): Promise<unknown> =>
  Promise.all(ids.map((id) => queryClient.invalidateQueries({ queryKey: [id] })));

/** Forgets data that no page shows now: after a deletion, pages must not return from earlier reads. */
export const forgetUnseen = (): void => queryClient.removeQueries({ type: "inactive" });

/** Fills the cache before a page shows. */
export const ensure: QueryClient["ensureQueryData"] = (options) => queryClient.ensureQueryData(options);

/** The client of the current project, for answers that are read as they arrive. */
export const projectClient = (): ConsoleClient => client(currentProject);

/** Changes of the project's entities after the one with the number `after`, as they happen, until `signal` is aborted. */
export const followChanges = (after: number, signal: AbortSignal) => changes(client(currentProject), { after, signal });

export type Changes = NonNullable<Answer<"patchGate">["changes"]>;
export type Impact = NonNullable<Answer<"batch">["impact"]>;

type InstanceID = "patchPerson" | "deletePasswordReset" | "deleteProject";

/** A write of the instance, which no batch can contain. */
type InstanceRequest = { [Id in InstanceID]: { operationId: Id } & Omit<Request<Id>, "signal" | "idempotencyKey"> }[InstanceID];

/** A draft's requests: one operation, or several that are stored together or not at all. */
export type Write = readonly BatchRequest[] | readonly [InstanceRequest];

const isOfInstance = (write: Write): write is readonly [InstanceRequest] =>
  write[0] !== undefined && !("isBatchable" in routes[write[0].operationId]);

function callInstance({ operationId, ...request }: InstanceRequest, query: object): Promise<Answer<InstanceID>> {
  return clientMethod<InstanceID>(
    undefined,
    operationId,
  )({ ...request, query: { ...("query" in request ? request.query : {}), ...query } } as never);
}

export type Requirement = Schema<"ReviewRequirement">;

type Preview = { changes: Changes; requirements: readonly Requirement[]; impact: Impact | undefined };

/**
 * Without storing anything: every field that the write would change, why it needs a review, and the new and current values of users seen
 * lately.
 */
export async function preview(write: Write, impact: number | undefined): Promise<Preview> {
  const query = { dryRun: true, ...(impact !== undefined && { impact }) };
  const answer = await (isOfInstance(write) ? callInstance(write[0], query) : call("batch", { requests: [...write], query }));
  const { requirements = [] } = answer as { requirements?: Requirement[] };
  return { changes: answer.changes ?? [], requirements, impact: answer.impact };
}

/** A review that the author of a change asks for, of certain people or of anyone. */
export type ReviewRequest = { reviewers: readonly { id: string }[] };

const asking = ({ reviewers }: ReviewRequest) => ({
  requestReview: true,
  ...(reviewers.length > 0 && { reviewers: reviewers.map(({ id }) => id) }),
});

/**
 * Stores the write completely or not at all. `reason` is for the history; empty for none. `bypassReview` makes a change that needs a review
 * without one, which takes a reason. `review` asks for a review, even if the change does not need one. @returns the answer to each request @throws ReviewRequiredError if it waits for a review instead
 */
export async function save(
  write: Write,
  reason = "",
  { bypassReview = false, review }: { bypassReview?: boolean; review?: ReviewRequest | undefined } = {},
): Promise<readonly { body?: unknown; etag?: string }[]> {
  const query = { ...(reason !== "" && { reason }), ...(bypassReview && { bypassReview }), ...(review && asking(review)) };
  if (isOfInstance(write)) return [{ body: await callInstance(write[0], query) }];
  return (await call("batch", { requests: [...write], query })).data;
}

/** Whether a write can be scheduled. */
export const isSchedulable = (write: Write): boolean => write.every(({ operationId }) => "takesApplyAt" in routes[operationId]);

/** Whether a write can be scheduled to repeat. */
export const isRepeatable = (write: Write): boolean => write.every(({ operationId }) => "takesRepeat" in routes[operationId]);

/** When a write is applied, on which days of the week it is applied again, and until when. Times are in ms since the epoch. */
export type Timing = { applyAt: number; repeat?: Schema<"Weekday">[] | undefined; repeatUntil?: number };

/** Stores a write to be applied at a time, after a review that it needs or that `review` asks for. `reason` is for the history; empty for none. @throws ReviewRequiredError if it waits for a review first */
export async function schedule(write: Write, { applyAt, repeat, repeatUntil }: Timing, reason = "", review?: ReviewRequest): Promise<void> {
  const query = {
    applyAt,
    ...(repeat && { repeat }),
    ...(repeatUntil !== undefined && { repeatUntil }),
    ...(review && asking(review)),
    ...(reason !== "" && { reason }),
  };
  const [only] = write;
  if (only === undefined || write.length > 1) await call("batch", { requests: [...write], query } as Request<"batch">);
  else {
    const { operationId, ...request } = only;
    const own = "query" in request ? request.query : {};
    await call<CallID>(operationId, { ...request, query: { ...own, ...query } } as never);
  }
}

/** An operation that restores a version of an entity. */
export type RestoreID = Extract<BatchRequest["operationId"], `restore${string}Version`>;

/** The request that restores a version. Some paths have the entity's id, others its name. */
export function restoreRequest(operationId: RestoreID, { id, version }: { id: string; version: number }): BatchRequest {
  const [, parameter = "id"] = /\{(\w+)\}/.exec(routes[operationId].path) ?? [];
  return { operationId, path: { [parameter]: id, version } } as BatchRequest;
}
