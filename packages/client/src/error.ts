import type { Schema } from "@gatehouse/contract/console";

export type Violation = Schema<"Violation">;
export type ErrorCode = Schema<"Error">["code"];

/** An answer that is not a success. Without any answer a call throws what `fetch` throws. */
export class ConsoleApiError extends Error {
  override readonly name = "ConsoleApiError";
  /** The operation that was called. */
  readonly operationId: string;
  /** The HTTP status. */
  readonly status: number;
  /** Which kind of error; undefined when something before the server answered, such as a proxy. */
  readonly code: ErrorCode | undefined;
  /** Each violation of the request with its place; empty when the error is not about the request's contents. */
  readonly errors: Violation[];
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(operationId: string, response: Response, body: unknown) {
    const error = isError(body) ? body : undefined;
    const errors = error?.errors ?? [];
    const what = error?.message || detailsOf(body) || (response.ok ? "The answer is not JSON." : response.statusText);
    // A conflict has one error, whose text is the message.
    const further = errors.filter(({ errorMessage }) => errorMessage !== what);
    const details = further.map(({ property, errorMessage }) => `\n  ${property}: ${errorMessage}`).join("");
    super(`${operationId}: ${response.status} ${what}`.trimEnd() + details);
    this.operationId = operationId;
    this.status = response.status;
    this.code = error?.code;
    this.errors = errors;
    this.requestId = response.headers.get("X-Request-Id") ?? undefined;
  }
}

/** What stands before the server may answer JSON too, of a shape of its own. */
function isError(body: unknown): body is Schema<"Error"> {
  if (typeof body !== "object" || body === null) return false;
  const { code, message, errors = [] } = body as Partial<Schema<"Error">>;
  return typeof code === "string" && typeof message === "string" && Array.isArray(errors);
}

/** What an error of the operations that speak OFREP says. */
function detailsOf(body: unknown): string | undefined {
  const { errorDetails } = (body ?? {}) as { errorDetails?: unknown };
  return typeof errorDetails === "string" ? errorDetails : undefined;
}
