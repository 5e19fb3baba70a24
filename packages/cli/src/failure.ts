import { ConsoleApiError, ReviewRequiredError } from "@gatehouse/client";
import { CliError, EXIT } from "./cli-error.ts";
import { note, styled } from "./output.ts";

/** Explains why a command failed. @returns its exit code */
export function explain(error: unknown, { json = false } = {}): number {
  if (error instanceof ReviewRequiredError) {
    const { id, approvers } = error.review;
    if (json) note(JSON.stringify({ review: error.review }));
    else note(`${styled("yellow", "Review requested:", process.stderr)} ${id}. Nothing has changed yet. ${approvers}`);
    return EXIT.inReview;
  }
  const failure = describe(error);
  if (json) note(JSON.stringify({ error: failure }));
  else {
    note(`${styled("red", "Error:", process.stderr)} ${failure.message}`);
    for (const { property, errorMessage } of failure.errors ?? []) note(`  ${property}: ${errorMessage}`);
    if (failure.advice !== undefined) note(failure.advice);
  }
  return EXIT.failure;
}

type Failure = { message: string; code?: string; errors?: { property: string; errorMessage: string }[]; advice?: string };

function describe(error: unknown): Failure {
  if (error instanceof ConsoleApiError) return describeApiError(error);
  if (error instanceof CliError) return { message: error.message, ...(error.advice !== undefined && { advice: error.advice }) };
  const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TypeError" && message === "fetch failed")
    return {
      message: `The server cannot be reached: ${cause?.message || cause?.code || "unknown reason"}.`,
      advice: "Check the URL with gatehouse status.",
    };
  if (name === "TypeError" && message === "terminated")
    return { message: "The connection to the server broke before the end of the response." };
  return { message };
}

function describeApiError(error: ConsoleApiError): Failure {
  const [first = ""] = error.message.split("\n");
  const message = first.replace(/^\w+: \d+ /, "");
  const errors = error.errors.filter(({ errorMessage }) => errorMessage !== message);
  return {
    message,
    ...(error.code !== undefined && { code: error.code }),
    ...(errors.length > 0 && { errors }),
    ...(error.status === 401 && { advice: "The key is wrong, expired, or deactivated. Run gatehouse login." }),
  };
}
