import type { Schema } from "@gatehouse/contract/console";

export type Violation = Schema<"Violation">;
export type ErrorCode = Schema<"Error">["code"];

/** A response that is not a success. Without a response, a call throws the error of `fetch`. */
export class ConsoleApiError extends Error {
  override readonly name = "ConsoleApiError";
  /** The operation that was called. */
  readonly operationId: string;
  /** The HTTP status. */
  readonly status: number;
  /** The kind of error. Undefined if the response came from elsewhere, for example a proxy. */
  readonly code: ErrorCode | undefined;
  /** Each violation of the request with its place. Empty if the error is not about the request's content. */
  readonly errors: Violation[];
  /** The second factors that the person has, if one is required. Undefined for other errors. */
  readonly factors: Schema<"SecondFactor">[] | undefined;
  /** The index of the failed request in a batch, from 0. Undefined if the error is not that of a batch's request. */
  readonly index: number | undefined;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** The headers of the response. */
  readonly headers: Headers;

  constructor(operationId: string, response: Response, body: unknown) {
    const error = isError(body) ? body : undefined;
    const errors = error?.errors ?? [];
    const what = error?.message || readDetails(body) || (response.ok ? "The answer is not JSON." : response.statusText);
    // The only violation of a conflict repeats the message.
    const further = errors.filter(({ errorMessage }) => errorMessage !== what);
    const details = further.map(({ property, errorMessage }) => `\n  ${property}: ${errorMessage}`).join("");
    const requestId = response.headers.get("X-Request-Id") ?? undefined;
    // Only the operator can find out more about a failure of the server.
    const inLog = response.status === 500 && requestId !== undefined ? ` (request ${requestId})` : "";
    super(`${operationId}: ${response.status} ${what}`.trimEnd() + inLog + details);
    this.operationId = operationId;
    this.status = response.status;
    this.code = error?.code;
    this.errors = errors;
    this.factors = error?.factors;
    this.index = error?.index;
    this.requestId = requestId;
    this.headers = response.headers;
  }
}

/** Thrown for a change that the server did not make, because it needs a review. It is stored, and waits for an approval. */
export class ReviewRequiredError extends Error {
  override readonly name = "ReviewRequiredError";
  /** The operation that was called. */
  readonly operationId: string;
  /** The review. Its `approvers` says who can approve it. */
  readonly review: Schema<"Review">;

  constructor(operationId: string, { message, review }: Schema<"ReviewRequested">) {
    super(`${operationId}: ${message}`);
    this.operationId = operationId;
    this.review = review;
  }
}

/** The answer to a request that was not executed, because it needs a review. */
export function isReviewRequested(response: Response, body: object | undefined): body is Schema<"ReviewRequested"> {
  return response.status === 202 && body !== undefined && "review" in body;
}

/** Proxies may respond with JSON too, in another shape. */
function isError(body: unknown): body is Schema<"Error"> & Pick<Schema<"BatchError">, "index"> {
  if (typeof body !== "object" || body === null) return false;
  const { code, message, errors = [] } = body as Partial<Schema<"Error">>;
  return typeof code === "string" && typeof message === "string" && Array.isArray(errors);
}

/** The message of an error in OFREP's shape. */
function readDetails(body: unknown): string | undefined {
  const { errorDetails } = (body ?? {}) as { errorDetails?: unknown };
  return typeof errorDetails === "string" ? errorDetails : undefined;
}
