/** The most resources of a page. */
export const MAX_RESULTS = 200;
const DEFAULT_RESULTS = 100;

/** The page that `startIndex` and `count` mean. `startIndex` begins with 1. */
export function toPage({ startIndex: given = 1, count = DEFAULT_RESULTS }: { startIndex?: number; count?: number }) {
  const startIndex = Math.max(1, given);
  return { startIndex, skip: startIndex - 1, take: Math.min(MAX_RESULTS, Math.max(0, count)) };
}
