import { evaluationOperations, operations } from "./operations.ts";

/** The maximum CPU time of a rejected request, ms. */
export const MAX_REFUSAL_MS = 200;
/** The maximum CPU time per MiB of an accepted body, ms. */
export const MAX_MS_PER_MIB = 150;
const MIB = 2 ** 20;
/** The size of a body in MiB, at least 1. */
export const mib = (body: string) => Math.max(1, Buffer.byteLength(body) / MIB);

export const withBody = [...operations, ...evaluationOperations].filter(({ takesBody }) => takesBody);
export const manyOf = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, index) => item(index));
