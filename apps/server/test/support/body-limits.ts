import { cpuCost } from "./cpu.ts";
import { evaluationOperations, operations } from "./operations.ts";

/** The maximum CPU time of a rejected request, ms. */
export const MAX_REFUSAL_MS = 200;
/** The maximum CPU time per MiB of an accepted body, ms. */
export const MAX_MS_PER_MIB = 150;
const MIB = 2 ** 20;
/** The maximum CPU time of a body, as a multiple of the cost of parsing and printing it. Keys that all differ cost about 100 ms per MiB to parse. */
const MAX_TIMES_PARSED = 4;

/** The size of a body in MiB, at least 1. */
export const mib = (body: string) => Math.max(1, Buffer.byteLength(body) / MIB);

/** The maximum CPU time of a body that was answered with a status, ms. Counts parsing and printing it on this machine where that alone costs much. */
export async function maxCost(status: number, body: string): Promise<number> {
  const parsed = await cpuCost(async () => JSON.stringify(JSON.parse(body)), 0, 1);
  return Math.max(status < 300 ? MAX_MS_PER_MIB * mib(body) : MAX_REFUSAL_MS, MAX_TIMES_PARSED * parsed);
}

export const withBody = [...operations, ...evaluationOperations].filter(({ takesBody }) => takesBody);
export const createMany = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, index) => item(index));
