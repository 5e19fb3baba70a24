/** Maximum number of resources on a page. */
export const MAX_RESULTS = 200;
const DEFAULT_RESULTS = 100;

/** The page for `startIndex`, which is counted from 1, and `count`. */
export function toPage({ startIndex: given = 1, count = DEFAULT_RESULTS }: { startIndex?: number; count?: number }) {
  const startIndex = Math.max(1, given);
  return { startIndex, skip: startIndex - 1, take: Math.min(MAX_RESULTS, Math.max(0, count)) };
}
