import { AppError } from "../../common/errors.ts";

export type StreamLimits = {
  /** The most streams at once. */
  limit: number;
  /** The most streams of one key at once. */
  limitPerKey: number;
};

/** Counts the streams of a server and of each key, so that no key can use all streams. */
export function createStreamSlots({ limit, limitPerKey }: StreamLimits) {
  const byKey = new Map<string, number>();
  let total = 0;

  const slots = {
    /** Why a key cannot open another stream; undefined if it can. */
    refusal(key: string): AppError | undefined {
      if ((byKey.get(key) ?? 0) >= limitPerKey) {
        return new AppError("too_many_requests", "The key has reached its limit of open streams. Close one or try again later.");
      }
      if (total < limit) return undefined;
      return new AppError("unavailable", "The server has reached its limit of open streams. Try again later.");
    },

    /** Reserves a stream for a key. @throws AppError too_many_requests, unavailable */
    take(key: string): void {
      const refusal = slots.refusal(key);
      if (refusal !== undefined) throw refusal;
      byKey.set(key, (byKey.get(key) ?? 0) + 1);
      total += 1;
    },

    free(key: string): void {
      const left = (byKey.get(key) ?? 0) - 1;
      if (left > 0) byKey.set(key, left);
      else byKey.delete(key);
      total -= 1;
    },
  };
  return slots;
}
