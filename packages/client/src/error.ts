import type { Schema } from "@gatehouse/contract/console";

export type Violation = Schema<"Violation">;
export type ErrorCode = Schema<"Error">["code"];

/** An answer that is not a success. */
export class ConsoleApiError extends Error {
  override readonly name = "ConsoleApiError";
  /** The HTTP status. */
  readonly status: number;
  /** Which kind of error; undefined when something before the server answered, such as a proxy. */
  readonly code: ErrorCode | undefined;
  /** Each violation of the request with its place; empty when the error is not about the request's contents. */
  readonly errors: Violation[];
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(operationId: string, response: Response, body: unknown) {
    const error: Partial<Schema<"Error">> = typeof body === "object" && body !== null ? body : {};
    const errors = error.errors ?? [];
    const details = errors.map(({ property, errorMessage }) => `\n  ${property}: ${errorMessage}`).join("");
    super(`${operationId}: ${response.status} ${error.message ?? response.statusText}${details}`);
    this.status = response.status;
    this.code = error.code;
    this.errors = errors;
    this.requestId = response.headers.get("X-Request-Id") ?? undefined;
  }
}
