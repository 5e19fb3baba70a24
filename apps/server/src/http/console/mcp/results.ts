import type { Answer } from "./call-operation.ts";
import type { ToolOperation } from "./catalog.ts";

/** The result of a tool, as the protocol has it. */
export type ToolResult = { content: { type: "text"; text: string }[]; isError?: boolean };

/** The most characters of a result, so that it fits into the context of a model. */
const MAX_RESULT_LENGTH = 100_000;

const exact = (count: number): string => count.toLocaleString("en");

export function textResult(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

export function jsonResult(value: object): ToolResult {
  return bounded(JSON.stringify(value));
}

/** A refusal that the model can correct. */
export function failure(message: string): ToolResult {
  return { ...textResult(message), isError: true };
}

/** The response to a call: its body with the ETag of the entity. An error has the text of the console API. */
export function toResult({ isWrite }: Pick<ToolOperation, "isWrite">, { status, etag, text }: Answer): ToolResult {
  if (status >= 400) return { ...bounded(text), isError: true };
  const full = etag === undefined ? text : `{"etag":${JSON.stringify(etag)},${text.slice(1)}`;
  return isWrite && full.length > MAX_RESULT_LENGTH ? textResult(summarize(status, full)) : bounded(full);
}

function bounded(text: string): ToolResult {
  if (text.length <= MAX_RESULT_LENGTH) return textResult(text);
  const size = `The result has ${exact(text.length)} characters, more than the limit of ${exact(MAX_RESULT_LENGTH)}.`;
  return failure(`${size} Ask for less: use a smaller limit, a filter, or another page.`);
}

type WriteBody = { etag?: string; message?: string; requirements?: unknown; review?: { id?: string; status?: string; approvers?: string } };

/** The outcome of a write whose response is too long. The write itself has succeeded. */
function summarize(status: number, text: string): string {
  const { etag, message, requirements, review } = JSON.parse(text) as WriteBody;
  const note = `The rest of the response is left out, since it has ${exact(text.length)} characters. Read the entity to see it.`;
  return JSON.stringify({
    ...{ status, etag, message, requirements },
    ...(review && { review: { id: review.id, status: review.status, approvers: review.approvers } }),
    note,
  });
}
